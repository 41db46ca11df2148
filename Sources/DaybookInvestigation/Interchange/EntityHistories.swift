import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

/// An interval of positions in which the state of an entity was the same.
struct StateInterval {
    /// Newest id of the entity, as the file shows it.
    var key: String
    /// The state as a JSON object, in UTF-8; empty until it is needed.
    var json: [UInt8] = []
    /// The event that began the interval.
    var from: Envelope
    /// Kind of the event that began the interval.
    var cause: EventKind
    /// The event that ended the interval; `nil` for the newest state.
    var to: Envelope?
    /// Position of the last event of the entity, whether or not it changed the state.
    var lastPosition: Position
}

/// The histories of all entities of a projection, folded by several threads.
///
/// Each thread folds a share of the entities and reads the whole log, as in `ParallelTrace`. The
/// order of the intervals does not depend on the number of threads. If the projection has very many
/// entities, they are divided into parts that are folded one after another, which limits the memory.
package final class EntityHistories: Sendable {
    /// Largest number of entities whose states are kept at a time.
    package static let partEntityCount = 1_000_000
    /// Number of positions that all threads fold before the intervals are merged.
    private static let stride: UInt64 = 65_536

    private let reading: ProjectionReading
    private let walk: EntityWalk
    private let values: ShownValues
    /// Number of parts into which the entities are divided; 0 without entities.
    private let partCount: Int

    /// Prepares to fold the entities of a projection; nothing is folded yet.
    ///
    /// - Parameter partEntityCount: largest number of entities that are folded together.
    init(
        of projection: ProjectionDescription, _ reading: ProjectionReading, _ values: ShownValues,
        partEntityCount: Int
    ) throws(LogError) {
        self.reading = reading
        self.values = values
        walk = try reading.entities.walk(of: projection, nil)
        let count = try reading.log.idCount(of: projection.noun)
        partCount = (count + partEntityCount - 1) / partEntityCount
    }

    /// Calls `body` with rendered intervals: first those that ended, in the order of the positions
    /// where they ended, then the newest ones in the order of the keys.
    ///
    /// The next intervals are folded and rendered while `body` runs.
    ///
    /// - Parameters:
    ///   - render: renders an interval, on any thread.
    ///   - body: receives the rendered intervals, in order, on the calling thread.
    func forEach(
        rendering render: @escaping RowRenderer,
        _ body: (OrderedRows) throws -> Void
    ) throws {
        for part in 0..<partCount { try forEach(inPart: part, render, body) }
    }

    /// Calls `body` with the rendered intervals of one part of the entities.
    private func forEach(
        inPart part: Int,
        _ render: @escaping RowRenderer,
        _ body: (OrderedRows) throws -> Void
    ) throws {
        let threadCount = EntityShare.threadCount
        let shares = (0..<threadCount).map { index in
            HistoryShare(
                along: walk.unshared, reading.entities, values,
                EntityShare(part + partCount * index, of: partCount * threadCount))
        }
        var ready = OrderedRows(parts: shares.map { _ in RenderedRows() })
        var start = Position.origin
        while start < reading.through {
            let after = start
            let end = Position(min(start.rawValue + Self.stride, reading.through.rawValue))
            try perform(shares, &ready, body) { $0.fold(after: after, through: end, render) }
            start = end
        }
        // The keys of all shares together are in order only within a range of keys.
        try perform(shares, &ready, body) { $0.sortNewest() }
        while true {
            let bounds = shares.compactMap { $0.nextKey(after: Self.newestCount) }
            let bound = bounds.min { $0.precedesByBytes($1) }
            try perform(shares, &ready, body) { $0.renderNewest(before: bound, render) }
            if bound == nil { return try body(ready) }
        }
    }

    /// Calls `work` with each share on a thread of its own, and `body` with the rows that were ready
    /// before; then puts the new rows in their place.
    private func perform(
        _ shares: [HistoryShare], _ ready: inout OrderedRows,
        _ body: (OrderedRows) throws -> Void,
        _ work: @escaping @Sendable (HistoryShare) -> Void
    ) throws {
        guard shares.count > 1 else {
            try body(ready)
            work(shares[0])
            return try HistoryShare.exchangeRows(of: shares, &ready.parts)
        }
        var written: Result<Void, any Error> = .success(())
        Threads.perform(beside: shares.count, { work(shares[$0]) }) {
            written = Result { try body(ready) }
        }
        try written.get()
        try HistoryShare.exchangeRows(of: shares, &ready.parts)
    }

    /// Number of entities whose newest states a thread renders at a time.
    private static let newestCount = 8_192
}

