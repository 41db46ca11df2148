import Daybook
import DaybookLMDB
import DaybookLog
import Foundation
import Synchronization
import TestSupport
import Testing

/// Random histories on a real log, against a plain array.
@Suite struct OracleTests {
    static let kinds: [EventKind] = ["test.a.v1", "test.b.v1", "test.c.v1"]
    static let tags = ["x", "y", "z", "w"].map { Tag("topic", $0) }

    struct Oracle {
        var events: [NewEvent] = []
        var keys: [String: (first: Int, last: Int, asked: [UInt8])] = [:]

        func matches(_ query: Query) -> [Int] {
            events.indices.filter { query.matches(kind: events[$0].kind, tags: events[$0].tags) }
                .map { $0 + 1 }
        }

        func conflicts(_ condition: AppendCondition) -> [Int] {
            matches(condition.query).filter { $0 > Int(condition.after.rawValue) }
        }
    }

    static func query(_ random: inout SeededGenerator) -> Query {
        if Int.random(in: 0..<8, using: &random) == 0 { return .all }
        let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Query.Item(
                kinds: Set(kinds.filter { _ in Bool.random(using: &random) }),
                tags: tags.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        }
        return Query(items: items) ?? .all
    }

    static func event(_ random: inout SeededGenerator) -> NewEvent {
        NewEvent(
            kind: kinds[Int.random(in: 0..<3, using: &random)],
            tags: tags.filter { _ in Int.random(in: 0..<3, using: &random) == 0 },
            occurredAt: Instant(microseconds: Int64.random(in: 0..<1_000_000, using: &random)),
            payload: (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            })
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func theLogIsWhatAnArrayWouldBe(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: seed)
        var oracle = Oracle()
        var log = try EventLog(path: folder.path("log"), access: .create)
        for step in 0..<300 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                // The file must be closed before it is opened again.
                _ = consume log
                log = try EventLog(path: folder.path("log"), access: .write)
            case 1:
                try log.reindex(afresh: Bool.random(using: &random))
                try checkMatchLimits(log, oracle, "seed \(seed), step \(step)")
            case 2...8: try checkRead(log, oracle, &random, "seed \(seed), step \(step)")
            default: try append(to: log, &oracle, &random, "seed \(seed), step \(step)")
            }
        }
        let result = try log.verify(against: try Catalogue([]))
        #expect(result.isSound, "seed \(seed): \(result.findings)")
        #expect(Int(result.events) == oracle.events.count, "seed \(seed)")
    }

    private func append(
        to log: EventLog, _ oracle: inout Oracle, _ random: inout SeededGenerator, _ place: String
    ) throws {
        var request = AppendRequest(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.event(&random) })
        if Bool.random(using: &random) {
            let after = UInt64.random(in: 0...UInt64(oracle.events.count), using: &random)
            request.conditions = [
                AppendCondition(Self.query(&random), after: Position(after))
            ]
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            request.idempotency = AppendRequest.Idempotency(
                key: "k\(Int.random(in: 0..<5, using: &random))",
                asked: [UInt8.random(in: 0..<2, using: &random)])
        }
        let known = request.idempotency.flatMap { oracle.keys[$0.key] }
        let conflicts = request.conditions.flatMap { oracle.conflicts($0) }
        do {
            let receipt = try #require(try log.append(request))
            if let known {
                #expect(known.asked == request.idempotency?.asked, "\(place)")
                #expect(
                    receipt.isRepeated && Int(receipt.first.rawValue) == known.first, "\(place)")
                return
            }
            #expect(conflicts.isEmpty, "\(place)")
            #expect(Int(receipt.first.rawValue) == oracle.events.count + 1, "\(place)")
            oracle.events += request.events
            #expect(Int(receipt.last.rawValue) == oracle.events.count, "\(place)")
            if let idempotency = request.idempotency {
                oracle.keys[idempotency.key] = (
                    Int(receipt.first.rawValue), Int(receipt.last.rawValue), idempotency.asked
                )
            }
        } catch AppendError.conflict(let position) {
            #expect(conflicts.contains(Int(position.rawValue)), "\(place)")
        } catch AppendError.keyReused(_, let position) {
            #expect(known?.asked != request.idempotency?.asked, "\(place)")
            #expect(Int(position.rawValue) == known?.first, "\(place)")
        }
    }

    /// Without events after the index, the limits for one kind or one tag are exact.
    private func checkMatchLimits(_ log: EventLog, _ oracle: Oracle, _ place: String) throws {
        for kind in Self.kinds {
            let query = Query(Query.Item(kinds: [kind]))
            #expect(try log.file.matchLimit(of: query) == oracle.matches(query).count, "\(place)")
        }
        for tag in Self.tags {
            let query = Query(Query.Item(tags: [tag]))
            #expect(try log.file.matchLimit(of: query) == oracle.matches(query).count, "\(place)")
        }
    }

    private func checkRead(
        _ log: EventLog, _ oracle: Oracle, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let query = Self.query(&random)
        let count = UInt64(oracle.events.count)
        let after = UInt64.random(in: 0...count, using: &random)
        let through = UInt64.random(in: 0...count, using: &random)
        let limit = Int.random(in: 0...20, using: &random)
        let isDescending = Bool.random(using: &random)
        let matches = oracle.matches(query)
        let matchLimit = try log.file.matchLimit(of: query)
        #expect(matchLimit >= matches.count && matchLimit <= oracle.events.count, "\(place)")
        var expected = matches.filter { $0 > after && $0 <= through }
        if isDescending { expected.reverse() }
        let window = ReadWindow(
            after: Position(after), through: Position(through),
            isDescending ? .descending : .ascending)
        let found = try log.reader(query, window).collect(limit: limit)
        #expect(
            found.map { Int($0.position.rawValue) } == Array(expected.prefix(limit)), "\(place)")
        for event in found {
            let original = oracle.events[Int(event.position.rawValue) - 1]
            #expect(event.kind == original.kind && event.tags == original.tags, "\(place)")
            #expect(event.payload == original.payload, "\(place)")
            #expect(event.envelope.occurredAt == original.occurredAt, "\(place)")
        }
    }
}

