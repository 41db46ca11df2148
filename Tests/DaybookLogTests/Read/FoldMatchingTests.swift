import Daybook
import DaybookLog
import TestSupport
import Testing

/// Folding what matches in place, against reading it and folding copies.
@Suite struct FoldMatchingTests {
    /// A note, with whatever tags a test gives it.
    private struct Written: EventPayload {
        static let kind: EventKind = "note.written.v1"
        var number: Int64 = 0
        var tags: [Daybook.Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("number", &number)
        }
    }

    private struct Changed: EventPayload {
        static let kind: EventKind = "note.changed.v1"
        var number: Int64 = 0
        var tags: [Daybook.Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("number", &number)
        }
    }

    /// What was folded, in order.
    private enum Seen: Projection {
        enum Event: EventSet {
            case written(Written)
            case changed(Changed)

            static let kinds: [StoredKind<Event>] = [
                StoredKind(Event.written), StoredKind(Event.changed),
            ]
        }

        struct State: Record {
            var numbers: [Int64] = []

            static var blank: Self { Self() }

            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("numbers", &numbers)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .written(let event): state.numbers.append(event.number)
            case .changed(let event): state.numbers.append(-event.number)
            }
        }
    }

    private static func tag(_ text: String) -> Daybook.Tag { Daybook.Tag(stored: text) }

    @Test(
        "Any query gives what reading gives, however far the index reaches",
        arguments: Cases.sample(0..<12))
    func oracle(_ round: UInt64) throws {
        let seed = 9_000 + round
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        for number in 1...300 as ClosedRange<Int64> {
            let tags = ["week:1", "week:2", "user:1", "user:10", "user:12"]
                .filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(Self.tag)
            var event =
                Bool.random(using: &random)
                ? NewEvent(Written(number: number), occurredAt: Instant(microseconds: number))
                : NewEvent(Changed(number: number), occurredAt: Instant(microseconds: number))
            event.tags = tags
            if Int.random(in: 0..<10, using: &random) == 0 { event.kind = "other.thing.v1" }
            _ = try log.append(AppendRequest([event]))
            if Int.random(in: 0..<100, using: &random) == 0 { try log.reindex() }
        }
        for _ in 0..<60 {
            let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Query.Item(
                    kinds: [[], [Written.kind], [Changed.kind], [Written.kind, Changed.kind]]
                        .randomElement(using: &random) ?? [],
                    tags: ["week:1", "week:2", "user:1", "user:10", "none:1"]
                        .filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                        .map(Self.tag))
            }
            let query = try #require(Query(items: items))
            let through = Position(UInt64.random(in: 0...320, using: &random))
            let valid: Instant? =
                Bool.random(using: &random)
                ? Instant(microseconds: .random(in: 0...300, using: &random)) : nil
            var state = Seen.State()
            try log.reader(query, ReadWindow(through: through)).fold(
                Seen.self, into: &state, validThrough: valid)
            var expected = Seen.State()
            let reader = KindReader<Seen.Event>()
            for event in try log.reader(query, ReadWindow(through: through)).collect() {
                if let valid, event.envelope.occurredAt > valid { continue }
                guard let known = try reader.read(event) else { continue }
                Seen.evolve(&expected, with: known, event.envelope)
            }
            #expect(state == expected, "seed \(seed), \(query)")
        }
    }
}
