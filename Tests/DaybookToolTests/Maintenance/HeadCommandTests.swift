import Foundation
import TestSupport
import Testing

/// Heads that `stat` prints, `verify` asks for and a head file keeps.
@Suite struct HeadCommandTests {
    private static let other = "0a" + String(repeating: "00", count: 31)

    private func launches(_ numbers: Range<Int>) -> String {
        numbers.map { AppendTests.launch("l\($0)") }.joined()
    }

    private func head(_ log: ScratchLog) throws -> String {
        let stat = try #require(try log.replay("stat", "--json").objects().first)
        return try #require(stat["headAtPosition"] as? String)
    }

    private func key(_ log: ScratchLog, _ text: String, _ name: String, mode: Int = 0o600) throws
        -> String
    {
        let path = try log.file(name, text)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("The stat command prints the head as position and chain, and the chain alone")
    func stat() throws {
        let log = try ScratchLog()
        try log.replay("append", "--each", input: launches(1..<4)).ends(0)
        let stat = try #require(try log.replay("stat", "--json").objects().first)
        let chain = try #require(stat["head"] as? String)
        expect(stat["headAtPosition"] as? String, equals: "5:\(chain)")
        #expect(try log.replay("stat").out.contains("head             5:\(chain)\n"))
        let verified = try #require(try log.replay("verify", "--json").objects().first)
        expect(verified["headAtPosition"] as? String, equals: "5:\(chain)")
    }

    @Test("Verifying since any earlier head succeeds, however the log grew")
    func since() throws {
        let log = try ScratchLog()
        var heads: [String] = []
        for number in 1...4 {
            try log.replay("append", input: launches(number * 10..<number * 10 + 2)).ends(0)
            heads.append(try head(log))
        }
        let answer = try ReplayProcess.run(
            ["verify", "--log", log.path] + heads.flatMap { ["--since", $0] })
        answer.ends(0)
        answer.shows("4 of 4 heads are in the log")
    }

    @Test("Verifying since a head names one inside a commit, of another chain, or beyond the end")
    func departures() throws {
        let log = try ScratchLog()
        let tour = Checkout.root.appending(path: "docs/tour.jsonl")
        let lines = try String(contentsOf: tour, encoding: .utf8)
        try log.replay("append", input: lines).ends(0)
        for (position, reason) in [
            (7, "no commit of the log ends at this position: positions 6 to 8 are one commit"),
            (8, "the commit that ends at this position has the chain value"),
            (20, "the log ends at position 8"),
        ] {
            let head = "\(position):\(Self.other)"
            let answer = try log.replay("verify", "--since", head)
            answer.ends(1)
            answer.shows("position \(position): head: --since: ")
            answer.shows(reason)
            answer.shows("ROLLED BACK OR REPLACED")
            let json = try log.replay("verify", "--json", "--since", head)
            let object = try #require(try json.objects().first)
            #expect(json.code == 1 && object["ok"] as? Bool == false)
            let finding = try #require((object["findings"] as? [[String: Any]])?.first)
            expect(finding["rule"] as? String, equals: "head")
            expect(finding["position"] as? Int, equals: position)
            let shown = try #require((object["heads"] as? [[String: Any]])?.first)
            #expect(shown["held"] as? Bool == false && shown["headAtPosition"] as? String == head)
        }
    }

    @Test("A rollback is a finding although the log is intact")
    func rollback() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let earlier = try Data(contentsOf: URL(filePath: log.path))
        try log.replay("append", input: launches(3..<5)).ends(0)
        let head = try head(log)
        try earlier.write(to: URL(filePath: log.path))
        try log.replay("verify").ends(0)
        try log.replay("verify", "--since", head).ends(1)
    }

