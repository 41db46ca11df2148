package import Daybook
import DaybookLibC
import DaybookLog
import DaybookScenarios
import Synchronization

/// A trace of all entities of a walk, made by several threads in parallel.
///
/// Each thread traces a share of the entities, and the lines are merged in the order of the log.
/// Every thread reads the whole log, because skipping an event costs little compared to writing its
/// line.
public final class ParallelTrace {
    /// Number of positions that are traced before their lines are merged.
    private static let stride: UInt64 = 65_536
    /// Largest number of threads: more threads would mostly skip events.
    private static let mostThreads = 8

    private let reading: ProjectionReading
    private let shares: [Share]
    private var reached = Position.origin
    /// Error to throw before the next stretch.
    private var failure: LogError?

    /// - Parameter chosen: the newest ids of the entities to trace; `nil` for all entities.
    package init(
        along walk: EntityWalk, _ rules: RuleSet, _ reading: ProjectionReading,
        only chosen: Set<String>? = nil
    ) {
        self.reading = reading
        let cores = min(Threads.coreCount, Self.mostThreads)
        let count = walk.key == nil ? max(1, cores) : 1
        shares = (0..<count).map { index in
            Share(
                along: walk.unshared, rules, reading.entities, EntityShare(index, of: count),
                only: chosen)
        }
    }

    /// Returns the lines of the next stretch of the log; `nil` at the end.
    ///
    /// The error of a faulty event is thrown only after the lines of all earlier events were
    /// returned.
    public func next() throws -> [UInt8]? {
        if let failure { throw failure }
        guard reached < reading.through else { return nil }
        let start = reached
        let end = Position(min(start.rawValue + Self.stride, reading.through.rawValue))
        let shares = shares
        Threads.perform(shares.count) { index in
            shares[index].trace(after: start, through: end)
        }
        reached = end
        return merged()
    }

    /// Returns the lines of all shares, sorted by position and entity.
    private func merged() -> [UInt8] {
        var parts = shares.map { $0.traced() }
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

/// The part of a trace that one thread makes.
private final class Share: Sendable {
    /// The lines of a stretch, consumed one by one.
    struct Lines {
        var bytes: [UInt8] = []
        var failure: LogError?
        private var lines: [(position: UInt64, end: Int)] = []
        /// Entity key of each line.
        private var keys: [String] = []
        private var next = 0

        mutating func add(_ position: Position, _ key: String, end: Int) {
            lines.append((position.rawValue, end))
            keys.append(key)
        }

        mutating func clear() {
            lines.removeAll(keepingCapacity: true)
            keys.removeAll(keepingCapacity: true)
        }

        /// Position of the next line, or the greatest number after the last line.
        var position: UInt64 { next < lines.count ? lines[next].position : .max }

        func isBefore(_ other: Lines) -> Bool {
            if position != other.position { return position < other.position }
            return position != .max
                && keys[next].precedesByBytes(other.keys[other.next])
        }

        mutating func moveLine(to all: inout [UInt8]) {
            let start = next == 0 ? 0 : lines[next - 1].end
            all.append(contentsOf: bytes[start..<lines[next].end])
            next += 1
        }
    }

    private struct State {
        let events: WalkEvents
        var tracer: Tracer
        var writer = JSONWriter()
        var lines = Lines()
    }

    private let entities: EntityReader
    private let state: Mutex<State>

    init(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader, _ share: EntityShare,
        only chosen: Set<String>?
    ) {
        self.entities = entities
        state = Mutex(
            State(
                events: WalkEvents(
                    along: walk, entities.catalogue, validThrough: entities.validThrough, share,
                    only: chosen),
                tracer: Tracer(of: walk.projection, rules: rules)))
    }

    func trace(after: Position, through end: Position) {
        state.withLock { state in
            state.writer.clear()
            state.lines.clear()
            do throws(LogError) {
                try entities.forEach(of: state.events, after: after, through: end) {
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

    /// Returns the lines of the last stretch, and the error that ended it, if any.
    func traced() -> Lines {
        state.withLock {
            var lines = $0.lines
            lines.bytes = $0.writer.bytes
            return lines
        }
    }
}
