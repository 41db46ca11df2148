import Foundation
import TestSupport
import Testing

/// Messages about what was mistyped, and the help that goes with them.
@Suite struct SuggestionTests {
    static let books = LogListingTests.books

    @Test(
        "A mistyped name is refused with the closest known one",
        arguments: [
            (["histroy"], "There is no command 'histroy'; did you mean 'history'?"),
            (["state", "sesion"], "There is no projection 'sesion'; did you mean 'session'?"),
            (["report", "dayly"], "There is no report 'dayly'; did you mean 'daily'?"),
            (
                ["report", "daily", "--baby", "b", "--dat", "x"],
                "Unknown option '--dat'; did you mean"
            ),
            (["state", "splash", "--vald-at", "x"], "Did you mean '--valid-at'?"),
            (["import", "--format", "babyconect", "f"], "Did you mean 'babyconnect'?"),
            (["state", "splash", "--rules", "sorce"], "did you mean 'source'?"),
            (["transitions", "spalsh"], "did you mean 'splash'?"),
            (["schema", "lanch"], "report or other part named 'lanch'; did you mean"),
            (["audit", "--rule", "B77"], "There is no audit rule 'B77'; did you mean 'B7'?"),
            (["trace", "--report", "dayly", "--from", "x", "--to", "y"], "did you mean 'daily'?"),
            (["bisect", "report.dayly", "--until", "x"], "did you mean 'report.daily'?"),
            (["snapshot", "spash"], "did you mean 'splash'?"),
            (["export", "--format", "gpxx", "--run", "r"], "did you mean 'gpx'?"),
            (
                ["late", "--of", "bay:b"],
                "no event has a tag that begins with 'bay:'; did you mean 'baby'?"
            ),
            (
                ["audit", "--of", "bay:b"],
                "no event has a tag that begins with 'bay:'; did you mean 'baby'?"
            ),
            (
                ["capture", "--tag", "usr:b"],
                "no event has a tag that begins with 'usr:'; did you mean 'user'?"
            ),
        ])
    func mistyped(_ arguments: [String], _ message: String) throws {
        let log = try AnswerTests.log()
        let answer = try ReplayProcess.run(arguments, environment: ["DAYBOOK_LOG": log.path])
        #expect(answer.code == 2, "\(answer.err)")
        #expect(answer.out.isEmpty)
        #expect(answer.err.lowercased().contains(message.lowercased()), "\(answer.err)")
    }

    @Test(
        "Words of other tools lead to the command or option that does the same",
        arguments: [
            (["serve"], "'replay view' does that"), (["timeline"], "'replay view' does that"),
            (["ui"], "'replay view' does that"), (["open"], "'replay view' does that"),
            (["dashboard"], "'replay view' does that"),
            (["sql"], "'replay export --format sql' does that"),
            (["describe"], "'replay schema' does that"),
            (["tail"], "'replay log --follow' does that"),
            (["grep"], "'replay log --contains TEXT' does that"),
            (["diff"], "'replay state NOUN KEY --at A --to B' or 'replay compare' does that"),
            (["log", "--last", "3"], "'--reverse -n 10' lists the newest ten."),
            (["log", "--days", "3"], "Did you mean '--from'?"),
            (["report", "daily", "--baby", "b", "--days", "3"], "Did you mean '--from'?"),
            (["report", "daily", "--baby", "b", "--last", "3"], "Did you mean '--from'?"),
            (["state", "splash", "--last", "3"], "'--at' answers as of a time"),
            (["audit", "--code", "B7"], "Did you mean '--rule'?"),
        ])
    func otherTools(_ arguments: [String], _ hint: String) throws {
        let answer = try ReplayProcess.run(arguments, environment: ["DAYBOOK_LOG": ""])
        answer.ends(2)
        answer.says(hint, answer.err)
    }

    @Test(
        "No hint names an option that the command does not have",
        arguments: [
            "schema --last 3", "check --code x", "log --code x", "report daily --code x",
            "stat --days 3", "schema --grep x",
        ])
    func noWrongOption(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let first =
            try ReplayProcess.run(words, environment: ["DAYBOOK_LOG": ""]).err
            .split(separator: "\n").first ?? ""
        #expect(first.contains("Unknown option '\(words[words.count - 2])'"), "\(first)")
        #expect(!first.contains("Did you mean") && !first.contains("did you mean"), "\(first)")
    }

