import DaybookLog
import Foundation
import TestSupport
import Testing

/// `replay upgrade`, `replay salvage` and `replay compact`.
@Suite("Upgrade, salvage and compact") struct MaintenanceTests {
    private func make(_ log: ScratchLog, launches: Int = 6) throws {
        for number in 1...launches {
            let answer = try log.replay("append", input: AppendTests.launch("l\(number)"))
            #expect(answer.code == 0, "\(answer.err)")
        }
    }

    private func stat(_ log: ScratchLog) throws -> [String: Any] {
        try #require(try log.replay("stat", "--json").objects().first)
    }

    private func overwrite(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("Upgrade gives every row its checksum, and says when there is nothing to do")
    func upgrade() throws {
        let (new, log) = (try ScratchLog(), try ScratchLog())
        try make(new)
        try VersionOneLog.write(log.path, of: EventLog(path: new.path, access: .read))
        let before = try stat(log)
        #expect(before["unchecked"] as? Int == 11 && before["formatVersion"] as? Int == 1)
        let answer = try log.replay("upgrade", "--json")
        let upgraded = try #require(try answer.objects().first)
        #expect(answer.code == 0 && upgraded["upgraded"] as? Int == 11, "\(answer.err)")
        #expect(upgraded["head"] as? String == before["head"] as? String)
        let after = try stat(log)
        #expect(after["unchecked"] as? Int == 0 && after["formatVersion"] as? Int == 2)
        #expect(try log.replay("verify").code == 0)
        let again = try log.replay("upgrade")
        #expect(again.code == 0 && again.out.hasPrefix("nothing to do"), "\(again.out)")
        #expect(try log.replay("stat").out.contains("unchecked        0"))
        #expect(try ReplayProcess.run(["upgrade", "--log", log.path + "-none"]).code == 2)
    }

    @Test("A damaged log of version 1 is not upgraded, and is left as it is")
    func damagedUpgrade() throws {
        let (new, log) = (try ScratchLog(), try ScratchLog())
        try make(new)
        try VersionOneLog.write(log.path, of: EventLog(path: new.path, access: .read))
        try overwrite(log.path) { bytes in
            // A launch that never was.
            let id = Array("launch:l3".utf8)
            let place = bytes.indices.dropLast(id.count).first {
                bytes[$0 + 8] == id[8] && bytes[$0..<$0 + id.count].elementsEqual(id)
            }
            if let place { bytes[place + 8] = UInt8(ascii: "x") }
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: log.path))
        let answer = try log.replay("upgrade")
        #expect(answer.code == 3 && answer.err.contains("salvage"), "\(answer.err)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: log.path)) == bytes)
    }

    @Test("Salvage ends with 0 where all is there, with 1 where something is missing")
    func salvage() throws {
        let log = try ScratchLog()
        try make(log)
        func salvage(_ more: String...) throws -> ReplayProcess.Answer {
            let output = log.folder.appendingPathComponent("new").path
            defer {
                for name in [output, output + "-lock"] {
                    try? FileManager.default.removeItem(atPath: name)
                }
            }
            let answer = try ReplayProcess.run(
                ["salvage", log.path, "--output", output] + more)
            #expect(!FileManager.default.fileExists(atPath: output + "-lock"))
            guard answer.code < 2 else { return answer }
            #expect(try ReplayProcess.run(["verify", "--log", output]).code == 0)
            return answer
        }
        let whole = try salvage("--json")
        let report = try #require(try whole.objects().first)
        #expect(whole.code == 0 && report["complete"] as? Bool == true, "\(whole.err)")
        #expect(report["head"] as? String == (try stat(log))["head"] as? String)
        try overwrite(log.path) { bytes in
            bytes.replaceSubrange(..<8_192, with: repeatElement(0, count: 8_192))
        }
        let unsure = try salvage()
        #expect(unsure.code == 1 && unsure.out.contains("no longer tells"), "\(unsure.out)")
        #expect(unsure.out.contains(": 11 events in 6 commits, unchanged up to 11\nhead 11:"))
        let existing = try ReplayProcess.run(["salvage", log.path, "--output", log.path])
        #expect(existing.code == 2 && existing.err.contains("never overwritten"))
        try overwrite(log.path) { bytes in bytes = Array(repeating: 0, count: bytes.count) }
        let nothing = try salvage()
        #expect(nothing.code == 3 && nothing.err.contains("no commit"), "\(nothing.err)")
        #expect(try ReplayProcess.run(["salvage", log.path]).code == 2)
    }

    @Test("Compact gives free space back, unless another process has the log open")
    func compact() throws {
        let log = try ScratchLog()
        try make(log, launches: 30)
        let before = try stat(log)
        let free = try #require(before["freeBytes"] as? Int)
        #expect(free > 0)
        let follower = Process()
        follower.executableURL = ReplayProcess.binary
        follower.arguments = ["log", "--follow", "--log", log.path]
        let out = Pipe()
        follower.standardOutput = out
        try follower.run()
        // It has printed, so that it has the log open.
        #expect(!out.fileHandleForReading.availableData.isEmpty)
        let refused = try log.replay("compact")
        let process = follower.processIdentifier
        kill(process, SIGKILL)
        follower.waitUntilExit()
        #expect(refused.code == 3 && refused.err.contains("process \(process) has the log open"))
        #expect(try stat(log)["freeBytes"] as? Int == free)
        let answer = try log.replay("compact", "--json")
        let result = try #require(try answer.objects().first)
        #expect(answer.code == 0 && result["bytesBefore"] as? Int == before["fileBytes"] as? Int)
        let after = try stat(log)
        #expect(
            after["freeBytes"] as? Int == 0 && after["head"] as? String == before["head"] as? String
        )
        #expect(result["bytesAfter"] as? Int == after["fileBytes"] as? Int)
        try make(log, launches: 31)
        #expect(try log.replay("verify").code == 0)
        #expect(try ReplayProcess.run(["compact", "--log", log.path + "-none"]).code == 2)
    }
}
