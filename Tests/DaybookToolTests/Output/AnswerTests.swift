import Foundation
import TestSupport
import Testing

@Suite struct AnswerTests {
    /// A launch that is checked against a config without an update, and nobody signed in.
    static let story = [
        #"{"event": "launch.app-launched.v1", "at": "2026-01-21T10:00:00Z", "actor": "u1", "#
            + #""device": "d1", "data": {"launchId": "l1", "appVersion": "1.0.0", "#
            + #""platform": "ios", "firstLaunch": true, "device": "d1"}}"#,
        #"{"event": "session.login-status-checked.v1", "at": "2026-01-21T10:00:02Z", "#
            + #""data": {"launchId": "l1", "result": "notLoggedIn", "device": "d1"}}"#,
    ]

    static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let answer = try log.replay("append", "--each", input: story.joined(separator: "\n") + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    @Test("A state is shown at any moment")
    func stateIsShownAtAnyMoment() throws {
        let log = try Self.log()
        let now = try log.replay("state", "splash", "l1", "--json").objects().first
        let first = try log.replay("state", "splash", "l1", "--at", "1", "--json").objects().first
        expect(now?["position"] as? Int, equals: 2)
        expect((first?["state"] as? [String: Any])?["state"] as? String, equals: "loading")
        #expect(
            try log.replay("state", "splash", "l1", "--valid-at", "2026-01-21T10:00:01Z", "--json")
                .out.contains(#""unexpectedTransitions":0"#))
        let missing = try log.replay("state", "splash", "nobody")
        expect(missing.code, equals: 1)
        #expect(missing.err.contains("no event of launch 'nobody'"))
    }

    @Test("The state command without a key lists all entities")
    func stateWithoutAKeyListsAllEntities() throws {
        let log = try Self.log()
        let all = try log.replay("state", "splash", "--json").objects()
        expect(all.map { $0["key"] as? String }, equals: ["l1"])
    }

    @Test("A history shows each change with its cause")
    func historyShowsEachChangeWithItsCause() throws {
        let log = try Self.log()
        let steps = try log.replay("history", "splash", "l1", "--json").objects()
        expect(steps.count, equals: 2)
        expect(steps.first?["kind"] as? String, equals: "launch.app-launched.v1")
        expect(steps.first?["actor"] as? String, equals: "u1")
        let changes = try #require(steps.first?["changes"] as? [[String: Any]])
        #expect(changes.contains { $0["field"] as? String == "currentVersion" })
    }

    @Test("Events are found by kind, tag and commit in both orders")
    func eventsAreFoundByKindTagAndCommitInBothOrders() throws {
        let log = try Self.log()
        try expect(log.replay("log", "--tag", "launch:l1", "--json").objects().count, equals: 2)
        #expect(try log.replay("log", "--tag", "launch:l2", "--json").objects().isEmpty)
        try expect(
            log.replay("log", "--kind", "launch.app-launched.v1", "--json").objects().count,
            equals: 1
        )
        let reversed = try log.replay("log", "--reverse", "--limit", "1", "--json").objects()
        expect(reversed.first?["position"] as? Int, equals: 2)
        try expect(log.replay("log", "--commit", "2", "--json").objects().count, equals: 1)
        try expect(log.replay("log", "--after", "1", "--json").objects().count, equals: 1)
    }

    @Test(
        "Bad usage ends with 2 and says what was expected",
        arguments: [
            (["state", "nothing", "x"], "There is no projection 'nothing'"),
            (["state", "splash", "--at", "99"], "the log ends at position 2"),
            (["state", "splash", "--at", "noon"], "expected a time like 2026-07-12T12:00:00Z"),
            (["state", "splash", ""], "A key must not be empty"),
            (["history", "splash", String(repeating: "x", count: 600)], "A key must not be empty"),
            (["log", "--kind", "x"], "expected a name like "),
            (["log", "--tag", "x"], "noun:id"),
            (["log", "--commit", "9"], "the log has no event at this position"),
            (["log", "--follow", "--reverse"], "--follow cannot be combined with"),
            (["state", "splash", "--rules", "mine"], "'standard', 'source' or 'source-eab2a79'"),
        ])
    func badUsage(_ arguments: [String], _ message: String) throws {
        let log = try Self.log()
        let answer = try ReplayProcess.run(arguments + ["--log", log.path])
        expect(answer.code, equals: 2)
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test("The environment variable names the log")
    func theVariableNamesTheLog() throws {
        let log = try Self.log()
        let answer = try ReplayProcess.run(
            ["stat", "--json"], environment: ["DAYBOOK_LOG": log.path])
        try expect(answer.objects().first?["events"] as? Int, equals: 2)
        let none = try ReplayProcess.run(["stat"], environment: ["DAYBOOK_LOG": ""])
        expect(none.code, equals: 2)
        #expect(none.err.contains("DAYBOOK_LOG"))
    }

    @Test("A missing, damaged or foreign log is reported as such")
    func aMissingOrDamagedOrForeignLogIsSaidToBeSo() throws {
        let log = try ScratchLog()
        let missing = try log.replay("stat")
        expect(missing.code, equals: 2)
        #expect(missing.err.contains("there is no such log"))
        let foreign = try log.file("log.daybook", String(repeating: "no log ", count: 3_000))
        let answer = try log.replay("verify")
        expect(answer.code, equals: 3)
        #expect(answer.err.contains("\(foreign): the file is not an LMDB file"), "\(answer.err)")
    }

    @Test("The first event of an entity shows what it set, and later ones what became of it")
    func firstEvent() throws {
        let log = try LogListingTests.log()
        let lines = try log.replay("history", "splash", "l1").out.split(separator: "\n")
        #expect(lines.contains("    launchId: \"l1\""), "\(lines)")
        #expect(!lines.contains { $0.contains("→") }, "\(lines)")
        let blamed = try log.replay("blame", "splash", "l1", "launchId").out
        #expect(blamed.hasSuffix("    launchId: \"l1\"\n"), "\(blamed)")
        let found = try log.replay("bisect", "splash", "l1", "--until", "launchId == \"l1\"").out
        #expect(found.contains("\n    launchId: \"l1\"\n"), "\(found)")
        let json = try log.replay("history", "splash", "l1", "--json").objects()
        let changes = try #require(json.first?["changes"] as? [[String: Any]])
        #expect(
            changes.contains { $0["before"] == nil && $0["after"] as? String == "l1" })
    }

    @Test("The schema explains a rule of an audit, and what its elements are told apart by")
    func schemaOfRules() throws {
        let rule = try ReplayProcess.run(["schema", "B7"])
        expect(
            rule.out,
            equals: """
                rule  B7
                    Two entries of the same kind overlap
                    part of the audit baby-care: replay audit --rule B7

                """, "\(rule.err)")
        let json = try ReplayProcess.run(["schema", "t2", "--json"]).objects()
        expect(json.map { $0["name"] as? String }, equals: ["T2"])
        expect(json.first?["audit"] as? String, equals: "session")
        expect((json.first?["summary"] as? String)?.isEmpty, equals: false)
        let unknown = try ReplayProcess.run(["schema", "B77"])
        #expect(unknown.code == 2 && unknown.err.contains("did you mean 'B7'?"), "\(unknown.err)")
        #expect(!(try ReplayProcess.run(["schema"]).out.contains("\nrule  ")))
        let daily = try ReplayProcess.run(["schema", "daily"]).out
        #expect(daily.contains("[object] by entryId"))
    }

    @Test("The schema lists names with their fields")
    func theSchemaListsNamesWithTheirFields() throws {
        let answer = try ReplayProcess.run(["schema", "launch.app-launched.v1", "--json"])
        let entry = try #require(try answer.objects().first)
        expect(entry["kind"] as? String, equals: "event")
        let fields = try #require(entry["fields"] as? [[String: Any]])
        expect(fields.first?["name"] as? String, equals: "launchId")
        #expect(try ReplayProcess.run(["schema", "session"]).out.contains("session.sign-in"))
        try expect(ReplayProcess.run(["schema", "nothing"]).code, equals: 2)
    }

    @Test("The schema lists reports, life cycles and audits with what each consists of")
    func schemaOfReportsLifeCyclesAndAudits() throws {
        func entry(_ name: String, _ kind: String) throws -> [String: Any] {
            let entries = try ReplayProcess.run(["schema", name, "--json"]).objects()
            return try #require(entries.first { $0["kind"] as? String == kind })
        }
        let report = try entry("daily", "report")
        let arguments = try #require(report["arguments"] as? [[String: Any]])
        #expect(arguments.contains { $0["name"] as? String == "date" })
        expect((report["fields"] as? [Any])?.isEmpty, equals: false)
        let steps = try #require(
            try entry("splash", "life cycle")["transitions"] as? [[String: Any]])
        #expect(steps.allSatisfy { Set($0.keys) == ["from", "event", "to"] } && !steps.isEmpty)
        let rules = try #require(try entry("household", "audit")["rules"] as? [[String: Any]])
        #expect(rules.allSatisfy { Set($0.keys) == ["code", "sentence"] } && !rules.isEmpty)
        let text = try ReplayProcess.run(["schema", "daily"]).out
        #expect(text.contains("report  daily\n    arguments\n"))
    }

    @Test("Completions and the version are printed")
    func completionsAndVersionAreThere() throws {
        for shell in ["bash", "zsh", "fish"] {
            let answer = try ReplayProcess.run(["--generate-completion-script", shell])
            expect(answer.code, equals: 0)
            #expect(answer.out.contains("launch-decision"))
        }
        try expect(ReplayProcess.run(["--version"]).out, equals: "0.1.0\n")
    }

    @Test("The manual names every command and option")
    func theManualNamesEveryCommandAndOption() throws {
        let manual = try String(
            contentsOf: Checkout.root.appending(path: "docs/replay.1"), encoding: .utf8)
        let help = try ReplayProcess.run(["--experimental-dump-help"]).out
        let tree = try #require(
            try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
        let root = try #require(tree["command"] as? [String: Any])
        for command in try #require(root["subcommands"] as? [[String: Any]]) {
            let name = try #require(command["commandName"] as? String)
            if name == "help" { continue }
            #expect(manual.contains("replay \(name)"), "the manual lacks \(name)")
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                guard let names = argument["names"] as? [[String: Any]] else { continue }
                for long in names.compactMap({ $0["name"] as? String }) where long.count > 1 {
                    let escaped = long.replacingOccurrences(of: "-", with: "\\-")
                    #expect(manual.contains("\\-\\-\(escaped)"), "the manual lacks --\(long)")
                }
            }
        }
    }

    @Test("The manual lists every rule of the audits")
    func theManualListsEveryRule() throws {
        let manual = try String(
            contentsOf: Checkout.root.appending(path: "docs/replay.1"), encoding: .utf8)
        var ruleCount = 0
        for line in try ReplayProcess.run(["schema", "--json"]).out.split(separator: "\n") {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            for rule in entry?["rules"] as? [[String: Any]] ?? [] {
                let code = try #require(rule["code"] as? String)
                #expect(manual.contains("\n.B \(code)\n"), "the manual lacks the rule \(code)")
                ruleCount += 1
            }
        }
        #expect(ruleCount > 80)
    }

    #if os(Linux)
        @Test(
            "An answer that cannot be written ends the command with an error",
            arguments: [["state", "splash"], ["trace", "splash"], ["log"]])
        func full(_ arguments: [String]) throws {
            let log = try Self.log()
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let answer = try ReplayProcess.run(arguments + ["--log", log.path], output: full)
            expect(answer.code, equals: 2)
            #expect(answer.err.contains("standard output cannot be written: No space left"))
        }
    #endif
}
