public import Daybook
import DaybookScenarios

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Leaves steps out of a scenario that fails while it fails in the same way.
public struct ScenarioShrinking: Sendable {
    private let catalogue: Catalogue
    private let zones: ZoneSource?

    /// - Parameter zones: the tz database; `nil` where none is at hand.
    public init(_ catalogue: Catalogue, zones: ZoneSource?) {
        self.catalogue = catalogue
        self.zones = zones
    }

    /// The shortest scenario found.
    public struct Shrunk: Hashable, Sendable {
        public var text: String
        /// How many steps the scenario had.
        public var steps: Int
        /// How many steps are left.
        public var left: Int
        /// How many scenarios were run.
        public var probes: Int
    }

    /// Shrinks the text of a scenario file.
    ///
    /// - Parameter path: of the file, beside which recorded events lie.
    /// - Throws: `QuestionError.invalid` for an invalid scenario, `unanswered` for one that
    ///   holds.
    public func shrink(_ text: String, at path: String) throws -> Shrunk {
        let failed: [ScenarioFailure]
        do throws(InputError) {
            failed = try failures(of: try parse(text, path))
        } catch {
            throw QuestionError.invalid("\(error)")
        }
        guard let failure = failed.first else {
            throw QuestionError.unanswered("\(path) holds, so that there is nothing to shrink")
        }
        let steps = ScenarioSteps(text)
        let check = failure.check
        let (kept, probes) = Shrinking.smallest(steps.steps) { part in
            do throws(InputError) {
                let smaller = try parse(steps.text(keeping: part, check: check), path)
                return try failures(of: smaller).contains { $0.isLike(failure) }
            } catch {
                // A reduced text that no longer parses is not a scenario.
                return false
            }
        }
        return Shrunk(
            text: steps.text(keeping: kept, check: check), steps: steps.steps.count,
            left: kept.count,
            probes: probes)
    }

    private func parse(_ text: String, _ path: String) throws(InputError) -> ScenarioFile {
        try ScenarioFile.parse(text, path: path, catalogue: catalogue) {
            (recorded) throws(InputError) in
            do {
                return try String(
                    contentsOfFile: ScenarioFile.path(of: recorded, beside: path), encoding: .utf8)
            } catch {
                throw InputError("'\(recorded)' cannot be read", file: recorded)
            }
        }
    }

    private func failures(of file: ScenarioFile) throws(InputError) -> [ScenarioFailure] {
        try ScenarioRunner(catalogue: catalogue, zones: zones).run(file).flatMap(\.failures)
    }
}

extension ScenarioFailure {
    /// The number of the check that failed; `nil` where it was a step.
    fileprivate var check: Int? {
        guard place.hasPrefix("then[") else { return nil }
        return Int(place.dropFirst(5).prefix { $0 != "]" })
    }

    /// The place without the number that it has in the file.
    private var generalPlace: String {
        String(place.prefix { $0 != "[" } + place.drop { $0 != "]" })
    }

    /// The same check fails with the same answer.
    fileprivate func isLike(_ other: ScenarioFailure) -> Bool {
        generalPlace == other.generalPlace && field == other.field && actual == other.actual
    }
}
