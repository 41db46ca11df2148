public import Daybook
import DaybookInput
import DaybookScenarios
import Foundation
public import Testing

/// A scenario from a file of a folder, which runs as a separate test.
///
///     @Test(arguments: try ScenarioTest.all(in: "Scenarios", of: [Lending.self]))
///     func scenario(_ test: ScenarioTest) throws { try test.check() }
public struct ScenarioTest: Sendable, CustomTestStringConvertible {
    /// The path of the file and the title of the scenario.
    public let testDescription: String
    private let scenario: Scenario
    /// The runner of the scenario, with the areas that it uses.
    private let runner: ScenarioRunner

    /// Returns the scenarios of all `.yaml` and `.json` files in a folder and its subfolders.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder, absolute or relative to the working folder.
    ///   - areas: the areas whose events the scenarios use.
    ///   - zones: the tz database by which reports count civil days; by default the system's.
    /// - Throws: `InvalidCatalogue`, or an `InputError` of a file that is not a scenario.
    public static func all(
        in folder: String, of areas: [any Area.Type], zones: ZoneSource? = nil
    ) throws -> [ScenarioTest] {
        let catalogue = try Catalogue(areas)
        let runner = ScenarioRunner(catalogue: catalogue, zones: zones ?? (try? ZoneFiles.source()))
        let root = URL(fileURLWithPath: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
        return try paths.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.flatMap { path in
            let url = root.appendingPathComponent(path)
            let text = try String(contentsOf: url, encoding: .utf8)
            let file = try ScenarioFile.parse(text, path: path, catalogue: catalogue) {
                (recorded) throws(InputError) in
                let nearby = url.deletingLastPathComponent().appendingPathComponent(recorded)
                do {
                    return try String(contentsOf: nearby, encoding: .utf8)
                } catch {
                    throw InputError("the file of recorded events '\(recorded)' cannot be read")
                }
            }
            return file.scenarios.map {
                ScenarioTest(testDescription: "\(path): \($0.name)", scenario: $0, runner: runner)
            }
        }
    }

    /// Runs the scenario, and records an issue that lists the steps and checks that failed, if any.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try runner.run(scenario)
        guard !result.passed else { return }
        Issue.record("\(ScenarioReport.text([result]))", sourceLocation: sourceLocation)
    }
}
