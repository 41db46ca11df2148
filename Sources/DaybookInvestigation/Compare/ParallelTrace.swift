package import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

/// A trace of the entities of a log, made by several threads in parallel.
///
/// Each thread traces a share of the entities, and the lines are merged in the order of the log.
/// Every thread reads the whole log, because skipping an event costs little compared to writing its
/// line.
public final class ParallelTrace {
    /// Number of positions that all threads trace before the lines are merged.
    private static let stride: UInt64 = 65_536

    /// The log, read as of one point in time.
    private let reading: ProjectionReading
    /// The traces of the entities, one share for each thread.
    private let shares: [TraceShare]
    /// Last position that was traced.
    private var tracedThrough = Position.origin
    /// Error that the next call of `next()` throws; `nil` for none.
    private var failure: LogError?

    /// Creates a trace; nothing is read yet.
    ///
    /// - Parameters:
    ///   - walk: the entities to trace.
    ///   - chosen: the newest ids of the entities to trace; `nil` for all entities of the walk.
    package init(
        along walk: EntityWalk, _ rules: RuleSet, _ reading: ProjectionReading,
        only chosen: Set<String>? = nil
    ) {
        self.reading = reading
        let count = walk.key == nil ? EntityShare.threadCount : 1
        shares = (0..<count).map { index in
            TraceShare(
                along: walk.unshared, rules, reading.entities, EntityShare(index, of: count),
                only: chosen)
        }
    }

    /// Returns the lines of the next 65,536 positions; `nil` at the end of the log.
    ///
    /// The error of a faulty event is thrown only after the lines of all earlier events were
    /// returned.
    public func next() throws -> [UInt8]? {
        if let failure { throw failure }
        guard tracedThrough < reading.through else { return nil }
        let start = tracedThrough
        let end = Position(min(start.rawValue + Self.stride, reading.through.rawValue))
        let shares = shares
        Threads.perform(shares.count) { index in
            shares[index].trace(after: start, through: end)
        }
        tracedThrough = end
        return mergedLines()
    }

    /// Returns the most recent lines of all shares, merged in the order of positions and entities;
    /// stores the first error in `failure`.
    private func mergedLines() -> [UInt8] {
        var parts = shares.map { $0.tracedLines() }
        failure = parts.compactMap(\.failure).min {
            $0.position ?? .origin < $1.position ?? .origin
        }
        // The lines of events before this position are complete.
        let end = failure.map { $0.position?.rawValue ?? 0 } ?? .max
        if parts.count == 1, failure == nil { return parts[0].bytes }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.bytes.count })
        while true {
            var first = 0
            for index in 1..<max(parts.count, 1) where parts[index].isBefore(parts[first]) {
                first = index
            }
            guard parts[first].position < end else { return bytes }
            parts[first].moveLine(to: &bytes)
        }
    }
}

/// The trace of one share of the entities, made by one thread.
private final class TraceShare: Sendable {
    /// The lines that one call of `trace` wrote, to be taken one by one.
    struct TracedLines {
        /// The text of all lines.
        var bytes: [UInt8] = []
        /// Error that ended the trace; `nil` for none.
        var failure: LogError?
        /// Position of the event of each line, and the offset in `bytes` where the line ends.
        private var lines: [(position: UInt64, end: Int)] = []
        /// Newest ids of the entities, one for each line.
        private var keys: [String] = []
        /// Index of the next line to take.
        private var next = 0

        /// Adds the position and the entity of a line that ends at the offset `end` in `bytes`.
        mutating func add(_ position: Position, _ key: String, end: Int) {
            lines.append((position.rawValue, end))
            keys.append(key)
        }

        /// Removes all lines.
        mutating func clear() {
            lines.removeAll(keepingCapacity: true)
            keys.removeAll(keepingCapacity: true)
        }

        /// Position of the next line's event; the greatest number if no line is left.
        var position: UInt64 { next < lines.count ? lines[next].position : .max }

        /// True if the next line comes before the next line of another share, by position and key.
        func isBefore(_ other: TracedLines) -> Bool {
            if position != other.position { return position < other.position }
            return position != .max
                && keys[next].precedesByBytes(other.keys[other.next])
        }

        /// Appends the next line to `all`, and proceeds to the line after it.
        mutating func moveLine(to all: inout [UInt8]) {
            let start = next == 0 ? 0 : lines[next - 1].end
            all.append(contentsOf: bytes[start..<lines[next].end])
            next += 1
        }
    }

    /// State that one thread needs to trace its entities.
    private struct State {
        /// The events of the traced entities.
        let events: WalkEvents
        /// Folds the events and writes their lines.
        var tracer: Tracer
        /// Collects the text of the lines.
        var writer = JSONWriter()
        /// Position and entity of each written line.
        var lines = TracedLines()
    }

    /// Reads the entities of the log and their events.
    private let entityReader: EntityReader
    /// The state of the trace, for one thread at a time.
    private let state: Mutex<State>

    init(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader, _ share: EntityShare,
        only chosen: Set<String>?
    ) {
        self.entityReader = entities
        state = Mutex(
            State(
                events: WalkEvents(
                    along: walk, entities.catalogue, validThrough: entities.validThrough, share,
                    only: chosen),
                tracer: Tracer(of: walk.projection, rules: rules)))
    }

    /// Traces the events after one position up to another. Their lines replace those of the last
    /// call.
    func trace(after: Position, through end: Position) {
        state.withLock { state in
            state.writer.clear()
            state.lines.clear()
            do throws(LogError) {
                try entityReader.forEach(of: state.events, after: after, through: end) {
                    (event, key) throws(LogError) in
                    try folding { () throws(FoldError) in
                        try state.tracer.write(event, key, to: &state.writer)
                    }
                    state.lines.add(event.position, key, end: state.writer.bytes.count)
                    return true
                }
            } catch {
                state.lines.failure = error
            }
        }
    }

    /// Returns the lines that the last call of `trace` wrote, and the error that ended it, if any.
    func tracedLines() -> TracedLines {
        state.withLock {
            var lines = $0.lines
            lines.bytes = $0.writer.bytes
            return lines
        }
    }
}