    @Test("A file of heads may have comments, and every wrong line is named")
    func headsFile() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let head = try head(log)
        let good = try log.file("good", "# known\n\n  \(head)  # Monday\r\n\(head)")
        let answer = try log.replay("verify", "--heads", good)
        #expect(answer.code == 0 && answer.out.contains("2 of 2 heads"), "\(answer)")
        let bad = try log.file("bad", "\(head)\nnonsense\n2\n\(head)\n\u{1B}[31m\n")
        let refused = try log.replay("verify", "--heads", bad)
        refused.ends(2)
        for line in [2, 3, 5] {
            refused.says("\(bad):\(line): the line is not a head")
        }
        #expect(!refused.err.contains("\(bad):1:") && !refused.err.contains("\u{1B}"))
        for text in ["", "# nothing\n\n"] {
            let empty = try log.file("empty", text)
            try log.replay("verify", "--heads", empty).ends(2)
        }
        try log.replay("verify", "--heads", good + "-missing").ends(2)
        try log.replay("verify", "--since", "3").ends(2)
    }

    @Test("A signed head holds under its key, and under no other")
    func signed() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let secret = try key(log, ExampleKeys.privatePEM, "key.pem")
        let own = try key(log, ExampleKeys.publicPEM, "own.pem")
        let foreign = try key(log, ExampleKeys.otherPublicPEM, "other.pem")
        let signed = try log.replay("stat", "--sign", secret)
        #expect(signed.code == 0 && signed.err.isEmpty, "\(signed.err)")
        #expect(signed.out.hasPrefix("daybook-head-v1 "))
        let json = try #require(try log.replay("stat", "--json", "--sign", secret).objects().first)
        #expect((json["signedHead"] as? String)?.hasPrefix("daybook-head-v1 ") == true)
        expect(json["events"] as? Int, equals: 3)
        let heads = try log.file("heads", signed.out)
        try log.replay("append", input: launches(3..<5)).ends(0)
        try log.replay("verify", "--heads", heads, "--signed-by", own).ends(0)
        try log.replay(
            "verify", "--heads", heads, "--signed-by", foreign, "--signed-by", own
        ).ends(0)
        let refused = try log.replay("verify", "--heads", heads, "--signed-by", foreign)
        #expect(refused.code == 1 && refused.out.contains(": signature: \(heads):1:"))
        // Neither an unsigned head under a key, nor a signed one without a key.
        let plain = try log.file("plain", try head(log))
        try log.replay("verify", "--heads", plain, "--signed-by", own).ends(2)
        try log.replay("verify", "--heads", heads).ends(2)
        try log.replay("verify", "--signed-by", own).ends(2)
    }

    @Test("A signed head of another log is a finding")
    func otherLog() throws {
        let (log, other) = (try ScratchLog(), try ScratchLog())
        for each in [log, other] {
            try each.replay("append", input: launches(1..<3)).ends(0)
        }
        let secret = try key(log, ExampleKeys.privatePEM, "key.pem")
        let own = try key(log, ExampleKeys.publicPEM, "own.pem")
        let heads = try log.file("heads", try other.replay("stat", "--sign", secret).out)
        let answer = try log.replay("verify", "--heads", heads, "--signed-by", own)
        #expect(
            answer.code == 1 && answer.out.contains("the head belongs to another log"),
            "\(answer.out)")
    }

    @Test("OpenSSL checks what stat signed", .enabled(if: OpenSSL.isThere))
    func openSSL() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let (secret, own) = (log.path + ".key", log.path + ".pub")
        try OpenSSL.run(["genpkey", "-algorithm", "ed25519", "-out", secret])
        try OpenSSL.run(["pkey", "-in", secret, "-pubout", "-out", own])
        let line = try log.replay("stat", "--sign", secret).out.dropLast()
        let cut = try #require(line.lastIndex(of: " "))
        let text = try log.file("text", String(line[..<cut]))
        let signature = log.path + ".sig"
        try #require(Data(base64Encoded: String(line[line.index(after: cut)...])))
            .write(to: URL(filePath: signature))
        try OpenSSL.run([
            "pkeyutl", "-verify", "-pubin", "-inkey", own, "-rawin", "-in", text, "-sigfile",
            signature,
        ])
        let heads = try log.file("heads", String(line))
        try log.replay("verify", "--heads", heads, "--signed-by", own).ends(0)
    }

    @Test("A wrong key is refused without a byte of it, and one that others may read is warned of")
    func keys() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let secretDigits = "MC4CAQAwBQYDK2Vw"
        for (index, text) in [
            "", "text", String(ExampleKeys.privatePEM.dropLast(40)),
            ExampleKeys.privatePEM + ExampleKeys.privatePEM,
            ExampleKeys.privatePEM.replacingOccurrences(of: "K2Vw", with: "K2Vu"),
            String(repeating: ExampleKeys.privatePEM, count: 100),
        ].enumerated() {
            let path = try key(log, text, "bad\(index).pem")
            let answer = try log.replay("stat", "--sign", path)
            #expect(answer.code == 2 && answer.out.isEmpty)
            #expect(answer.err.contains(path) && !answer.err.contains(secretDigits))
        }
        let secret = try key(log, ExampleKeys.privatePEM, "key.pem", mode: 0o640)
        let warned = try log.replay("stat", "--sign", secret)
        #expect(warned.code == 0 && warned.err.contains("warning: \(secret)"), "\(warned.err)")
        let heads = try log.file("heads", warned.out)
        let wrong = try log.replay("verify", "--heads", heads, "--signed-by", secret)
        #expect(wrong.code == 2 && wrong.err.contains("is a private key"))
        #expect(!wrong.err.contains(secretDigits))
    }
}

/// The tool that makes the keys.
private enum OpenSSL {
    static let isThere = (try? run(["version"])) != nil

    static func run(_ arguments: [String]) throws {
        let answer = try Program.run(["openssl"] + arguments)
        try #require(answer.code == 0, "openssl \(arguments): \(answer.err)")
    }
}

/// `--head-file` and `DAYBOOK_HEAD_FILE`.
@Suite struct HeadFileCommandTests {
    private func launches(_ numbers: Range<Int>) -> String {
        numbers.map { AppendTests.launch("l\($0)") }.joined()
    }

