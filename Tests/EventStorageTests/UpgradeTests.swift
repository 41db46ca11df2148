import CivilTime
import EventSourcing
import LMDB
import TestSupport
import Testing

@testable import EventStorage

/// Logs that a program of format version 1 wrote.
@Suite("Logs of format version 1") struct UpgradeTests {
    private let catalogue: Catalogue

    init() throws { catalogue = try Catalogue([Notes.self]) }

    private func append(_ numbers: ClosedRange<Int64>, to log: EventLog) throws {
        for number in numbers {
            let note = Note(number, "n", topics: ["t\(number % 7)"], secret: "s\(number)")
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: .init(microseconds: number))],
                    metadata: CommitMetadata(actor: "kim"),
                    idempotency: .init(key: "k\(number)", asked: [UInt8(number % 251)])))
        }
    }

    /// Writes the rows of a log into a new file as version 1 has them: without checksums.
    private func versionOne(of log: EventLog, at path: String) throws {
        let transaction = try log.beginReading()
        let environment = try Environment(path: path)
        let layouts = Tables.layouts.filter { $0.name != "index" }
        let tables = try environment.open(layouts)
        var writing = try WriteTransaction(in: environment)
        for (table, (name, layout)) in zip(tables, layouts) {
            if layout == .bytes {
                let broken = try transaction.scan(Table(reading: name, layout)) {
                    (key: RawSpan, value) throws(LMDBError) in
                    if key.copied() == Meta.format {
                        let one: [UInt8] = [1, 0, 0, 0]
                        try writing.put(one.rawSpan, for: key, in: table)
                    } else {
                        try writing.put(value.withoutChecksum.rawSpan, for: key, in: table)
                    }
                    return true
                }
                if let broken { throw broken }
            } else {
                let broken = try transaction.scan(Table(reading: name, layout)) {
                    (key: UInt64, value) throws(LMDBError) in
                    try writing.put(value.withoutChecksum.rawSpan, for: key, in: table)
                    return true
                }
                if let broken { throw broken }
            }
        }
        try writing.commit()
    }

    @Test("A log of version 1 is read, added to, and upgraded under the same chain head")
    func upgrade() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("old")
        var events: [RecordedEvent] = []
        var head: [UInt8] = []
        do {
            let new = try EventLog(path: folder.path("new"), access: .create)
            try append(1...120, to: new)
            try versionOne(of: new, at: path)
            events = try new.events()
            head = try new.status().head
        }
        do {
            let log = try EventLog(path: path, access: .read)
            #expect(try log.events() == events)
            #expect(try log.status().unchecked == 120)
            let query = Query(Query.Item(tags: [Tag("topic", "t3")]))
            #expect(try log.events(query).count == 17)
            #expect(try log.personalText(at: Position(3), field: 0) == "s3")
            let result = try log.verify(against: catalogue)
            #expect(result.isSound && result.head == head, "\(result.findings)")
        }
        do {
            let log = try EventLog(path: path, access: .write)
            #expect(try log.receipt(for: .init(key: "k5", asked: [5]))?.first == Position(5))
            try append(121...140, to: log)
            #expect(try log.status().unchecked == 120)
            try log.reindex()
            #expect(try log.verify(against: catalogue).isSound)
            head = try log.status().head
            try log.upgrade()
            #expect(try log.status().unchecked == 0)
            #expect(try log.status().head == head)
            let result = try log.verify(against: catalogue)
            #expect(result.isSound && result.events == 140, "\(result.findings)")
        }
        let log = try EventLog(path: path, access: .read)
        #expect(try log.events(through: Position(120)) == events)
        #expect(try log.personalText(at: Position(3), field: 0) == "s3")
        let result = try log.verify(against: catalogue)
        #expect(result.isSound && result.erasedTexts == 0, "\(result.findings)")
    }

    @Test("A row that lost its checksum is refused once the log is upgraded")
    func noWayBack() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(1...3, to: log)
        var transaction = try log.beginWriting()
        let bytes = try #require(try transaction.row(2, in: log.tables.events)?.copied())
        let key = UInt64(2).bytes
        try transaction.putPlain(bytes, for: key.rawSpan, in: log.tables.events)
        let tag = Array("topic:t2".utf8)
        try transaction.putPlain(key, for: tag.rawSpan, in: log.tables.tags)
        try transaction.commit()
        #expect(throws: LogError.corrupt(table: "events", key: 2, .checksum)) {
            try log.events()
        }
        let rules = try log.verify(against: catalogue).findings.map(\.rule)
        #expect(rules.contains("checksum") && rules.contains("damage"), "\(rules)")
    }
}

extension RawSpan {
    fileprivate var withoutChecksum: [UInt8] { copied().dropLast(RowChecksum.byteCount) + [] }
}
