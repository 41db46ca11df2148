import EventSourcing
import EventStorage
import Foundation
import Playback

/// Folds a log again under other circumstances, each in a process of its own, and holds the states
/// against each other.
///
/// Every process has its own hash seed; some have another zone and another language as well.
struct Determinism {
    let path: String

    struct Variation {
        var name: String
        var environment: [String: String]
    }

    static let variations = [
        Variation(name: "another hash seed", environment: [:]),
        Variation(
            name: "zone Pacific/Apia, Turkish",
            environment: ["TZ": "Pacific/Apia", "LC_ALL": "tr_TR.UTF-8"]),
        Variation(
            name: "zone America/St_Johns, Arabic digits",
            environment: ["TZ": "America/St_Johns", "LC_ALL": "ar_EG.UTF-8", "LANG": "ar_EG.UTF-8"]),
        Variation(
            name: "a fixed hash seed", environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]),
    ]

    /// What the states of a log are, as JSON lines.
    static func lines(_ log: EventLog, _ catalogue: Catalogue) throws -> [String] {
        let digests = try answering {
            var digests = StateDigests(catalogue, try identities(log, catalogue))
            try log.read { (event) throws(LogError) in
                try folding { () throws(FoldError) in
                    try digests.take(try catalogue.upcast(event))
                }
                return true
            }
            return digests
        }
        return digests.rows.map { row in
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("projection", row.projection)
                writer.member("rules", row.rules)
                writer.member("entities", Int64(row.entities))
                writer.member("sha256", row.sha256)
            }
            return writer.text
        }
    }

    private static func identities(
        _ log: EventLog, _ catalogue: Catalogue
    ) throws(LogError) -> Identities {
        var identities = Identities()
        let kinds = Set(catalogue.events.values.filter { !$0.renames.isEmpty }.map(\.kind))
        guard try log.hasAny(kinds) else { return identities }
        try log.read(Query(Query.Item(kinds: kinds))) { (event) throws(LogError) in
            try folding { () throws(FoldError) in try identities.take(event, in: catalogue) }
            return true
        }
        return identities
    }

    /// The same from a process of its own.
    func lines(_ variation: Variation) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["verify", "--digests", "--log", path]
        process.environment = ProcessInfo.processInfo.environment
            .merging(variation.environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(.log, "the fold under \(variation.name) failed")
        }
        return text.split(separator: "\n").map(String.init)
    }
}
