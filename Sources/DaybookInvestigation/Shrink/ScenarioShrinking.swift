public import Daybook
import DaybookScenarios

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A search for the smallest part of a failing scenario that still fails in the same way.
public struct ScenarioShrinking: Sendable {
    private let catalogue: Catalogue
    private let zones: ZoneSource?

    public init(_ catalogue: Catalogue, zones: ZoneSource?) {
        self.catalogue = catalogue
        self.zones = zones
    }

    /// The smallest scenario that was found to fail in the same way.
    public struct ShrunkScenario: Equatable, Sendable {
        public var text: String
        public var originalStepCount: Int
        public var stepCount: Int
        /// Number of scenarios that were run.
        public var probeCount: Int
    }

    /// Shrinks the text of a scenario file.
    ///
    /// - Parameter path: path of the file; files with recorded events are read from its folder.
    /// - Throws: `QuestionError.invalid` if the scenario is invalid, `unanswered` if it passes.
    public func shrink(_ text: String, at path: String) throws -> ShrunkScenario {
        let failed: [ScenarioFailure]
        do throws(InputError) { failed = try failures(of: try parse(text, path)) } catch {
            throw QuestionError.invalid("\(error)")
        }
        guard let failure = failed.first else {
            throw QuestionError.unanswered(
                "the scenario \(path) passes, so that there is nothing to shrink")
        }
        let steps = ScenarioSteps(text)
        let check = failure.checkIndex
        let (kept, probeCount) = Shrinking.smallest(steps.steps) { part in
            do throws(InputError) {
                let smaller = try parse(steps.text(keeping: part, check: check), path)
                return try failures(of: smaller).contains { $0.isLike(failure) }
            } catch {
                // A reduced text that no longer parses is not a scenario.
                return false
            }
        }
        return ShrunkScenario(
            text: steps.text(keeping: kept, check: check), originalStepCount: steps.steps.count,
            stepCount: kept.count, probeCount: probeCount)
    }

    /// Parses a scenario, which may name files with recorded events in the folder of `path`.
    private func parse(_ text: String, _ path: String) throws(InputError) -> ScenarioFile {
        try ScenarioFile.parse(text, path: path, catalogue: catalogue) {
            (recorded) throws(InputError) in
            do {
                return try String(
                    contentsOfFile: ScenarioFile.path(of: recorded, beside: path), encoding: .utf8)
            } catch {
                throw InputError(
                    "the file '\(recorded)' with recorded events cannot be read", file: recorded)
            }
        }
    }

    private func failures(of file: ScenarioFile) throws(InputError) -> [ScenarioFailure] {
        try ScenarioRunner(catalogue: catalogue, zones: zones).run(file).flatMap(\.failures)
    }
}

extension ScenarioFailure {
    /// Index in `then` of the failed check; `nil` if a step failed.
    fileprivate var checkIndex: Int? {
        guard place.hasPrefix("then[") else { return nil }
        return Int(place.dropFirst(5).prefix { $0 != "]" })
    }

    /// The place of the failure without the index of the step or check: `then].state splash l1` for
    /// `then[2].state splash l1`.
    private var generalPlace: String {
        String(place.prefix { $0 != "[" } + place.drop { $0 != "]" })
    }

    /// True if both failures are at the same type of step or check, with the same field and value.
    fileprivate func isLike(_ other: ScenarioFailure) -> Bool {
        generalPlace == other.generalPlace && field == other.field && actual == other.actual
    }
}