    @Test(
        "Appended names are refused with the closest known one",
        arguments: [
            (#"{"command": "launch.lanch-app", "data": {}}"#, "did you mean 'launch.launch-app'?"),
            (
                #"{"event": "launch.app-lunched.v1", "data": {}}"#,
                "did you mean 'launch.app-launched.v1'?"
            ),
        ])
    func mistypedInput(_ line: String, _ message: String) throws {
        let answer = try ScratchLog().replay("append", input: line + "\n")
        #expect(answer.code == 2)
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test(
        "Bad usage is answered with the usage of the command that was called",
        arguments: [
            (["log", "--limit", "-1"], "Usage: replay log"),
            (["state", "nothing"], "Usage: replay state"),
            (["report", "daily", "--baby", "b"], "Usage: replay report daily --baby <text>"),
            (["report", "nothing"], "Usage: replay report <name>"),
            (["import", "--format", "gpx", "f"], "Usage: replay import"),
            (["what-if", "splash"], "Usage: replay what-if"),
            (["ranking", "--week", "x"], "Usage: replay ranking"),
            (
                ["launch-decision", "--config", "f", "--now", "now"],
                "Usage: replay launch-decision"
            ),
        ])
    func usage(_ arguments: [String], _ usage: String) throws {
        let answer = try ReplayProcess.run(arguments, environment: ["DAYBOOK_LOG": ""])
        #expect(answer.code == 2)
        #expect(answer.err.contains(usage), "\(answer.err)")
        #expect(!answer.err.contains("<subcommand>"))
        #expect(answer.err.contains("--help' for more information."), "\(answer.err)")
    }

    /// The examples of a command's help.
    private func examples(_ command: String, of program: URL) throws -> [String] {
        let help = try ReplayProcess.run([command, "--help"], program: program)
        #expect(help.code == 0)
        guard let start = help.out.range(of: "EXAMPLES:\n") else { return [] }
        return help.out[start.upperBound...].split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private func commands(of program: URL) throws -> [String] {
        let help = try ReplayProcess.run(["--experimental-dump-help"], program: program).out
        let tree = try #require(
            try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
        let root = try #require(tree["command"] as? [String: Any])
        return try #require(root["subcommands"] as? [[String: Any]])
            .compactMap { $0["commandName"] as? String }.filter { $0 != "help" }
    }

    @Test(
        "Each command's help has examples that parse, in a foreign area's program too",
        arguments: [ReplayProcess.binary, books])
    func examplesParse(_ program: URL) throws {
        let folder = try ScratchLog().folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = program.lastPathComponent
        for command in Cases.sample(try commands(of: program)) {
            let examples = try examples(command, of: program)
            #expect(!examples.isEmpty, "\(name) \(command) has no example")
            // These two do not end, and the second would open a browser.
            for example in examples
            where !example.contains("--follow") && !example.contains("--open") {
                #expect(example.hasPrefix("\(name) \(command)"), "\(example)")
                let words = example.replacingOccurrences(of: name + " ", with: program.path + " ")
                    .replacingOccurrences(of: "< lines.jsonl", with: "< /dev/null")
                let answer = try ReplayProcess.run(
                    ["-c", words], environment: ["DAYBOOK_LOG": folder.path + "/none"],
                    program: URL(fileURLWithPath: "/bin/bash"), in: folder)
                #expect(!answer.err.contains("Usage:"), "\(example): \(answer.err)")
                #expect(answer.code < 3, "\(example): \(answer.err)")
            }
        }
    }

    @Test("The manual has every example of the help pages")
    func manualHasTheExamples() throws {
        let manual = try String(
            contentsOf: Checkout.root.appending(path: "docs/replay.1"), encoding: .utf8
        ).replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\(aq", with: "'")
        for command in Cases.sample(try commands(of: ReplayProcess.binary)) {
            for example in try examples(command, of: ReplayProcess.binary) {
                #expect(manual.contains("\n\(example)\n"), "the manual lacks: \(example)")
            }
        }
    }
}
