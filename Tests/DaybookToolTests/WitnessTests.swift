import DaybookCryptography
import Foundation
import TestSupport
import Testing

/// A log that an earlier release wrote, with every kind of event, and what that release answered.
///
/// `tools/witness/make` wrote both. The log is never written again; an expected answer changes only
/// where the change is intended.
@Suite("The log of an earlier release") struct WitnessTests {
    /// One expected answer: `SHA-256 code arguments`.
    struct Expectation: Sendable, CustomTestStringConvertible {
        var line: Int
        var digest: String
        var code: Int32
        var question: String

        var testDescription: String { "line \(line): replay \(question)" }

        init?(line: Int, _ text: Substring) {
            let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let code = Int32(parts[1]) else { return nil }
            self.line = line
            (digest, self.code, question) = (parts[0], code, parts[2])
        }
    }

    /// The exit code of an answer and the digest of its bytes.
    struct Answered: Hashable {
        var code: Int32
        var digest: String
    }

    static let folder = Checkout.root.appending(path: "Tests/Witness")

    static let expectations: [Expectation] = {
        let file = folder.appendingPathComponent("expected.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").enumerated().compactMap { index, line in
            Expectation(line: index + 1, line)
        }
    }()

    /// A copy of the log that all questions are put to.
    static let shared = Result { try WitnessCopy() }

    @Test("The expected answers are all read, and cover every projection and report")
    func isWhole() throws {
        let file = Self.folder.appendingPathComponent("expected.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(Self.expectations.count == lines.count && lines.count > 300)
        let questions = Self.expectations.map(\.question)
        let schema = try WitnessCopy.objects(Self.folder.appendingPathComponent("schema.jsonl"))
        for entry in schema where entry["kind"] as? String == "projection" {
            let name = try #require(entry["name"] as? String)
            for rules in ["standard", "source"] {
                #expect(questions.contains("trace \(name) --rules \(rules)"))
            }
        }
        for name in [
            "daily", "weekly", "monthly", "next-feeding", "last", "today", "landing",
            "recommendation", "home", "track",
        ] {
            #expect(questions.contains { $0.hasPrefix("report \(name) ") }, "\(name)")
        }
    }

    @Test("Every kind of event that the earlier release knew is in the log")
    func holdsEveryKind() throws {
        let schema = try WitnessCopy.objects(Self.folder.appendingPathComponent("schema.jsonl"))
        let kinds = schema.filter { $0["kind"] as? String == "event" }
            .compactMap { $0["name"] as? String }
        let events = try Self.shared.get().ask(["log", "--json"]).objects()
        let stored = Set(events.compactMap { $0["kind"] as? String })
        #expect(kinds.count == 52)
        #expect(Set(kinds).subtracting(stored).isEmpty)
    }

    @Test("An answer is the same, byte for byte", arguments: Cases.sample(expectations))
    func answers(_ expected: Expectation) throws {
        let arguments = expected.question.split(separator: " ").map(String.init)
        let answer = try Self.shared.get().ask(arguments)
        let given = Answered(code: answer.code, digest: WitnessCopy.digest(answer.out))
        #expect(
            given == Answered(code: expected.code, digest: expected.digest),
            """
            Tests/Witness/expected.txt:\(expected.line): 'replay \(expected.question)' answers \
            otherwise than before: \(answer.out.prefix(400))\(answer.err)
            """)
    }

