import Daybook
import DaybookLMDB
import DaybookLog
import Foundation
import TestSupport
import Testing

/// A log that another process is writing, and does not end.
@Suite(.timeLimit(.minutes(5))) struct LockedLogTests {
    @Test(
        "A command that writes ends with 3 and names the process that holds the log",
        arguments: [["append"], ["append", "--each"], ["reindex"], ["snapshot"]])
    func locked(_ command: [String]) throws {
        let log = try ScratchLog()
        try expect(log.replay("append", input: AppendTests.launch("l1")).code, equals: 0)
        do {
            let environment = try Environment(path: log.path)
            let transaction = try WriteTransaction(in: environment)
            let answer = try ReplayProcess.run(
                command + ["--wait", "0.2", "--log", log.path], input: AppendTests.launch("l2"))
            expect(answer.code, equals: 3)
            let expected = "replay: process \(getpid()) ("
            #expect(answer.err.hasPrefix(expected), "\(answer.err)")
            #expect(answer.err.contains(") has been writing the log for "), "\(answer.err)")
            #expect(answer.err.contains("waited "), "\(answer.err)")
            // Readers do not wait.
            try expect(log.replay("stat", "--wait", "0").code, equals: 0)
            _ = transaction.pages
        }
        let after = try ReplayProcess.run(
            command + ["--wait", "0", "--log", log.path], input: AppendTests.launch("l2"))
        expect(after.code, equals: 0, "\(after.err)")
    }

    @Test("A process that was stopped amid a commit lets others go on once it has been killed")
    func stopped() async throws {
        let log = try ScratchLog()
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        var appended = 1
        for round in 0..<20 {
            // Where it stops is left to chance: amid a commit, or between two.
            try holder.process.send(AppendTests.launch("h\(round + 1)"))
            holder.process.signal(SIGSTOP)
            let answer = try log.replay(
                "append", "--wait", "0", input: AppendTests.launch("a\(round)"))
            if answer.code == 0 {
                appended += 1
            } else {
                expect(answer.code, equals: 3)
                #expect(answer.err.contains("has been writing the log"), "\(answer.err)")
            }
            holder.process.signal(SIGCONT)
        }
        holder.process.kill()
        try expect(log.replay("append", input: AppendTests.launch("b")).code, equals: 0)
        let verified = try log.replay("verify", "--json").objects().first
        expect(verified?["ok"] as? Bool, equals: true)
        #expect(try #require(verified?["events"] as? Int) >= appended + 1)
    }

    @Test("A log that is ahead of the clock takes new lines with --force alone, and is called so")
    func clockBehind() throws {
        let log = try ScratchLog()
        let ahead = Instant.now.microseconds + 2 * 86_400_000_000
        do {
            let wrong = try EventLog(
                path: log.path, access: .create, clock: { Instant(microseconds: ahead) })
            let note = NewEvent(Note(1), occurredAt: Instant(microseconds: ahead))
            _ = try wrong.append(AppendRequest([note]))
        }
        let refused = try log.replay("append", input: AppendTests.launch("l1"))
        expect(refused.code, equals: 3)
        #expect(refused.err.contains("more than a day ahead"), "\(refused.err)")
        for command in ["stat", "verify"] {
            let answer = try log.replay(command)
            expect(answer.code, equals: 0)
            #expect(answer.err.contains("more than a day ahead"), "\(answer.err)")
        }
        let forced = try log.replay("append", "--force", input: AppendTests.launch("l1"))
        expect(forced.code, equals: 0, "\(forced.err)")
        let status = try log.replay("stat", "--json").objects().first
        expect(status?["events"] as? Int, equals: 2)
    }
}
