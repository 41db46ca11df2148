public import Daybook
import DaybookLibC
public import DaybookLog
import Synchronization

/// Computes digests of the states of a log by one of several strategies.
///
/// All strategies must give equal digests.
public enum Determinism {
    /// A strategy for folding the events of a log.
    public enum Strategy: CaseIterable, Sendable {
        /// Reads all events in one pass.
        case inOnePass
        /// Reads 1,000 positions at a time; encodes and decodes a state after every third event.
        case inChunks
        /// Folds each projection on a separate thread.
        case onThreads

        public var name: String {
            switch self {
            case .inOnePass: "one pass"
            case .inChunks: "chunks, states written and read again"
            case .onThreads: "a thread for each projection"
            }
        }
    }

    /// Returns the digests of all states up to a position, by default the end of the log.
    public static func digests(
        _ log: EventLog, _ catalogue: Catalogue, _ strategy: Strategy = .inOnePass,
        through: Position? = nil
    ) throws -> [StateDigests.Row] {
        try log.requireKeys("states hold")
        let head = try through ?? log.head()
        let identities = try identities(log, catalogue, through: head)
        switch strategy {
        case .inOnePass:
            return try folded(
                StateDigests(catalogue, identities), log, catalogue, head, stride: .max)
        case .inChunks:
            return try folded(
                StateDigests(catalogue, identities, recodingInterval: 3), log, catalogue, head,
                stride: 1_000)
        case .onThreads:
            let names = catalogue.projections.keys.sorted()
            let results = Results(names.count)
            Threads.perform(names.count) { index in
                let result = Result {
                    try folded(
                        StateDigests(catalogue, identities) { $0.name == names[index] }, log,
                        catalogue, head, stride: .max)
                }
                results.values.withLock { $0[index] = result }
            }
            return try results.values.withLock { $0 }.flatMap { try $0?.get() ?? [] }
        }
    }

    /// The digests that the threads computed, or their errors.
    private final class Results: Sendable {
        /// The result of each projection, by its index; `nil` until its thread ends.
        let values: Mutex<[Result<[StateDigests.Row], any Error>?]>

        init(_ count: Int) { values = Mutex(Array(repeating: nil, count: count)) }
    }

    /// Folds the log up to a position, `stride` positions in a pass, and returns the digests.
    private static func folded(
        _ empty: StateDigests, _ log: EventLog, _ catalogue: Catalogue, _ through: Position,
        stride: UInt64
    ) throws(LogError) -> [StateDigests.Row] {
        var digests = empty
        let head = through.rawValue
        if digests.needsReadAhead {
            try log.reader(.all, ReadWindow(through: Position(head))).forEach {
                (event) throws(LogError) in
                digests.readAhead(
                    try folding { () throws(FoldError) in try catalogue.upcast(event) })
                return true
            }
        }
        var foldedThrough: UInt64 = 0
        while foldedThrough < head {
            let end = head - foldedThrough > stride ? foldedThrough + stride : head
            let window = ReadWindow(after: Position(foldedThrough), through: Position(end))
            try log.reader(.all, window).forEach { (event) throws(LogError) in
                try folding { () throws(FoldError) in try digests.apply(try catalogue.upcast(event))
                }
                return true
            }
            foldedThrough = end
        }
        return digests.rows
    }

    /// Reads from the log which ids denote the same entity.
    private static func identities(
        _ log: EventLog, _ catalogue: Catalogue, through: Position
    ) throws(LogError) -> Identities {
        var identities = Identities()
        let kinds = Set(catalogue.events.values.filter { !$0.renames.isEmpty }.map(\.kind))
        guard try log.contents.hasAny(of: kinds) else { return identities }
        let query = Query(Query.Item(kinds: kinds))
        try log.reader(query, ReadWindow(through: through)).forEach { (event) throws(LogError) in
            try folding { () throws(FoldError) in try identities.add(event, in: catalogue) }
            return true
        }
        return identities
    }
}
