import Foundation
import TestSupport
import Testing

/// An `append --each` that is kept open between lines.
final class OpenAppend {
    private let process = Process()
    private let input = Pipe()
    private let out: URL
    private let err: URL

    init(_ log: ScratchLog, path: String? = nil) throws {
        let name = UUID().uuidString
        out = log.folder.appendingPathComponent("\(name).out")
        err = log.folder.appendingPathComponent("\(name).err")
        for file in [out, err] { try Data().write(to: file) }
        process.executableURL = ReplayProcess.binary
        process.arguments = ["append", "--each", "--json", "--log", path ?? log.path]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    var lines: Int {
        get throws { try String(contentsOf: out, encoding: .utf8).split(separator: "\n").count }
    }

    /// Sends a line and waits until it is acknowledged; `false` if the process ends instead.
    func append(_ id: String) async throws -> Bool {
        let known = try lines
        input.fileHandleForWriting.write(Data(AppendTests.launch(id).utf8))
        while try lines == known {
            guard process.isRunning else { return try lines > known }
            try await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Sends a line and waits for nothing.
    func send(_ line: String) {
        input.fileHandleForWriting.write(Data(line.utf8))
    }

    func stop() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    func resume() { Foundation.kill(process.processIdentifier, SIGCONT) }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends the input and waits for the process.
    func end() throws -> (code: Int32, err: String) {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: err, encoding: .utf8))
    }
}

@Suite(.timeLimit(.minutes(5))) struct LogNamesTests {
    private func events(_ log: ScratchLog) throws -> Int? {
        let verified = try log.replay("verify", "--json").objects().first
        #expect(verified?["ok"] as? Bool == true)
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
            #expect(answer.code == 0, "\(answer.err)")
            acknowledged += 1
        }
        #expect(try holder.end().code == 0)
        #expect(acknowledged == 20)
        // Each launch of a device after the first ends the one before, so it stores two events.
        #expect(try events(log) == 39)
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
                #expect(answer.code == 3)
                #expect(answer.err.contains("has 2 hard links"), "\(answer.err)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: alias + "-lock"))
        #expect(try await !holder.append("h1"))
        let ended = try holder.end()
        #expect(ended.code == 3)
        #expect(ended.err.contains("second hard link"), "\(ended.err)")
        try FileManager.default.removeItem(atPath: alias)
        #expect(try events(log) == 1)
    }

    @Test("After its lock file is deleted, a log takes no commits until all who have it open end")
    func deletedLockFile() async throws {
        let log = try ScratchLog()
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        try FileManager.default.removeItem(atPath: log.path + "-lock")
        let refused = try log.replay("append", input: AppendTests.launch("a0"))
        #expect(refused.code == 3)
        #expect(refused.err.contains("under another lock file"), "\(refused.err)")
        #expect(try await !holder.append("h1"))
        let ended = try holder.end()
        #expect(ended.code == 3)
        #expect(ended.err.contains("lock file of the log was deleted"), "\(ended.err)")
        #expect(try log.replay("append", input: AppendTests.launch("a1")).code == 0)
        #expect(try events(log) == 3)
    }

