import Daybook
import DaybookLog
import TestSupport
import Testing

/// Decisions that go on from what was folded for earlier ones are those that fold everything.
@Suite struct DecisionMemoryTests {
    struct Counted: EventPayload {
        static let kind: EventKind = "tally.counted.v1"
        var tally = ""
        var amount: Int64 = 0
        /// Another tally, whose sum counts from then on.
        var linked: String?
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("tally", tally)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tally", &tally, "amount", &amount, "linked", &linked)
        }
    }

    enum Event: DecidedEvents {
        case counted(Counted)
        static let kinds = [StoredKind(counted)]
    }

    enum Tallies: Area, Projection {
        static let name = "tally"
        static let events = Event.kinds.map(\.description)
        static let commands = [CommandDescription(Count.self)]
        static let projections: [ProjectionDescription] = []

        struct State: Record {
            var sums: [String: Int64] = [:]
            var links: [String: String] = [:]
            /// The positions and times of what was folded.
            var seen: [Int64] = []
            static var blank: Self { Self() }
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sums", &sums, "links", &links, "seen", &seen)
            }
        }

        static func evolve(
            _ state: inout State, with event: DecisionMemoryTests.Event, _ envelope: Envelope
        ) {
            guard case .counted(let counted) = event else { return }
            state.sums[counted.tally, default: 0] += counted.amount
            if let linked = counted.linked { state.links[counted.tally] = linked }
            state.seen.append(envelope.recordedAt.microseconds)
        }
    }

    struct Count: Command {
        typealias Model = Tallies
        static let name = "tally.count"
        var tally = ""
        var amount: Int64 = 0
        var linked: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tally", &tally, "amount", &amount, "linked", &linked)
        }

        var query: Query { query(knowing: .blank) }

        func query(knowing state: Tallies.State) -> Query {
            var ids = [tally]
            while let next = state.links[ids[ids.count - 1]], !ids.contains(next) {
                ids.append(next)
            }
            return .any(of: Tallies.kinds, ids.map { Daybook.Tag("tally", $0) })
        }

        func decide(
            _ state: Tallies.State, now: Instant
        ) throws(Refusal) -> [DecisionMemoryTests.Event] {
            var sum: Int64 = 0
            for part in state.sums.values { sum += part }
            guard amount > 0 else { return [] }
            guard (sum + amount) % 7 != 0 else {
                throw Refusal(
                    "seven", "\(sum) of \(state.seen.count), last \(state.seen.last ?? 0)")
            }
            // What it saw is in what it records.
            var counted = Counted()
            (counted.tally, counted.linked) = (tally, linked)
            counted.amount = amount + sum % 3 + Int64(state.seen.count) + (state.seen.last ?? 0) % 5
            return [.counted(counted)]
        }
    }

    private static func command(_ random: inout SeededGenerator) -> Count {
        Count {
            $0.tally = "t\(Int.random(in: 0..<6, using: &random))"
            $0.amount = Int64.random(in: 0..<9, using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                $0.linked = "t\(Int.random(in: 0..<6, using: &random))"
            }
        }
    }

    private static func pending(_ command: Count) -> any PendingDecision {
        PendingCommand(command, context: CommandContext(now: .epoch))
    }

    /// A clock that goes on by itself.
    private static func clock() -> @Sendable () -> Instant {
        { Instant(microseconds: 1_000_003) }
    }

    @Test(
        "One after another, refusals and other writers between, they decide the same",
        arguments: Cases.sample(1...4), [false, true])
    func sameDecisions(_ seed: UInt64, _ othersWrite: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let catalogue = try Catalogue([Tallies.self])
        let logs = try ["with", "without"].map {
            try EventLog(path: folder.path($0), access: .create, clock: Self.clock())
        }
        let memory = DecisionMemory()
        var refusals = 0
        for _ in 0..<250 {
            let command = Self.command(&random)
            let decided = [
                try logs[0].decide(
                    Self.pending(command), catalogue: catalogue, memory: memory),
                try logs[1].decide(Self.pending(command), catalogue: catalogue),
            ]
            #expect(decided[0] == decided[1])
            if case .refused = decided[0] { refusals += 1 }
            guard othersWrite, Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let other = Self.command(&random)
            for log in logs { _ = try log.decide(Self.pending(other), catalogue: catalogue) }
        }
        #expect(refusals > 5)
        let histories = try logs.map { try $0.reader().collect() }
        #expect(histories[0] == histories[1] && histories[0].count > 50)
    }

    @Test("Another's event between reading and appending is still a conflict that is decided anew")
    func conflicts() throws {
        let folder = try TemporaryFolder()
        let catalogue = try Catalogue([Tallies.self])
        let log = try EventLog(path: folder.path("log"), access: .create, clock: Self.clock())
        let memory = DecisionMemory()
        let one = Count { ($0.tally, $0.amount) = ("t", 1) }
        _ = try log.decide(Self.pending(one), catalogue: catalogue, memory: memory)
        var attempts = 0
        let outcome = try DecisionBatch.retryingConflicts(in: log, catalogue, memory) {
            (batch) throws(AppendError) in
            attempts += 1
            let outcome = try batch.decide(
                Self.pending(one), metadata: CommitMetadata(), idempotency: nil)
            if attempts == 1 {
                _ = try log.decide(Self.pending(one), catalogue: catalogue)
            }
            _ = try batch.append()
            return outcome
        }
        guard case .events = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(attempts == 2)
        #expect(try log.head() == Position(3))
    }

    @Test("In one batch each sees those before it, and all are as one by one")
    func batches() throws {
        var random = SeededGenerator(seed: 9)
        let folder = try TemporaryFolder()
        let catalogue = try Catalogue([Tallies.self])
        let batched = try EventLog(
            path: folder.path("batched"), access: .create, clock: Self.clock())
        let single = try EventLog(
            path: folder.path("single"), access: .create, clock: Self.clock())
        for _ in 0..<10 {
            let commands = (0..<40).map { _ in Self.command(&random) }
            var batch = DecisionBatch(batched, catalogue)
            for command in commands {
                let outcome = try batch.decide(
                    Self.pending(command), metadata: CommitMetadata(), idempotency: nil)
                let decided = try single.decide(Self.pending(command), catalogue: catalogue)
                switch (outcome, decided) {
                case (.refused(let one), .refused(let other)): #expect(one == other)
                case (.events(let events), .appended): #expect(events.count == 1)
                case (.events(let events), .nothing): #expect(events.isEmpty)
                default: Issue.record("\(outcome), \(decided)")
                }
            }
            _ = try batch.append()
        }
        #expect(
            try batched.reader().collect().map(\.payload)
                == single.reader().collect().map(\.payload))
    }
}
