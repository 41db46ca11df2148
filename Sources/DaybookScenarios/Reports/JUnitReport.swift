public import Daybook

/// Writes the results of scenarios in JUnit's XML format, which build servers read.
///
/// Source: the report of Ant's JUnit task, which Jenkins and GitLab read.
public enum JUnitReport {
    /// The text with which every report begins.
    public static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "

    /// Returns an XML report of results and errors.
    ///
    /// - Parameters:
    ///   - errors: one error for each file that could not be read or run at all.
    ///   - suite: the name of the test suite, such as the command that ran the scenarios.
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

    /// Returns lines of text with invisible characters made visible, escaped for XML.
    private static func escape(_ lines: [String]) -> String {
        lines.map(\.visible).joined(separator: "\n").escapedForXML
    }

    /// Returns a text with invisible characters made visible, escaped for XML.
    private static func escape(_ text: String) -> String { escape([text]) }
}
