import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Logs that are followed while they grow, end or break.
@Suite("Following a log", .timeLimit(.minutes(5))) struct FollowerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the first events of a follower.
    private func first(_ count: Int, of follower: EventFollower) async throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        for try await event in follower {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("Each follower gets every event once and in order, while several threads append")
    func whileOthersAppend() async throws {
        let log = try Bells.log(folder)
        let (commits, size) = (400, 3)
        let queries = [Query.all, .any(of: [Bell.Rung.kind], [Daybook.Tag("bell", "b1")])]
        let followed = try await withThrowingTaskGroup(of: (Int, [RecordedEvent]).self) { group in
            for (index, query) in queries.enumerated() {
                let count = index == 0 ? commits * size : commits
                for _ in 0..<3 {
                    group.addTask {
                        (index, try await first(count, of: log.follow(matching: query)))
                    }
                }
            }
            for writer in 0..<4 {
                Thread.detachNewThread {
                    for _ in 0..<commits / 4 {
                        _ = try? log.append(Bell.rings("b1", "w\(writer)", "b2"))
                    }
                }
            }
            var followed: [(Int, [RecordedEvent])] = []
            for try await each in group { followed.append(each) }
            return followed
        }
        #expect(followed.count == 6)
        for (index, events) in followed {
            #expect(try events == log.reader(queries[index]).collect())
        }
    }

    @Test("A follower after a position beyond the end gets an error, and may wait for it")
    func afterTheEnd() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("b1", "w", "b2"))
        let end = try log.head()
        let ahead = Position(end.rawValue + 2)
        let error = LogError.follow(.beyondEnd(ahead, end: end))
        #expect("\(error)".contains("the log ends at position \(end)"))
        await #expect(throws: error) { try await first(1, of: log.follow(after: ahead)) }
        await #expect(throws: error) {
            for try await _ in log.follow(after: ahead).batches {}
        }
        await #expect(throws: error) {
            for try await _ in log.commits.follow(after: ahead) {}
        }
        async let events = first(1, of: log.follow(after: ahead, mayBeAhead: true))
        async let commits = firstCommit(of: log.commits.follow(after: ahead, mayBeAhead: true))
        _ = try await log.append(Bell.rings("b1", "w", "b2"))
        #expect(try await events.map(\.position) == [Position(ahead.rawValue + 1)])
        #expect(try await commits?.events.map(\.position) == [Position(ahead.rawValue + 1)])
        // The end itself is a start.
        let newest = try log.head()
        async let next = first(1, of: log.follow(after: newest))
        _ = try await log.append(Bell.rings("b1", "w", "b2"))
        #expect(try await next.count == 1)
    }

    /// Returns the first commit of a follower.
    private func firstCommit(of follower: CommitFollower) async throws -> FollowedCommit? {
        for try await commit in follower { return commit }
        return nil
    }

    @Test("A large log arrives whole, in batches of a bounded size")
    func batches() async throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let text = String(repeating: "x", count: 1_500)
        let events = (0..<9_000).map { number in
            NewEvent(
                Note(Int64(number), number < 2_000 ? text : "", topics: ["t\(number % 1_000)"]),
                occurredAt: Instant(microseconds: 0))
        }
        for first in stride(from: 0, to: 9_000, by: 1_000) {
            _ = try await log.append(AppendRequest(Array(events[first..<first + 1_000])))
        }
        var sizes: [Int] = []
        var all: [RecordedEvent] = []
        for try await batch in log.follow().batches {
            sizes.append(batch.count)
            all += batch
            if all.count >= 9_000 { break }
        }
        #expect(try all == log.reader().collect())
        // A megabyte of text, some thousand positions.
        #expect(sizes.first.map { 600...700 ~= $0 } == true, "\(sizes)")
        #expect(sizes.allSatisfy { $0 <= 4_096 })
        let rare = Query(Query.Item(tags: [Daybook.Tag("topic", "t7")]))
        #expect(
            try await first(9, of: log.follow(matching: rare)) == log.reader(rare).collect())
    }

    @Test(
        "Events up to the start are left out, also if they are yet to come", arguments: [0, 2, 5])
    func afterAPosition(_ start: UInt64) async throws {
        let log = try Bells.log(folder)
        for _ in 0..<3 { _ = try await log.append(Bell.rings("a")) }
        async let followed = first(
            7 - Int(start), of: log.follow(after: Position(start), mayBeAhead: true))
        for _ in 0..<4 { _ = try await log.append(Bell.rings("b")) }
        #expect(try await followed.map(\.position.rawValue) == Array(start + 1...7))
    }

    @Test("Following goes on after a head that the log contains, and after no other")
    func afterAHead() async throws {
        let log = try Bells.log(folder)
        for ids in [["a"], ["b", "c"], ["d"]] {
            _ = try await log.append(
                AppendRequest(ids.flatMap { Bell.rings($0).events }))
        }
        let commits = try (1...4).compactMap { try log.commits.at(Position($0)) }
        for (commit, rest) in [(commits[0], 3), (commits[2], 1)] {
            let events = try await first(rest, of: log.follow(after: commit.head))
            #expect(events.map(\.position.rawValue) == Array(commit.last.rawValue + 1...4))
        }
        #expect(try await first(4, of: log.follow(after: Head.origin)).count == 4)
        #expect(try await first(4, of: log.follow(after: .origin)).count == 4)
        let chain = commits[3].chain
        for (position, mismatch) in [
            (UInt64(3), HeadMismatch.otherChain(found: commits[2].chain)),
            (2, .insideCommit(first: Position(2), last: Position(3))),
            (9, .shorter(lastPosition: Position(4))),
        ] {
            let head = Head(unchecked: Position(position), chain)
            let error = LogError.follow(.headMissing(head, mismatch))
            await #expect(throws: error) { try await first(1, of: log.follow(after: head)) }
            await #expect(throws: error) {
                for try await _ in log.commits.follow(after: head) {}
            }
            #expect("\(error)".contains("after which to go on: \(mismatch)"))
        }
    }

    @Test("After an error or a cancellation there is nothing more")
    func ended() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("a"))
        let head = Head(unchecked: Position(1), Head.origin.chain)
        var failed = log.follow(after: head).makeAsyncIterator()
        await #expect(throws: LogError.self) { try await failed.next() }
        #expect(try await failed.next() == nil)
        let cancelled = Task {
            var events = log.follow().makeAsyncIterator()
            withUnsafeCurrentTask { $0?.cancel() }
            return try await events.next()
        }
        #expect(try await cancelled.value == nil)
    }

    @Test("Whoever waits ends with its task, and the log can be closed and opened again")
    func cancelled() async throws {
        for round in 0..<20 {
            let log = try Bells.log(folder)
            let seen = Counter()
            let tasks = (0..<8).map { number in
                Task {
                    if number % 2 == 0 {
                        for try await _ in log.follow() { seen.add() }
                    } else {
                        for try await _ in log.commits.follow() { seen.add() }
                    }
                    return Task.isCancelled
                }
            }
            _ = try await log.append(Bell.rings("a"))
            while seen.value < 8 * (round + 1) {
                try await Task.sleep(for: .milliseconds(1))
            }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(try await task.value) }
        }
    }

    @Test("More followers wait than there are cores, and other tasks still run")
    func manyFollowers() async throws {
        let log = try Bells.log(folder)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await first(2, of: log.follow()).count }
            }
            for _ in 0..<2 {
                try await Task.sleep(for: .milliseconds(20))
                _ = try await log.append(Bell.rings("a"))
            }
            for try await count in group { #expect(count == 2) }
        }
    }

    @Test("No transaction is open while a follower's caller has an event")
    func lendsNoTransaction() async throws {
        let log = try Bells.log(folder)
        for _ in 0..<3 { _ = try await log.append(Bell.rings("a", "b")) }
        for try await event in log.follow() {
            // With an open transaction, this fails after five seconds.
            try log.file.growMap()
            if event.position == Position(6) { break }
        }
        for try await next in log.commits.follow() {
            try log.file.growMap()
            if next.commit.last == Position(6) { break }
        }
    }

    @Test(
        "A log that is replaced or removed ends all that follow it, after its last event",
        arguments: [true, false])
    func replaced(_ isReplaced: Bool) async throws {
        let log = try Bells.log(folder)
        let other = try TemporaryFolder()
        _ = try Bells.log(other)
        let seen = Counter()
        let tasks = (0..<4).map { _ in
            Task {
                for try await _ in log.follow() { seen.add() }
            }
        }
        _ = try await log.append(Bell.rings("a"))
        while seen.value < 4 { try await Task.sleep(for: .milliseconds(1)) }
        if isReplaced {
            #expect(rename(other.path("log"), folder.path("log")) == 0)
        } else {
            #expect(unlink(folder.path("log")) == 0)
        }
        for task in tasks {
            await #expect(throws: LogError.follow(.replaced(path: log.path))) {
                try await task.value
            }
        }
    }

    @Test("A damaged event ends following with the error that reading it gives")
    func damaged() async throws {
        let path = folder.path("log")
        do {
            let log = try EventLog(path: path, access: .create)
            for number in Int64(1)...3 {
                _ = try await log.append(
                    AppendRequest([
                        NewEvent(
                            Note(number, "needle\(number)"), occurredAt: .init(microseconds: 0))
                    ]))
            }
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var places = bytes.startIndex..<bytes.endIndex
        while let found = bytes.range(of: Data("needle2".utf8), in: places) {
            bytes[found.lowerBound] ^= 1
            places = found.upperBound..<bytes.endIndex
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let log = try EventLog(path: path, access: .read)
        let expected = #expect(throws: LogError.self) { _ = try log.reader().collect() }
        let error = try #require(expected)
        await #expect(throws: error) { try await first(2, of: log.follow()) }
        #expect(try await first(1, of: log.follow(after: Position(2))).count == 1)
    }
}