    @Test("Everything that the earlier schema lists is listed still, in the same form")
    func schemaOnlyGrows() throws {
        func names(_ entries: [[String: Any]]) -> [String: NSDictionary] {
            Dictionary(
                entries.map { ("\($0["kind"] ?? "") \($0["name"] ?? "")", $0 as NSDictionary) },
                uniquingKeysWith: { first, _ in first })
        }
        let before = names(
            try WitnessCopy.objects(Self.folder.appendingPathComponent("schema.jsonl")))
        let now = names(try ReplayProcess.run(["schema", "--json"]).objects())
        #expect(before.count > 100)
        for (name, entry) in before {
            let listed = try #require(now[name], "\(name) is missing")
            // A field of a state may be missing where it had a value that no event had set.
            let mayLack = name.hasPrefix("projection ")
            #expect(
                WitnessCopy.contains(listed, entry, mayLack: mayLack),
                "\(name): \(listed), was \(entry)")
        }
    }

    @Test("A request and a file that the earlier release took are known, and the log goes on")
    func isContinued() throws {
        let log = try WitnessCopy()
        let memo =
            #"{"command": "baby-care.record", "at": "2026-02-15T04:00:00Z", "actor": "ana", "#
            + #""device": "phone-1", "zone": "Asia/Seoul", "key": "memo-1", "data": {"entryId": "#
            + #""note", "babyId": "mia", "kind": "memo", "startedUs": "2026-02-15T04:00:00Z", "#
            + #""value": {"note": "smiled at the cat"}, "meta": {}, "by": "ana"}}"#
        let before = try #require(try log.ask(["verify", "--json"]).objects().first)
        let count = try #require(before["events"] as? Int)
        let repeated = try log.ask(["append"], input: memo)
        #expect(repeated.code == 0, "\(repeated.err)")
        let other = memo.replacingOccurrences(of: "smiled at", with: "frowned at")
        #expect(try log.ask(["append"], input: other).code == 1)
        let file = """
            child_id,start,end,type,method,amount,notes
            1,2026-02-15 03:04:09,2026-02-15 03:12:09,formula,bottle,90.5,n
            1,2026-02-15 07:04:09,2026-02-15 07:12:09,solid food,parent fed,2,
            1,2026-02-15 09:04:09,2026-02-15 09:12:09,breast milk,right breast,,

            """
        let imported = try log.ask(
            [
                "import", "--format", "babybuddy", "--baby", "leo", "--zone",
                "America/Los_Angeles", "--tzdata", "ZONES", "--by", "cleo", "--json", "-",
            ], input: file)
        let counts = try #require(try imported.objects().first, "\(imported.err)")
        #expect(counts["accepted"] as? Int == 0 && counts["duplicates"] as? Int == 3, "\(counts)")

        let unchanged = try #require(try log.ask(["verify", "--json"]).objects().first)
        #expect(unchanged["head"] as? String == before["head"] as? String)

        let fresh = memo.replacingOccurrences(of: #""memo-1""#, with: #""memo-2""#)
            .replacingOccurrences(of: #""note", "babyId""#, with: #""note-2", "babyId""#)
        let appended = try log.ask(["append"], input: fresh)
        #expect(appended.code == 0, "\(appended.err)")
        let after = try #require(try log.ask(["verify", "--json"]).objects().first)
        #expect(after["ok"] as? Bool == true && after["events"] as? Int == count + 1)
    }
}

/// The witness in a folder of its own.
final class WitnessCopy: Sendable {
    private let folder: TemporaryFolder
    private let log: String

    init() throws {
        folder = try TemporaryFolder()
        log = folder.path("log.daybook")
        try FileManager.default.copyItem(
            atPath: WitnessTests.folder.appendingPathComponent("log.daybook").path, toPath: log)
    }

    func ask(_ arguments: [String], input: String = "") throws -> ReplayProcess.Answer {
        let zones = WitnessTests.folder.appendingPathComponent("zoneinfo").path
        return try ReplayProcess.run(
            arguments.map { $0 == "ZONES" ? zones : $0 }, input: input,
            environment: ["DAYBOOK_LOG": log, "TZ": "UTC", "LC_ALL": "C"])
    }

    /// The digest of an answer without the sizes that `stat` gives.
    static func digest(_ answer: String) -> String {
        let stable = answer.replacing(/"(file|free|map)Bytes":[0-9]+,/, with: "")
        return SHA256.hash(Array(stable.utf8))
            .map { String(format: "%02x", $0) }.joined()
    }

    static func objects(_ file: URL) throws -> [[String: Any]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// Tells if `whole` has everything of `part`: every member of an object, every element of a
    /// list in its place, every name of an enum, which may have others behind them.
    ///
    /// - Parameter mayLack: true if a form of `whole` may be the optional of that of `part`.
    static func contains(_ whole: Any?, _ part: Any, mayLack: Bool = false) -> Bool {
        switch (whole, part) {
        case (let whole as [String: Any], let part as [String: Any]):
            part.allSatisfy { contains(whole[$0.key], $0.value, mayLack: mayLack) }
        case (let whole as [Any], let part as [Any]):
            whole.count >= part.count
                && zip(whole, part).allSatisfy { contains($0, $1, mayLack: mayLack) }
        case (let whole as String, let part as String)
        where mayLack && whole.hasSuffix("?") && !part.hasSuffix("?"):
            contains(String(whole.dropLast()), part)
        case (let whole as String, let part as String) where part.contains("one of "):
            // A stored enum gets new cases at its end.
            grows(from: part, to: whole)
        default:
            (whole as? NSObject) == (part as? NSObject)
        }
    }

    private static func grows(from part: String, to whole: String) -> Bool {
        // Of an optional, or of a list.
        let ending = String(part.reversed().prefix { "?]}".contains($0) }.reversed())
        guard whole.hasSuffix(ending) else { return false }
        let (before, now) = (part.dropLast(ending.count), whole.dropLast(ending.count))
        return now == before || now.hasPrefix(before + ", ")
    }
}
