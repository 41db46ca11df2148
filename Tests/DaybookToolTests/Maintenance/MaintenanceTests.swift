import DaybookLog
import Foundation
import TestSupport
import Testing

/// `replay salvage` and `replay compact`.
@Suite("Salvage and compact") struct MaintenanceTests {
    private func make(_ log: ScratchLog, launches: Int = 6) throws {
        for number in 1...launches {
            let answer = try log.replay("append", input: AppendTests.launch("l\(number)"))
            expect(answer.code, equals: 0, "\(answer.err)")
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
            try expect(ReplayProcess.run(["verify", "--log", output]).code, equals: 0)
            return answer
        }
        let whole = try salvage("--json")
        let report = try #require(try whole.objects().first)
        #expect(whole.code == 0 && report["complete"] as? Bool == true, "\(whole.err)")
        expect(report["head"] as? String, equals: (try stat(log))["head"] as? String)
        try overwrite(log.path) { bytes in
            bytes.replaceSubrange(..<8_192, with: repeatElement(0, count: 8_192))
        }
        let unsure = try salvage()
        #expect(unsure.code == 1 && unsure.out.contains("does not show where"), "\(unsure.out)")
        #expect(unsure.out.contains(": 11 events in 6 commits, unchanged up to 11\nhead 11:"))
        let existing = try ReplayProcess.run(["salvage", log.path, "--output", log.path])
        #expect(existing.code == 2 && existing.err.contains("never overwritten"))
        try overwrite(log.path) { bytes in bytes = Array(repeating: 0, count: bytes.count) }
        let nothing = try salvage()
        #expect(nothing.code == 3 && nothing.err.contains("no commit"), "\(nothing.err)")
        try expect(ReplayProcess.run(["salvage", log.path]).code, equals: 2)
    }

    @Test("Compact gives free space back, unless another process has the log open")
    func compact() throws {
        let log = try ScratchLog()
        try make(log, launches: 30)
        let before = try stat(log)
        let free = try #require(before["freeBytes"] as? Int)
        #expect(free > 0)
        let follower = try ReplayProcess.start(["log", "--follow", "--log", log.path])
        // It has printed, so that it has the log open.
        #expect(Wait.until { !follower.out.isEmpty })
        let refused = try log.replay("compact")
        follower.kill()
        #expect(
            refused.code == 3 && refused.err.contains("process \(follower.id) has the log open"))
        try expect(stat(log)["freeBytes"] as? Int, equals: free)
        let answer = try log.replay("compact", "--json")
        let result = try #require(try answer.objects().first)
        #expect(answer.code == 0 && result["bytesBefore"] as? Int == before["fileBytes"] as? Int)
        let after = try stat(log)
        #expect(
            after["freeBytes"] as? Int == 0 && after["head"] as? String == before["head"] as? String
        )
        expect(result["bytesAfter"] as? Int, equals: after["fileBytes"] as? Int)
        try make(log, launches: 31)
        try expect(log.replay("verify").code, equals: 0)
        try expect(ReplayProcess.run(["compact", "--log", log.path + "-none"]).code, equals: 2)
    }
}
