import Foundation
import TestSupport
import Testing

/// `replay ship` and `replay pull`.
@Suite struct ReplicaCommandTests {
    private func launches(_ numbers: Range<Int>) -> String {
        numbers.map { AppendTests.launch("l\($0)") }.joined()
    }

    /// A log of some launches.
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        try expect(log.replay("append", "--each", input: launches(0..<20)).code, equals: 0)
        return log
    }

    private func replay(
        _ arguments: String..., input: String = "", log: String
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", log], input: input)
    }

    @Test("A replica answers as the log, follows it, and says what it has and lacks")
    func roundTrip() throws {
        let log = try log()
        let (folder, keys) = (log.path + ".segments", log.path + ".keys")
        let (with, without) = (log.path + ".with", log.path + ".without")
        for step in 0..<2 {
            let shipped = try log.replay("ship", folder, "--texts", keys, "--json")
            expect(shipped.code, equals: 0, "\(shipped.err)")
            let object = try #require(try shipped.objects().first)
            let head = try #require(object["headAtPosition"] as? String)
            let pulled = try replay("pull", folder, "--texts", keys, "--json", log: with)
            expect(pulled.code, equals: 0, "\(pulled.err)")
            let answer = try #require(try pulled.objects().first)
            expect(answer["headAtPosition"] as? String, equals: head)
            expect(answer["events"] as? Int, equals: object["events"] as? Int)
            #expect(answer["texts"] as? Bool == true && answer["replica"] as? Bool == true)
            let plain = try replay("pull", folder, log: without)
            #expect(plain.code == 0 && plain.out.contains("head \(head)"), "\(plain.err)")
            #expect(plain.err.contains("texts, names and places are not here"))
            for command in [
                ["log", "--json", "--chain"], ["verify", "--json"], ["verify", "--digests"],
                ["list", "launches"],
            ] {
                let expected = try ReplayProcess.run(command + ["--log", log.path])
                try expect(
                    ReplayProcess.run(command + ["--log", with]).out, equals: expected.out,
                    "\(command), step \(step)")
            }
            try expect(replay("verify", log: without).code, equals: 0)
            try expect(log.replay("append", input: launches(20 + step..<21 + step)).code, equals: 0)
        }
        let piped = try replay("pull", "-", log: log.path + ".piped")
        #expect(piped.code == 2 && piped.err.contains("standard input: there are no segments"))
    }

    @Test(
        "What a replica does not do is refused with the reason",
        arguments: [
            // Command, exit code, a part of the message.
            (["append"], "{}", 2, "field"),
            (["erase", "--actor", "kim"], "", 2, "the log is a replica"),
            (["capture", "--tag", "launch:l1"], "", 1, "a scenario holds"),
            (["audit"], "", 1, "an audit judges personal texts, names or places"),
            (["state", "entry"], "", 1, "states of 'entry' hold"),
        ] as [([String], String, Int32, String)])
    func refusals(_ command: [String], _ input: String, _ code: Int32, _ reason: String) throws {
        let log = try log()
        try expect(log.replay("ship", log.path + ".segments").code, equals: 0)
        let replica = log.path + ".replica"
        try expect(replay("pull", log.path + ".segments", log: replica).code, equals: 0)
        let answer = try ReplayProcess.run(command + ["--log", replica], input: input)
        #expect(answer.code == code && answer.err.contains(reason), "\(answer.err)")
        let line = AppendTests.launch("l99")
        let appended = try replay("append", input: line, log: replica)
        #expect(appended.code == 2 && appended.err.contains("the log is a replica"))
    }

    @Test(
        "A source that is none is refused, and leaves no replica",
        arguments: [
            ("missing", 2, "No such file"), ("empty", 2, "there are no segments"),
            ("file", 2, "the file is no segment"),
        ] as [(String, Int32, String)])
    func sources(_ name: String, _ code: Int32, _ reason: String) throws {
        let log = try log()
        try FileManager.default.createDirectory(
            atPath: log.path + ".empty", withIntermediateDirectories: false)
        try String(repeating: "text ", count: 50).write(
            toFile: log.path + ".file", atomically: true, encoding: .utf8)
        let replica = log.path + ".replica"
        let answer = try replay("pull", log.path + ".\(name)", log: replica)
        #expect(answer.code == code && answer.err.contains(reason), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: replica))
    }

    @Test("Of another history, the position where it parts is named")
    func parted() throws {
        let log = try log()
        try expect(log.replay("backup", log.path + ".copy").code, equals: 0)
        let head = try #require(
            try log.replay("stat", "--json").objects().first?["events"] as? Int)
        for (path, launch) in [(log.path, "a"), (log.path + ".copy", "b")] {
            let line = AppendTests.launch(launch)
            try expect(replay("append", input: line, log: path).code, equals: 0)
            try expect(replay("ship", path + ".segments", log: path).code, equals: 0)
        }
        let replica = log.path + ".replica"
        try expect(replay("pull", log.path + ".segments", log: replica).code, equals: 0)
        let other = try replay("pull", log.path + ".copy.segments", log: replica)
        #expect(
            other.code == 3 && other.err.contains("the histories part at position \(head + 1)"),
            "\(other.err)")
    }

    /// A line that appends a message of a user.
    private func message(_ number: Int, of user: String) -> String {
        #"{"event":"chat.session-message-added.v1","data":{"sessionId":"s","messageId":"m\#(number)","#
            + #""userId":"\#(user)","role":"user","text":"text \#(number)"}}"# + "\n"
    }

    @Test("A pull with keys of a later position ends with 2, and nothing is called damaged")
    func interrupted() throws {
        let log = try ScratchLog()
        let lines = (1...8).map { message($0, of: $0 % 2 == 0 ? "ada" : "bob") }
        try expect(log.replay("append", "--each", input: lines.joined()).code, equals: 0)
        let (folder, keys, part) = (log.path + ".s", log.path + ".k", log.path + ".part")
        let (new, old) = (log.path + ".new", log.path + ".old")
        try expect(log.replay("ship", folder, "--texts", keys).code, equals: 0)
        try expect(replay("pull", folder, "--texts", keys, log: old).code, equals: 0)
        try FileManager.default.copyItem(atPath: folder, toPath: part)
        try expect(log.replay("erase", "--tag", "user:bob", "--by", "x").code, equals: 0)
        try expect(log.replay("append", input: message(9, of: "cleo")).code, equals: 0)
        try expect(log.replay("ship", folder, "--texts", keys).code, equals: 0)
        for path in [new, old] {
            let answer = try replay("pull", part, "--texts", keys, log: path)
            expect(answer.code, equals: 2, "\(answer)")
            #expect(answer.err.contains("the keys are of position 10, but the segments end at"))
            try expect(replay("log", log: path).code, equals: 0)
            let verified = try replay("verify", log: path)
            expect(verified.code, equals: 0, "\(verified)")
            #expect(!verified.out.contains("DAMAGED"), "\(verified)")
            try expect(replay("pull", folder, "--texts", keys, log: path).code, equals: 0)
            try expect(replay("verify", log: path).code, equals: 0)
            try expect(
                replay("log", "--json", log: path).out, equals: log.replay("log", "--json").out)
        }
    }

    @Test("Keys are written for their owner alone, and never into the folder of the segments")
    func keys() throws {
        let log = try log()
        let folder = log.path + ".segments"
        try expect(log.replay("ship", folder, "--texts", log.path + ".keys").code, equals: 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: log.path + ".keys")
        expect(attributes[.posixPermissions] as? Int, equals: 0o600)
        let inside = try log.replay("ship", folder, "--texts", folder + "/keys")
        #expect(inside.code == 2 && inside.err.contains("in the folder of the segments"))
        let promoted = try replay("pull", folder, "--promote", log: log.path + ".replica")
        #expect(promoted.code == 2 && promoted.err.contains("--promote requires --texts"))
    }
}
