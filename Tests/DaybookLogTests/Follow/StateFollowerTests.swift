import Daybook
import TestSupport
import Testing

@testable import DaybookLog

/// States of an entity that are followed while events come.
@Suite("Following a state", .timeLimit(.minutes(5))) struct StateFollowerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("The state now comes first, then the newest after each change, with its position")
    func changes() async throws {
        let log = try Bells.log(folder)
        var states = log.states(Bell.self, of: "a").makeAsyncIterator()
        #expect(try await states.next() == .init(state: .init(), position: .origin))
        for count in Int64(1)...5 {
            _ = try await log.append(Bell.rings("b", "c"))
            _ = try await log.append(Bell.rings("a"))
            let next = try #require(try await states.next())
            #expect(next.state.count == count)
            #expect(next.position.rawValue == UInt64(count * 3))
            #expect(try next.state == log.state(Bell.self, of: "a", at: next.position))
        }
        // What came meanwhile is combined, and another entity changes nothing.
        for _ in 0..<3 { _ = try await log.append(Bell.rings("a", "b")) }
        #expect(try await states.next()?.state.count == 8)
        _ = try await log.append(Bell.rings("b"))
        let waiting = Task { [states] in
            var states = states
            return try await states.next()
        }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        #expect(try await waiting.value == nil)
    }

    @Test("An entity that gets another id has the events of both")
    func renamed() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("old", "old", "new", "other"))
        var states = log.states(Bell.self, of: "new").makeAsyncIterator()
        #expect(try await states.next()?.state.count == 1)
        let renamed = Bell.Renamed(from: "old", to: "new")
        _ = try await log.append(
            AppendRequest([NewEvent(renamed, occurredAt: .init(microseconds: 0))]))
        #expect(try await states.next()?.state.count == 3)
        _ = try await log.append(Bell.rings("old"))
        #expect(try await states.next()?.state.count == 4)
        #expect(try log.state(Bell.self, of: "old").count == 4)
    }

    @Test("A personal value leaves the state when it is erased")
    func erased() async throws {
        let log = try EventLog(
            path: folder.path("log"), access: .create, catalogue: try Catalogue([Strolls.self]))
        let stroll = Stroll("w", user: "kim", [7])
        _ = try await log.append(
            AppendRequest([NewEvent(stroll, occurredAt: .init(microseconds: 0))]))
        var states = log.states(LastPlace.self, of: "w").makeAsyncIterator()
        #expect(try await states.next()?.state.place?.value == 7)
        _ = try log.erase(.tags([Daybook.Tag("user", "kim")]))
        let next = try #require(try await states.next())
        #expect(next.state.place?.value == nil)
    }

    @Test("A personal value has left the state once its erasure is recorded, not only carried out")
    func erasureUnderWay() async throws {
        let catalogue = try Catalogue([Strolls.self])
        let log = try EventLog(path: folder.path("log"), access: .create, catalogue: catalogue)
        let stroll = Stroll("w", user: "kim", [7])
        _ = try await log.append(
            AppendRequest([NewEvent(stroll, occurredAt: .init(microseconds: 0))]))
        var states = log.states(LastPlace.self, of: "w").makeAsyncIterator()
        #expect(try await states.next()?.state.place?.value == 7)
        // As a process leaves it that is killed before it overwrites the keys.
        _ = try ErasureSteps(log: log).eraseOnce(
            .tags([Daybook.Tag("user", "kim")]), nil, CommitMetadata(), [], catalogue)
        #expect(try log.file.hasMetaRow(Meta.erasing))
        let next = try #require(try await states.next())
        #expect(next.state.place?.value == nil)
        var later = log.states(LastPlace.self, of: "w").makeAsyncIterator()
        let first = try #require(try await later.next())
        #expect(first.state.place?.value == nil)
    }

    @Test("A projection that the catalogue lacks is an error")
    func unknown() async throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        var states = log.states(Bell.self, of: "a").makeAsyncIterator()
        await #expect(throws: LogError.unknownProjection("Bell")) {
            try await states.next()
        }
    }
}