    @Test(
        "A log whose lock file was replaced is refused, whatever the number of the new file",
        arguments: [false, true])
    func replacedLockFile(_ oddFirst: Bool) async throws {
        let log = try ScratchLog()
        let (even, odd) = try neighbours(in: log.folder)
        let (first, second) = oddFirst ? (odd, even) : (even, odd)
        #expect(rename(first, log.path + "-lock") == 0)
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        #expect(rename(second, log.path + "-lock") == 0)
        for command in ["append", "stat"] {
            let refused = try log.replay(command, input: AppendTests.launch("a0"))
            #expect(refused.code == 3)
            #expect(refused.err.contains("under another lock file"), "\(refused.err)")
        }
        #expect(try await !holder.append("h1"))
        let ended = try holder.end()
        #expect(ended.code == 3)
        #expect(ended.err.contains("lock file of the log was deleted"), "\(ended.err)")
        #expect(try events(log) == 1)
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
        #expect(try log.replay("append", input: AppendTests.launch("l0")).code == 0)
        let copy = log.folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: log.path, toPath: copy)
        let holder = try OpenAppend(log)
        #expect(try await holder.append("h0"))
        #expect(rename(copy, log.path) == 0)
        for command in ["append", "stat"] {
            let refused = try log.replay(command, input: AppendTests.launch("a0"))
            #expect(refused.code == 3)
            #expect(refused.err.contains("is in use for another file"), "\(refused.err)")
        }
        #expect(try await !holder.append("h1"))
        let ended = try holder.end()
        #expect(ended.code == 3)
        #expect(ended.err.contains("moved, replaced or deleted"), "\(ended.err)")
        #expect(try log.replay("append", input: AppendTests.launch("a1")).code == 0)
        #expect(try events(log) == 3)
    }

    @Test("A file that is no log gets no lock file beside it", arguments: ["stat", "append"])
    func foreignFile(_ command: String) throws {
        let log = try ScratchLog()
        let path = try log.file("text", String(repeating: "no log ", count: 4_000))
        let answer = try ReplayProcess.run(
            [command, "--log", path], input: AppendTests.launch("l1"))
        #expect(answer.code == 3)
        #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
    }

    @Test(
        "A log whose creation was interrupted says so to readers, and append starts it anew",
        arguments: ["nothing", "zeros", "first page"])
    func cutShort(_ content: String) throws {
        let log = try ScratchLog()
        #expect(try log.replay("append", input: AppendTests.launch("l1")).code == 0)
        var page = try Data(contentsOf: URL(fileURLWithPath: log.path)).prefix(4_096)
        // The number of the transaction, as in a page that was just made.
        page.replaceSubrange(144..<152, with: Data(count: 8))
        let left = ["nothing": Data(), "zeros": Data(count: 8_192), "first page": page]
        try (left[content] ?? Data()).write(to: URL(fileURLWithPath: log.path))
        let read = try log.replay("stat")
        #expect(read.code == 2)
        #expect(read.err.contains("nothing was ever written to this file"), "\(read.err)")
        #expect(try log.replay("append", input: AppendTests.launch("l1")).code == 0)
        #expect(try events(log) == 1)
    }

    @Test("A log opens and grows under a small limit of the address space")
    func smallAddressSpace() throws {
        let log = try ScratchLog()
        let line = AppendTests.launch("l1").trimmingCharacters(in: .newlines)
        for command in ["append", "stat"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "ulimit -v 700000; printf '%s\\n' \"$0\" | \"$1\" \(command) --log \"$2\"", line,
                ReplayProcess.binary.path, log.path,
            ]
            process.standardOutput = FileHandle.nullDevice
            try process.runToEnd()
            #expect(process.terminationStatus == 0, "\(command)")
        }
        #expect(try events(log) == 1)
    }

    @Test("A lack of memory is not taken for a damaged log, whatever the limit")
    func lackOfMemory() throws {
        let log = try ScratchLog()
        let rows = Checkout.root.appending(path: "docs/tour-baby.csv").path
        let zone = ["--baby", "mia", "--zone", "America/Los_Angeles"]
        let imported = try ReplayProcess.run(
            ["import", "--format", "babyconnect"] + zone + ["--log", log.path, rows])
        #expect(imported.code == 0, "\(imported.err)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The limits from which the program starts up to those under which it has room to spare.
        process.arguments = [
            "-c",
            """
            for limit in $(seq 60000 250 130000); do
                (ulimit -v $limit; "$0" log --json --log "$1" 2>&1 >/dev/null)
            done
            """, ReplayProcess.binary.path, log.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let messages = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(messages.contains("address space") || messages.contains("lack of memory"))
        #expect(!messages.contains("is damaged"), "\(messages)")
    }
}
