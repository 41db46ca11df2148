import CivilTime
import EventSourcing
import Foundation
import Playback

/// Leaves steps out of a scenario that fails while it fails in the same way.
struct ScenarioShrinking {
    let catalogue: Catalogue
    let zones: ZoneSource?

    /// What came of it.
    struct Shrunk {
        var text: String
        var steps: Int
        var left: Int
        var probes: Int
    }

    func shrink(_ path: String) throws -> Shrunk {
        let text = String(decoding: try InputFile.bytes(of: path), as: UTF8.self)
        let failed: [ScenarioFailure]
        do throws(InputError) {
            failed = try failures(of: try parse(text, path))
        } catch {
            throw Failure(.usage, "\(error)")
        }
        guard let failure = failed.first else {
            throw Failure(.finding, "\(path) holds, so that there is nothing to shrink")
        }
        let steps = ScenarioSteps(text)
        let check = failure.check
        let (kept, probes) = Shrinking.smallest(steps.steps) { part in
            do throws(InputError) {
                let smaller = try parse(steps.text(keeping: part, check: check), path)
                return try failures(of: smaller).contains { $0.isLike(failure) }
            } catch {
                // What no longer makes sense is no scenario.
                return false
            }
        }
        return Shrunk(
            text: steps.text(keeping: kept, check: check), steps: steps.steps.count,
            left: kept.count,
            probes: probes)
    }

    private func parse(_ text: String, _ path: String) throws(InputError) -> ScenarioFile {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return try ScenarioFile.parse(text, path: path, catalogue: catalogue) {
            (recorded) throws(InputError) in
            do {
                return try String(
                    contentsOf: folder.appending(path: recorded), encoding: .utf8)
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
