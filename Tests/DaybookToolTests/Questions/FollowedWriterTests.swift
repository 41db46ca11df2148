import Daybook
import DaybookLog
import Foundation
import Synchronization
import TestSupport
import Testing

/// Followers in this process of a log that other processes write.
@Suite("Following other processes", .timeLimit(.minutes(5))) struct FollowedWriterTests {
    private let scratch: ScratchLog

    init() throws {
        scratch = try ScratchLog()
    }

    /// Starts a process that appends a line at a time from standard input.
    private func writer(_ path: String, _ input: Program.Input) throws -> Program {
        try ReplayProcess.start(["append", "--each", "--log", path], input: input)
    }

    @Test("No event is skipped and none comes twice while writers are killed")
    func killed() async throws {
        try scratch.replay("append", input: AppendTests.launch("first"))
        let log = try EventLog(path: scratch.path, access: .read)
        let isLast = { @Sendable (event: RecordedEvent) in
            event.tags.contains(Daybook.Tag("launch", "last"))
        }
        let followed = Task {
            var events: [RecordedEvent] = []
            for try await event in log.follow() {
                events.append(event)
                if isLast(event) { break }
            }
            return events
        }
        let commits = Task {
            var commits: [FollowedCommit] = []
            for try await commit in log.commits.follow() {
                commits.append(commit)
                if commit.events.contains(where: isLast) { break }
            }
            return commits
        }
        let seed = Cases.seed
        var generator = SeededGenerator(seed: seed)
        for round in 0..<12 {
            let lines = (0..<400).map { AppendTests.launch("r\(round)-\($0)") }.joined()
            let start = try log.head()
            let wanted = start.rawValue + UInt64.random(in: 1...60, using: &generator)
            let process = try writer(scratch.path, .text(lines))
            while try log.head().rawValue < wanted, process.isRunning { usleep(200) }
            usleep(UInt32.random(in: 0...3_000, using: &generator))
            process.kill()
        }
        try scratch.replay("append", input: AppendTests.launch("last"))
        let all = try log.reader().collect()
        #expect(all.count > 12)
        #expect(try await followed.value == all, "seed \(seed)")
        let found = try await commits.value
        #expect(found.flatMap(\.events) == all)
        for next in found { #expect(try log.mismatch(with: next.commit.head) == nil) }
        let rest = try await commits.value.dropLast().map(\.commit.head)
        let head = try #require(rest.last)
        var after = log.commits.follow(after: head).makeAsyncIterator()
        #expect(try await after.next() == found.last)
    }

    // Row 10 of tools/bench measures how soon.
    @Test("Each event of another process is here before that process gets the next")
    func inTurns() async throws {
        try scratch.replay("append", input: AppendTests.launch("first"))
        let log = try EventLog(path: scratch.path, access: .read)
        let process = try writer(scratch.path, .open)
        defer { process.kill() }
        var commits = log.commits.follow(after: Position(1)).makeAsyncIterator()
        for number in 0..<41 {
            try process.send(AppendTests.launch("l\(number)"))
            let next = try #require(try await commits.next())
            #expect(try next.commit.last == log.head())
            try await Task.sleep(for: .milliseconds(number % 7))
        }
    }
}
