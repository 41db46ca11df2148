import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Errors of damaged rows name the table, the row, the field and its value.
@Suite("Damaged rows") struct CorruptRowTests {
    private typealias Tag = Daybook.Tag

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A log of three notes by an actor, with an index and a personal text.
    private func log() throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for number in Int64(1)...3 {
            let note = Note(number, "n", topics: ["t"], secret: "s")
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: .init(microseconds: number))],
                    metadata: CommitMetadata(actor: "kim", device: "phone", correlation: "c"),
                    idempotency: .init(key: "k\(number)", asked: [])))
        }
        try log.reindex()
        return log
    }

    /// Changes the bytes of a row, with a checksum that fits the new ones.
    private func change(
        _ log: EventLog, _ table: LogTable, _ key: UInt64, _ change: (inout [UInt8]) -> Void
    ) throws {
        var bytes: [UInt8]?
        do {
            let reading = try log.file.beginReading()
            bytes = try reading.row(key, in: table)?.copied()
        }
        var changed = try #require(bytes)
        change(&changed)
        let value = changed
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put(value, for: key, in: table)
        }
    }

    private func change(
        _ log: EventLog, _ table: LogTable, _ key: [UInt8], _ value: [UInt8]
    ) throws {
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put(value, for: key.rawSpan, in: table)
        }
    }

    @Test("A damaged commit names the field at fault")
    func commits() throws {
        let log = try log()
        let faults: [((inout [UInt8]) -> Void, CorruptRecord)] = [
            ({ $0 = Array($0.prefix(50)) }, .truncated(field: "causation", needs: 56, bytes: 50)),
            (
                { $0 = Array($0.prefix(126)) },
                .truncated(field: "byte counts", needs: 128, bytes: 126)
            ),
            ({ $0[12] = 7 }, .invalid(field: "layout", found: "7", expected: "1")),
            ({ $0[128] = 0xFF }, .notUTF8(field: "device", found: [0xFF] + Array("hone".utf8))),
            ({ $0[133] = 0xFE }, .notUTF8(field: "correlation", found: [0xFE])),
            ({ $0[126] = 200 }, .truncated(field: "correlation", needs: 333, bytes: 134)),
            (
                { $0.append(0) },
                .invalid(field: "new people", found: "1 bytes", expected: "a multiple of 36")
            ),
        ]
        for (fault, cause) in faults {
            var original: [UInt8] = []
            try change(log, log.file.tables.commits, 2) {
                original = $0
                fault(&$0)
            }
            let error = LogError.corrupt(table: "commits", key: 2, cause)
            #expect(throws: error) { try log.commits.at(Position(2)) }
            try change(log, log.file.tables.commits, 2) { $0 = original }
        }
        #expect(try log.commits.at(Position(2))?.metadata.device == "phone")
        try change(log, log.file.tables.commits, 3) { $0[8] = 9 }
        #expect(
            throws: LogError.corrupt(
                table: "commits", key: 3,
                .invalid(field: "eventCount", found: "9", expected: "a count that ends at event 3"))
        ) { try log.head() }
    }

    @Test("A damaged event names the field at fault")
    func events() throws {
        let log = try log()
        let faults: [((inout [UInt8]) -> Void, CorruptRecord)] = [
            ({ $0 = Array($0.prefix(17)) }, .truncated(field: "kind", needs: 18, bytes: 17)),
            ({ $0 = Array($0.prefix(35)) }, .truncated(field: "tags", needs: 40, bytes: 35)),
            ({ $0[17] = 0x40 }, .unknownName(0x4001)),
            (
                { $0[32] = 200 },
                .invalid(
                    field: "tags", found: "1 tags that do not end at byte 40",
                    expected: "1 tags in 8 bytes")
            ),
            ({ $0[39] = 0xFF }, .notUTF8(field: "tags", found: Array("topic:".utf8) + [0xFF])),
        ]
        for (fault, cause) in faults {
            var original: [UInt8] = []
            try change(log, log.file.tables.events, 2) {
                original = $0
                fault(&$0)
            }
            #expect(throws: LogError.corrupt(table: "events", key: 2, cause)) {
                try log.reader().collect()
            }
            try change(log, log.file.tables.events, 2) { $0 = original }
        }
        #expect(try log.reader().collect().count == 3)
    }

    @Test("A fold refuses an event whose kind is no kind of the log")
    func kindsOfEvents() throws {
        let log = try log()
        let zoned = NewEvent(Note(4), occurredAt: .epoch, zone: "Asia/Seoul")
        _ = try log.append(AppendRequest([zoned]))
        for row in [0, 2, 0x4001] as [UInt16] {
            try change(log, log.file.tables.events, 2) {
                $0[16] = UInt8(truncatingIfNeeded: row)
                $0[17] = UInt8(row >> 8)
            }
            let error = LogError.corrupt(table: "events", key: 2, .unknownName(row))
            for query in [Query.all, Query(Query.Item(tags: [Tag("topic", "t")]))] {
                var state = SnapshotTests.Total.blank
                #expect(throws: error) {
                    try log.reader(query).fold(SnapshotTests.Sums.self, into: &state)
                }
                #expect(throws: error) { try log.reader(query).collect() }
            }
        }
    }

    @Test("A damaged name of a kind or zone names the field at fault")
    func names() throws {
        let rows: [([UInt8], CorruptRecord)] = [
            ([0x6B, 1, 0], .truncated(field: "first position", needs: 9, bytes: 3)),
            (
                [0x41, 1, 0, 0, 0, 0, 0, 0, 0, 0x61],
                .invalid(field: "category", found: "41", expected: "6b (kind) or 7a (zone)")
            ),
            ([0x7A, 1, 0, 0, 0, 0, 0, 0, 0, 0xC3], .notUTF8(field: "name", found: [0xC3])),
        ]
        do { _ = try log() }
        for (bytes, cause) in rows {
            let log = try EventLog(path: folder.path("log"), access: .write)
            try log.file.writing { (transaction) throws(LogError) in
                try transaction.put(bytes, for: 1, in: log.file.tables.names)
            }
            #expect(throws: LogError.corrupt(table: "names", key: 1, cause)) {
                try log.reader().collect()
            }
        }
        let log = try EventLog(path: folder.path("log"), access: .write)
        try log.file.writing { (transaction) throws(LogError) in
            let noKind: [UInt8] = [0x6B, 1, 0, 0, 0, 0, 0, 0, 0, 0x41]
            try transaction.put(noKind, for: 1, in: log.file.tables.names)
        }
        #expect(throws: LogError.corrupt(table: "events", key: 1, .unknownName(1))) {
            try log.reader(Query(Query.Item(tags: [Tag("topic", "t")]))).collect()
        }
    }

    @Test("A damaged row of a person, a text or a position names the row and the field")
    func others() throws {
        let log = try log()
        let tables = log.file.tables
        try change(log, tables.people, 1) { $0[24] = 9 }
        #expect(
            throws: LogError.corrupt(
                table: "people", key: 1,
                .invalid(field: "state", found: "9", expected: "0 to 3"))
        ) { try log.commits.at(Position(1)) }
        try change(log, tables.people, 1) { $0 = Array($0.prefix(20)) }
        #expect(
            throws: LogError.corrupt(
                table: "people", key: 1, .truncated(field: "texts", needs: 24, bytes: 20))
        ) { try log.commits.at(Position(1)) }
        let text = PersonalRow.key(1, 0)
        try change(log, tables.texts, text, [1, 0, 0, 0, 5])
        #expect(
            throws: LogError.damaged(
                table: "texts", row: text,
                .invalid(field: "text", found: "1 bytes", expected: "at least 44"))
        ) { try log.people.text(at: Position(1), field: 0) }
        let tag = Array("topic:t".utf8)
        try change(log, tables.tags, tag, [1, 2, 3])
        let damaged = LogError.damaged(
            table: "tags", row: tag,
            .invalid(field: "position", found: "3 bytes", expected: "8"))
        let reading = try log.file.beginReading()
        #expect(throws: damaged) {
            try log.file.tables.lastPosition(of: IndexKey(Tag("topic", "t")), in: reading)
        }
        #expect(
            "\(damaged)" == "the log is damaged: row 'topic:t' of table 'tags': field 'position': "
                + "found 3 bytes, expected 8")
        let summary = IndexKey(Tag("topic", "t")).summaryKey
        try change(log, tables.index, summary, [1, 2, 3])
        #expect(
            throws: LogError.damaged(
                table: "index", row: summary,
                .invalid(field: "summary", found: "3 bytes", expected: "16"))
        ) { try log.reader(Query(Query.Item(tags: [Tag("topic", "t")]))).collect() }
    }

    @Test("A block of the index whose positions do not fit its key names both")
    func indexBlocks() throws {
        let log = try log()
        let block = IndexKey(Tag("topic", "t")).key(endingAt: 3)
        let query = Query(Query.Item(tags: [Tag("topic", "t")]))
        let previous = [UInt8](repeating: 0, count: 8)
        for (bytes, cause) in [
            ([1], CorruptRecord.truncated(field: "previous", needs: 8, bytes: 1)),
            (previous + [0x81], .truncated(field: "positions", needs: 10, bytes: 9)),
            (
                previous + [1, 1],
                .invalid(field: "positions", found: "2 as the last one", expected: "3")
            ),
            (
                previous + [1, 9],
                .invalid(
                    field: "positions", found: "9 after 1",
                    expected: "a distance that does not lead past 3")
            ),
        ] {
            try change(log, log.file.tables.index, block, bytes)
            #expect(throws: LogError.damaged(table: "index", row: block, cause)) {
                try log.reader(query).collect()
            }
        }
    }

    @Test("A log of another format is refused by name, and nothing is written")
    func formatVersion() throws {
        let path = folder.path("log")
        for (version, message) in [
            (
                1,
                "the log was made before version 0.1.0, in format 1; this program reads only format 3"
            ),
            (
                2,
                "the log was made before version 0.1.0, in format 2; this program reads only format 3"
            ),
            (
                4,
                "the log was made by a later version of this program, in format 4; "
                    + "this program reads only format 3"
            ),
        ] as [(UInt32, String)] {
            do { try log().write(format: version) }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for access in [EventLog.Access.read, .write, .create] {
                let error = #expect(throws: LogError.formatVersion(path: path, found: version)) {
                    try EventLog(path: path, access: access)
                }
                #expect(error.map { "\($0)" } == "\(path): \(message)")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("A damaged format version is damage, and no other format")
    func damagedFormatVersion() throws {
        let path = folder.path("log")
        let key = Meta.format
        let whole = [3, 0, 0, 0].asRow(Tables().meta, key.rawSpan)
        let short = [3, 0].asRow(Tables().meta, key.rawSpan)
        for (bytes, cause) in [
            ([3, 0], CorruptRecord.checksum), ([3, 0, 0, 0], .checksum), ([0, 0, 0, 0], .checksum),
            ([2] + whole.dropFirst(), .checksum), ([4] + whole.dropFirst(), .checksum),
            (whole.dropLast() + [whole.last.map { $0 ^ 1 } ?? 0], .checksum),
            (
                short,
                .invalid(field: "version", found: "2 bytes", expected: "4")
            ),
        ] as [([UInt8], CorruptRecord)] {
            do { try log().write(stored: bytes) }
            for access in [EventLog.Access.read, .write, .create] {
                #expect(throws: LogError.damaged(table: "meta", row: Meta.format, cause)) {
                    try EventLog(path: path, access: access)
                }
            }
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
