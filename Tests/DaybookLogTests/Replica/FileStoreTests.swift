import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// A log in a file, and replicas that append to it.
@Suite("Stores in files") struct FileStoreTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Tallies.self])
    }

    @Test("What every store has to do", .timeLimit(.minutes(5)), arguments: StoreSuite.cases)
    func holds(_ test: StoreCase) async throws {
        await #expect(throws: Never.self) { try await test.run(on: try FileStoreMaker()) }
    }

    private func store(_ name: String = "store") throws -> FileStore {
        FileStore(
            try EventLog(path: folder.path(name), access: .create, catalogue: catalogue))
    }

    private func replica(_ name: String = "replica", of store: any EventStore) throws -> EventLog {
        try EventLog.replica(
            of: store, path: folder.path(name), hasKeys: true, catalogue: catalogue)
    }

    private func request(_ text: String, key: String? = nil) -> AppendRequest {
        AppendRequest(
            [
                NewEvent(
                    Tally.Noted(["ada"], text, by: "kim", place: 7),
                    occurredAt: .init(microseconds: 0))
            ], metadata: CommitMetadata(actor: "lee"),
            idempotency: key.map { .init(key: $0, asked: []) })
    }

    /// Returns a batch of two commits that the store has not got, the first one under a key.
    private func batch(for store: FileStore) throws -> StoreBatch {
        let faulty = FaultyStore(store)
        let log = try replica(of: faulty)
        faulty.plan(.unreachable)
        #expect(throws: BatchError.self) {
            _ = try log.append([request("first", key: "k"), request("second")])
        }
        return try #require(faulty.newestBatch)
    }

    /// A fault of a writer, and what the refusal says.
    struct Fault: Sendable, CustomStringConvertible {
        let description: String
        let change: @Sendable (inout StoreBatch, Tables) -> Void

        init(
            _ description: String, _ change: @escaping @Sendable (inout StoreBatch, Tables) -> Void
        ) {
            self.description = description
            self.change = change
        }
    }

    /// Changes a row with an integer key, and gives it a right checksum.
    private static func change(
        _ row: inout [UInt8], _ key: UInt64, _ table: LogTable, _ change: (inout [UInt8]) -> Void
    ) {
        var value = Array(row.dropLast(RowChecksum.byteCount))
        change(&value)
        row = value.asRow(table, key)
    }

    static let faults: [Fault] = [
        Fault("expected commits") { batch, _ in batch.commits = [] },
        Fault("another digest of its key") { batch, _ in batch.commits[0].digest[3] ^= 1 },
        Fault("another digest of its key") { batch, _ in batch.commits[1].digest.removeLast() },
        Fault("as many events as the commits say") { batch, _ in batch.events.removeLast() },
        Fault("another number of events") { batch, _ in
            batch.commits[0].eventCount = 2
            batch.commits[1].eventCount = 0
        },
        Fault("row 1 of events does not match its checksum") { batch, _ in
            batch.events[0][40] ^= 1
        },
        Fault("row 2 of commits does not match its checksum") { batch, _ in
            batch.commits[1].row[2] ^= 1
        },
        Fault("another chain value than its rows") { batch, tables in
            change(&batch.events[0], 1, tables.events) { $0[$0.count - 1] ^= 1 }
        },
        Fault("another chain value than its rows") { batch, tables in
            change(&batch.commits[1].row, 2, tables.commits) { $0[20] ^= 1 }
        },
        Fault("that of an event of the commit") { batch, tables in
            change(&batch.events[1], 2, tables.events) { $0[24] = 1 }
        },
        Fault("that of an event of the commit") { batch, tables in
            change(&batch.events[1], 2, tables.events) { $0[16] = 9 }
        },
        Fault("that of an event of the commit") { batch, _ in batch.names = [] },
        Fault("before its commit") { batch, tables in
            change(&batch.names[0], 1, tables.names) { $0[1] = 0 }
        },
        Fault("another chain value than its rows") { batch, tables in
            change(&batch.names[0], 1, tables.names) { $0[1] = 2 }
        },
        Fault("not used by the commits") { batch, tables in
            batch.names.append(Name(.zone, "Z", firstUsedAt: 3).bytes.asRow(tables.names, 2))
        },
        Fault("has another slot than the next one") { batch, tables in
            change(&batch.people[1].row, 2, tables.people) { $0[8] = 9 }
        },
        Fault("has another row than the one to replace") { batch, _ in
            batch.people[1].replaced = [1]
        },
        Fault("has another row than the one to replace") { batch, _ in
            batch.people[batch.people.count - 1].replaced[0] ^= 1
        },
        Fault("needs a new block of keys") { batch, _ in batch.blocks = [] },
        Fault("does not open the name") { batch, _ in
            batch.blocks[0].replaceSubrange(0..<80, with: batch.blocks[0][80..<160])
        },
        Fault("of an event before the commits") { batch, _ in batch.texts[0].position = 0 },
        Fault("a text at 2 does not match its checksum") { batch, _ in
            batch.texts[batch.texts.count - 1].row[9] ^= 1
        },
    ]

    @Test("A writer with a fault writes nothing", arguments: faults)
    func refused(_ fault: Fault) throws {
        let store = try store()
        var batch = try batch(for: store)
        let good = batch
        fault.change(&batch, store.log.file.tables)
        let error = #expect(throws: LogError.self) { _ = try store.append(batch) }
        guard case .store(.refused(_, "bytes", let reason)) = error else {
            Issue.record("another error: \(error.map { "\($0)" } ?? "none")")
            return
        }
        #expect(reason.contains(fault.description))
        #expect(try store.end().isSame(as: good.end))
        #expect(try store.log.verify(against: catalogue).isSound)
        #expect(try store.append(good).result == .appended)
        #expect(try store.log.verify(against: catalogue).isSound)
    }

    @Test("A batch for another end is not written, whatever the difference")
    func otherEnds() throws {
        let store = try store()
        let good = try batch(for: store)
        let changes: [(inout StoreEnd) -> Void] = [
            { $0.head = Head(unchecked: Position(1), $0.head.chain) },
            { $0.head = Head(unchecked: .origin, Array(repeating: 1, count: 32)) },
            { $0.nextName += 1 }, { $0.nextPerson += 1 }, { $0.nextSlot += 1 }, { $0.epoch += 1 },
        ]
        for change in changes {
            var batch = good
            change(&batch.end)
            let answer = try store.append(batch)
            #expect(answer.result == .moved && answer.outcomes == [.unwritten, .unwritten])
            #expect(answer.end.isSame(as: good.end))
        }
        #expect(try store.append(good).outcomes == [.written(1), .written(2)])
        // The key of the first commit and the random digest of the second one are known from now.
        let again = try store.append(good)
        #expect(again.result == .moved && again.outcomes == [.repeated(1), .repeated(2)])
        #expect(try store.outcomes(of: good.commits.map(\.digest)).firsts == [1, 2])
    }

    @Test("Commits that are a second late are not written")
    func late() async throws {
        let store = try store()
        let batch = try batch(for: store)
        try await Task.sleep(for: .milliseconds(1_100))
        #expect(try store.append(batch).result == .clock)
        #expect(try store.end().isSame(as: batch.end))
    }

    @Test("A log whose newest commit is two days ahead of the store's clock takes no more")
    func ahead() throws {
        let leads = Leads()
        let log = try EventLog(
            path: folder.path("ahead"), access: .create, catalogue: catalogue,
            clock: { Instant(microseconds: Instant.now.microseconds + leads.lead) })
        let store = FileStore(log)
        leads.lead = 2 * Instant.dayUs
        let replica = try replica(of: store)
        _ = try replica.append(request("ahead"))
        leads.lead = 0
        let error = #expect(throws: AppendError.self) { _ = try replica.append(request("b")) }
        guard case .log(.clockBehind) = error else {
            Issue.record("\(error as Any)")
            return
        }
        // Personal texts are erased all the same.
        let erasure = try replica.erase(.actor("lee"))
        #expect(erasure.position?.rawValue == 2)
        // Less than a day ahead is repeated.
        leads.lead = 2 * Instant.dayUs - Instant.dayUs / 2
        let receipt = try replica.append(request("c"))
        #expect(receipt?.first.rawValue == 3)
    }

    /// The lead of a clock, in microseconds.
    private final class Leads: @unchecked Sendable {
        var lead: Int64 = 0
    }

    @Test("A store that was restored or rewritten is refused, with the position")
    func restored() throws {
        func copy(_ name: String) throws {
            try FileManager.default.copyItem(
                atPath: folder.path("store"), toPath: folder.path(name))
        }
        do {
            let store = try store()
            let log = try replica(of: store)
            _ = try log.append(request("first"))
            _ = try log.append(request("second"))
        }
        try copy("old")
        try copy("other")
        do {
            let log = try replica(of: try store())
            _ = try log.append(request("third"))
        }
        let old = try store("old")
        #expect(
            throws: LogError.store(
                .restored(name: old.name, end: Position(2), replica: Position(3)))
        ) { _ = try replica(of: old) }
        let other = try store("other")
        _ = try other.log.append(request("another third"))
        for _ in 0..<2 {
            #expect(
                throws: LogError.store(.parted(name: other.name, at: Position(3)))
            ) { _ = try replica(of: other) }
            _ = try other.log.append(request("fourth"))
        }
        // With the right store, it goes on.
        let right = try replica(of: try store())
        #expect(try right.append(request("fourth"))?.first.rawValue == 4)
    }

    @Test("A replica that another process is creating is waited for", .timeLimit(.minutes(5)))
    func createdElsewhere() throws {
        let store = try store()
        // As a process has it that is creating the replica; the lock is that of this descriptor.
        let partial = open(folder.path("replica.replay-partial"), O_RDWR | O_CREAT, 0o600)
        #expect(partial >= 0 && flock(partial, LOCK_EX | LOCK_NB) == 0)
        // A thread, because tasks may wait for other tests.
        Thread.detachNewThread {
            usleep(50_000)
            close(partial)
        }
        #expect(try replica(of: store).head() == .origin)
    }

    @Test("What a store does wrong is not taken for the end of a log or for damage of the file")
    func wrongSegments() throws {
        let store = try store()
        let log = try replica(of: store)
        _ = try log.append(request("first"))
        let good = try #require(try store.segment(after: .origin, most: 10))
        for offset in stride(from: 0, to: good.count, by: 37) {
            var bytes = good
            bytes[offset] ^= 0x20
            let bare = try EventLog.replica(
                of: store, path: folder.path("fresh"), hasKeys: true, catchesUp: false)
            let link = try #require(bare.kind.link)
            let error = #expect(throws: LogError.self) {
                _ = try CatchUp(bare, link).apply(bytes)
            }
            guard case .store = error else {
                Issue.record("byte \(offset): \(error as Any)")
                continue
            }
            #expect(try bare.head() == .origin)
        }
    }

    @Test("Whoever follows a store that was rewritten gets the error", .timeLimit(.minutes(5)))
    func followingRewritten() async throws {
        do {
            let store = try store()
            let log = try replica(of: store)
            _ = try await log.append(request("first"))
        }
        try FileManager.default.copyItem(
            atPath: folder.path("store"), toPath: folder.path("other"))
        let faulty = FaultyStore(try store())
        let log = try replica(of: faulty)
        _ = try await log.append(request("second"))
        let other = try store("other")
        _ = try await other.log.append(request("another second"))
        _ = try await other.log.append(request("third"))
        let count = Counter()
        let follower = Task { [log] in
            do {
                for try await _ in log.follow() { count.add() }
            } catch {
                return "\(count.value) \(error)"
            }
            return "\(count.value)"
        }
        let areRead = try await Wait.suspendedUntil { count.value == 2 }
        #expect(areRead)
        faulty.replace(by: other)
        let ended = await follower.value
        #expect(ended.hasPrefix("2 ") && ended.contains("part at position 2"), "\(ended)")
    }
}
