import Daybook
import DaybookInvestigation

/// Condition, such as another time zone, under which a separate process folds all events again.
/// Every process has a different hash seed; some conditions also change zone and language.
struct DeterminismVariation {
    var name: String
    var environment: [String: String]

    /// All conditions under which `verify --determinism` folds again.
    static let all = [
        DeterminismVariation(name: "another hash seed", environment: [:]),
        DeterminismVariation(
            name: "zone Pacific/Apia, Turkish",
            environment: ["TZ": "Pacific/Apia", "LC_ALL": "tr_TR.UTF-8"]),
        DeterminismVariation(
            name: "zone America/St_Johns, Arabic digits",
            environment: ["TZ": "America/St_Johns", "LC_ALL": "ar_EG.UTF-8", "LANG": "ar_EG.UTF-8"]),
        DeterminismVariation(
            name: "a fixed hash seed", environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]),
    ]

    /// Folds the log at a path under the condition, and returns the lines of `verify --digests`.
    func lines(ofLogAt path: String) throws -> [String] {
        let ended = try ChildProcess.run(
            ChildProcess.ownPath(), ["verify", "--digests", "--log", path],
            environment: environment)
        guard ended.code == 0 else {
            throw Failure(
                .log,
                "the log cannot be folded with \(name): '\(Program.name) verify' exited with code "
                    + "\(ended.code)")
        }
        return String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension StateDigests.Row: Answer {
    package init() { self = .blank }

    package static let name = "verify.digests"
    package static let summary = "A projection's states in one digest, with --digests."
}
