import Daybook
import DaybookLMDB
import DaybookLog
import Foundation
import TestSupport
import Testing

/// Logs beside clocks that ran ahead, blocked pipes and full disks.
@Suite("Long runs", .timeLimit(.minutes(5))) struct LongRunTests {
    /// Makes a log whose newest commit, with a personal name, is 400 days ahead of the clock.
    private static func logAhead() throws -> ScratchLog {
        let log = try ScratchLog()
        let ahead = Instant(
            microseconds: Instant.now.microseconds + 400 * 86_400_000_000)
        let wrong = try EventLog(path: log.path, access: .create, clock: { ahead })
        _ = try wrong.append(
            AppendRequest(
                [NewEvent(Note(1), occurredAt: ahead)], metadata: CommitMetadata(actor: "kim")))
        return log
    }

    @Test("A clock that once was a year ahead does not keep a person from being erased")
    func erases() throws {
        let log = try Self.logAhead()
        let erased = try log.replay("erase", "--actor", "kim", "--reason", "asked", "--by", "lee")
        expect(erased.code, equals: 0, "\(erased.err)")
        let verified = try log.replay("verify")
        expect(verified.code, equals: 0, "\(verified.out)")
        #expect(try !log.replay("log", "--json").out.contains("kim"))
        // Its time is that of the commit before, and appends are refused as ever.
        let refused = try log.replay("append", input: AppendTests.launch("l1"))
        expect(refused.code, equals: 3)
        #expect(refused.err.contains("--force appends anyway"))
    }

    @Test("An import that a clock ahead refuses has the option that its message names")
    func imports() throws {
        let log = try Self.logAhead()
        let file = try log.file(
            "in.csv",
            """
            Type,Start,End,Duration,Start Conditions,Start Location,End Conditions,Notes
            sleep,2026-03-03 09:00,2026-03-03 10:00,,,,,

            """)
        let call = ["import", "--format", "huckleberry", "--baby", "b", "--zone", "UTC", file]
        let refused = try ReplayProcess.run(call + ["--log", log.path])
        expect(refused.code, equals: 3)
        #expect(refused.err.contains("--force appends anyway"), "\(refused.err)")
        let forced = try ReplayProcess.run(call + ["--force", "--log", log.path])
        expect(forced.code, equals: 0, "\(forced.err)")
    }

    @Test(
        "A pipe that nobody reads keeps no transaction open",
        arguments: [["backup", "-"], ["log", "--json", "--payload"], ["trace", "splash"]])
    func blockedPipe(_ words: [String]) throws {
        let log = try ScratchLog()
        let lines = (0..<600).map { AppendTests.launch("launch-\($0)") }.joined()
        try expect(log.replay("append", input: lines).code, equals: 0)
        let pipe = Pipe()
        let process = try ReplayProcess.start(
            words + ["--log", log.path], output: pipe.fileHandleForWriting)
        defer { process.kill() }
        // It has begun to write, and fills the pipe.
        try expect(pipe.fileHandleForReading.read(upToCount: 1)?.count, equals: 1)
        var options = Environment.Options()
        options.createsFile = false
        let environment = try Environment(path: log.path, options: options)
        #expect(Wait.until { environment.activeReaders().isEmpty })
        #expect(process.isRunning)
    }

    @Test("The oldest reader of an earlier state is named with what is kept for it")
    func oldestReader() throws {
        let log = try ScratchLog()
        try expect(log.replay("append", input: AppendTests.launch("l1")).code, equals: 0)
        #expect(try !log.replay("stat").out.contains("oldest reader"))
        let environment = try Environment(path: log.path)
        do {
            let early = try ReadTransaction(in: environment)
            for launch in ["l2", "l3"] {
                try expect(log.replay("append", input: AppendTests.launch(launch)).code, equals: 0)
            }
            let text = try log.replay("stat").out
            let expected = "oldest reader    process \(getpid()) ("
            #expect(text.contains(expected), "\(text)")
            let status = try log.replay("stat", "--json").objects().first
            let reader = try #require(status?["oldestReader"] as? [String: Any])
            expect(reader["process"] as? Int, equals: Int(getpid()))
            #expect(try #require(reader["commitsBehind"] as? Int) >= 2)
            #expect(try #require(reader["keptBytes"] as? Int) > 0)
            _ = early.pages
        }
        #expect(try !log.replay("stat").out.contains("oldest reader"))
    }

    @Test("Without any argument, and without a name, nothing is done and the code is 2")
    func noArguments() throws {
        let bash = URL(fileURLWithPath: "/bin/bash")
        guard FileManager.default.isExecutableFile(atPath: bash.path) else { return }
        let answer = try ReplayProcess.run(
            ["-c", #"exec -a "" "$0""#, ReplayProcess.binary.path], program: bash)
        expect(answer.code, equals: 2)
        #expect(answer.out.isEmpty)
        #expect(answer.err.contains("arguments of this process cannot be read"), "\(answer.err)")
    }
}

/// A disk without room.
@Suite("A full disk", .enabled(if: ReadOnlyMount.isPossible, "needs the right to mount"))
struct FullDiskCommandTests {
    @Test("A full disk ends every command that writes with the same code, and damages nothing")
    func oneCode() throws {
        let folder = try TemporaryFolder()
        let mount = try ReadOnlyMount(folder.path("medium"), size: "1m")
        let path = mount.path + "/log"
        let lines = (0..<40).map { AppendTests.launch("launch-\($0)") }.joined()
        try expect(ReplayProcess.run(["append", "--log", path], input: lines).code, equals: 0)
        let filler = URL(fileURLWithPath: mount.path + "/filler")
        _ = FileManager.default.createFile(atPath: filler.path, contents: nil)
        let handle = try FileHandle(forWritingTo: filler)
        while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
        try handle.close()
        let many = (0..<4_000).map { AppendTests.launch("more-\($0)") }.joined()
        for words in [["append"], ["backup", mount.path + "/copy"], ["append", "--each"]] {
            let answer = try ReplayProcess.run(words + ["--log", path], input: many)
            expect(answer.code, equals: 2, "\(words): \(answer.err)")
            #expect(
                answer.err.contains("disk is full") || answer.err.contains("No space left"),
                "\(answer.err)")
        }
        try expect(ReplayProcess.run(["verify", "--log", path]).code, equals: 0)
        withExtendedLifetime(mount) {}
    }
}
