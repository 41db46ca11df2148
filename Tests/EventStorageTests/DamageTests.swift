import CivilTime
import EventSourcing
import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventStorage

/// What a changed byte, a lost row or a foreign file gives away.
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
        case lostKey, indexRow

        var rule: String {
            switch self {
            case .eventByte, .commitByte, .nameText: "chain"
            case .tagPosition: "last"
            case .keyPosition, .lostKey: "key"
            case .personalText: "seal"
            case .lostEvent: "gap"
            case .indexRow: "index"
            }
        }
    }

    @Test("verify names what was damaged", arguments: Damage.allCases)
    func isFound(_ damage: Damage) throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        #expect(try log.verify(against: try Catalogue([Notes.self])).isSound)
        try inflict(damage, on: log)
        let result = try log.verify(against: try Catalogue([Notes.self]))
        #expect(result.findings.contains { $0.rule == damage.rule }, "\(result.findings)")
    }

    private func inflict(_ damage: Damage, on log: EventLog) throws {
        let tables = log.tables
        var transaction = try WriteTransaction(in: log.environment)
        func changed(_ bytes: [UInt8]?, at index: Int) throws -> [UInt8] {
            var bytes = try #require(bytes)
            bytes[index < 0 ? bytes.count + index : index] ^= 1
            return bytes
        }
        let (three, one) = (UInt64(3), UInt64(1))
        switch damage {
        case .eventByte:
            let bytes = try changed(
                try transaction.bytes(for: three, in: tables.events)?.copied(), at: 8)
            try transaction.put(bytes.rawSpan, for: three, in: tables.events)
        case .commitByte:
            let bytes = try changed(
                try transaction.bytes(for: three, in: tables.commits)?.copied(), at: 60)
            try transaction.put(bytes.rawSpan, for: three, in: tables.commits)
        case .nameText:
            let bytes = Name(.kind, "test.other.v1", firstUsedAt: 1).bytes
            try transaction.put(bytes.rawSpan, for: one, in: tables.names)
        case .tagPosition:
            let (key, value) = (Array("topic:t1".utf8), UInt64(2).bytes)
            try transaction.put(value.rawSpan, for: key.rawSpan, in: tables.tags)
        case .keyPosition:
            let (key, value) = (Array("k2".utf8), UInt64(3).bytes)
            try transaction.put(value.rawSpan, for: key.rawSpan, in: tables.keys)
        case .personalText:
            let key = PersonalRow.key(2, 0)
            let bytes = try changed(
                try transaction.bytes(for: key.rawSpan, in: tables.personal)?.copied(), at: -1)
            try transaction.put(bytes.rawSpan, for: key.rawSpan, in: tables.personal)
        case .lostEvent:
            let key = three.bytes
            #expect(try transaction.remove(key.rawSpan, from: tables.events))
        case .lostKey:
            let key = Array("k4".utf8)
            #expect(try transaction.remove(key.rawSpan, from: tables.keys))
        case .indexRow:
            let key = Array("topic:t0".utf8)
            #expect(try transaction.remove(key.rawSpan, from: tables.tagIndex))
        }
        try transaction.commit()
    }

    @Test("what a query meets and cannot read is not passed over")
    func queries() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        var transaction = try WriteTransaction(in: log.environment)
        var bytes = try #require(
            try transaction.bytes(for: UInt64(2), in: log.tables.events)?.copied())
        // The kind of the second event is one that no row of `names` has.
        bytes[17] = 0x40
        try transaction.put(bytes.rawSpan, for: UInt64(2), in: log.tables.events)
        let key = UInt64(3).bytes
        #expect(try transaction.remove(key.rawSpan, from: log.tables.events))
        try transaction.commit()
        let kind = Query.Item(kinds: [Note.kind])
        let unknown = LogError.corrupt(table: "events", key: 2, .unknownName(0x4001))
        for query in [Query(kind), .all] {
            #expect(throws: unknown) { try log.events(query) }
        }
        // The index leads to a row that is lost.
        let topic = Query(Query.Item(kinds: [Note.kind], tags: [Tag("topic", "t1")]))
        for order in [ScanOrder.ascending, .descending] {
            #expect(throws: LogError.corrupt(table: "events", key: 3, .truncated(bytes: 0))) {
                try log.events(topic, order)
            }
        }
    }

    @Test func anErasedTextLeavesTheChainWhole() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder)
        #expect(try log.personalText(at: Position(2), field: 0) == "s2")
        #expect(try log.erasePersonalText(at: Position(2), field: 0))
        #expect(try !log.erasePersonalText(at: Position(2), field: 0))
        #expect(try log.personalText(at: Position(2), field: 0) == nil)
        #expect(try log.personalText(at: Position(3), field: 0) == "s3")
        let result = try log.verify(against: try Catalogue([Notes.self]))
        #expect(result.isSound && result.erasedTexts == 1, "\(result.findings)")
    }

    @Test func whatIsNoLogIsRefusedAndLeftAsItIs() throws {
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

    @Test func anotherFormatVersionIsRefusedByItsNumber() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        do {
            let log = try log(folder)
            var transaction = try WriteTransaction(in: log.environment)
            let (key, value): ([UInt8], [UInt8]) = (Meta.format, [9, 0, 0, 0])
            try transaction.put(value.rawSpan, for: key.rawSpan, in: log.tables.meta)
            try transaction.commit()
        }
        #expect(throws: LogError.formatVersion(path: path, found: 9)) {
            try EventLog(path: path, access: .read)
        }
    }

    @Test func aSecondOpenOfTheSameFileIsRefusedWhateverItsName() throws {
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
