import Daybook
import DaybookLibC
import DaybookLog

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

    private let reading: ProjectionReading
    private let walk: EntityWalk
    private let values: ShownValues
    /// Number of parts into which the entities are divided; 0 without entities.
    private let partCount: Int

    /// Prepares to fold the entities of a projection, at most `partEntityCount` together.
    init(
        of projection: ProjectionDescription, _ reading: ProjectionReading, _ values: ShownValues,
        partEntityCount: Int
    ) throws(LogError) {
        self.reading = reading
        self.values = values
        walk = try reading.entities.walk(of: projection, nil)
        let count = try reading.log.contents.idCount(of: projection.noun)
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
        inPart part: Int, _ render: @escaping RowRenderer, _ body: (OrderedRows) throws -> Void
    ) throws {
        let threadCount = EntityShare.threadCount
        let shares = (0..<threadCount).map { index in
            let own = walk.unshared
            return WalkShare(
                along: own, reading.entities,
                EntityShare(part + partCount * index, of: partCount * threadCount),
                ShareHistories(of: own.projection, values))
        }
        var ready = OrderedRows(parts: shares.map { _ in RenderedRows() })
        var start = Position.origin
        while start < reading.through {
            let after = start
            let end = reading.entities.endOfStretch(after: start)
            try perform(shares, &ready, body) { share in
                share.fold(after: after, through: end) {
                    (histories, event, key) throws(FoldError) in
                    try histories.apply(event, key, render)
                }
            }
            start = end
        }
        // The keys of all shares together are in order only within a range of keys.
        try perform(shares, &ready, body) { $0.withResults { $0.sort() } }
        while true {
            let bounds = shares.compactMap { share in
                share.withResults { $0.nextKey(after: Self.newestCount) }
            }
            let bound = bounds.min { $0.precedesByBytes($1) }
            try perform(shares, &ready, body) { share in
                share.withResults { $0.renderNewest(before: bound, render) }
            }
            if bound == nil { return try body(ready) }
        }
    }

    /// Calls `work` with each share on a thread of its own, and `body` with the rows that were ready
    /// before; then puts the new rows in their place.
    private func perform(
        _ shares: [WalkShare<ShareHistories>], _ ready: inout OrderedRows,
        _ body: (OrderedRows) throws -> Void,
        _ work: @escaping @Sendable (WalkShare<ShareHistories>) -> Void
    ) throws {
        @Sendable func render(_ index: Int) {
            shares[index].withResults { $0.rows.clear() }
            work(shares[index])
        }
        if shares.count > 1 {
            var written: Result<Void, any Error> = .success(())
            Threads.perform(beside: shares.count, { render($0) }) {
                written = Result { try body(ready) }
            }
            try written.get()
        } else {
            try body(ready)
            render(0)
        }
        if let failure = WalkShare.failure(of: shares) { throw failure }
        for (index, share) in shares.enumerated() {
            ready.parts[index] = share.withResults { $0.exchangeRows(ready.parts[index]) }
        }
    }

    /// Number of entities whose newest states a thread renders at a time.
    private static let newestCount = 8_192
}

/// A function that renders an interval as rows, on any thread.
typealias RowRenderer = @Sendable (StateInterval, inout RenderedRows) -> Void

/// The histories of one share of the entities.
private struct ShareHistories: Sendable {
    /// The folded entities with the intervals in which their states are the same.
    var folds: EntityFolds<StateInterval>
    var writer: JSONWriter
    /// Numbers of the entities in the order of their keys, once all events are folded.
    var sorted: ArraySlice<Int> = []
    var rows = RenderedRows()

    init(of projection: ProjectionDescription, _ values: ShownValues) {
        folds = EntityFolds(of: projection, .standard)
        writer = JSONWriter(answer: true, values.redaction)
    }

    /// Folds an event into the state of an entity, and renders the interval that the event ends.
    mutating func apply(
        _ event: borrowing EventView, _ key: String, _ render: RowRenderer
    ) throws(FoldError) {
        guard let number = folds.numbers[key] else {
            // Rows are in the order of what they show, which tells nothing of ids that are hidden.
            let interval = StateInterval(
                key: writer.redaction?.shownID(key) ?? key, from: event.envelope,
                cause: event.kind, to: nil, lastPosition: event.position)
            return try folds.entities[folds.add(key, interval)].fold.apply(event)
        }
        if folds.entities[number].note.json.isEmpty {
            // Most entities of many logs have one event, whose state is written once, at the end.
            writeState(number)
            folds.entities[number].note.json = writer.copiedBytes
        }
        try folds.entities[number].fold.apply(event)
        writeState(number)
        folds.entities[number].note.lastPosition = event.position
        guard !writer.hasBytes(equalTo: folds.entities[number].note.json) else { return }
        folds.entities[number].note.to = event.envelope
        renderRow(folds.entities[number].note, render)
        folds.entities[number].note.to = nil
        folds.entities[number].note.json = writer.copiedBytes
        folds.entities[number].note.from = event.envelope
        folds.entities[number].note.cause = event.kind
    }

    /// Puts the entities in the order of their keys; no event can be folded afterwards.
    mutating func sort() {
        let keys = folds.entities.map(\.note.key)
        sorted = Array(keys.indices).sortedByBytes { keys[$0] }[...]
        folds.removeKeys()
    }

    /// Returns the key of the `count`-th unrendered entity; `nil` if there are fewer.
    func nextKey(after count: Int) -> String? {
        sorted.dropFirst(count).first.map { folds.entities[$0].note.key }
    }

    /// Renders the newest states of the entities with keys before a bound, in order.
    mutating func renderNewest(before bound: String?, _ render: RowRenderer) {
        while let number = sorted.first {
            var interval = folds.entities[number].note
            if let bound, !interval.key.precedesByBytes(bound) { return }
            sorted.removeFirst()
            if interval.json.isEmpty {
                writeState(number)
                interval.json = writer.bytes
            }
            renderRow(interval, render)
        }
    }

    /// Returns the rendered rows, and takes the memory of older rows.
    mutating func exchangeRows(_ older: RenderedRows) -> RenderedRows {
        defer { rows = older }
        return rows
    }

    private mutating func renderRow(_ interval: StateInterval, _ render: RowRenderer) {
        render(interval, &rows)
        rows.endRow(
            at: interval.to?.position.rawValue ?? 0, interval.key, end: rows.bytes.count,
            otherEnd: rows.otherBytes.count)
    }

    /// Writes the state of an entity as JSON to `writer`, whose earlier content is discarded.
    private mutating func writeState(_ number: Int) {
        writer.clear()
        folds.entities[number].fold.write(to: &writer)
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
