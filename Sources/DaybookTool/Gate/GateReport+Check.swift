import Daybook
import DaybookScenarios

extension GateReport {
    /// Code of the rule that expectations are met.
    private static let expectation = "scenario"
    /// Code of the rule that scenario files can be read.
    private static let input = "input"
    /// Code of the rule that scenarios cover event kinds and transitions.
    private static let coverage = "coverage"

    /// Creates the report of scenarios; `errors` has one for each file that could not be run.
    init(of results: [ScenarioResult], _ errors: [InputError]) {
        self.init(
            command: "check",
            rules: [
                Rule(id: Self.expectation, sentence: "An expectation of a scenario is not met"),
                Rule(id: Self.input, sentence: "A scenario file cannot be run"),
                Rule(
                    id: Self.coverage,
                    sentence: "The scenarios cover too little, or something undeclared"),
            ],
            summary: "\(results.count.counted("scenario")) passed")
        for result in results {
            let scenario = result.scenario
            findings += result.failures.map { failure in
                let place = FilePlace(path: scenario.file, line: failure.line)
                return Finding(
                    rule: Self.expectation, entity: scenario.name, message: failure.sentence,
                    identity: "\(place.path)/\(scenario.name)/\(failure.place)/\(failure.field)",
                    place: place)
            }
        }
        findings += errors.map { error in
            var reason = error
            (reason.file, reason.line) = (nil, nil)
            let place = error.file.map { FilePlace(path: $0, line: error.line ?? 1) }
            return Finding(
                rule: Self.input, entity: "", message: "\(reason)",
                identity: "\(place?.path ?? "")/\(error.field)/\(reason)", place: place)
        }
    }

    mutating func addCoverage(of name: String, _ message: String) {
        findings.append(
            Finding(
                rule: Self.coverage, entity: name, message: message,
                identity: "\(Self.coverage)/\(name)"))
    }

    /// A failed test for each finding about what the scenarios cover.
    var coverageTests: [JUnitReport.Test] {
        findings.filter { $0.rule == Self.coverage }.map { finding in
            JUnitReport.Test(
                group: Self.coverage, name: finding.entity,
                failures: [JUnitReport.Failure(message: finding.message)])
        }
    }
}
