public import Daybook

/// The results of scenarios in the XML that build servers read.
///
/// Source: the Ant JUnit task's report, as Jenkins and GitLab take it.
public enum JUnitReport {
    /// The beginning of every report.
    public static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "

    /// - Parameters:
    ///   - errors: files that could not be read or run at all.
    ///   - suite: the command that ran them.
    public static func xml(
        _ results: [ScenarioResult], errors: [InputError] = [], suite: String
    ) -> String {
        let failed = results.count { !$0.passed }
        let counts =
            "tests=\"\(results.count + errors.count)\" failures=\"\(failed)\" "
            + "errors=\"\(errors.count)\""
        var xml = start + "\(counts)>\n"
        xml += "  <testsuite name=\"\(escape(suite))\" \(counts)>\n"
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
                    + "\(escape(lines))</failure>\n"
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

    /// Lines for people, each with what is hidden written out.
    private static func escape(_ lines: [String]) -> String {
        lines.map(\.visible).joined(separator: "\n").escapedForXML
    }

    private static func escape(_ text: String) -> String { escape([text]) }
}
