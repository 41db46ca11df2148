import Daybook
import DaybookLog
import Synchronization
import TestSupport
import Testing

/// Imports that are run on a log.
@Suite struct ImportRunTests {
    /// Moves a copy, and lets another writer in before the first attempts are appended.
    private struct Moves: PendingImport {
        let rows: [(copy: String, place: String)]
        let interrupt: @Sendable (Int) -> Void
        let attempts = Attempts()

        final class Attempts: Sendable {
            let count = Atomic(0)
        }

        func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
            var outcome = ImportOutcome(rows: rows.count)
            for (index, row) in rows.enumerated() {
                let key = CommandKey(key: "row/\(index)", asked: Array(row.place.utf8))
                switch try log.state(of: key) {
                case .known: outcome.duplicates += 1
                case .reused: return .refused("row \(index + 1) was imported otherwise")
                case .new:
                    let command = Shelf.Move(copy: row.copy, place: row.place)
                    let decided = try log.decide(
                        command, CommandContext(now: log.now), under: key, correlation: "")
                    switch decided {
                    case .events: outcome.accepted += 1
                    case .refused(let refusal):
                        outcome.rejected.append(
                            ImportOutcome.Row(
                                row: index + 1, line: index + 1, code: refusal.code,
                                message: refusal.message))
                    }
                }
            }
            interrupt(attempts.count.add(1, ordering: .relaxed).newValue)
            return .done(outcome)
        }
    }

    @Test("An import decides again where another writer came between")
    func anImportDecidesAgainWhereAnotherWriterCame() throws {
        let shelf = try ShelfLog([("a", "hall")])
        let moves = Moves(rows: [("a", "attic")]) { attempt in
            guard attempt == 1 else { return }
            #expect(throws: Never.self) {
                try shelf.append(Shelf.Moved(copy: "a", place: "attic"), atSecond: 2)
            }
        }
        let result = try shelf.log.decide(moves, catalogue: shelf.catalogue)
        guard case .done(let outcome) = result else {
            Issue.record("\(result)")
            return
        }
        // The second attempt sees the other writer's move.
        expect(outcome.accepted, equals: 0)
        expect(outcome.rejected.map(\.code), equals: ["there"])
        try expect(shelf.log.head(), equals: Position(2))
    }

    @Test(
        "Rows that another import of the file brings meanwhile are known, and not accepted",
        arguments: [[0], [1], [0, 1], [0, 1, 2]])
    func rowsThatAnotherImportBringsAreKnown(taken: [Int]) throws {
        let shelf = try ShelfLog([])
        let rows = [("a", "hall"), ("b", "hall"), ("c", "attic")]
        let moves = Moves(rows: rows) { attempt in
            guard attempt == 1 else { return }
            for index in taken {
                #expect(throws: Never.self) {
                    try shelf.log.decide(
                        PendingCommand(
                            Shelf.Move(copy: rows[index].0, place: rows[index].1),
                            context: CommandContext(now: Instant(microseconds: 1))),
                        idempotency: CommandKey(
                            key: "row/\(index)", asked: Array(rows[index].1.utf8)),
                        catalogue: shelf.catalogue)
                }
            }
        }
        let result = try shelf.log.decide(moves, catalogue: shelf.catalogue)
        guard case .done(let outcome) = result else {
            Issue.record("\(result)")
            return
        }
        expect(outcome.accepted, equals: rows.count - taken.count)
        #expect(outcome.duplicates == taken.count && outcome.rejected.isEmpty)
        try expect(shelf.log.head(), equals: Position(3))
    }

    @Test("An import that is always overtaken gives up and appends nothing")
    func anImportThatIsAlwaysOvertakenGivesUp() throws {
        let shelf = try ShelfLog([("a", "hall")])
        let moves = Moves(rows: [("a", "attic")]) { attempt in
            #expect(throws: Never.self) {
                try shelf.append(
                    Shelf.Moved(copy: "a", place: "place \(attempt)"), atSecond: 2)
            }
        }
        #expect {
            try shelf.log.decide(moves, catalogue: shelf.catalogue)
        } throws: { error in
            guard case .conflict? = error as? AppendError else { return false }
            return true
        }
        expect(moves.attempts.count.load(ordering: .relaxed), equals: 100)
        try expect(shelf.log.head(), equals: Position(101))
    }

    @Test("An import sees its own commands, and is whole or not at all")
    func anImportSeesItsOwnCommands() throws {
        let shelf = try ShelfLog([])
        let first = Moves(rows: [("a", "hall"), ("a", "hall"), ("b", "hall")]) { _ in }
        let result = try shelf.log.decide(first, actor: "ana", catalogue: shelf.catalogue)
        guard case .done(let outcome) = result else {
            Issue.record("\(result)")
            return
        }
        expect(outcome.accepted, equals: 2)
        expect(outcome.rejected.map(\.row), equals: [2])
        try expect(shelf.log.commits.at(Position(1))?.metadata.actor, equals: "ana")
        // Row 1 is known, and row 3 asks for something else under its key.
        let other = Moves(rows: [("a", "hall"), ("c", "hall"), ("b", "attic")]) { _ in }
        #expect(
            try shelf.log.decide(other, catalogue: shelf.catalogue)
                == .refused("row 3 was imported otherwise"))
        try expect(shelf.log.head(), equals: Position(2))
    }

    @Test("A trial of an import decides everything and appends nothing")
    func aTrialOfAnImportAppendsNothing() throws {
        let shelf = try ShelfLog([("a", "hall")])
        let moves = Moves(rows: [("a", "attic"), ("b", "hall")]) { _ in }
        let result = try shelf.log.decide(moves, catalogue: shelf.catalogue, isTrial: true)
        guard case .done(let outcome) = result else {
            Issue.record("\(result)")
            return
        }
        expect(outcome.accepted, equals: 2)
        try expect(shelf.log.head(), equals: Position(1))
    }
}
