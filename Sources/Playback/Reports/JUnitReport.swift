public import EventSourcing

/// The results of scenarios in the XML that build servers read.
///
/// Source: the Ant JUnit task's report, as Jenkins and GitLab take it.
public enum JUnitReport {
    /// - Parameter errors: files that could not be read or run at all.
    public static func xml(_ results: [ScenarioResult], errors: [InputError] = []) -> String {
        let failed = results.count { !$0.passed }
        let counts =
            "tests=\"\(results.count + errors.count)\" failures=\"\(failed)\" "
            + "errors=\"\(errors.count)\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
        xml += "  <testsuite name=\"replay check\" \(counts)>\n"
        for result in results {
            xml +=
                "    <testcase classname=\"\(escape(result.scenario.file))\" "
                + "name=\"\(escape(result.scenario.name))\""
            guard !result.passed else {
                xml += "/>\n"
                continue
            }
            xml += ">\n"
            for failure in result.failures {
                let field = failure.field.isEmpty ? "" : " \(failure.field)"
                let message =
                    "\(failure.place)\(field): expected \(failure.expected), "
                    + "actual \(failure.actual)"
                let lines = ScenarioReport.text(failure, result, eventLimit: 20)
                xml +=
                    "      <failure message=\"\(escape(message))\">"
                    + "\(escape(lines.joined(separator: "\n")))</failure>\n"
            }
            xml += "    </testcase>\n"
        }
        for error in errors {
            let file = escape(error.file ?? "input")
            xml += "    <testcase classname=\"\(file)\" name=\"\(file)\">\n"
            xml += "      <error message=\"\(escape("\(error)"))\"/>\n    </testcase>\n"
        }
        return xml + "  </testsuite>\n</testsuites>\n"
    }

    /// Text in XML 1.0, which has no way to write control characters.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
