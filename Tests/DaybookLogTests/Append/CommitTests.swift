import Daybook
import DaybookLog
import Synchronization
import TestSupport
import Testing

@Suite struct CommitTests {
    private func event(_ topic: String, at microseconds: Int64 = 0) -> NewEvent {
        NewEvent(Note(1, topics: [topic]), occurredAt: Instant(microseconds: microseconds))
    }

    /// A clock that shows these times one after another.
    private func clock(_ times: Int64...) -> @Sendable () -> Instant {
        let left = Mutex(times)
        return {
            left.withLock { times in
                Instant(microseconds: times.count > 1 ? times.removeFirst() : times.first ?? 0)
            }
        }
    }

    @Test("The log's clock never goes back, and finds what was known at a time")
    func theLogsClockNeverGoesBackAndFindsWhatWasKnown() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(
            path: folder.path("log"), access: .create, clock: clock(100, 50, 300, 200))
        for topic in ["a", "b", "c", "d"] { _ = try log.append(AppendRequest([event(topic)])) }
        let recorded = try log.reader().collect().map(\.envelope.recordedAt.microseconds)
        #expect(recorded == [100, 100, 300, 300])
        for (time, position) in [(99, 0), (100, 2), (299, 2), (300, 4), (9_999, 4)] {
            #expect(
                try log.commits.position(asOf: Instant(microseconds: Int64(time)))
                    == Position(UInt64(position)))
        }
    }

    @Test("Requests of one call see the log as it was, and succeed or fail together")
    func requestsOfOneCallSeeTheLogAsItWasAndShareAFate() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let free = AppendCondition(Query(Query.Item(tags: [Tag("topic", "x")])))
        let request = AppendRequest([event("x")], conditions: [free])
        // The second depends on nothing having happened before, and the first is its own.
        let receipts = try log.append([request, request])
        #expect(receipts.compactMap { $0?.first } == [Position(1), Position(2)])
        let other = AppendRequest([event("y")])
        #expect(throws: BatchError(index: 1, error: .conflict(at: Position(2)))) {
            try log.append([other, request])
        }
        #expect(try log.head() == Position(2))
    }

    @Test("A key that occurs twice in one call is appended once")
    func aKeyThatStandsTwiceInOneCallIsAppendedOnce() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        func request(_ asked: UInt8) -> AppendRequest {
            AppendRequest(
                [event("x")],
                idempotency: AppendRequest.Idempotency(key: "k", asked: [asked]))
        }
        let receipts = try log.append([request(1), request(1)])
        #expect(receipts.map { $0?.first } == [Position(1), Position(1)])
        #expect(receipts.map { $0?.isRepeated } == [false, true])
        let (known, new) = (
            request(2), AppendRequest([event("x")], idempotency: .init(key: "n", asked: [1]))
        )
        #expect(throws: BatchError(index: 0, error: .keyReused(key: "k", at: Position(1)))) {
            try log.append([known])
        }
        var other = new
        other.idempotency?.asked = [2]
        #expect(throws: BatchError(index: 1, error: .keyReused(key: "n", at: .origin))) {
            try log.append([new, other])
        }
        #expect(try log.head() == Position(1))
    }

    @Test("A commit has its actor, device, correlation and causation")
    func aCommitTellsWhoAskedAndWhy() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let metadata = CommitMetadata(
            actor: "u", device: "d", correlation: "c", causation: Position(1))
        _ = try log.append(AppendRequest([event("c")]))
        _ = try log.append(AppendRequest([event("a"), event("b")], metadata: metadata))
        let commit = try #require(try log.commits.at(Position(3)))
        #expect(commit.first == Position(2) && commit.last == Position(3))
        #expect(commit.metadata == metadata)
        #expect(try log.commits.at(Position(4)) == nil)
        #expect(try log.commits.at(.origin) == nil)
    }

    @Test("A batch is refused where something came that it was to be without, and only then")
    func required() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let query = Query(items: ["a", "b"].map { Query.Item(tags: [Tag("topic", $0)]) })
        for (meanwhile, isRefused) in [("c", false), ("b", true), ("d", false)] {
            var batch = DecisionBatch(log, try Catalogue([Notes.self]))
            try batch.require(noneSince: query)
            try batch.require(noneSince: nil)
            try batch.add([event("mine")], metadata: CommitMetadata(), idempotency: nil)
            _ = try log.append(AppendRequest([event(meanwhile)]))
            let head = try log.head()
            if isRefused {
                #expect(throws: AppendError.conflict(at: head)) { try batch.append() }
            } else {
                #expect(try batch.append().last??.first == head.next)
            }
        }
    }

    @Test("A causation names an event that is there before its commit, or the commit is refused")
    func causation() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let request = { (id: String, cause: UInt64) in
            AppendRequest([event(id)], metadata: CommitMetadata(causation: Position(cause)))
        }
        // Neither itself, nor what comes later, nor what is before the first event.
        for cause: UInt64 in [0, 1, 2, .max] {
            #expect(throws: AppendError.self) { try log.append(request("a", cause)) }
        }
        _ = try log.append(AppendRequest([event("a"), event("b")]))
        #expect(throws: AppendError.self) { try log.append(request("c", 3)) }
        #expect(try log.append(request("c", 2))?.last == Position(3))
        // In one transaction a request may name the events of those before it, and no others.
        #expect(throws: BatchError.self) { try log.append([request("d", 5), request("e", 1)]) }
        #expect(try log.append([request("d", 3), request("e", 4)]).last??.last == Position(5))
        #expect(try log.verify(against: try Catalogue([Notes.self])).isSound)
    }

    @Test(
        "An event that no log can store is refused before anything is written",
        arguments: ["", "a\u{1}", String(repeating: "x", count: 300)])
    func unstorable(_ id: String) throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        #expect(throws: AppendError.self) { try log.append(AppendRequest([event(id)])) }
        #expect(throws: AppendError.self) {
            try log.append(
                AppendRequest(
                    [event("a")],
                    idempotency: AppendRequest.Idempotency(
                        key: String(repeating: "k", count: 256), asked: [])))
        }
        #expect(try log.head() == .origin)
        #expect(try log.append(AppendRequest([])) == nil)
    }

    @Test("A map that is too small grows by itself")
    func aMapThatIsTooSmallGrowsByItself() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create, mapSize: 1 << 20)
        let note = Note(1, String(repeating: "n", count: 1_000))
        let large = NewEvent(note, occurredAt: Instant(microseconds: 0))
        for _ in 0..<10 {
            _ = try log.append(AppendRequest(Array(repeating: large, count: 500)))
        }
        #expect(try log.head() == Position(5_000))
        #expect(try log.verify(against: try Catalogue([Notes.self])).isSound)
    }
}