    @Test("Every command notices a rollback under the head file, named either way")
    func rollback() throws {
        let log = try ScratchLog()
        let headFile = log.path + ".head"
        try log.replay("append", "--head-file", headFile, input: launches(1..<3)).ends(0)
        let earlier = try Data(contentsOf: URL(filePath: log.path))
        try log.replay("append", "--head-file", headFile, input: launches(3..<5)).ends(0)
        let commands = [
            ["stat"], ["verify"], ["log"], ["state", "consents"], ["append"], ["reindex"],
            ["snapshot"], ["audit"], ["late"], ["history", "session", "x"],
            ["backup", log.path + ".copy"], ["compact"],
        ]
        for command in commands {
            let answer = try ReplayProcess.run(
                command + ["--log", log.path], environment: ["DAYBOOK_HEAD_FILE": headFile])
            #expect(answer.code != 3, "\(command): \(answer.err)")
        }
        try FileManager.default.removeItem(atPath: log.path + ".copy")
        try earlier.write(to: URL(filePath: log.path))
        for command in commands {
            let expected =
                "the log was rolled back or replaced: the head file \(headFile) records "
                + "position 7"
            for environment in [true, false] {
                let answer = try ReplayProcess.run(
                    command + ["--log", log.path] + (environment ? [] : ["--head-file", headFile]),
                    environment: environment ? ["DAYBOOK_HEAD_FILE": headFile] : [:])
                #expect(answer.code == 3 && answer.err.contains(expected), "\(command): \(answer)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: log.path + ".copy"))
        try log.replay("stat").ends(0)
    }

    @Test("Only appending makes a head file, and an unwritable one is bad usage")
    func missing() throws {
        let log = try ScratchLog()
        try log.replay("append", input: launches(1..<3)).ends(0)
        let headFile = log.path + ".head"
        for command in ["stat", "verify", "reindex"] {
            let answer = try log.replay(command, "--head-file", headFile)
            #expect(answer.code == 2 && answer.err.contains("does not exist"), "\(answer)")
        }
        let nowhere = log.path + ".folder/head"
        let answer = try log.replay("append", "--head-file", nowhere, input: launches(3..<4))
        answer.ends(2)
        let damaged = try log.file("damaged", "text")
        try log.replay("stat", "--head-file", damaged).ends(2)
        try log.replay("append", "--head-file", headFile, input: launches(3..<4)).ends(0)
        try log.replay("stat", "--head-file", headFile).ends(0)
        let text = try String(contentsOfFile: headFile, encoding: .utf8)
        #expect(text.hasPrefix("daybook-head-file-v1 ") && text.contains(" 3:"))
    }

    @Test("Processes that append to one log and one head file leave its newest head")
    func processes() throws {
        let log = try ScratchLog()
        let (path, headFile) = (log.path, log.path + ".head")
        DispatchQueue.concurrentPerform(iterations: 4) { writer in
            let lines = (0..<25).map { AppendTests.launch("w\(writer)-\($0)") }.joined()
            do {
                let answer = try ReplayProcess.run(
                    ["append", "--each", "--log", path, "--head-file", headFile], input: lines)
                #expect(answer.code == 0 && answer.err.isEmpty, "\(answer.err)")
            } catch {
                Issue.record("\(error)")
            }
        }
        let stat = try #require(
            try log.replay("stat", "--json", "--head-file", headFile).objects().first)
        let head = try #require(stat["headAtPosition"] as? String)
        // Each launch but the first ends the one before it.
        expect(stat["events"] as? Int, equals: 199)
        #expect(try String(contentsOfFile: headFile, encoding: .utf8).contains(" \(head) "))
    }

    @Test("A log that was rolled back, or is gone, is neither compacted nor imported into")
    func changesOfRolledBackLogs() throws {
        let log = try ScratchLog()
        let headFile = log.path + ".head"
        let copy = log.path + ".old"
        let append = { (numbers: Range<Int>) in
            try log.replay("append", "--head-file", headFile, input: launches(numbers)).code
        }
        try expect(append(0..<3), equals: 0)
        try FileManager.default.copyItem(atPath: log.path, toPath: copy)
        try expect(append(3..<5), equals: 0)
        try log.replay("compact", "--head-file", headFile).ends(0)
        try FileManager.default.removeItem(atPath: log.path)
        let gone = try log.replay("compact", "--head-file", headFile)
        #expect(gone.code == 3 && gone.err.contains("rolled back"), "\(gone)")
        let header =
            "Type,Start,End,Duration,Start Conditions,Start Location,End Conditions,Notes\n"
        let file = try log.file("care.csv", header)
        let trial = [
            "import", "--format", "huckleberry", "--baby", "b", "--dry-run", file, "--log",
            log.path, "--head-file", headFile,
        ]
        for zone in [[], ["--zone", "UTC"]] {
            let answer = try ReplayProcess.run(trial + zone)
            #expect(answer.code == 3 && answer.err.contains("rolled back"), "\(answer)")
        }
        try FileManager.default.moveItem(atPath: copy, toPath: log.path)
        let before = try Data(contentsOf: URL(filePath: log.path))
        let back = try log.replay("compact", "--head-file", headFile)
        #expect(back.code == 3 && back.err.contains("rolled back"), "\(back)")
        try expect(Data(contentsOf: URL(filePath: log.path)), equals: before)
        try log.replay("compact", "--head-file", headFile + ".none").ends(2)
        try log.replay("compact").ends(0)
    }
}
