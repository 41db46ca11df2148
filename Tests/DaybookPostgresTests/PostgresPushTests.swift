#if PostgreSQL
    import Daybook
    import DaybookLMDB
    import TestSupport
    import Testing

    @testable import DaybookLog
    @testable import DaybookPostgres

    /// Files whose log moves into a database.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresPushTests {
        private func noting(
            _ people: [String], _ text: String, by: String? = nil, place: Int64? = nil,
            actor: String = ""
        ) -> AppendRequest {
            let note = Tally.Noted(people, text, by: by, place: place)
            return AppendRequest(
                [NewEvent(note, occurredAt: .init(microseconds: 0))],
                metadata: CommitMetadata(actor: actor))
        }

        /// A file with people, texts, several kinds and an erasure.
        private func file(_ path: String, _ count: Int = 120) throws -> EventLog {
            let log = try EventLog(
                path: path, access: .create, catalogue: try Catalogue([Tallies.self]))
            for number in 1...count {
                _ = try log.append(
                    noting(
                        ["p\(number % 7)"], "text \(number)", by: "by \(number % 4)",
                        place: Int64(number), actor: "actor \(number % 5)"))
            }
            _ = try log.erase(.actor("actor 3"), reason: "asked for")
            return log
        }

        /// A log in the database that a file may fill.
        private func target(
            _ log: EventLog, _ keys: EpochKeyFile, isFilling: Bool = true
        ) throws -> PostgresStore {
            let address = try PostgresServer.shared.get().address("push-\(log.id)")
            try PostgresStore.createLog(
                at: address, keys: keys, id: log.file.identifier, secret: log.file.secret,
                isFilling: isFilling, deadline: .seconds(10))
            return try PostgresStore(address, keys: keys, deadline: .seconds(10))
        }

        private func texts(_ log: EventLog) throws -> [String] {
            try log.reader().collect().map {
                "\($0.position) \($0.kind) \($0.payload)"
            }
        }

        /// Moves the log of a file, which gets a commit meanwhile; returns its store and texts.
        private func moved(in folder: TemporaryFolder) throws -> (PostgresStore, [String]) {
            let log = try file(folder.path("file"))
            let (head, before) = (try log.chainHead(), try texts(log))
            let store = try target(log, EpochKeyFile(folder.path("keys")))
            #expect(try StorePush(log).push(into: store) == head)
            #expect(try store.state() == .filling)
            let copy = try EventLog.replica(
                of: store, path: folder.path("copy"), hasKeys: true,
                catalogue: try Catalogue([Tallies.self]))
            #expect(try texts(copy) == before)
            _ = try log.append(noting(["p1", "p8"], "meanwhile"))
            let moved = try StorePush(log).finishPush(into: store)
            #expect(moved.position == head.position.next)
            #expect(try store.end().head == moved)
            #expect(try store.state() == .open)
            try copy.catchUp()
            #expect(try copy.chainHead() == moved)
            #expect(throws: (any Error).self) {
                try log.append(noting(["p1"], "in the file alone"))
            }
            return (store, try texts(log))
        }

        @Test("A file's log moves with its head, texts and erasures, and goes on from all sides")
        func whole() throws {
            let folder = try TemporaryFolder()
            let (store, before) = try moved(in: folder)
            let catalogue = try Catalogue([Tallies.self])
            let other = try EventLog.replica(
                of: store, path: folder.path("other"), hasKeys: true, catalogue: catalogue)
            #expect(try texts(other) == before)
            #expect(try other.verify().findings.isEmpty)
            let former = try EventLog.replica(
                of: store, path: folder.path("file"), hasKeys: true, catalogue: catalogue)
            for (index, replica) in [other, former, other, former].enumerated() {
                _ = try replica.append(
                    noting(
                        ["p\(index)", "new \(index)"], "later \(index)", by: "someone"))
            }
            try other.catchUp()
            try former.catchUp()
            #expect(try other.chainHead() == former.chainHead())
            #expect(try texts(other) == texts(former))
            #expect(try former.verify().findings.isEmpty)
            // Done already.
            #expect(try StorePush(former).push(into: store) == former.chainHead())
            #expect(try StorePush(former).finishPush(into: store) == former.chainHead())
        }

        @Test("A push that is interrupted anywhere is continued by the next one")
        func interrupted() throws {
            let folder = try TemporaryFolder()
            let log = try file(folder.path("file"), 40)
            let store = try target(log, EpochKeyFile(folder.path("keys")))
            for callCount in 0..<7 {
                #expect(throws: (any Error).self) {
                    let breaking = BreakingStore(store, after: callCount)
                    _ = try StorePush(log).push(into: breaking)
                    _ = try StorePush(log).finishPush(into: breaking)
                }
                #expect(try !log.file.hasMetaRow(Meta.replica))
            }
            _ = try log.append(noting(["p9"], "meanwhile"))
            _ = try StorePush(log).finishPush(into: store)
            #expect(try store.end().head == log.chainHead())
            let other = try EventLog.replica(
                of: store, path: folder.path("other"), hasKeys: true,
                catalogue: try Catalogue([Tallies.self]))
            #expect(try texts(other) == texts(log))
        }

        @Test("A push asks once in which state the database has the log, whatever its size")
        func state() throws {
            let folder = try TemporaryFolder()
            let log = try file(folder.path("file"), 3)
            // More than one batch holds.
            for _ in 0..<3 {
                let events = (0..<10_001).map { _ in
                    NewEvent(
                        Tally.Counted.blank, occurredAt: .init(microseconds: 0))
                }
                _ = try log.append(AppendRequest(events))
            }
            let counting = BreakingStore(try target(log, EpochKeyFile(folder.path("keys"))))
            _ = try StorePush(log).push(into: counting)
            #expect(counting.stateCount == 1 && counting.batchCount == 3)
            _ = try StorePush(log).finishPush(into: counting)
            #expect(try counting.end().head == log.chainHead())
        }

        @Test("A log whose people have lost their keys is refused before it is sent")
        func salvaged() throws {
            let folder = try TemporaryFolder()
            let log = try file(folder.path("file"), 3)
            let store = try target(log, EpochKeyFile(folder.path("keys")))
            try log.file.writing { (transaction) throws(LogError) in
                let key = Meta.lostSlots
                try transaction.put(UInt32(1).bytes, for: key.rawSpan, in: log.file.tables.meta)
            }
            expectError("salvaged without the keys of some people") {
                try StorePush(log).checkCanMove()
            }
            expectError("salvaged without the keys of some people") {
                _ = try StorePush(log).push(into: store)
            }
            #expect(try store.end().head == .origin)

            let address = try PostgresServer.shared.get().address("salvaged-\(log.id)")
            let machine = try Machine(address.description, keys: folder.path("keys"))
            let answer = try machine.replay("push", folder.path("file"), machine.log)
            #expect(answer.code == 2 && answer.err.contains("replay database create'"))
            // No log was made there.
            expectError("no such log") { _ = try PostgresStore(address) }
        }

        @Test("A log that cannot move is refused with the reason")
        func refusals() throws {
            let folder = try TemporaryFolder()
            let keys = EpochKeyFile(folder.path("keys"))
            let log = try file(folder.path("file"), 10)
            let open = try target(log, keys, isFilling: false)
            expectError("takes the later commits") { _ = try StorePush(log).push(into: open) }
            let elsewhere = try file(folder.path("elsewhere"), 3)
            expectError("it has the log \(log.id)") {
                _ = try StorePush(elsewhere).push(into: open)
            }

            // Two files with one id have another history each.
            let (one, two) = (folder.path("one"), folder.path("two"))
            _ = try EventLog(path: one, access: .create).append(
                noting([], "one"))
            try EventLog(path: one, access: .write).backup(to: two)
            let (left, right) = (
                try EventLog(path: one, access: .write), try EventLog(path: two, access: .write)
            )
            _ = try left.append(noting([], "left"))
            _ = try right.append(noting([], "right"))
            let store = try target(left, keys)
            _ = try StorePush(left).push(into: store)
            _ = try StorePush(left).finishPush(into: store)
            expectError("part at position 2") { _ = try StorePush(right).push(into: store) }

            // The log of a replica goes on elsewhere.
            let source = FileStore(try file(folder.path("source"), 5))
            let replica = try EventLog.replica(
                of: source, path: folder.path("replica"), hasKeys: true,
                catalogue: try Catalogue([Tallies.self]))
            let copy = try target(replica, keys)
            expectError("is a replica") { _ = try StorePush(replica).push(into: copy) }
            #expect(try copy.end().head == .origin)
            let address = try PostgresServer.shared.get().address("replica-\(replica.id)")
            expectError("whose log goes on elsewhere") {
                _ = try PostgresStore.toFill(at: address, keys: keys, from: replica)
            }
            expectError("no such log") { _ = try PostgresStore(address) }
        }

        private func expectError(
            _ part: String, _ body: () throws -> Void, line: SourceLocation = #_sourceLocation
        ) {
            do {
                try body()
                Issue.record("expected an error with '\(part)'", sourceLocation: line)
            } catch {
                #expect("\(error)".contains(part), sourceLocation: line)
            }
        }
    }

    /// A store that is filled, and lost after some calls.
    private final class BreakingStore: FillableStore, @unchecked Sendable {
        private let inner: PostgresStore
        private var callsLeft: Int
        private(set) var stateCount = 0
        private(set) var batchCount = 0

        init(_ inner: PostgresStore, after callCount: Int = .max) {
            self.inner = inner
            callsLeft = callCount
        }

        private func count() throws(LogError) {
            callsLeft -= 1
            if callsLeft < 0 { throw .store(.unreachable(name: inner.name, reason: "planned")) }
        }

        var logID: [UInt8] { inner.logID }
        var name: String { inner.name }

        func end() throws(LogError) -> StoreEnd { try inner.end() }
        func append(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
            try inner.append(batch)
        }
        func lock(after head: Head) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
            try inner.lock(after: head)
        }
        func unlock() { inner.unlock() }
        func outcomes(
            of digests: [[UInt8]]
        ) throws(LogError) -> (end: StoreEnd, firsts: [UInt64?]) {
            try inner.outcomes(of: digests)
        }
        func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]? {
            try inner.segment(after: head, most: most)
        }
        func wait(after position: Position, atMost duration: Duration) throws(LogError) -> Bool {
            try inner.wait(after: position, atMost: duration)
        }
        func keys(fromBlock block: UInt64) throws(LogError) -> StoreKeys {
            try inner.keys(fromBlock: block)
        }
        func state() throws(LogError) -> StoreState {
            try count()
            stateCount += 1
            return try inner.state()
        }
        func fill(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
            try count()
            batchCount += 1
            let answer = try inner.fill(batch)
            try count()
            return answer
        }
        func fill(
            people: [(number: UInt32, row: [UInt8])], blocks: [(number: UInt64, row: [UInt8])]
        ) throws(LogError) {
            try count()
            try inner.fill(people: people, blocks: blocks)
        }
        func endFilling(at head: Head, nextPerson: UInt64, nextSlot: UInt64) throws(LogError) {
            try count()
            try inner.endFilling(at: head, nextPerson: nextPerson, nextSlot: nextSlot)
        }
    }
#endif
