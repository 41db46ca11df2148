import Daybook
package import DaybookLog
import Synchronization

/// The tests that every store has to pass, each with a log of its own.
///
///     @Test(arguments: StoreSuite.cases) func holds(_ test: StoreCase) async throws {
///         try await test.run(on: maker)
///     }
package struct StoreSuite: Sendable {
    let maker: any StoreMaker
    let folder: TemporaryFolder
    let catalogue: Catalogue
    /// The store of the log, and the same with the faults that a test plans.
    let base: any EventStore
    let store: FaultyStore
    private let replicaCount = SharedCount()

    /// All tests, by the sentence that holds.
    package static let cases: [StoreCase] = [
        StoreCase("A log over a store is what an array would be, also when answers are lost") {
            for seed in 1...(Cases.areAll ? 12 : 3) as ClosedRange<UInt64> {
                try $0.emptied().matchesAnArray(seed)
            }
        },
        StoreCase("64 contenders on 4 replicas see all that was decided before") {
            try $0.contenders()
        },
        StoreCase("One key from two replicas at once is written once") { try $0.keys() },
        StoreCase("A key of another request is refused, with its position") {
            try $0.reusedKeys()
        },
        StoreCase("A lost answer leaves each commit once, with its receipt") {
            for fault in Self.lostAnswers { try $0.emptied().lostAnswer(fault) }
        },
        StoreCase("An answer that stays lost is an error that says so") { try $0.lostForLong() },
        StoreCase("A store that cannot be reached writes nothing") { try $0.unreachable() },
        StoreCase("A batch of which a part is written is settled, and the rest goes on") {
            try $0.partlyWritten()
        },
        StoreCase("A writer that has lost takes the lock first") { try $0.lockedAppend() },
        StoreCase("An append that was held up, once, for longer than a lock lasts is written") {
            try $0.heldUp()
        },
        StoreCase("Commits are recorded by the store's clock, however wrong the machine's is") {
            try $0.clocks()
        },
        StoreCase("A new person that two replicas name at once has one number") {
            try $0.onePersonAtOnce()
        },
        StoreCase("People fill a block of keys and begin the next one") { try $0.fullBlock() },
        StoreCase("Texts, names and places are read on every replica with keys") {
            try $0.texts()
        },
        StoreCase("New kinds that two replicas use at once get one row each") {
            try $0.namesAtOnce()
        },
        StoreCase("A condition on the newest layout holds against events of an older one") {
            try $0.upcasters()
        },
        StoreCase("A follower of one replica gets what another one appends") {
            try await $0.followed()
        },
        StoreCase("States are followed, and tasks append and decide") { try await $0.tasks() },
        StoreCase("Erasures elsewhere are carried out on every replica") { try $0.erasures() },
        StoreCase("A replica without keys reads, takes no appends, and may get keys") {
            try $0.withoutKeys()
        },
        StoreCase("Threads may catch up one replica at once, while others append") {
            try $0.catchingUpAtOnce()
        },
        StoreCase("A catching up that is limited ends at a commit, and goes on there") {
            try $0.limitedCatchUp()
        },
        StoreCase("Only a replica of the log is opened") { try $0.otherFiles() },
    ]

    init(_ maker: any StoreMaker) throws {
        self.maker = maker
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Tallies.self])
        base = try maker.makeStore()
        store = FaultyStore(base)
    }

    /// The same tests with a new, empty log.
    func emptied() throws -> StoreSuite { try StoreSuite(maker) }

    /// Opens a new replica, or the one with a name.
    func replica(
        _ name: String? = nil, of store: (any EventStore)? = nil, hasKeys: Bool = true,
        machineLeadUs: Int64 = 0, catalogue: Catalogue? = nil, catchesUp: Bool = true
    ) throws -> EventLog {
        try EventLog.replica(
            of: store ?? self.store, path: folder.path(name ?? "replica-\(replicaCount.next())"),
            hasKeys: hasKeys, catalogue: catalogue ?? self.catalogue,
            clock: {
                Instant(microseconds: Instant.now.microseconds + machineLeadUs)
            },
            people: Tallies.people, longestDoubt: .seconds(1), catchesUp: catchesUp)
    }

    /// Checks that replicas have what the store has, and what a new replica of it gets.
    func expectEqual(
        _ replicas: EventLog..., catalogue: Catalogue? = nil, line: Int = #line
    ) throws {
        let fresh = try replica()
        let head = try store.end().head
        for log in replicas + [fresh] {
            try log.catchUp()
            try TestSupport.expectEqual(
                try log.chainHead(), head, "head of \(log.path)", line: line)
            let found = try log.verify(against: catalogue ?? self.catalogue)
            try expect(found.isSound, "\(log.path): \(found.findings)", line: line)
            for (copy, original) in [(log, fresh), (fresh, log)] {
                if let difference = try CopyDifference.of(copy, fromOriginal: original) {
                    throw Unexpected("line \(line): \(log.path): \(difference)")
                }
            }
            let (one, other) = (try log.file.status(), try fresh.file.status())
            try expect(
                one.events == other.events && one.head == other.head, "other status", line: line)
        }
    }

    /// A request to append events that a tally was counted, for which nobody decided.
    package static func counting(_ ids: String..., key: String? = nil, actor: String = "")
        -> AppendRequest
    {
        let events = ids.map { id in
            var counted = Tally.Counted()
            counted.ids = [id]
            return NewEvent(counted, occurredAt: .init(microseconds: 0))
        }
        return AppendRequest(
            events, metadata: CommitMetadata(actor: actor),
            idempotency: key.map { .init(key: $0, asked: Array(ids.joined().utf8)) })
    }

    /// A request to append a note about people.
    static func noting(
        _ people: [String], _ text: String, by: String? = nil, place: Int64? = nil,
        actor: String = ""
    ) -> AppendRequest {
        let note = Tally.Noted(people, text, by: by, place: place)
        return AppendRequest(
            [NewEvent(note, occurredAt: .init(microseconds: 0))],
            metadata: CommitMetadata(actor: actor))
    }

    /// Returns the personal text of the event at a position.
    func text(_ log: EventLog, _ position: Position) throws -> String? {
        try log.people.text(at: position, field: 0)
    }
}

/// A test that every store has to pass.
package struct StoreCase: Sendable, CustomStringConvertible {
    /// The sentence that holds.
    package let description: String
    private let body: @Sendable (StoreSuite) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (StoreSuite) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Runs the test on a new store.
    package func run(on maker: any StoreMaker) async throws {
        try await body(try StoreSuite(maker))
    }
}

/// A number that threads count up.
final class SharedCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock(\.self) }

    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// Errors of threads of a test.
final class SharedFailures: Sendable {
    private let failures = Mutex<[String]>([])

    /// Calls `body` and keeps its error.
    func collect(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failures.withLock { $0.append("\(error)") }
        }
    }

    func check(line: Int = #line) throws {
        let all = failures.withLock(\.self)
        try expect(all.isEmpty, "\(all.count) failures: \(all.prefix(3))", line: line)
    }
}
