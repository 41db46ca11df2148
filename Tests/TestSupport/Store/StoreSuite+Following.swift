import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

// Followers, tasks, catching up and erasures.
extension StoreSuite {
    func followed() async throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        _ = try await one.append(Self.counting("a"))
        let follower = Task { [two] in
            var positions: [UInt64] = []
            for try await event in two.follow() {
                positions.append(event.position.rawValue)
                if positions.count == 40 { break }
            }
            return positions
        }
        for number in 0..<39 {
            _ = try await one.append(Self.counting("n\(number)"))
            if number.isMultiple(of: 10) { try await Task.sleep(for: .milliseconds(30)) }
        }
        try TestSupport.expectEqual(try await follower.value, Array(1...40))
        let waiting = Task { [two] in
            var count = 0
            for try await _ in two.follow(after: Position(40)) { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        try TestSupport.expectEqual(try await waiting.value, 0)
        try expectEqual(one, two)
    }

    func tasks() async throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        var states = two.states(Tally.self, of: "a").makeAsyncIterator()
        try TestSupport.expectEqual(try await states.next()?.state.count, 0)
        for count in 1...3 as ClosedRange<Int64> {
            _ = try await one.decide(Tally.Count("a", "b"))
            try TestSupport.expectEqual(try await states.next()?.state.count, count)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<24 {
                let log = task.isMultiple(of: 2) ? one : two
                group.addTask {
                    _ = try await log.decide(Tally.Count("x\(task % 3)", "y"))
                    _ = try await log.append(Self.noting(["p\(task)"], "text", actor: "kim"))
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(one, two)
        try TestSupport.expectEqual(try one.head().rawValue, 3 + 48)
        try TestSupport.expectEqual(try one.state(Tally.self, of: "y").count, 24)
    }

    func erasures() throws {
        let (one, two) = (try replica(), try replica("later"))
        for number in 0..<24 {
            _ = try one.append(
                Self.noting(
                    ["p\(number % 4)"], "text \(number)", by: "by \(number % 3)", place: 7,
                    actor: "actor \(number % 2)"))
        }
        try two.catchUp()
        try maker.erase(.tags([Tag("person", "p1")]), in: base)
        try maker.erase(.position(Position(3)), in: base)
        try maker.erase(.actor("actor 1"), in: base)
        // One is behind when it appends, and the erased person is named anew.
        _ = try one.append(Self.noting(["p1", "p2"], "anew", actor: "actor 1"))
        for log in [one, two] {
            try log.catchUp()
            try TestSupport.expectEqual(try text(log, Position(1)), "text 0")
            try TestSupport.expectEqual(try text(log, Position(2)), nil)
            try TestSupport.expectEqual(try text(log, Position(3)), nil)
            try TestSupport.expectEqual(try text(log, Position(7)), "text 6")
            try expect(try log.commits.at(Position(2))?.isActorErased == true, "actor")
            try TestSupport.expectEqual(try text(log, try log.head()), "anew")
        }
        try expectEqual(one, two)
        try maker.erase(.tags([Tag("person", "p1"), Tag("person", "p3")]), in: base)
        let third = try replica("third")
        try expectEqual(one, two, third)
        // Nothing is erased through a store that only takes appends.
        do {
            _ = try one.erase(.tags([Tag("person", "p2")]))
            throw Unexpected("a replica has erased")
        } catch AppendError.log(.store(.refused)) {}
    }

    func catchingUpAtOnce() throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        let failures = SharedFailures()
        Threads.perform(6) { thread in
            failures.collect {
                switch thread {
                case 0, 1:
                    for number in 0..<40 {
                        _ = try one.append(
                            Self.noting(["p\(number % 9)"], "text", actor: "kim \(number)"))
                    }
                case 2:
                    for number in 0..<20 { _ = try two.append(Self.counting("n\(number)")) }
                default: for _ in 0..<40 { _ = try two.catchUp() }
                }
            }
        }
        try failures.check()
        try expectEqual(one, two)
        try TestSupport.expectEqual(try two.head().rawValue, 100)
        try TestSupport.expectEqual(try two.catchUp(), try store.end().head)
    }

    func limitedCatchUp() throws {
        let one = try replica()
        let two = try replica(catchesUp: false)
        for number in 0..<20 {
            _ = try one.append(
                AppendRequest(
                    Self.counting("a", "b", "c").events, metadata: .init(actor: "kim \(number)")))
        }
        // With the commit in which the number of events is reached, or before it.
        let first = try CatchUp.run(two, atMost: 4).head.position.rawValue
        try expect([3, 6].contains(first), "\(first)")
        var reached: [UInt64] = []
        let pulled = try CatchUp.run(two, atMost: 30) { reached.append($0.rawValue) }
        try TestSupport.expectEqual(pulled.eventCount, 30)
        try TestSupport.expectEqual(reached.last, first + 30)
        // An append from a replica that is behind brings it to the end first.
        _ = try two.append(Self.counting("d", actor: "kim 3"))
        try TestSupport.expectEqual(try two.head().rawValue, 61)
        try expectEqual(one, two)
    }

    func otherFiles() throws {
        let other = try maker.makeStore()
        _ = try replica("one").append(Self.counting("a"))
        do {
            _ = try replica("one", of: other)
            throw Unexpected("a replica of another log was opened")
        } catch LogError.stream(.otherLog) {}
        _ = try EventLog(path: folder.path("own"), access: .create)
        do {
            _ = try replica("own")
            throw Unexpected("a log of its own was opened as a replica")
        } catch LogError.stream(.notReplica) {}
        // Without its store, a replica takes nothing.
        let plain = try EventLog(path: folder.path("one"), access: .write)
        do {
            _ = try plain.append(Self.counting("a"))
            throw Unexpected("a replica without its store has appended")
        } catch AppendError.log(.replica) {}
    }
}
