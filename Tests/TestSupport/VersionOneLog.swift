public import Daybook
import DaybookLMDB

@testable public import DaybookLog

/// Makes logs as programs of format version 1 wrote them.
public enum VersionOneLog {
    /// Writes a log into a new file: without checksums and the index, with actors, keys and
    /// personal texts in clear.
    ///
    /// - Parameter asked: what each commit was asked for, by its first position.
    public static func write(
        _ path: String, of log: EventLog,
        asked: (UInt64) -> AppendRequest.Idempotency? = { _ in nil }
    ) throws {
        let reading = try log.beginReading()
        let environment = try Environment(path: path)
        let layouts = Array(Tables.layouts.prefix(10))
        let tables = try environment.open(layouts)
        var writing = try WriteTransaction(in: environment)
        var rows: [(value: [UInt8], key: [UInt8], table: Int)] = []
        // With the names of people in the payloads.
        try log.scan { (position, _, bytes) in
            rows.append((bytes.copied(), position.bytes, 1))
            return true
        }
        let records = rows.map(\.value)
        for (index, table) in [(5, log.tables.kinds), (6, log.tables.names)] {
            try reading.scanRows(table) { (key: UInt64, value) in
                rows.append((value.copied(), key.bytes, index))
                return true
            }
        }
        try reading.scanRows(log.tables.tags, from: nil as RawSpan?) { (key, value) in
            rows.append((value.copied(), key.copied(), 4))
            return true
        }
        // Its integers about people lie in the payloads too.
        let numbers = PersonalRow.key(0, SealedNumbers.ordinal).suffix(4)
        for text in try log.texts(1...UInt64(records.count), in: reading) ?? []
        where text.key.suffix(4) != numbers {
            if let row = text.row { rows.append((row.bytes, text.key, 7)) }
        }
        let names = try log.names(in: reading)
        var chain = [UInt8](repeating: 0, count: 32)
        var first: UInt64 = 1
        while first <= UInt64(records.count) {
            let known = try log.commit(startingAt: first, in: reading)
            let last = first + UInt64(known.eventCount) - 1
            let idempotency = asked(first)
            var metadata = known.metadata
            metadata.actor = try log.commit(at: Position(first))?.metadata.actor ?? ""
            var commit = CommitRecord(
                recordedAt: known.recordedAt, eventCount: known.eventCount, metadata: metadata,
                key: idempotency?.key ?? "",
                asked: idempotency.map { log.digest($0, []) } ?? Array(repeating: 0, count: 32))
            let new = names.rows.filter { (first...last).contains($0.firstPosition) }
            var running = Chain(after: chain, commit: commit, newNames: new)
            for record in records[Int(first) - 1..<Int(last)] { running.add(record.rawSpan) }
            chain = running.value()
            commit.chain = chain
            rows.append((commit.bytes, first.bytes, 2))
            if let key = idempotency?.key { rows.append((first.bytes, Array(key.utf8), 3)) }
            first = last + 1
        }
        rows.append(([1, 0, 0, 0], Meta.format, 0))
        rows.append((log.identifier, Meta.identifier, 0))
        rows.append((log.secret, Meta.secret, 0))
        for (value, key, table) in rows {
            try writing.put(value.rawSpan, for: key.rawSpan, in: tables[table])
        }
        try writing.commit()
    }
}
