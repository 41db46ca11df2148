import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Changed bytes, lost rows and foreign files.
@Suite struct DamageTests {
    private func log(_ folder: TemporaryFolder) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for number in 1...5 {
            let note = Note(Int64(number), "n", topics: ["t\(number % 2)"], secret: "s\(number)")
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: Instant(microseconds: Int64(number)))],
                    idempotency: AppendRequest.Idempotency(key: "k\(number)", asked: [])))
        }
        try log.reindex()
        return log
    }

    enum Damage: CaseIterable {
        case eventByte, commitByte, nameText, tagPosition, keyPosition, personalText, lostEvent
        case lostKey, indexRow, indexSummary, indexedThrough, strangeRow

        var rule: String {
            switch self {
            case .eventByte, .commitByte, .nameText: "chain"
            case .tagPosition: "last"
            case .keyPosition, .lostKey: "key"
            case .personalText: "seal"
            case .lostEvent: "gap"
            case .indexRow, .indexSummary: "index"
            case .indexedThrough: "damage"
            case .strangeRow: "meta"
            }
        }
    }

    @Test("Verify names what was damaged", arguments: Damage.allCases)
    func isFound(_ damage: Damage) throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        #expect(try log.verify(against: try Catalogue([Notes.self])).isSound)
        try inflict(damage, on: log)
        let result = try log.verify(against: try Catalogue([Notes.self]))
        #expect(result.findings.contains { $0.rule == damage.rule }, "\(result.findings)")
    }

    /// Changes the log as somebody would who makes every checksum fit again.
    private func inflict(_ damage: Damage, on log: EventLog) throws {
        let tables = log.file.tables
        var transaction = try log.file.beginWriting()
        func changed(_ bytes: [UInt8]?, at index: Int) throws -> [UInt8] {
            var bytes = try #require(bytes)
            bytes[index < 0 ? bytes.count + index : index] ^= 1
            return bytes
        }
        switch damage {
        case .eventByte:
            let bytes = try changed(try transaction.row(3, in: tables.events)?.copied(), at: 8)
            try transaction.put(bytes, for: 3, in: tables.events)
        case .commitByte:
            let bytes = try changed(try transaction.row(3, in: tables.commits)?.copied(), at: 60)
            try transaction.put(bytes, for: 3, in: tables.commits)
        case .nameText:
            let bytes = Name(.kind, "test.other.v1", firstUsedAt: 1).bytes
            try transaction.put(bytes, for: 1, in: tables.names)
        case .tagPosition:
            let key = Array("topic:t1".utf8)
            try transaction.put(UInt64(2).bytes, for: key.rawSpan, in: tables.tags)
        case .keyPosition:
            let key = Array(log.file.digests.key("k2").prefix(16))
            try transaction.put(UInt64(3).bytes, for: key.rawSpan, in: tables.keysByDigest)
        case .personalText:
            let key = PersonalRow.key(2, 0)
            let bytes = try changed(
                try transaction.row(key.rawSpan, in: tables.texts)?.copied(), at: -1)
            try transaction.put(bytes, for: key.rawSpan, in: tables.texts)
        case .lostEvent:
            let key = UInt64(3).bytes
            #expect(try transaction.remove(key.rawSpan, from: tables.events))
        case .lostKey:
            let key = Array(log.file.digests.key("k4").prefix(16))
            #expect(try transaction.remove(key.rawSpan, from: tables.keysByDigest))
        case .indexRow:
            let key = IndexKey(Tag("topic", "t0")).key(endingAt: 4)
            #expect(try transaction.remove(key.rawSpan, from: tables.index))
        case .indexSummary:
            let key = IndexKey(Tag("topic", "t0")).summaryKey
            #expect(try transaction.remove(key.rawSpan, from: tables.index))
        case .indexedThrough:
            let key = Meta.indexedThrough
            try transaction.put(UInt64(1 << 40).bytes, for: key.rawSpan, in: tables.meta)
        case .strangeRow:
            let key = Array("other".utf8)
            try transaction.put([1], for: key.rawSpan, in: tables.meta)
        }
        try transaction.commit()
    }

    @Test("A row that a query meets and cannot read ends it")
    func queries() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        var transaction = try log.file.beginWriting()
        var bytes = try #require(try transaction.row(2, in: log.file.tables.events)?.copied())
        // The kind of the second event is one that no row of `names` has.
        bytes[17] = 0x40
        try transaction.put(bytes, for: 2, in: log.file.tables.events)
        let three = UInt64(3).bytes
        #expect(try transaction.remove(three.rawSpan, from: log.file.tables.events))
        try transaction.commit()
        let kind = Query.Item(kinds: [Note.kind])
        let unknown = LogError.corrupt(table: "events", key: 2, .unknownName(0x4001))
        for query in [Query(kind), .all] {
            #expect(throws: unknown) { try log.reader(query).collect() }
        }
        // The index leads to a row that is lost.
        let topic = Query(Query.Item(kinds: [Note.kind], tags: [Tag("topic", "t1")]))
        for direction in [ReadWindow.Direction.ascending, .descending] {
            #expect(throws: LogError.corrupt(table: "events", key: 3, .missing)) {
                try log.reader(topic, ReadWindow(direction)).collect()
            }
        }
    }

    @Test("A row whose own key was changed ends a lookup of the key that it had")
    func changedKey() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        let (old, new) = (Array("topic:t1".utf8), Array("topic:t2".utf8))
        var transaction = try log.file.beginWriting()
        let bytes = try #require(
            try transaction.bytes(for: old.rawSpan, in: log.file.tables.tags.table)?.copied())
        #expect(try transaction.remove(old.rawSpan, from: log.file.tables.tags))
        try transaction.putWithoutChecksum(bytes, for: new.rawSpan, in: log.file.tables.tags)
        try transaction.commit()
        let damaged = LogError.damaged(table: "tags", row: new, .checksum)
        let reading = try log.file.beginReading()
        #expect(throws: damaged) {
            try log.file.tables.lastPosition(of: IndexKey(Tag("topic", "t1")), in: reading)
        }
        #expect(throws: damaged) { try log.contents.ids(of: "topic", atMost: 10) }
    }

    @Test("An index row that is missing ends a query")
    func missingIndexRow() throws {
        for damage in [Damage.indexRow, .indexSummary, .indexedThrough] {
            let folder = try TemporaryFolder()
            let log = try log(folder)
            try inflict(damage, on: log)
            let topic = Query(Query.Item(kinds: [Note.kind], tags: [Tag("topic", "t0")]))
            #expect(throws: LogError.self, "\(damage)") { try log.reader(topic).collect() }
        }
    }

    @Test("An index is not continued behind blocks whose summary is lost")
    func lostSummary() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        try inflict(.indexSummary, on: log)
        let note = Note(6, "n", topics: ["t0"])
        _ = try log.append(
            AppendRequest([NewEvent(note, occurredAt: Instant(microseconds: 6))]))
        let summary = IndexKey(Tag("topic", "t0")).summaryKey
        #expect(throws: LogError.damaged(table: "index", row: summary, .missing)) {
            try log.reindex()
        }
    }

    @Test("A file that is not a log is refused and left as it is")
    func whatIsNoLogIsRefusedAndLeftAsItIs() throws {
        let folder = try TemporaryFolder()
        let text = folder.path("text")
        try Data(String(repeating: "no log ", count: 4_000).utf8).write(
            to: URL(fileURLWithPath: text))
        #expect(throws: LogError.open(.notLMDB(path: text))) {
            try EventLog(path: text, access: .write)
        }
        let foreign = folder.path("foreign")
        do {
            let environment = try Environment(path: foreign)
            _ = try environment.open([("other", .bytes)])
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: foreign))
        for access in [EventLog.Access.read, .write, .create] {
            #expect(throws: LogError.notALog(path: foreign)) {
                try EventLog(path: foreign, access: access)
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: foreign)) == before)
        let missing = folder.path("missing")
        for access in [EventLog.Access.read, .write] {
            #expect(throws: LogError.open(.missing(path: missing))) {
                try EventLog(path: missing, access: access)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test("Opening the same file twice is refused, whatever its name")
    func aSecondOpenOfTheSameFileIsRefusedWhateverItsName() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        let log = try log(folder)
        let alias = folder.path("alias")
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: path)
        for name in [path, alias] {
            #expect(throws: LogError.open(.alreadyOpen(path: name))) {
                try EventLog(path: name, access: .read)
            }
        }
        #expect(try log.head() == Position(5))
    }
}
