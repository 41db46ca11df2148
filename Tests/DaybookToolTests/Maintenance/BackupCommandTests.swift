import Foundation
import TestSupport
import Testing

/// `replay backup` and `replay restore`.
@Suite struct BackupCommandTests {
    private func launches(_ numbers: Range<Int>) -> String {
        numbers.map { AppendTests.launch("l\($0)") }.joined()
    }

    /// A log of some commits.
    @Test(
        "A copy has the permissions of what it is a copy of, under any mask",
        arguments: [(0o600, "022"), (0o640, "000"), (0o644, "077"), (0o600, "000")])
    func permissions(mode: Int, mask: String) throws {
        let log = try log(3)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: log.path)
        let (copy, restored, saved) = (log.path + ".a", log.path + ".b", log.path + ".c")
        for arguments in [
            ["backup", copy, "--log", log.path], ["restore", copy, "--log", restored],
            ["salvage", log.path, "--output", saved],
        ] {
            let answer = try Self.shell("umask \(mask)", arguments)
            answer.ends(0, "\(arguments): \(answer.err)")
        }
        for path in [copy, restored, saved] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            expect(attributes[.posixPermissions] as? Int, equals: mode, "\(path)")
        }
    }

    /// Runs the command after another one of the shell.
    private static func shell(_ before: String, _ arguments: [String]) throws -> Program.Answer {
        try Program.run(
            ["bash", "-c", "\(before); exec \"$0\" \"$@\"", ReplayProcess.binary.path] + arguments)
    }

    private func log(_ count: Int = 40) throws -> ScratchLog {
        let log = try ScratchLog()
        try log.replay("append", "--each", input: launches(0..<count)).ends(0)
        return log
    }

    private func head(_ path: String) throws -> String {
        let stat = try ReplayProcess.run(["stat", "--json", "--log", path])
        return try #require(try stat.objects().first?["headAtPosition"] as? String)
    }

    private func names(_ log: ScratchLog) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: log.folder.path))
    }

    @Test("A copy is proven, and a log that is restored from it answers as the first one")
    func roundTrip() throws {
        let log = try log()
        let (copy, new) = (log.path + ".copy", log.path + ".new")
        let made = try log.replay("backup", copy, "--json")
        made.ends(0)
        let object = try #require(try made.objects().first)
        #expect(object["events"] as? Int == 79 && object["commits"] as? Int == 40)
        expect(object["headAtPosition"] as? String, equals: (try head(log.path)))
        #expect(object["copyMs"] is Int && object["proofMs"] is Int)
        try expect(Data(contentsOf: URL(filePath: copy)).count, equals: object["bytes"] as? Int)
        let restored = try ReplayProcess.run(["restore", copy, "--log", new])
        restored.ends(0)
        restored.shows("79 events in 40 commits")
        for command in [["log", "--json"], ["verify", "--json"], ["verify", "--digests"]] {
            try expect(
                ReplayProcess.run(command + ["--log", new]).out,
                equals: ReplayProcess.run(command + ["--log", log.path]).out)
        }
        try ReplayProcess.run(["append", "--log", new], input: launches(40..<42)).ends(0)
        try expect(
            names(log),
            equals: [
                "log.daybook", "log.daybook-lock", "log.daybook.copy", "log.daybook.new",
                "log.daybook.new-lock",
            ])
    }

    @Test("A copy is held to the log of which it is said to be a copy")
    func copyOf() throws {
        let (log, other) = (try log(3), try log(3))
        let copy = log.path + ".copy"
        try log.replay("backup", copy).ends(0)
        try log.replay("append", input: launches(3..<4)).ends(0)
        func verify(_ path: String, of original: String) throws -> ReplayProcess.Answer {
            try ReplayProcess.run(["verify", "--log", path, "--copy-of", original])
        }
        try verify(copy, of: log.path).ends(0)
        let longer = try verify(log.path, of: copy)
        #expect(longer.code == 1 && longer.err.contains("is not a copy of"), "\(longer)")
        let another = try verify(copy, of: other.path)
        #expect(another.code == 1 && another.err.contains("another log"), "\(another)")
        try verify(copy, of: copy + ".none").ends(2)
        let digests = try log.replay("verify", "--digests", "--copy-of", copy)
        #expect(digests.code == 2 && digests.out.isEmpty, "\(digests)")
    }

    @Test("The times of copying and of proving are separate, and the proof can be skipped")
    func times() throws {
        let log = try log(3)
        let proven = try log.replay("backup", log.path + ".a")
        #expect(proven.code == 0 && proven.err.contains("copied in "), "\(proven.err)")
        proven.says(", verified in ")
        let plain = try log.replay("backup", log.path + ".b", "--no-verify")
        #expect(plain.code == 0 && plain.err.contains(", not verified"), "\(plain.err)")
        plain.shows("head \(try head(log.path))")
        let json = try log.replay("backup", log.path + ".c", "--no-verify", "--json")
        #expect(try json.objects().first?["proofMs"] is NSNull)
        // Each copy holds the note of itself, and nothing else that differs.
        let heads = try ["a", "b", "c"].map { try head(log.path + ".\($0)") }
        expect(heads, equals: [heads[0], heads[0], heads[0]])
    }

    @Test("A copy through a pipe is proven by its hash")
    func stream() throws {
        let log = try log()
        let (copy, new) = (log.path + ".copy", log.path + ".new")
        try Data().write(to: URL(filePath: copy))
        let sent = try ReplayProcess.run(
            ["backup", "-", "--log", log.path, "--json"],
            output: try FileHandle(forWritingTo: URL(filePath: copy)))
        sent.ends(0)
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(sent.err.utf8)) as? [String: Any])
        let hash = try #require(told["sha256"] as? String)
        try expect(Data(contentsOf: URL(filePath: copy)).count, equals: told["bytes"] as? Int)
        expect(told["contains"] as? String, equals: (try head(log.path)))
        func restore(_ hash: String) throws -> ReplayProcess.Answer {
            try ReplayProcess.run(
                ["restore", "-", "--log", new, "--sha256", hash],
                inputFile: try FileHandle(forReadingFrom: URL(filePath: copy)))
        }
        let refused = try restore(String(repeating: "0", count: 64))
        #expect(refused.code == 1 && refused.err.contains(hash), "\(refused.err)")
        #expect(!FileManager.default.fileExists(atPath: new))
        try restore("12").ends(2)
        try restore(hash).ends(0)
        try expect(head(new), equals: head(log.path))
        // The same in words.
        let words = try ReplayProcess.run(
            ["backup", "-", "--log", log.path], output: FileHandle.nullDevice)
        #expect(words.err.hasPrefix("sha256 \(hash)\n"), "\(words.err)")
    }

    @Test("An output that cannot be written ends the copying with 2, and leaves nothing")
    func fullOutputs() throws {
        let log = try log()
        let before = try names(log)
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let streamed = try ReplayProcess.run(["backup", "-", "--log", log.path], output: full)
        #expect(streamed.code == 2 && streamed.err.contains("standard output"), "\(streamed.err)")
        for path in ["/proc/copy", log.path + ".none/copy", log.path, log.folder.path] {
            let answer = try log.replay("backup", path)
            answer.ends(2, "\(path): \(answer)")
        }
        let copy = log.path + ".copy"
        try expect(limited("backup", copy, "--log", log.path), equals: 2)
        try expect(names(log), equals: before)
        try log.replay("backup", copy).ends(0)
        try expect(limited("restore", copy, "--log", log.path + ".new"), equals: 2)
        try expect(names(log), equals: before.union(["log.daybook.copy"]))
    }

    /// The code of a command that may make no file of more than 16 KiB.
    private func limited(_ arguments: String...) throws -> Int32 {
        try Self.shell("ulimit -f 16", arguments).code
    }

    @Test("An incomplete backup is not restored and leaves nothing")
    func damagedBackups() throws {
        let log = try log()
        try log.replay("backup", log.path + ".copy").ends(0)
        let good = try Data(contentsOf: URL(filePath: log.path + ".copy"))
        let target = log.path + ".new"
        var damaged: [(String, Data, Int32)] = [
            ("empty", Data(), 2), ("text", Data(repeating: 0x61, count: 40_000), 3),
            ("half", good.prefix(good.count / 2 / 4_096 * 4_096), 3),
            ("page", good.dropLast(4_096), 3),
        ]
        // One byte of an event, and of every other place that names it.
        var flipped = good
        var found = false
        while let place = flipped.range(of: Data("launch:l7".utf8)) {
            flipped[place.lowerBound] ^= 1
            found = true
        }
        #expect(found)
        damaged.append(("flipped", flipped, 3))
        for (name, bytes, code) in damaged {
            let file = log.folder.appending(path: name)
            try bytes.write(to: file)
            let before = try names(log)
            let answer = try ReplayProcess.run(["restore", file.path, "--log", target])
            answer.ends(code, "\(name): \(answer)")
            try expect(names(log), equals: before, "\(name)")
        }
        // A remnant of the same name is read, and not removed.
        let partial = target + ".replay-partial"
        try good.write(to: URL(filePath: partial))
        let read = try ReplayProcess.run(["restore", partial, "--log", target])
        #expect(read.code == 2 && read.err.contains("already exists"), "\(read)")
        try expect(Data(contentsOf: URL(filePath: partial)), equals: good)
        let missing = try ReplayProcess.run(["restore", log.path + ".x", "--log", target])
        missing.ends(2)
        let folder = try ReplayProcess.run(["restore", log.folder.path, "--log", target])
        folder.ends(2)
    }

    @Test("An older or another copy is refused under a trusted head")
    func trustedHeads() throws {
        let (log, other) = (try log(10), try log(10))
        let (old, new, target) = (log.path + ".old", log.path + ".newer", log.path + ".target")
        try log.replay("backup", old).ends(0)
        let headFile = log.path + ".head"
        try log.replay("append", "--head-file", headFile, input: launches(50..<60)).ends(0)
        try log.replay("backup", new).ends(0)
        let trusted = try head(log.path)
        let heads = try log.file("heads", "# kept elsewhere\n\(trusted)\n")
        try other.replay("append", input: launches(50..<60)).ends(0)
        let foreign = other.path + ".copy"
        try other.replay("backup", foreign).ends(0)
        for backup in [old, foreign] {
            for (trust, code) in [
                (["--since", trusted], 1), (["--heads", heads], 1), (["--head-file", headFile], 3),
            ] {
                let answer = try ReplayProcess.run(["restore", backup, "--log", target] + trust)
                answer.ends(Int32(code), "\(trust): \(answer)")
                #expect(!FileManager.default.fileExists(atPath: target))
            }
        }
        let answer = try ReplayProcess.run([
            "restore", new, "--log", target, "--since", trusted, "--heads", heads, "--head-file",
            headFile,
        ])
        answer.ends(0)
        #expect(try names(log).allSatisfy { !$0.contains("partial") })
    }

    @Test("An existing file is never overwritten, and one of several racing restores makes the log")
    func racing() throws {
        let log = try log(5)
        let (copy, target) = (log.path + ".copy", log.path + ".new")
        try log.replay("backup", copy).ends(0)
        let again = try log.replay("backup", copy)
        #expect(again.code == 2 && again.err.contains("already exists"))
        try ReplayProcess.run(["restore", copy, "--log", log.path]).ends(2)
        let codes = Codes()
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                codes.add(try ReplayProcess.run(["restore", copy, "--log", target]).code)
            } catch {
                Issue.record("\(error)")
            }
        }
        expect(codes.all.sorted(), equals: [0, 2, 2, 2, 2, 2])
        try expect(head(target), equals: head(log.path))
        #expect(try names(log).allSatisfy { !$0.contains("partial") })
    }

    @Test("The lock file of a removed log does not block a restore unless a process holds it")
    func staleLock() throws {
        let log = try log(5)
        let copy = log.path + ".copy"
        try log.replay("backup", copy).ends(0)
        let lock = try Data(contentsOf: URL(filePath: log.path + "-lock"))
        #expect(!lock.isEmpty)
        let holder = try ReplayProcess.start(["append", "--each", "--json", "--log", log.path])
        try holder.send(launches(5..<6))
        // Its answer shows that it has the log open.
        #expect(Wait.until { !holder.out.isEmpty })
        try FileManager.default.removeItem(atPath: log.path)
        let refused = try ReplayProcess.run(["restore", copy, "--log", log.path])
        #expect(refused.code == 3 && refused.err.contains("-lock: process"), "\(refused)")
        try holder.end()
        #expect(!FileManager.default.fileExists(atPath: log.path))
        try ReplayProcess.run(["restore", copy, "--log", log.path]).ends(0)
        try log.replay("append", input: launches(7..<9)).ends(0)
        try log.replay("verify").ends(0)
        #expect(try head(log.path).hasPrefix("13:"))
    }

    @Test("A copy beside a writer is one of its commits")
    func besideAWriter() throws {
        let log = try log(5)
        let writer = try ReplayProcess.start(
            ["append", "--each", "--log", log.path], input: .text(launches(100..<400)))
        var heads: [String] = []
        for number in 0..<5 {
            let made = try log.replay("backup", log.path + ".copy\(number)", "--json")
            made.ends(0)
            heads.append(
                try #require(try made.objects().first?["headAtPosition"] as? String))
        }
        try writer.end().ends(0)
        let answer = try ReplayProcess.run(
            ["verify", "--log", log.path] + heads.flatMap { ["--since", $0] })
        answer.ends(0)
    }

    @Test("Backup and restore that are killed leave nothing that passes for a whole copy")
    func kills() throws {
        let script = Checkout.root.appending(path: "tools/backup-test")
        let answer = try Python.run(
            "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')",
            [
                script.path, ReplayProcess.binary.path, "--rounds", "4", "--events", "300",
                "--seed", "11",
            ])
        answer.ends(0)
    }
}

private final class Codes: @unchecked Sendable {
    private let lock = NSLock()
    private var codes: [Int32] = []

    func add(_ code: Int32) { lock.withLock { codes.append(code) } }

    var all: [Int32] { lock.withLock { codes } }
}
