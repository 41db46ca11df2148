import Daybook
import DaybookLMDB
import TestSupport
import Testing

@testable import DaybookLog

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

    @Test("A log of version 1 is read, added to, and upgraded under the same chain head")
    func upgrade() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("old")
        var events: [RecordedEvent] = []
        var head: [UInt8] = []
        do {
            let new = try EventLog(path: folder.path("new"), access: .create)
            try append(1...120, to: new)
            try VersionOneLog.write(path, of: new) {
                .init(key: "k\($0)", asked: [UInt8($0 % 251)])
            }
            events = try new.events()
        }
        do {
            let log = try EventLog(path: path, access: .read)
            #expect(try log.reader().collect() == events)
            #expect(try log.status().unchecked == 120)
            let query = Query(Query.Item(tags: [Tag("topic", "t3")]))
            #expect(try log.reader(query).collect().count == 17)
            #expect(try log.personalText(at: Position(3), field: 0) == "s3")
            let result = try log.verify(against: catalogue)
            #expect(result.isSound && result.events == 120, "\(result.findings)")
            #expect(try log.status().clearTexts == 120)
            #expect(try log.commit(at: Position(7))?.metadata.actor == "kim")
            #expect(try log.commit(ofKey: "k9")?.key == "k9")
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
            #expect(try log.status().clearTexts == 0)
            #expect(try log.status().head == head)
            let result = try log.verify(against: catalogue)
            #expect(result.isSound && result.events == 140, "\(result.findings)")
        }
        let log = try EventLog(path: path, access: .read)
        #expect(try log.reader(.all, ReadWindow(through: Position(120))).collect() == events)
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
            try log.reader().collect()
        }
        let rules = try log.verify(against: catalogue).findings.map(\.rule)
        #expect(rules.contains("checksum") && rules.contains("damage"), "\(rules)")
    }
}
