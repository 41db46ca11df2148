import Daybook
import DaybookLMDB
import TestSupport
import Testing

@testable import DaybookLog

/// Wrong rows of the tables `tags` and `kinds`, whose events are in the index or after it.
@Suite("Last positions of tags and kinds") struct LastPositionTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// Creates a log with five events, the odd ones about topic `t1` and the others about `t0`.
    ///
    /// - Parameter indexed: the number of events that the index covers.
    private func log(indexed: Int) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for number in 1...5 {
            let note = Note(Int64(number), "n", topics: ["t\(number % 2)"])
            _ = try log.append(
                AppendRequest([NewEvent(note, occurredAt: Instant(microseconds: Int64(number)))]))
            if number == indexed { try log.reindex() }
        }
        return log
    }

    enum Change: CaseIterable {
        case earlierTag, wrongTag, lostTag, newTag, earlierKind, lostKind, newKind

        func make(_ tables: Tables, in transaction: inout LogWriteTransaction) throws {
            let (known, new) = (Array("topic:t1".utf8), Array("topic:t9".utf8))
            switch self {
            case .earlierTag:
                try transaction.put(UInt64(3).bytes, for: known.rawSpan, in: tables.tags)
            case .wrongTag:
                try transaction.put(UInt64(6).bytes, for: known.rawSpan, in: tables.tags)
            case .lostTag: #expect(try transaction.remove(known.rawSpan, from: tables.tags))
            case .newTag: try transaction.put(UInt64(5).bytes, for: new.rawSpan, in: tables.tags)
            case .earlierKind: try transaction.put(UInt64(4).bytes, for: 1, in: tables.kinds)
            case .lostKind:
                let key = UInt64(1).bytes
                #expect(try transaction.remove(key.rawSpan, from: tables.kinds))
            case .newKind: try transaction.put(UInt64(5).bytes, for: 9, in: tables.kinds)
            }
        }

        /// What verify says if no event is in the index, by position.
        var found: [(position: UInt64, message: String)] {
            let lacks = { (position: UInt64) -> (position: UInt64, message: String) in
                (
                    position,
                    "the event has the tag topic:t1, but the table 'tags' gives an earlier last "
                        + "position of the tag, or none"
                )
            }
            let lacksKind = { (position: UInt64) -> (position: UInt64, message: String) in
                (
                    position,
                    "the event is of the kind in row 1 of 'names', but the table 'kinds' gives an "
                        + "earlier last position of the kind, or none"
                )
            }
            return switch self {
            case .earlierTag: [lacks(5)]
            case .lostTag: [lacks(1), lacks(3), lacks(5)]
            case .wrongTag:
                [
                    (
                        6,
                        "the table 'tags' gives 6 as the last position of the tag topic:t1, but no "
                            + "event at this position has the tag"
                    )
                ]
            case .newTag:
                [
                    (
                        5,
                        "the table 'tags' gives 5 as the last position of the tag topic:t9, but no "
                            + "event at this position has the tag"
                    )
                ]
            case .earlierKind: [lacksKind(5)]
            case .lostKind: [1, 2, 3, 4, 5].map(lacksKind)
            case .newKind:
                [
                    (
                        5,
                        "the table 'kinds' gives 5 as the last position of the event kind in row 9 "
                            + "of 'names', but no event at this position is of this kind"
                    )
                ]
            }
        }
    }

    @Test(
        "Verify finds each wrong row, wherever the index ends", arguments: Change.allCases,
        [0, 2, 4, 5])
    func isFound(_ change: Change, indexed: Int) throws {
        let log = try log(indexed: indexed)
        let catalogue = try Catalogue([Notes.self])
        #expect(try log.verify(against: catalogue).isSound)
        var transaction = try log.file.beginWriting()
        try change.make(log.file.tables, in: &transaction)
        try transaction.commit()
        let findings = try log.verify(against: catalogue).findings
        #expect(findings.contains { $0.rule == "last" }, "\(findings)")
        guard indexed == 0 else { return }
        #expect(findings.allSatisfy { $0.rule == "last" })
        #expect(findings.map(\.position.rawValue) == change.found.map(\.position))
        #expect(findings.map(\.message) == change.found.map(\.message))
    }
}