/// A function that renders an interval as rows, on any thread.
typealias RowRenderer = @Sendable (StateInterval, inout RenderedRows) -> Void

/// Rendered rows with the positions and keys by which they are merged.
struct RenderedRows: Sendable {
    /// Text of the rows of the first table, in UTF-8.
    var bytes: [UInt8] = []
    /// Offset in `bytes` after each row.
    var ends: [Int] = []
    /// Text of the rows of a second table, in UTF-8; empty for a row without one.
    var otherBytes: [UInt8] = []
    /// Offset in `otherBytes` after each row of the second table.
    var otherEnds: [Int] = []
    /// Position at which each interval ended; 0 for the newest ones.
    fileprivate var positions: [UInt64] = []
    /// Key of the entity of each row.
    fileprivate var keys: [String] = []

    /// Removes the rows, and keeps the memory for reuse.
    fileprivate mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        otherBytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        otherEnds.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
    }

    /// True if a row belongs before a row of other rows.
    fileprivate func hasRow(_ row: Int, before other: RenderedRows, _ otherRow: Int) -> Bool {
        let (position, otherPosition) = (positions[row], other.positions[otherRow])
        guard position == otherPosition else { return position < otherPosition }
        return keys[row].precedesByBytes(other.keys[otherRow])
    }

    /// Ends the row that was appended to `bytes`, and the one that was appended to `otherBytes`.
    fileprivate mutating func endRow(of interval: StateInterval) {
        ends.append(bytes.count)
        otherEnds.append(otherBytes.count)
        positions.append(interval.to?.position.rawValue ?? 0)
        keys.append(interval.key)
    }
}

/// Rows of several threads, in the order of positions and then keys.
struct OrderedRows: Sendable {
    /// The rows of each thread, which are in this order.
    fileprivate var parts: [RenderedRows]

    /// Calls `body` with the rows of each thread and the number of a row in them, in order.
    func forEach(_ body: (borrowing RenderedRows, Int) throws -> Void) rethrows {
        var next = Array(repeating: 0, count: parts.count)
        while true {
            var first: Int?
            for index in parts.indices where next[index] < parts[index].ends.count {
                if let known = first,
                    !parts[index].hasRow(next[index], before: parts[known], next[known])
                {
                    continue
                }
                first = index
            }
            guard let first else { return }
            try body(parts[first], next[first])
            next[first] += 1
        }
    }
}

/// The histories of one share of the entities, folded by one thread.
private final class HistoryShare: Sendable {
    /// The folded state of an entity, and the interval in which it is the same.
    fileprivate struct Entity {
        var fold: Fold
        var interval: StateInterval
    }

    /// The folded entities of one thread, and its buffers.
    fileprivate struct State {
        let events: WalkEvents
        let blank: Fold
        var writer: JSONWriter
        /// The entities in the order of their first events.
        var entities: [Entity] = []
        /// Index in `entities` of each entity, by its newest id.
        var indices: [String: Int] = [:]
        /// Indices of the entities in the order of their keys, once all events are folded.
        var sorted: ArraySlice<Int> = []
        var rows = RenderedRows()
        var failure: LogError?
    }

    private let entityReader: EntityReader
    private let state: Mutex<State>

    init(
        along walk: EntityWalk, _ entities: EntityReader, _ values: ShownValues,
        _ share: EntityShare
    ) {
        entityReader = entities
        state = Mutex(
            State(
                events: WalkEvents(
                    along: walk, entities.catalogue, validThrough: entities.validThrough, share),
                blank: walk.projection.fold(.standard),
                writer: JSONWriter(answer: true, values.redaction)))
    }

    /// Folds the events after one position up to another, and renders the intervals that they end.
    func fold(
        after: Position, through end: Position,
        _ render: @escaping RowRenderer
    ) {
        state.withLock { state in
            state.rows.clear()
            guard state.failure == nil else { return }
            do throws(LogError) {
                try entityReader.forEach(of: state.events, after: after, through: end) {
                    (event, key) throws(LogError) in
                    try folding { () throws(FoldError) in try state.apply(event, key, render) }
                    return true
                }
            } catch {
                state.failure = error
            }
        }
    }

