public import Daybook

/// Writes the results of scenarios or other tests in JUnit's XML format, which build servers read.
///
/// Source: the report of Ant's JUnit task, which Jenkins and GitLab read.
public enum JUnitReport {
    /// The text with which every report begins.
    public static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "

    /// A test of a report.
    public struct Test: Sendable {
        /// Name of the group of tests, such as the file of a scenario.
        public var group: String
        /// Name of the test in its group.
        public var name: String
        /// Path of the file that declares the test; `nil` if unknown.
        public var file: String?
        /// Number of the line that declares the test, from 1; `nil` if unknown.
        public var line: Int?
        /// Reasons why the test failed; empty if it passed.
        public var failures: [Failure]
        /// Reason why the test could not be run; `nil` if it was run.
        public var error: String?

        public init(
            group: String, name: String, file: String? = nil, line: Int? = nil,
            failures: [Failure] = [], error: String? = nil
        ) {
            self.group = group
            self.name = name
            self.file = file
            self.line = line
            self.failures = failures
            self.error = error
        }
    }

    /// A reason why a test failed.
    public struct Failure: Sendable {
        /// The reason, in one line.
        public var message: String
        /// Further lines about the failure.
        public var lines: [String]

        public init(message: String, lines: [String] = []) {
            self.message = message
            self.lines = lines
        }
    }

    /// Returns an XML report of scenarios and errors.
    ///
    /// - Parameters:
    ///   - errors: one error for each file that could not be read or run at all.
    ///   - suite: the name of the test suite, such as the command that ran the scenarios.
    public static func xml(
        _ results: [ScenarioResult], errors: [InputError] = [], suite: String
    ) -> String { xml(tests(of: results, errors: errors), suite: suite) }

    /// Returns a test for each scenario and each error.
    ///
    /// - Parameter errors: one error for each file that could not be read or run at all.
    public static func tests(of results: [ScenarioResult], errors: [InputError]) -> [Test] {
        let tests = results.map { result in
            Test(
                group: result.scenario.file, name: result.scenario.name,
                failures: result.failures.map { failure in
                    Failure(
                        message: failure.sentence,
                        lines: ScenarioReport.text(failure, result, eventLimit: 20))
                })
        }
        let failed = errors.map { error in
            let file = error.file ?? "input"
            return Test(group: file, name: file, error: "\(error)")
        }
        return tests + failed
    }

    /// Returns an XML report of tests.
    ///
    /// - Parameter suite: the name of the test suite, such as the command that ran the tests.
    public static func xml(_ tests: [Test], suite: String) -> String {
        let failed = tests.count { !$0.failures.isEmpty }
        let counts =
            "tests=\"\(tests.count)\" failures=\"\(failed)\" "
            + "errors=\"\(tests.count { $0.error != nil })\""
        var xml = start + "\(counts)>\n"
        xml += "  <testsuite name=\"\(escape(suite))\" \(counts)>\n"
        for test in tests {
            xml +=
                "    <testcase classname=\"\(escape(test.group))\" name=\"\(escape(test.name))\""
            if let file = test.file { xml += " file=\"\(escape(file))\"" }
            if let line = test.line { xml += " line=\"\(line)\"" }
            guard !test.failures.isEmpty || test.error != nil else {
                xml += "/>\n"
                continue
            }
            xml += ">\n"
            for failure in test.failures {
                xml +=
                    "      <failure message=\"\(escape(failure.message))\">"
                    + "\(escape(failure.lines))</failure>\n"
            }
            if let error = test.error { xml += "      <error message=\"\(escape(error))\"/>\n" }
            xml += "    </testcase>\n"
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
