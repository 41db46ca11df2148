import Foundation
import TestSupport
import Testing

/// An `append --each` that is kept open between lines.
struct OpenAppend {
    let process: Program

    init(_ log: ScratchLog, path: String? = nil) throws {
        process = try ReplayProcess.start(
            ["append", "--each", "--json", "--log", path ?? log.path])
    }

    /// Sends a line and waits until it is acknowledged; `false` if the process ends instead.
    func append(_ id: String) async throws -> Bool {
        let known = lines
        try process.send(AppendTests.launch(id))
        _ = try await Wait.suspendedUntil { lines > known || !process.isRunning }
        return lines > known
    }

    private var lines: Int { process.out.split(separator: "\n").count }
}

@Suite(.timeLimit(.minutes(5))) struct LogNamesTests {
    private func events(_ log: ScratchLog) throws -> Int? {
        let verified = try log.replay("verify", "--json").objects().first
        expect(verified?["ok"] as? Bool, equals: true)
        return verified?["events"] as? Int
    }

    @Test("Appends through a symbolic link take turns with those through the name")
    func symbolicLink() async throws {
        let log = try ScratchLog()
        let alias = log.folder.appendingPathComponent("alias").path
        try FileManager.default.createSymbolicLink(
            atPath: alias, withDestinationPath: log.path)
        let holder = try OpenAppend(log)
        var acknowledged = 0
        for round in 0..<10 {
            if try await holder.append("h\(round)") { acknowledged += 1 }
            let answer = try ReplayProcess.run(
                ["append", "--log", alias], input: AppendTests.launch("a\(round)"))
            answer.ends(0)
            acknowledged += 1
        }
        try holder.process.end().ends(0)
        expect(acknowledged, equals: 20)
        // Each launch of a device after the first ends the one before, so it stores two events.
        try expect(events(log), equals: 39)
        #expect(!FileManager.default.fileExists(atPath: alias + "-lock"))
    }

    @Test("A log with a second hard link is refused under both names")
    func hardLink() async throws {
        let log = try ScratchLog()
        let alias = log.folder.appendingPathComponent("alias").path
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        try FileManager.default.linkItem(atPath: log.path, toPath: alias)
        for path in [log.path, alias] {
            for command in ["append", "stat"] {
                let answer = try ReplayProcess.run(
                    [command, "--log", path], input: AppendTests.launch("a"))
                answer.ends(3)
                answer.says("has 2 hard links")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: alias + "-lock"))
        #expect(try await !holder.append("h1"))
        let ended = try holder.process.end()
        ended.ends(3)
        ended.says("second hard link")
        try FileManager.default.removeItem(atPath: alias)
        try expect(events(log), equals: 1)
    }

    @Test("After its lock file is deleted, a log takes no commits until all who have it open end")
    func deletedLockFile() async throws {
        let log = try ScratchLog()
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        try FileManager.default.removeItem(atPath: log.path + "-lock")
        let refused = try log.replay("append", input: AppendTests.launch("a0"))
        refused.ends(3)
        refused.says("under another lock file")
        #expect(try await !holder.append("h1"))
        let ended = try holder.process.end()
        ended.ends(3)
        ended.says("lock file of the log was deleted")
        try log.replay("append", input: AppendTests.launch("a1")).ends(0)
        try expect(events(log), equals: 3)
    }

    @Test(
        "A log whose lock file was replaced is refused, whatever the number of the new file",
        arguments: [false, true])
    func replacedLockFile(_ oddFirst: Bool) async throws {
        let log = try ScratchLog()
        let (even, odd) = try neighbours(in: log.folder)
        let (first, second) = oddFirst ? (odd, even) : (even, odd)
        expect(rename(first, log.path + "-lock"), equals: 0)
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        expect(rename(second, log.path + "-lock"), equals: 0)
        for command in ["append", "stat"] {
            let refused = try log.replay(command, input: AppendTests.launch("a0"))
            refused.ends(3)
            refused.says("under another lock file")
        }
        #expect(try await !holder.append("h1"))
        let ended = try holder.process.end()
        ended.ends(3)
        ended.says("lock file of the log was deleted")
        try expect(events(log), equals: 1)
    }

    /// Two empty files whose inodes differ in the lowest bit alone, the even one first.
    private func neighbours(in folder: URL) throws -> (even: String, odd: String) {
        var paths: [UInt64: String] = [:]
        for number in 0..<1_000 {
            let path = folder.appendingPathComponent("candidate-\(number)").path
            try Data().write(to: URL(fileURLWithPath: path))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let inode = try #require((attributes[.systemFileNumber] as? NSNumber)?.uint64Value)
            if let other = paths[inode ^ 1] {
                return inode.isMultiple(of: 2) ? (path, other) : (other, path)
            }
            paths[inode] = path
        }
        throw NoNeighbours()
    }

    /// The file system gave a thousand files no numbers that stand side by side.
    private struct NoNeighbours: Error {}

    @Test("A copy that is renamed over an open log is not opened beside it, nor written by it")
    func copyRenamedOver() async throws {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l0")).ends(0)
        let copy = log.folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: log.path, toPath: copy)
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        expect(rename(copy, log.path), equals: 0)
        for command in ["append", "stat"] {
            let refused = try log.replay(command, input: AppendTests.launch("a0"))
            refused.ends(3)
            refused.says("is in use for another file")
        }
        #expect(try await !holder.append("h1"))
        let ended = try holder.process.end()
        ended.ends(3)
        ended.says("moved, replaced or deleted")
        try log.replay("append", input: AppendTests.launch("a1")).ends(0)
        try expect(events(log), equals: 3)
    }

    @Test("A file that is no log gets no lock file beside it", arguments: ["stat", "append"])
    func foreignFile(_ command: String) throws {
        let log = try ScratchLog()
        let path = try log.file("text", String(repeating: "no log ", count: 4_000))
        let answer = try ReplayProcess.run(
            [command, "--log", path], input: AppendTests.launch("l1"))
        answer.ends(3)
        #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
    }

    @Test(
        "A log whose creation was interrupted says so to readers, and append starts it anew",
        arguments: ["nothing", "zeros", "first page"])
    func cutShort(_ content: String) throws {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l1")).ends(0)
        var page = try Data(contentsOf: URL(fileURLWithPath: log.path)).prefix(4_096)
        // The number of the transaction, as in a page that was just made.
        page.replaceSubrange(144..<152, with: Data(count: 8))
        let left = ["nothing": Data(), "zeros": Data(count: 8_192), "first page": page]
        try (left[content] ?? Data()).write(to: URL(fileURLWithPath: log.path))
        let read = try log.replay("stat")
        read.ends(2)
        read.says("nothing was ever written to this file")
        try log.replay("append", input: AppendTests.launch("l1")).ends(0)
        try expect(events(log), equals: 1)
    }

    @Test("A log opens and grows under a small limit of the address space")
    func smallAddressSpace() throws {
        let log = try ScratchLog()
        let line = AppendTests.launch("l1").trimmingCharacters(in: .newlines)
        for command in ["append", "stat"] {
            let answer = try Program.run([
                "/bin/sh", "-c",
                "ulimit -v 700000; printf '%s\\n' \"$0\" | \"$1\" \(command) --log \"$2\"", line,
                ReplayProcess.binary.path, log.path,
            ])
            answer.ends(0, "\(command): \(answer.err)")
        }
        try expect(events(log), equals: 1)
    }

    @Test("A lack of memory is not taken for a damaged log, whatever the limit")
    func lackOfMemory() throws {
        let log = try ScratchLog()
        let rows = Checkout.root.appending(path: "docs/tour-baby.csv").path
        let zone = ["--baby", "mia", "--zone", "America/Los_Angeles"]
        let imported = try ReplayProcess.run(
            ["import", "--format", "babyconnect"] + zone + ["--log", log.path, rows])
        imported.ends(0)
        // The limits from which the program starts up to those under which it has room to spare.
        let messages = try Program.run([
            "/bin/sh", "-c",
            """
            for limit in $(seq 60000 250 130000); do
                (ulimit -v $limit; "$0" log --json --log "$1" 2>&1 >/dev/null)
            done
            """, ReplayProcess.binary.path, log.path,
        ]).out
        #expect(messages.contains("address space") || messages.contains("lack of memory"))
        #expect(!messages.contains("is damaged"), "\(messages)")
    }
}