    /// Puts the entities in the order of their keys.
    func sortNewest() {
        state.withLock { state in
            state.rows.clear()
            let keys = state.entities.map(\.interval.key)
            state.sorted = Array(keys.indices).sortedByBytes { keys[$0] }[...]
            state.indices = [:]
        }
    }

    /// Returns the key of the entity after a number of entities that are not rendered yet; `nil` if
    /// there are no more entities.
    func nextKey(after count: Int) -> String? {
        state.withLock { state in
            state.sorted.dropFirst(count).first.map { state.entities[$0].interval.key }
        }
    }

    /// Renders the newest states of the entities with keys before a bound, in order.
    func renderNewest(
        before bound: String?, _ render: @escaping RowRenderer
    ) {
        state.withLock { state in
            state.rows.clear()
            while let index = state.sorted.first {
                if let bound, !state.entities[index].interval.key.precedesByBytes(bound) { return }
                state.sorted.removeFirst()
                state.renderNewest(index, render)
            }
        }
    }

    /// Exchanges the rows of the last call of `fold` or `renderNewest` of each share for older rows,
    /// whose memory the share then reuses.
    ///
    /// - Throws: the error at the lowest position.
    static func exchangeRows(
        of shares: [HistoryShare], _ rows: inout [RenderedRows]
    ) throws(LogError) {
        let failure = shares.compactMap { $0.state.withLock { $0.failure } }.min {
            $0.position ?? .origin < $1.position ?? .origin
        }
        if let failure { throw failure }
        for (index, share) in shares.enumerated() {
            var older = RenderedRows()
            swap(&older, &rows[index])
            share.state.withLock { state in
                swap(&older, &state.rows)
            }
            swap(&older, &rows[index])
        }
    }
}

extension HistoryShare.State {
    /// Folds an event into the state of an entity, and renders the interval that the event ends.
    mutating func apply(
        _ event: borrowing EventView, _ key: String,
        _ render: @escaping RowRenderer
    ) throws(FoldError) {
        guard let index = indices[key] else {
            var fold = blank
            try fold.apply(event)
            indices[key] = entities.count
            // Rows are in the order of what they show, which tells nothing of ids that are hidden.
            let interval = StateInterval(
                key: writer.redaction?.shownID(key) ?? key, from: event.envelope,
                cause: event.kind, to: nil, lastPosition: event.position)
            return entities.append(HistoryShare.Entity(fold: fold, interval: interval))
        }
        if entities[index].interval.json.isEmpty {
            // Most entities of many logs have one event, whose state is written once, at the end.
            writeState(of: entities[index].fold)
            entities[index].interval.json = writer.copiedBytes
        }
        try entities[index].fold.apply(event)
        writeState(of: entities[index].fold)
        entities[index].interval.lastPosition = event.position
        guard !writer.hasBytes(equalTo: entities[index].interval.json) else { return }
        entities[index].interval.to = event.envelope
        render(entities[index].interval, &rows)
        rows.endRow(of: entities[index].interval)
        entities[index].interval.to = nil
        entities[index].interval.json = writer.copiedBytes
        entities[index].interval.from = event.envelope
        entities[index].interval.cause = event.kind
    }

    /// Renders the newest state of an entity.
    fileprivate mutating func renderNewest(_ index: Int, _ render: RowRenderer) {
        var interval = entities[index].interval
        if interval.json.isEmpty {
            writeState(of: entities[index].fold)
            interval.json = writer.bytes
        }
        render(interval, &rows)
        rows.endRow(of: interval)
    }

    /// Writes a state as JSON to `writer`, whose earlier content is discarded.
    private mutating func writeState(of fold: Fold) {
        writer.clear()
        fold.write(to: &writer)
    }
}

extension JSONWriter {
    /// A copy of the JSON written so far, which shares no memory with the writer.
    fileprivate var copiedBytes: [UInt8] {
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// True if the JSON written so far is equal to other JSON.
    fileprivate func hasBytes(equalTo json: [UInt8]) -> Bool {
        unsafe bytes.contents.bytes.isEqual(to: json.contents.bytes)
    }
}
