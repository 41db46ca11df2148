import Dispatch
import EventSourcing
import EventStorage
import Foundation
import Playback
import Synchronization

/// Traces all entities of a walk on all cores, each thread its share of them, and puts the lines
/// together in the order of the log.
///
/// Every thread reads the whole log: to pass over an event takes a tenth of what its line does.
final class SharedTrace {
    /// Positions that are traced before their lines are put together.
    private static let stride: UInt64 = 65_536
    /// More threads than this would only read what is not theirs.
    private static let mostThreads = 8

    private let reading: ProjectionReading
    private let shares: [Share]
    private var reached = Position.origin
    /// What stands in the way of the next stretch.
    private var failure: LogError?

    init(
        along walk: EntityWalk, _ rules: RuleSet, _ reading: ProjectionReading
    ) {
        self.reading = reading
        let cores = min(ProcessInfo.processInfo.activeProcessorCount, Self.mostThreads)
        let count = walk.key == nil ? max(1, cores) : 1
        shares = (0..<count).map { index in
            Share(along: walk.apart, rules, reading.entities, EntityShare(index, of: count))
        }
    }

    /// The lines of the next stretch of the log; `nil` at its end.
    ///
    /// What is wrong with an event is thrown after the lines of those before it.
    func next() throws -> [UInt8]? {
        if let failure { throw failure }
        guard reached < reading.through else { return nil }
        let start = reached
        let end = Position(min(start.rawValue + Self.stride, reading.through.rawValue))
        let shares = shares
        DispatchQueue.concurrentPerform(iterations: shares.count) { index in
            shares[index].trace(after: start, through: end)
        }
        reached = end
        return merged()
    }

    /// The lines of all shares, by position and entity.
    private func merged() -> [UInt8] {
        let parts = shares.map { $0.traced() }
        failure = parts.compactMap(\.failure).min {
            $0.position ?? .origin < $1.position ?? .origin
        }
        let end = failure.map { $0.position ?? .origin }
        if parts.count == 1, end == nil { return parts[0].bytes }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.bytes.count })
        var next = Array(repeating: 0, count: parts.count)
        while true {
            var first: (part: Int, line: Share.Line)?
            for index in parts.indices where next[index] < parts[index].lines.count {
                let line = parts[index].lines[next[index]]
                if first.map({ line < $0.line }) ?? true { first = (index, line) }
            }
            guard let (index, line) = first, line.position < end ?? line.position.next else {
                return bytes
            }
            let part = parts[index]
            let start = next[index] == 0 ? 0 : part.lines[next[index] - 1].end
            bytes.append(contentsOf: part.bytes[start..<line.end])
            next[index] += 1
        }
    }
}

/// What one thread traces.
private final class Share: Sendable {
    struct Line: Comparable {
        var position: Position
        var key: String
        /// Where it ends in the bytes of its stretch.
        var end: Int

        static func < (a: Line, b: Line) -> Bool {
            a.position == b.position
                ? a.key.utf8.lexicographicallyPrecedes(b.key.utf8) : a.position < b.position
        }
    }

    private struct State {
        let events: WalkEvents
        var tracer: Tracer
        var writer = JSONWriter()
        var lines: [Line] = []
        var failure: LogError?
    }

    private let entities: EntityReader
    private let state: Mutex<State>

    init(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader, _ share: EntityShare
    ) {
        self.entities = entities
        state = Mutex(
            State(
                events: WalkEvents(
                    along: walk, entities.catalogue, validThrough: entities.validThrough, share),
                tracer: Tracer(of: walk.projection, rules: rules)))
    }

    func trace(after: Position, through end: Position) {
        state.withLock { state in
            state.writer.clear()
            state.lines.removeAll(keepingCapacity: true)
            do throws(LogError) {
                try entities.forEach(of: state.events, after: after, through: end) {
                    (event, key) throws(LogError) in
                    try folding { () throws(FoldError) in
                        try state.tracer.write(event, key, to: &state.writer)
                    }
                    state.lines.append(
                        Line(position: event.position, key: key, end: state.writer.bytes.count))
                    return true
                }
            } catch {
                state.failure = error
            }
        }
    }

    /// The lines of the last stretch, and why there are no more.
    func traced() -> (bytes: [UInt8], lines: [Line], failure: LogError?) {
        state.withLock { ($0.writer.bytes, $0.lines, $0.failure) }
    }
}