/// The three checks that the Dynamic Consistency Boundary specification publishes.
@Suite struct ConcurrencyTests {
    private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count { group.addTask { body(index) } }
        }
    }

    @Test("Exactly one of several conflicting parallel appends succeeds")
    func ofConflictingParallelAppendsExactlyOneWins() async throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        for round in 0..<20 {
            let tag = Tag("round", "\(round)")
            let wins = Mutex(0)
            let others = Mutex<[String]>([])
            await inParallel(8) { _ in
                let event = NewEvent(
                    kind: Note.kind, tags: [tag], occurredAt: Instant(microseconds: 0), payload: [])
                do {
                    _ = try log.append(
                        AppendRequest(
                            [event], conditions: [AppendCondition(Query(Query.Item(tags: [tag])))]))
                    wins.withLock { $0 += 1 }
                } catch AppendError.conflict {
                } catch {
                    others.withLock { $0.append("\(error)") }
                }
            }
            #expect(wins.withLock { $0 } == 1)
            #expect(others.withLock { $0 }.isEmpty)
        }
    }

    @Test("Unrelated parallel appends never fail, and positions have no gaps")
    func unrelatedParallelAppendsNeverFailAndPositionsRiseDensely() async throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let positions = Mutex<[[UInt64]]>([])
        let failures = Mutex<[String]>([])
        await inParallel(16) { writer in
            let tag = Tag("writer", "\(writer)")
            var mine: [UInt64] = []
            for _ in 0..<25 {
                let event = NewEvent(
                    kind: Note.kind, tags: [tag], occurredAt: Instant(microseconds: 0), payload: [])
                do {
                    let condition = AppendCondition(
                        Query(Query.Item(tags: [tag])), after: Position(mine.last ?? 0))
                    if let receipt = try log.append(AppendRequest([event], conditions: [condition]))
                    {
                        mine.append(receipt.first.rawValue)
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            let rising = mine
            positions.withLock { $0.append(rising) }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let all = positions.withLock { $0 }
        for mine in all { #expect(mine == mine.sorted()) }
        #expect(all.flatMap { $0 }.sorted() == Array(1...400))
        #expect(try log.verify(against: try Catalogue([])).isSound)
    }
}
