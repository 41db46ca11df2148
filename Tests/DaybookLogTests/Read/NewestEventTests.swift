import Daybook
import DaybookLog
import TestSupport
import Testing

/// Decisions for which the newest event of an item is enough.
@Suite struct NewestEventTests {
    /// Notes what it is fed: all events of the shelf, and the newest of the bell.
    private struct Listening: PendingDecision {
        var fed: [UInt64] = []
        var needsAll = false
        let heard: Heard

        static let bell = Query.Item(kinds: ["bell.rung.v1"], tags: [Tag("bell", "b")])
        static let shelf = Query.Item(tags: [Tag("shelf", "s")])

        var query: Query { Query(Self.bell, Self.shelf) }
        var newest: Set<Query.Item> {
            needsAll && !fed.isEmpty ? [] : [Self.bell]
        }

        mutating func fold(_ event: borrowing EventView) { fed.append(event.position.rawValue) }
        mutating func restart() { fed = [] }

        func outcome() -> Outcome {
            heard.positions = fed
            return .events([])
        }
    }

    private final class Heard: @unchecked Sendable {
        var positions: [UInt64] = []
    }

    private static func event(_ kind: EventKind, _ tags: Daybook.Tag...) -> NewEvent {
        NewEvent(kind: kind, tags: tags, occurredAt: .epoch, payload: [])
    }

    private static let rung = event("bell.rung.v1", Tag("bell", "b"))
    private static let filled = event("shelf.filled.v1", Tag("shelf", "s"))
    private static let both = event("bell.rung.v1", Tag("bell", "b"), Tag("shelf", "s"))
    private static let other = event("bell.heard.v1", Tag("bell", "b"))

    @Test(
        "A decision is fed the newest event of an item, in order with all of the others",
        arguments: [
            ([rung, rung, rung], [], [3]),
            ([rung, filled, rung, filled, other], [], [2, 3, 4]),
            ([filled, rung, rung, filled], [], [1, 3, 4]),
            ([both, rung, both], [], [1, 3]),
            ([both, rung, filled], [], [1, 2, 3]),
            ([], [], []),
            ([other, filled], [], [2]),
            ([rung, filled], [other, filled], [1, 2, 4]),
            // The newest of the log may come too: that of the batch is newer.
            ([rung, rung], [rung, filled, rung], [2, 4, 5]),
            ([], [rung, both, rung], [2, 3]),
        ] as [([NewEvent], [NewEvent], [UInt64])])
    func order(_ stored: [NewEvent], _ batch: [NewEvent], _ expected: [UInt64]) throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        for event in stored { _ = try log.append(AppendRequest([event])) }
        let heard = Heard()
        var decisions = DecisionBatch(log)
        try decisions.add(batch, metadata: CommitMetadata(), idempotency: nil)
        _ = try decisions.decide(
            Listening(heard: heard), metadata: CommitMetadata(), idempotency: nil)
        #expect(heard.positions == expected)
    }

    @Test("A decision that turns out to need every event of an item is fed them all")
    func needsAll() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        for _ in 0..<5 { _ = try log.append(AppendRequest([Self.rung])) }
        let heard = Heard()
        _ = try log.decide(Listening(needsAll: true, heard: heard))
        #expect(heard.positions == [1, 2, 3, 4, 5])
    }
}
