package import Daybook
import DaybookLibC
import DaybookLog

/// A trace of the entities of a log, made by several threads in parallel.
///
/// Each thread traces a share of the entities, and the lines are merged in the order of the log.
/// Every thread reads the whole log: skipping an event costs little compared to writing a line.
public final class ParallelTrace {
    /// The lines of one share of the entities, as one thread writes them.
    private struct Lines: Sendable {
        var tracer: Tracer
        var writer = JSONWriter()
        /// The lines of the last stretch, whose text is in `writer`.
        var rows = RenderedRows()

        mutating func add(_ event: borrowing EventView, _ key: String) throws(FoldError) {
            guard try tracer.write(event, key, to: &writer) else { return }
            rows.endRow(at: event.position.rawValue, key, end: writer.bytes.count)
        }

        mutating func clear() {
            writer.clear()
            rows.clear()
        }

        var tracedRows: RenderedRows {
            var rows = rows
            rows.bytes = writer.bytes
            return rows
        }
    }

    private let reading: ProjectionReading
    /// The traces of the entities, one share for each thread.
    private let shares: [WalkShare<Lines>]
    /// Last position that was traced.
    private var tracedThrough = Position.origin
    /// Error that the next call of `next()` throws; `nil` for none.
    private var failure: LogError?

    /// Creates a trace of a walk, or of the `chosen` newest ids of it; nothing is read yet.
    package init(
        along walk: EntityWalk, _ rules: RuleSet, _ reading: ProjectionReading,
        only chosen: Set<String>? = nil
    ) {
        self.reading = reading
        let count = walk.key == nil ? EntityShare.threadCount : 1
        shares = (0..<count).map { index in
            let own = walk.unshared
            return WalkShare(
                along: own, reading.entities, EntityShare(index, of: count), only: chosen,
                Lines(tracer: Tracer(of: own.projection, rules: rules)))
        }
    }

    /// Leaves out the lines of further events of the entities with these newest ids.
    func leaveOut(_ keys: [String]) {
        for share in shares {
            share.withResults { lines in
                for key in keys { lines.tracer.leaveOut(key) }
            }
        }
    }

    /// Returns the lines of the next 65,536 positions; `nil` at the end of the log.
    ///
    /// The error of a faulty event is thrown only after the lines of all earlier events.
    public func next() throws -> [UInt8]? {
        if let failure { throw failure }
        guard tracedThrough < reading.through else { return nil }
        let (start, end) = (tracedThrough, reading.entities.endOfStretch(after: tracedThrough))
        Threads.perform(shares.count) { [shares] index in
            shares[index].withResults { $0.clear() }
            shares[index].fold(after: start, through: end) {
                (lines, event, key) throws(FoldError) in try lines.add(event, key)
            }
        }
        tracedThrough = end
        failure = WalkShare.failure(of: shares)
        return mergedLines()
    }

    /// Returns the most recent lines of all shares, merged in the order of positions and entities,
    /// up to the first error.
    private func mergedLines() -> [UInt8] {
        let rows = OrderedRows(parts: shares.map { $0.withResults { $0.tracedRows } })
        if rows.parts.count == 1, failure == nil { return rows.parts[0].bytes }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.parts.reduce(0) { $0 + $1.bytes.count })
        // The lines of events before the faulty one are complete.
        rows.forEach(before: failure.map { $0.position?.rawValue ?? 0 } ?? .max) { part, row in
            bytes.append(contentsOf: part.bytes[part.range(of: row)])
        }
        return bytes
    }
}
