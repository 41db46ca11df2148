import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Proofs that `prove` writes and `check-proof` checks.
@Suite struct ProofCommandTests {

    /// The story of README: eight events in six commits.
    private func story() throws -> ScratchLog {
        let log = try ScratchLog()
        let tour = Checkout.root.appending(path: "docs/tour.jsonl")
        let lines = try String(contentsOf: tour, encoding: .utf8)
        try log.replay("append", "--each", input: lines).ends(0)
        return log
    }

    private func head(_ log: ScratchLog) throws -> String {
        let stat = try #require(try log.replay("stat", "--json").objects().first)
        return try #require(stat["headAtPosition"] as? String)
    }

    private func check(_ arguments: String..., proof: String) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(["check-proof", "-"] + arguments, input: proof)
    }

    @Test("A proof is checked without the log, and names event, commit, head and root")
    func proven() throws {
        let log = try story()
        let proof = try log.replay("prove", "7")
        proof.ends(0)
        let root = String(proof.out.split(separator: "\n").last ?? "")
        let head = try head(log)
        let file = try log.file("proof", proof.out)
        let answer = try ReplayProcess.run(["check-proof", file])
        answer.ends(0)
        let lines = answer.out.split(separator: "\n")
        expect(lines.first?.hasPrefix("proven: event 7 of log "), equals: true)
        #expect(lines.contains("kind       session.tokens-cleared.v1"))
        #expect(lines.contains("commit     6 of 6, positions 6 to 8"))
        #expect(lines.contains("head       \(head)") && lines.contains("root       \(root)"))
        expect(lines.last?.hasPrefix("trust      the root is not confirmed"), equals: true)
        let json = try #require(
            try check("--json", "--root", root, "--head", head, proof: proof.out).objects().first)
        #expect(json["position"] as? Int == 7 && json["first"] as? Int == 6)
        #expect(json["commits"] as? Int == 6 && json["commitNumber"] as? Int == 5)
        #expect(json["headAtPosition"] as? String == head && json["root"] as? String == root)
        expect(json["confirmedBy"] as? [String], equals: ["root"])
        #expect((json["payload"] as? [String: Any])?["reason"] as? String == "expired")
        #expect(json["since"] == nil && json["payloadHex"] == nil)
        try log.replay("reindex").ends(0)
        try expect(log.replay("prove", "7").out, equals: proof.out)
        try log.replay("verify").ends(0)
    }

    @Test("A proof shows that the log continues an earlier head or number of commits")
    func since() throws {
        let log = try ScratchLog()
        let lines = { (numbers: Range<Int>) in
            numbers.map { AppendTests.launch("l\($0)") }.joined()
        }
        try log.replay("append", "--each", input: lines(0..<5)).ends(0)
        let old = try head(log)
        try log.replay("append", "--each", input: lines(5..<9)).ends(0)
        let proof = try log.replay("prove", "2", "--since", old).out
        try expect(log.replay("prove", "2", "--since", "5").out, equals: proof)
        let answer = try check("--since", old, proof: proof)
        answer.ends(0)
        answer.shows("\ncontinues  \(old), 5 commits, root ")
        let now = try head(log)
        let other = try check("--since", now, proof: proof)
        #expect(other.code == 1 && other.err.contains("continues another head, \(old)"))
        let none = try check("--since", old, proof: try log.replay("prove", "2").out)
        #expect(none.code == 1 && none.err.contains("does not show that the log continues a head"))
        let chain = String(repeating: "0a", count: 32)
        let foreign = try log.replay("prove", "2", "--since", "5:\(chain)")
        #expect(foreign.code == 1 && foreign.out.isEmpty, "\(foreign.err)")
        foreign.says("the log does not contain 5:\(chain)")
    }

    @Test("A signed proof is confirmed by the key that signed it, and by no other")
    func signed() throws {
        let log = try story()
        let key = try log.file("key.pem", ExampleKeys.privatePEM)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let publicKey = try log.file("public.pem", ExampleKeys.publicPEM)
        let other = try log.file("other.pem", ExampleKeys.otherPublicPEM)
        let proof = try log.replay("prove", "3", "--sign", key).out
        let answer = try check("--public-key", publicKey, proof: proof)
        #expect(answer.code == 0 && answer.out.hasSuffix("confirmed by the given signature\n"))
        try check("--public-key", other, "--public-key", publicKey, proof: proof).ends(0)
        let wrong = try check("--public-key", other, proof: proof)
        #expect(wrong.code == 1 && wrong.out.isEmpty)
        wrong.says("the signature of the root matches none of the given keys")
        let plain = try check("--public-key", publicKey, proof: try log.replay("prove", "3").out)
        #expect(plain.code == 1 && plain.err.contains("the root is not signed"), "\(plain.err)")
        let secret = try check("--public-key", key, proof: proof)
        #expect(secret.code == 2 && secret.err.contains("the file is a private key"))
    }

    @Test("A false proof ends with 1 and the reason, an unreadable one with 2 and the line")
    func refused() throws {
        let log = try story()
        let proof = try log.replay("prove", "3").out
        let zero = Data(repeating: 0, count: 32).base64EncodedString()
        let head = try head(log)
        let cases: [(text: String, options: [String], code: Int32, message: String)] = [
            (
                proof.replacing("position 3\n", with: "position 4\n"), [], 1,
                "standard input: the proof is false: position: "
            ),
            (proof.replacing("index 2\n", with: "index 3\n"), [], 1, "path: the commit leads to"),
            (proof.replacing("\n6\n", with: "\n7\n"), [], 1, "the proof is false: "),
            (proof, ["--root", zero], 1, "the proof leads to another root, "),
            (
                proof, ["--head", "8:" + String(repeating: "0a", count: 32)], 1,
                "the proof is about another head, \(head)"
            ),
            (
                proof.replacing("index 2\n", with: "index two\n"), [], 2,
                "standard input: line 9: index: expected a number"
            ),
            ("", [], 2, "standard input: line 1: first line: "),
            (proof, ["--root", "AAAA"], 2, "--root: expected a root of 32 bytes in base64"),
            (proof, ["--head", "8"], 2, "--head: expected a head"),
        ]
        for (text, options, code, message) in cases {
            let answer = try ReplayProcess.run(["check-proof", "-"] + options, input: text)
            #expect(answer.code == code && answer.out.isEmpty, "\(message): \(answer)")
            answer.says(message)
        }
        let missing = try ReplayProcess.run(["check-proof", "/nowhere/proof"])
        #expect(missing.code == 2 && missing.err.contains("/nowhere/proof: "))
        for (arguments, message) in [
            (["prove", "9"], "there is no event at position 9; the log ends at 8"),
            (["prove", "0"], "there is no event at position 0"),
            (["prove", "3", "--since", "7"], "it has 6"),
            (["prove", "3", "--since", "0"], "an earlier log has at least 1"),
            (["prove", "3", "--since", "x"], "--since: expected a head"),
        ] {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            #expect(answer.code == 2 && answer.out.isEmpty, "\(arguments)")
            answer.says(message)
        }
    }

    @Test("A log of an earlier release has no tree; its events are proven and nothing is written")
    func earlierLog() throws {
        let log = try ScratchLog()
        let witness = Checkout.root.appending(path: "Tests/Witness/log.daybook")
        try FileManager.default.copyItem(at: witness, to: URL(fileURLWithPath: log.path))
        let before = try Data(contentsOf: URL(fileURLWithPath: log.path))
        let proof = try log.replay("prove", "1")
        proof.ends(0)
        try check(proof: proof.out).ends(0)
        try expect(Data(contentsOf: URL(fileURLWithPath: log.path)), equals: before)
        try log.replay("reindex").ends(0)
        try log.replay("verify").ends(0)
        try expect(log.replay("prove", "1").out, equals: proof.out)
    }

    @Test("A forged hash in the stored tree is an error, and not a false proof")
    func forgedTree() throws {
        let log = try story()
        try log.replay("reindex").ends(0)
        let proof = try log.replay("prove", "3").out
        do {
            let opened = try EventLog(path: log.path, access: .write)
            var row: [UInt8]?
            do {
                let transaction = try opened.file.beginReading()
                row = try transaction.row(UInt64(0), in: opened.file.tables.tree)?.copied()
            }
            var tile = try #require(row)
            tile[tile.count - 1] ^= 1
            let forged = tile
            try opened.file.writing { (transaction) throws(LogError) in
                try transaction.put(forged, for: 0, in: opened.file.tables.tree)
            }
        }
        let answer = try log.replay("prove", "3")
        #expect(answer.code == 3 && answer.out.isEmpty)
        answer.says("'replay reindex' builds it again")
        let verified = try log.replay("verify")
        verified.ends(3)
        verified.shows("tree: the tree has another hash of this commit")
        verified.shows("'replay reindex' rebuilds the index")
        try log.replay("reindex").ends(0)
        try expect(log.replay("prove", "3").out, equals: proof)
    }
}
