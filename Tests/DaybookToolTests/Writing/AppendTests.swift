import Foundation
import TestSupport
import Testing

@Suite struct AppendTests {
    static func launch(_ id: String, version: String = "1.0.0", extra: String = "") -> String {
        """
        {"command": "launch.launch-app", "at": "2026-01-21T14:53:54Z"\(extra), "data": \
        {"launchId": "\(id)", "appVersion": "\(version)", "platform": "ios", \
        "firstLaunch": false, "device": "d1"}}

        """
    }

    @Test("A command is decided and its events are listed")
    func aCommandIsDecidedAndItsEventsAreListed() throws {
        let log = try ScratchLog()
        let appended = try log.replay("append", "--json", input: Self.launch("l1"))
        expect(appended.code, equals: 0, "\(appended.err)")
        let events = try log.replay("log", "--json").objects()
        expect(events.count, equals: 1)
        let event = try #require(events.first)
        expect(event["position"] as? Int, equals: 1)
        expect(event["kind"] as? String, equals: "launch.app-launched.v1")
        expect(event["occurredAt"] as? String, equals: "2026-01-21T14:53:54Z")
        expect(event["tags"] as? [String], equals: ["launch:l1", "device:d1"])
        let payload = try #require(event["payload"] as? [String: Any])
        expect(payload["appVersion"] as? String, equals: "1.0.0")
        let verified = try log.replay("verify", "--json").objects()
        expect(verified.first?["ok"] as? Bool, equals: true)
        expect(verified.first?["events"] as? Int, equals: 1)
    }

