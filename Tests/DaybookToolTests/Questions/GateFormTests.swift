import Foundation
import TestSupport
import Testing

/// Findings in the forms that build servers read.
@Suite struct GateFormTests {
    /// A log with a sleep of 25 hours, which breaks rule B6.
    private static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let midnight = 1_583_643_600_000_000
        let answer = try log.replay(
            "append", "--each",
            input: #"{"event": "baby-care.entry-recorded.v1", "at": "2020-03-10T12:00:00Z", "#
                + #""data": {"entryId": "a,b:c%", "babyId": "b", "kind": "sleep", "#
                + #""state": "closed", "startedUs": \#(midnight), "#
                + #""endedUs": \#(midnight + 25 * 3_600_000_000), "#
                + #""value": {}, "source": "manual", "entryMode": "manual_form"}}"# + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    /// Makes a folder with a source file of the given path, in which a command is run.
    private static func checkout(_ log: ScratchLog, _ paths: [String]) throws -> URL {
        let folder = log.folder.appendingPathComponent("checkout")
        for path in paths {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        return folder
    }

    @Test("An annotation stands at the line that declares the rule, with its text escaped")
    func annotations() throws {
        let log = try Self.log()
        let folder = try Self.checkout(
            log, ["Sources/Other/AuditRules.swift", "Sources/DaybookModel/Care/AuditRules.swift"])
        let answer = try ReplayProcess.run(
            ["audit", "--format", "annotations", "--log", log.path], in: folder)
        expect(answer.code, equals: 1)
        let line = try #require(answer.out.split(separator: "\n").first)
        #expect(line.hasPrefix("::error file=Sources/DaybookModel/Care/AuditRules.swift,line="))
        #expect(line.contains(",title=B6 A sleep is longer than 24 hours::entry:a,b:c%25: "))
    }

    @Test(
        "A rule whose file is missing or ambiguous has no place",
        arguments: [
            ["Sources/Other/AuditRules.swift"],
            ["Sources/DaybookModel/A/AuditRules.swift", "Sources/DaybookModel/B/AuditRules.swift"],
        ])
    func noPlace(_ paths: [String]) throws {
        let log = try Self.log()
        let answer = try ReplayProcess.run(
            ["audit", "--format", "annotations", "--log", log.path],
            in: try Self.checkout(log, paths))
        #expect(answer.out.hasPrefix("::error title=B6 A sleep is longer than 24 hours::entry:"))
    }

    @Test("SARIF names each rule and each result with its place")
    func sarif() throws {
        let log = try Self.log()
        let folder = try Self.checkout(log, ["Sources/DaybookModel/My Care/AuditRules.swift"])
        let answer = try ReplayProcess.run(
            ["audit", "--format", "sarif", "--log", log.path], in: folder)
        let sarif = try #require(try answer.objects().first)
        expect(sarif["version"] as? String, equals: "2.1.0")
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let result = try #require((run["results"] as? [[String: Any]])?.first)
        expect(result["ruleId"] as? String, equals: "B6")
        let index = try #require(result["ruleIndex"] as? Int)
        expect(rules[index]["id"] as? String, equals: "B6")
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
        #expect(
            physical["artifactLocation"]?["uri"] as? String
                == "Sources/DaybookModel/My%20Care/AuditRules.swift")
        #expect((physical["region"]?["startLine"] as? Int ?? 0) > 1)
        let prints = try #require(result["partialFingerprints"] as? [String: String])
        expect(prints, equals: ["daybook/v1": "B6/entry:a,b:c%/1"])
    }

    @Test("Findings of one rule in one event have fingerprints of their own")
    func fingerprints() throws {
        let log = try ScratchLog()
        let answer = try log.replay(
            "append", "--each",
            input: #"{"event": "launch.remote-config-fetched.v1", "at": "2026-02-04T12:00:00Z", "#
                + #""data": {"launchId": "a", "device": "d", "configDigest": "sha256:00", "#
                + #""source": "cache", "latencyMs": 2, "minVersion": "x", "latestVersion": "y", "#
                + #""blacklist": [], "problems": []}}"# + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
        let audit = try log.replay("audit", "--rule", "L3", "--format", "sarif")
        let runs = try #require(try audit.objects().first?["runs"] as? [[String: Any]])
        let results = try #require(runs.first?["results"] as? [[String: Any]])
        let prints = results.compactMap { $0["partialFingerprints"] as? [String: String] }
        expect(
            prints.compactMap { $0["daybook/v1"] }, equals: ["L3/launch:a/1", "L3/launch:a/1/2"])
    }

    @Test("JUnit has a test for each rule")
    func jUnit() throws {
        let log = try Self.log()
        let answer = try log.replay("audit", "--format", "junit", "--rule", "B6", "--rule", "B7")
        expect(answer.code, equals: 1)
        #expect(answer.out.contains(#"<testsuite name="replay audit" tests="2" failures="1" "#))
        #expect(answer.out.contains(#"<testcase classname="audit" name="B7" "#))
        #expect(
            answer.out.contains(
                #"<failure message="A sleep is longer than 24 hours: entry:a,b:c%: position 1, "#))
    }

    @Test("A clean log has one notice, no result and only passed tests")
    func clean() throws {
        let log = try Self.log()
        func audit(_ form: String) throws -> ReplayProcess.Answer {
            let answer = try log.replay("audit", "--rule", "B7", "--format", form)
            expect(answer.code, equals: 0)
            return answer
        }
        #expect(
            try audit("annotations").out
                == "::notice title=replay audit::no findings in 1 event\n")
        #expect(try audit("sarif").out.contains(#""results":[]"#))
        #expect(try audit("junit").out.contains(#"tests="1" failures="0" errors="0""#))
    }

    @Test("A comparison shows each cause at the declaration of the projection or report")
    func compare() throws {
        let log = try Self.log()
        let folder = try Self.checkout(log, ["Sources/DaybookModel/BabyCare.swift"])
        func compare(_ arguments: String...) throws -> ReplayProcess.Answer {
            try ReplayProcess.run(["compare", "--log", log.path] + arguments, in: folder)
        }
        let states = try compare(
            "--projection", "entry", "--other-rules", "source", "--format", "annotations")
        expect(states.code, equals: 0)
        expect(
            states.out,
            equals: "::notice title=replay compare::1 event of 1 entity: no difference\n")
        // The other log is empty.
        let other = try ScratchLog()
        try expect(other.replay("append", input: "").code, equals: 0)
        let differing = try ReplayProcess.run(
            ["compare", log.path, other.path, "--projection", "entry", "--format", "annotations"],
            in: folder)
        expect(differing.code, equals: 1)
        #expect(differing.out.contains("file=Sources/DaybookModel/BabyCare.swift,line="))
        #expect(differing.out.contains("title=compare/entry The states of the projection 'entry'"))
        #expect(differing.out.contains("baby-care.entry-recorded.v1"))
    }

    @Test("A failed expectation and an unreadable file stand at their lines")
    func check() throws {
        let scratch = try ScratchLog()
        let failing = try scratch.file(
            "fails.yaml",
            """
            scenario: Nothing happens
            when: []
            then:
              - count: {launch.app-launched.v1: 1}

            """)
        let unreadable = try scratch.file("bad.yaml", "scenario: x\nwen: []\n")
        let answer = try ReplayProcess.run(
            ["check", failing, unreadable, "--format", "annotations"])
        expect(answer.code, equals: 2)
        let lines = answer.out.split(separator: "\n")
        expect(lines.count, equals: 2)
        #expect(lines[0].contains("fails.yaml,line=4,title=scenario An expectation"))
        #expect(lines[1].contains("bad.yaml,line=2,title=input A scenario file cannot be run::"))
        let coverage = try ReplayProcess.run(
            ["check", failing, "--coverage", "1", "--format", "junit"])
        expect(coverage.code, equals: 1)
        #expect(coverage.out.contains(#"<testcase classname="coverage" name="kinds">"#))
        #expect(coverage.out.contains(#"<failure message="0 of "#))
    }

    @Test("A transition that no scenario has is a finding, and a rewritten file none")
    func undeclaredAndUpdate() throws {
        let scratch = try ScratchLog()
        let passing = try scratch.file(
            "ok.yaml", "scenario: x\nwhen: []\nthen:\n  - count: {launch.app-launched.v1: 0}\n")
        let answer = try ReplayProcess.run(
            [
                "check", passing, "--coverage", "0", "--undeclared", "nope x", "--format",
                "annotations",
            ])
        expect(answer.code, equals: 1)
        #expect(answer.out.hasPrefix("::error title=coverage "), "\(answer.out)")
        let update = try ReplayProcess.run(["check", passing, "--update", "--format", "sarif"])
        expect(update.code, equals: 2)
        #expect(update.err.contains("--update repairs what --format sarif would report"))
    }

    @Test("A result of SARIF without a place of its own stands at the package")
    func packagePlace() throws {
        let log = try Self.log()
        let folder = try Self.checkout(log, ["Package.swift"])
        func sarif(in folder: URL) throws -> String {
            try ReplayProcess.run(["audit", "--format", "sarif", "--log", log.path], in: folder).out
        }
        #expect(try sarif(in: folder).contains(#"{"uri":"Package.swift","uriBaseId":"%SRCROOT%"}"#))
        #expect(try sarif(in: log.folder).contains(#"{"uri":"file://\#(log.path)"}"#))
        let name = URL(fileURLWithPath: log.path).lastPathComponent
        let relative = try ReplayProcess.run(
            ["audit", "--format", "sarif", "--log", "./\(name)"], in: log.folder)
        #expect(relative.out.contains(#"{"uri":"\#(name)","uriBaseId":"%SRCROOT%"}"#))
    }

    @Test("Expected differences are named in the summary, and an unknown key is a finding")
    func expectedAndMissing() throws {
        let (log, other) = (try Self.log(), try ScratchLog())
        try expect(other.replay("append", input: "").code, equals: 0)
        let expected = try log.file("expected.yaml", "- {field: '*', reason: meant}\n")
        let meant = try ReplayProcess.run(
            [
                "compare", log.path, other.path, "--projection", "entry", "--expect", expected,
                "--format", "annotations",
            ])
        expect(meant.code, equals: 0)
        #expect(meant.out.hasSuffix(": no other difference than expected in 1\n"), "\(meant.out)")
        let missing = try ReplayProcess.run(
            [
                "compare", log.path, other.path, "--projection", "entry", "--key", "zz",
                "--format", "junit",
            ])
        expect(missing.code, equals: 1)
        #expect(
            missing.out.contains("neither side has an event of entry &apos;zz&apos;")
                || missing.out.contains("neither side has an event of entry 'zz'"), "\(missing.out)"
        )
    }

    @Test("A file named with a leading dot has the same place and identity as without")
    func leadingDot() throws {
        let scratch = try ScratchLog()
        _ = try scratch.file(
            "fails.yaml", "scenario: x\nwhen: []\nthen:\n  - count: {launch.app-launched.v1: 1}\n")
        let answers = try ["fails.yaml", "./fails.yaml"].map { name in
            try ReplayProcess.run(["check", name, "--format", "sarif"], in: scratch.folder).out
        }
        expect(answers[0], equals: answers[1])
        #expect(answers[0].contains(#""uri":"fails.yaml""#))
    }

    @Test("--json excludes the other forms")
    func jsonAndFormat() throws {
        let answer = try ReplayProcess.run(["audit", "--json", "--format", "sarif"])
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("Give only one of --json and --format sarif."))
    }
}
