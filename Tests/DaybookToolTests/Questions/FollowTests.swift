import Foundation
import Testing

@Suite struct FollowTests {
    @Test("Following a log shows events that another process appends", .timeLimit(.minutes(1)))
    func followShowsWhatAnotherProcessAppends() async throws {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l1"))
        let out = log.folder.appendingPathComponent("out")
        try Data().write(to: out)
        let process = Process()
        process.executableURL = ReplayProcess.binary
        process.arguments = ["log", "--follow", "--json", "--log", log.path]
        process.standardOutput = try FileHandle(forWritingTo: out)
        try process.run()
        defer {
            // Not SIGTERM, which a child inherits blocked from a test's thread.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try log.replay("append", input: AppendTests.launch("l2") + AppendTests.launch("l3"))
        var lines: [Substring] = []
        // Waits for the events and not for a time: at most ten seconds.
        for _ in 0..<100 where lines.count < 5 {
            try await Task.sleep(for: .milliseconds(100))
            lines = try String(contentsOf: out, encoding: .utf8).split(separator: "\n")
        }
        // Each later launch of the device also ends the one before.
        #expect(lines.count == 5)
        #expect(lines.last?.contains(#""launch:l3""#) == true)
    }
}