    @Test("Lines that came before are named, with their count, on one line")
    func linesWithNothingNew() throws {
        let log = try ScratchLog()
        let lines = ["l1", "l2", "l3"].map { Self.launch($0, extra: #", "key": "\#($0)""#) }
        let first = try log.replay("append", "--each", input: lines[0] + lines[2])
        expect(first.out, equals: "2 lines appended, 0 with nothing new, 0 rejected\n")
        #expect(first.err.isEmpty)
        let again = try log.replay("append", "--each", input: lines.joined())
        expect(again.code, equals: 0)
        expect(again.out, equals: "1 line appended, 2 with nothing new, 0 rejected\n")
        expect(
            again.err, equals: "replay: standard input:1: 2 lines with nothing new: lines 1 and 3\n"
        )
        let one = try log.replay("append", "--each", input: lines[1])
        expect(one.err, equals: "replay: standard input:1: 1 line with nothing new\n")
    }

    @Test("A refused command appends nothing of its batch")
    func aRefusedCommandAppendsNothingOfItsBatch() throws {
        let log = try ScratchLog()
        let answer = try log.replay(
            "append", input: Self.launch("l1") + Self.launch("l2") + Self.launch("l1", version: "2")
        )
        expect(answer.code, equals: 1)
        #expect(answer.err.contains("standard input:3: refused"), "\(answer.err)")
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 0)
    }

    @Test("A thousand lines with one bad line append nothing")
    func aThousandLinesWhoseSevenHundredthIsBadAppendNone() throws {
        let log = try ScratchLog()
        let lines = (1...1_000).map { $0 == 700 ? "{\"command\": 7}\n" : Self.launch("l\($0)") }
        let answer = try log.replay("append", input: lines.joined())
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("standard input:700: field 'command'"), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    @Test("Appending with --each keeps the good lines and names the bad one")
    func eachAppendsTheGoodLinesAndNamesTheBadOne() throws {
        let log = try ScratchLog()
        let lines = (1...20).map { $0 == 7 ? "nonsense\n" : Self.launch("l\($0)") }
        let answer = try log.replay("append", "--each", input: lines.joined())
        expect(answer.code, equals: 1)
        #expect(answer.err.contains("standard input:7"), "\(answer.err)")
        let status = try log.replay("stat", "--json").objects().first
        // Each launch but the first ends the one before it.
        expect(status?["events"] as? Int, equals: 37)
        expect(status?["commits"] as? Int, equals: 19)
    }

    @Test("The same key appends once")
    func theSameKeyAppendsOnce() throws {
        let log = try ScratchLog()
        let line = Self.launch("l1", extra: #", "key": "k1""#)
        try expect(log.replay("append", input: line).code, equals: 0)
        let again = try log.replay("append", "--json", input: line)
        expect(again.code, equals: 0, "\(again.err)")
        try expect(again.objects().first?["repeated"] as? Bool, equals: true)
        let other = try log.replay(
            "append", input: Self.launch("l2", extra: #", "key": "k1""#))
        expect(other.code, equals: 1)
        #expect(other.err.contains("position 1"), "\(other.err)")
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 1)
    }

    @Test(
        "Two requests under one key are refused at the line of the second",
        arguments: ["command", "event"])
    func twoRequestsUnderOneKey(form: String) throws {
        let log = try ScratchLog()
        func line(_ id: String) -> String {
            let command = Self.launch(id, extra: #", "key": "k1""#)
            return form == "command"
                ? command
                : command.replacing(
                    #""command": "launch.launch-app""#, with: #""event": "launch.app-launched.v1""#)
        }
        let twice = try log.replay("append", input: line("l1") + line("l1") + line("l2"))
        expect(twice.code, equals: 1)
        #expect(
            twice.err.contains(
                "standard input:3: the idempotency key 'k1' was already used for another request "
                    + "of the same batch; use another key; nothing was appended"), "\(twice.err)")
        try expect(log.replay("append", input: line("l1")).code, equals: 0)
        let later = try log.replay("append", input: line("l1") + line("l2"))
        expect(later.code, equals: 1)
        #expect(later.err.contains("standard input:2: "), "\(later.err)")
        #expect(later.err.contains("recorded from position 1 on"), "\(later.err)")
    }

    @Test("Processes that append at once lose nothing")
    func processesThatAppendAtOnceLoseNothing() async throws {
        let log = try ScratchLog()
        let path = log.path
        // They make the log at once, too.
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let lines = (0..<50).map { Self.launch("w\(writer)-\($0)") }.joined()
                    return try ReplayProcess.run(
                        ["append", "--each", "--log", path], input: lines
                    ).code
                }
            }
            for try await code in group { expect(code, equals: 0) }
        }
        let verified = try log.replay("verify", "--json").objects().first
        expect(verified?["ok"] as? Bool, equals: true)
        // Each launch of the device after the first also ends the one before.
        expect(verified?["events"] as? Int, equals: 399)
    }

    @Test(
        "A bad line is refused with its line and field",
        arguments: [
            (#"{"command": "launch.launch-app"}"#, "field 'data'"),
            (#"{"data": {}}"#, "a member \"command\" or a member \"event\""),
            (#"{"command": "launch.nothing", "data": {}}"#, "launch.launch-app"),
            (#"{"event": "launch.nothing.v1", "data": {}}"#, "field 'event'"),
            (#"{"command": "launch.launch-app", "at": "yesterday", "data": {}}"#, "RFC 3339"),
            (#"{"command": "launch.launch-app", "data": {"launchId": 7}}"#, "data.launchId"),
            (#"{"command": "launch.launch-app", "data": {}, "extra": 1}"#, "field 'extra'"),
            (#"{"command": "launch.launch-app", "data": {}, "data": {}}"#, "is repeated"),
            (#"{"command": "launch.launch-app", "causation": -5, "data": {}}"#, "(1 or more)"),
            ("{", "expected an object's key"),
            ("\u{1}", "expected a JSON value"),
        ])
    func badLine(_ line: String, _ message: String) throws {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: line + "\n")
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("standard input:1"), "\(answer.err)")
        #expect(answer.err.contains(message), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    @Test(
        "An id that no tag can hold is rejected, and nothing is appended",
        arguments: ["", "a\\u0000b", String(repeating: "x", count: 600)])
    func badId(_ id: String) throws {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: Self.launch(id))
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("is not a tag"), "\(answer.err)")
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 0)
    }

    @Test("A truncated file is a damaged log")
    func aFileThatWasCutShortIsADamagedLog() throws {
        let log = try ScratchLog()
        let lines = (1...3_000).map { Self.launch("l\($0)") }.joined()
        try expect(log.replay("append", input: lines).code, equals: 0)
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int)
        let file = try #require(FileHandle(forWritingAtPath: log.path))
        try file.truncate(atOffset: UInt64(size / 2 / 4_096 * 4_096))
        for arguments in [["verify"], ["log"]] {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            expect(answer.code, equals: 3, "\(answer.code) \(answer.err)")
            #expect(!answer.err.isEmpty)
        }
    }
}
