import Daybook
import DaybookLMDB
import TestSupport
import Testing

@testable import DaybookLog

/// Rows about the log as a whole, written anew with checksums that fit.
@Suite("Forged rows of the whole log") struct ForgedRowTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Notes.self])
    }

    private func log() throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create, catalogue: catalogue)
        for number in Int64(1)...5 {
            let note = Note(number, "n", topics: ["t"], secret: "s\(number)")
            _ = try log.append(
                AppendRequest([NewEvent(note, occurredAt: .init(microseconds: number))]))
        }
        return log
    }

    enum Forgery: String, CaseIterable {
        case identifier, secret, unnamed, erasing, lostSlots, checkpoint, shortCheckpoint

        var rule: String {
            switch self {
            case .identifier, .secret, .unnamed: "meta"
            case .erasing: "erasure"
            case .lostSlots: "person"
            case .checkpoint, .shortCheckpoint: "snapshot"
            }
        }

        func row(_ tables: Tables) -> (table: LogTable, key: [UInt8], value: [UInt8]) {
            let fold = Array("note".utf8) + [0, 0]
            return switch self {
            case .identifier: (tables.meta, Meta.identifier, Array(repeating: 7, count: 16))
            case .secret: (tables.meta, Meta.secret, Array(repeating: 7, count: 32))
            case .unnamed: (tables.meta, Array("other".utf8), [1])
            case .erasing: (tables.meta, Meta.erasing, UInt32(1).bytes)
            case .lostSlots: (tables.meta, Meta.lostSlots, UInt32(1).bytes)
            case .checkpoint:
                (tables.checkpoints, fold, Array(repeating: 7, count: 16) + UInt64(6).bytes)
            case .shortCheckpoint: (tables.checkpoints, fold, [1, 2, 3])
            }
        }
    }

    @Test("Verify finds a row that does not fit the rest of the log", arguments: Forgery.allCases)
    func rows(_ forgery: Forgery) throws {
        do {
            let log = try log()
            #expect(try log.verify().findings.isEmpty)
            try log.file.writing { (transaction) throws(LogError) in
                let row = forgery.row(log.file.tables)
                let key = row.key
                try transaction.put(row.value, for: key.rawSpan, in: row.table)
            }
        }
        let log = try EventLog(path: folder.path("log"), access: .read, catalogue: catalogue)
        let result = try log.verify()
        #expect(result.findings.contains { $0.rule == forgery.rule }, "\(result.findings)")
    }

    @Test("A writer overwrites no key that no erasure on record names")
    func erasing() throws {
        let path = folder.path("log")
        do {
            let log = try log()
            try log.file.writing { (transaction) throws(LogError) in
                let key = Meta.erasing
                try transaction.put(UInt32(1).bytes, for: key.rawSpan, in: log.file.tables.meta)
            }
        }
        let expected = LogError.damaged(
            table: "meta", row: Meta.erasing,
            .invalid(
                field: "slots", found: "key slot 1, which no recorded erasure names",
                expected: "only key slots of recorded erasures"))
        #expect(throws: expected) {
            try EventLog(path: path, access: .write, catalogue: catalogue)
        }
        let log = try EventLog(path: path, access: .read, catalogue: catalogue)
        #expect(try log.people.text(at: Position(1), field: 0) == "s1")
        #expect(try log.file.hasMetaRow(Meta.erasing))
    }

    @Test("Verify finds a table that the format does not name")
    func table() throws {
        let path = folder.path("log")
        _ = try log()
        do {
            let environment = try Environment(path: path)
            _ = try environment.open([("other", .bytes)])
        }
        let log = try EventLog(path: path, access: .read, catalogue: catalogue)
        #expect(try log.verify().findings.map(\.rule) == ["table"])
    }

    @Test("Verify finds that the seal of the log's id is missing")
    func unsealed() throws {
        let log = try log()
        try log.file.writing { (transaction) throws(LogError) in
            let key = Meta.identifierSeal
            try transaction.remove(key.rawSpan, from: log.file.tables.meta)
        }
        #expect(try log.verify().findings.map(\.rule) == ["meta"])
    }
}
