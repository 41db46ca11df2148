import Daybook
import DaybookLog
import TestSupport
import Testing

/// Commits that are followed, each with its events and its head.
@Suite("Following commits", .timeLimit(.minutes(5))) struct CommitFollowerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A log of commits of one, two, … events, with an actor each.
    private func log(_ commits: Int) throws -> EventLog {
        let log = try Bells.log(folder)
        for number in 1...commits {
            var request = AppendRequest((1...number).flatMap { Bell.rings("b\($0)").events })
            request.metadata.actor = "actor \(number)"
            _ = try log.append(request)
        }
        return log
    }

    private func first(_ count: Int, of follower: CommitFollower) async throws -> [FollowedCommit] {
        var commits: [FollowedCommit] = []
        for try await commit in follower {
            commits.append(commit)
            if commits.count == count { break }
        }
        return commits
    }

    @Test("Each commit has its events, its actor and its head, and following goes on after each")
    func heads() async throws {
        let log = try log(20)
        let all = try await first(20, of: log.commits.follow())
        #expect(try all.flatMap(\.events) == log.reader().collect())
        for (index, next) in all.enumerated() {
            #expect(try next.commit == log.commits.at(next.commit.first))
            #expect(next.commit.metadata.actor == "actor \(index + 1)")
            guard index < 19 else { continue }
            let rest = try await first(1, of: log.commits.follow(after: next.commit.head))
            #expect(rest == [all[index + 1]])
        }
    }

    @Test("A start within a commit leaves out the events before it")
    func within() async throws {
        let log = try log(3)
        let rest = try await first(2, of: log.commits.follow(after: Position(2)))
        #expect(rest.map(\.commit.first.rawValue) == [2, 4])
        #expect(rest.map { $0.events.map(\.position.rawValue) } == [[3], [4, 5, 6]])
    }

    @Test("Commits without a matching event are left out")
    func matching() async throws {
        let log = try log(5)
        let query = Query.any(of: [Bell.Rung.kind], [Daybook.Tag("bell", "b4")])
        let found = try await first(2, of: log.commits.follow(matching: query))
        #expect(found.map(\.commit.first.rawValue) == [7, 11])
        #expect(found.map { $0.events.map(\.position.rawValue) } == [[10], [14]])
    }

    @Test("A commit that is larger than a read is not divided")
    func large() async throws {
        let log = try Bells.log(folder)
        let many = (0..<5_000).flatMap { Bell.rings("b\($0)").events }
        for events in [Array(many.prefix(4_000)), many, Array(many.prefix(10))] {
            _ = try await log.append(AppendRequest(events))
        }
        let commits = try await first(3, of: log.commits.follow())
        #expect(commits.map(\.events.count) == [4_000, 5_000, 10])
    }
}
