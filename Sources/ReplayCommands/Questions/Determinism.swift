import EventSourcing
import EventStorage
import Foundation
import Playback
import Synchronization

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

    /// How a log is folded in this process.
    enum Way: CaseIterable {
        case inOneGo
        /// A few positions at a time, and each state written and read again after every third event.
        case inChunks
        /// Every projection on a thread of its own.
        case onThreads

        var name: String {
            switch self {
            case .inOneGo: "one pass"
            case .inChunks: "chunks, every state written and read again"
            case .onThreads: "a thread for each projection"
            }
        }
    }

    /// What the states of a log are, as JSON lines.
    ///
    /// - Parameter through: as of this position; the newest by default.
    static func lines(
        _ log: EventLog, _ catalogue: Catalogue, _ way: Way = .inOneGo, through: Position? = nil
    ) throws -> [String] {
        let rows = try mappingLogErrors {
            let head = try through ?? log.head()
            let identities = try identities(log, catalogue, through: head)
            switch way {
            case .inOneGo:
                return try Self.folded(
                    StateDigests(catalogue, identities), log, catalogue, head, stride: .max)
            case .inChunks:
                return try Self.folded(
                    StateDigests(catalogue, identities, chunk: 3), log, catalogue, head,
                    stride: 1_000)
            case .onThreads:
                let names = catalogue.projections.keys.sorted()
                let results = Results(names.count)
                Threads.perform(names.count) { index in
                    let result = Result {
                        try Self.folded(
                            StateDigests(catalogue, identities) { $0.name == names[index] }, log,
                            catalogue, head, stride: .max)
                    }
                    results.rows.withLock { $0[index] = result }
                }
                return try results.rows.withLock { $0 }.flatMap { try $0?.get() ?? [] }
            }
        }
        return rows.map { row in
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

    /// The states that each thread folded.
    private final class Results: Sendable {
        let rows: Mutex<[Result<[StateDigests.Row], any Error>?]>

        init(_ count: Int) { rows = Mutex(Array(repeating: nil, count: count)) }
    }

    /// Folds the log, so many positions in one read.
    private static func folded(
        _ empty: StateDigests, _ log: EventLog, _ catalogue: Catalogue, _ through: Position,
        stride: UInt64
    ) throws(LogError) -> [StateDigests.Row] {
        var digests = empty
        let head = through.rawValue
        if digests.needsForesight {
            try log.read(through: Position(head)) { (event) throws(LogError) in
                digests.foresee(try folding { () throws(FoldError) in try catalogue.upcast(event) })
                return true
            }
        }
        var reached: UInt64 = 0
        while reached < head {
            let end = head - reached > stride ? reached + stride : head
            try log.read(after: Position(reached), through: Position(end)) {
                (event) throws(LogError) in
                try folding { () throws(FoldError) in
                    try digests.take(try catalogue.upcast(event))
                }
                return true
            }
            reached = end
        }
        return digests.rows
    }

    private static func identities(
        _ log: EventLog, _ catalogue: Catalogue, through: Position
    ) throws(LogError) -> Identities {
        var identities = Identities()
        let kinds = Set(catalogue.events.values.filter { !$0.renames.isEmpty }.map(\.kind))
        guard try log.hasAny(kinds) else { return identities }
        try log.read(Query(Query.Item(kinds: kinds)), through: through) {
            (event) throws(LogError) in
            try folding { () throws(FoldError) in try identities.take(event, in: catalogue) }
            return true
        }
        return identities
    }

    /// The same from a process of its own.
    func lines(_ variation: Variation) throws -> [String] {
        guard let program = Bundle.main.executableURL else {
            throw Failure(.usage, "this program does not know where it lies")
        }
        let ended = try ChildProcess.run(
            program, ["verify", "--digests", "--log", path], environment: variation.environment)
        guard ended.code == 0 else {
            throw Failure(.log, "the fold under \(variation.name) failed")
        }
        return String(decoding: ended.output, as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
