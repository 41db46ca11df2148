import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// A check by several threads, held to a check by one.
@Suite("Verification on several threads") struct VerificationPartsTests {
    /// Makes a log of commits with 1 to 3 events each, of which the index covers three quarters.
    private static func makeLog(_ path: String) throws {
        let log = try EventLog(path: path, access: .create)
        for number in 1...120 as ClosedRange<Int64> {
            let notes = (0...number % 3).map { part in
                NewEvent(
                    Note(
                        number, "n", topics: ["t\(number % 7)"],
                        secret: part == 0 ? "s\(number)" : nil),
                    occurredAt: Instant(microseconds: number))
            }
            let actor = CommitMetadata(actor: "a\(number / 10)")
            _ = try log.append(
                AppendRequest(
                    notes, metadata: actor, idempotency: .init(key: "k\(number)", asked: [])))
            if number == 90 { try log.reindex() }
        }
    }

    private static func verify(_ log: EventLog, onThreads count: Int) throws -> Verification {
        try VerificationRun(log: log).verifyOnce(try Catalogue([Notes.self]), onThreads: count) {
            _ in
        }
    }

    @Test("A sound log gives the counts of one thread", arguments: [2, 3, 8])
    func sound(_ threadCount: Int) throws {
        let folder = try TemporaryFolder()
        try Self.makeLog(folder.path("log"))
        let log = try EventLog(path: folder.path("log"), access: .read)
        let expected = try Self.verify(log, onThreads: 1)
        #expect(expected.isSound && expected.commits == 120 && expected.events == 240)
        #expect(try Self.verify(log, onThreads: threadCount) == expected)
    }

    @Test("A changed bit gives the findings of one thread", arguments: [5, 6, 7, 8])
    func changedBit(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let (whole, damaged) = (folder.path("whole"), folder.path("damaged"))
        try Self.makeLog(whole)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
        var random = SeededGenerator(seed: seed)
        var foundCount = 0
        for _ in 0..<40 {
            let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            try Data(changed).write(to: URL(fileURLWithPath: damaged))
            guard let log = try? EventLog(path: damaged, access: .read) else { continue }
            let expected = try? Self.verify(log, onThreads: 1)
            let found = try? Self.verify(log, onThreads: 3)
            #expect(found == expected, "seed \(seed), bit \(bit)")
            foundCount += expected?.isSound == false ? 1 : 0
        }
        #expect(foundCount > 5, "seed \(seed)")
    }

    @Test("A forged commit in any stretch gives the findings of one thread", arguments: 1...12)
    func forgedCommit(_ tenth: UInt64) throws {
        let folder = try TemporaryFolder()
        try Self.makeLog(folder.path("log"))
        let log = try EventLog(path: folder.path("log"), access: .write)
        let first = try #require(try log.commits.at(Position(tenth * 20))).first.rawValue
        var transaction = try log.file.beginWriting()
        let table = log.file.tables.commits
        var row = try #require(try transaction.row(first, in: table)?.copied())
        // A chain value that does not follow from the commit, under a right checksum.
        row[20] ^= 1
        try transaction.put(row, for: first, in: table)
        try transaction.commit()
        let expected = try Self.verify(log, onThreads: 1)
        #expect(expected.findings.contains { $0.rule == "chain" })
        #expect(try Self.verify(log, onThreads: 4) == expected)
    }
}
