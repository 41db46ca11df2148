import Foundation
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
        #expect(answer.code == 0, "\(answer.err)")
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
        #expect(answer.code == 1)
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
        #expect(sarif["version"] as? String == "2.1.0")
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let result = try #require((run["results"] as? [[String: Any]])?.first)
        #expect(result["ruleId"] as? String == "B6")
        let index = try #require(result["ruleIndex"] as? Int)
        #expect(rules[index]["id"] as? String == "B6")
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
        #expect(
            physical["artifactLocation"]?["uri"] as? String
                == "Sources/DaybookModel/My%20Care/AuditRules.swift")
        #expect((physical["region"]?["startLine"] as? Int ?? 0) > 1)
        let prints = try #require(result["partialFingerprints"] as? [String: String])
        #expect(prints == ["daybook/v1": "B6/entry:a,b:c%/1"])
    }

    @Test("JUnit has a test for each rule")
    func jUnit() throws {
        let log = try Self.log()
        let answer = try log.replay("audit", "--format", "junit", "--rule", "B6", "--rule", "B7")
        #expect(answer.code == 1)
        #expect(answer.out.contains(#"<testsuite name="replay audit" tests="2" failures="1" "#))
        #expect(answer.out.contains(#"name="B6 A sleep is longer than 24 hours""#))
        #expect(answer.out.contains(#"<failure message="entry:a,b:c%: position 1, expected "#))
    }

    @Test("A clean log has one notice, no result and only passed tests")
    func clean() throws {
        let log = try Self.log()
        func audit(_ form: String) throws -> ReplayProcess.Answer {
            let answer = try log.replay("audit", "--rule", "B7", "--format", form)
            #expect(answer.code == 0)
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
        #expect(states.code == 0)
        #expect(
            states.out == "::notice title=replay compare::1 event of 1 entity: no difference\n")
        // The last event of one log is missing in the other.
        let other = try ScratchLog()
        #expect(try other.replay("append", input: "").code == 0)
        let differing = try ReplayProcess.run(
            ["compare", log.path, other.path, "--projection", "entry", "--format", "annotations"],
            in: folder)
        #expect(differing.code == 1)
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
        #expect(answer.code == 2)
        let lines = answer.out.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("fails.yaml,line=4,title=scenario An expectation"))
        #expect(lines[1].contains("bad.yaml,line=2,title=input A scenario file cannot be run::"))
        let coverage = try ReplayProcess.run(
            ["check", failing, "--coverage", "1", "--format", "junit"])
        #expect(coverage.out.contains(#"classname="coverage""#))
    }

    @Test("--json excludes the other forms")
    func jsonAndFormat() throws {
        let answer = try ReplayProcess.run(["audit", "--json", "--format", "sarif"])
        #expect(answer.code == 2)
        #expect(answer.err.contains("Give only one of --json and --format sarif."))
    }
}
