import Foundation
import TestSupport
import Testing

/// Words that people try, and answers that other programs search.
@Suite struct CommandWordsTests {
    @Test(
        "A word of another tool leads to the one for the same thing",
        arguments: [
            (["show", "4"], "There is no command 'show'; 'replay log POSITION' does that."),
            (["ls"], "There is no command 'ls'; 'replay list' does that."),
            (
                ["diff", "a", "b"],
                "There is no command 'diff'; 'replay state NOUN KEY --at A --to B' or 'replay compare'"
            ),
            (["tail"], "There is no command 'tail'; 'replay log --follow' does that."),
            (["status"], "There is no command 'status'; 'replay stat' does that."),
            (["log", "--since", "yesterday"], "Unknown option '--since'. Did you mean '--from'?"),
            (["log", "--actor", "ann"], "Unknown option '--actor'. 'log --by ACTOR' lists"),
            (["list", "--device", "d1"], "'log --device ID' lists the events of a device."),
            (["late", "--where", "x"], "Unknown option '--where'. 'log --where EXPRESSION'"),
            (["search", "x"], "There is no command 'search'; 'replay log --contains TEXT' does"),
            (["log", "-f"], "'log --follow' waits for more."),
            (["history", "splash", "l1", "--since", "monday"], "--from TIME' lists events"),
            (
                ["state", "splash", "--where", "state == loading", "--from", "yesterday"],
                "Unknown option '--from'. 'log --tag"
            ),
            (
                ["what-if", "--report", "weekly", "--week", "2026-W11", "--skip", "3"],
                "Unknown option '--week'. Arguments of a report are set with '--with week=…'."
            ),
            (["blame", "--report", "daily", "--date", "2026-03-10", "feed"], "'--with date=…'."),
            (
                ["import", "--format", "babyconnect", "--baby", "b", "--amount-unit", "ml", "f"],
                "--amount-unit: the format babyconnect does not have this option."
            ),
            (["version"], "There is no command 'version'; 'replay --version' does that."),
            (["list", "actors"], "'log --json' shows who recorded each commit."),
            (["log", "--from", "2026-11-31"], "--from: there is no day 2026-11-31."),
            (
                ["report", "weekly", "--baby", "b", "--week", "2025-W53"],
                "--week: there is no week 2025-W53."
            ),
            (["log", "--last", "3"], "Unknown option '--last'. '--reverse -n 10' lists"),
            (["verify", "--fix"], "Unknown option '--fix'. A log is not repaired in place"),
            (["append", "lines.jsonl"], "'replay append < lines.jsonl'."),
            (["log", "tour.daybook"], "found 'tour.daybook'; set the log with --log."),
            (["log", "entry:e1"], "found 'entry:e1'; '--tag entry:e1' lists its events."),
            (["log", "--entry", "e1"], "Did you mean '--tag entry:ID'?"),
            (["late", "--baby", "mia"], "Did you mean '--of baby:ID'?"),
            (["state", "splash", "--launch", "l1"], "Give the key of the entity after the name"),
            (["stat", "--format", "json"], "'--json' prints JSON."),
            (["log", "--grep", "x"], "'log --contains TEXT' lists the events with a text."),
            (
                ["history", "splash", "l1", "--from", "-2h"],
                "'log --tag NOUN:ID --from TIME' lists"
            ),
            (["append", "--dry-run"], "FILE' shows what the lines would change."),
            (
                ["launch-decision", "--config", "c.json", "--now", "now", "--version", "1.5.0"],
                "Did you mean '--app-version 1.5.0'?"
            ),
            (["stat", "--version", "1.5.0"], "--version takes no value; it shows"),
            (["list", "-n", "3"], "'| head -n 10' shows the first ten."),
            (["stat", "tour.daybook"], "'tour.daybook'. Set the log with --log."),
        ])
    func otherTools(_ arguments: [String], _ message: String) throws {
        let log = try AnswerTests.log()
        let answer = try ReplayProcess.run(arguments, environment: ["DAYBOOK_LOG": log.path])
        expect(answer.code, equals: 2, "\(answer.err)")
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    private func log(days: Int) throws -> ScratchLog {
        let log = try ScratchLog()
        var lines = [
            #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#
        ]
        for day in 10..<(10 + days) {
            lines.append(
                #"{"command": "baby-care.record", "at": "2026-02-\#(day)T01:00:00Z", "data": {"#
                    + #""entryId": "f\#(day)", "babyId": "b", "kind": "formula", "#
                    + #""startedUs": "2026-02-\#(day)T01:00:00Z", "value": {"ml": 120}}}"#)
        }
        try expect(
            log.replay("append", "--each", input: lines.joined(separator: "\n")).code, equals: 0)
        return log
    }

    @Test("Without a terminal a line is whole, so that a search finds its last word")
    func wholeLines() throws {
        let log = try log(days: 5)
        let lines = try log.replay("log", "--ids").out.split(separator: "\n")
        expect(lines.filter { $0.contains("  formula 120 ml  ") }.count, equals: 5)
        expect(lines.filter { $0.contains(" entry:") }.count, equals: 5)
        #expect(!lines.contains { $0.contains("…") })
    }

    @Test("Lines of a report's text are whole in a pipe, and fit the columns that are named")
    func wholeReports() throws {
        let log = try log(days: 5)
        let reports = try ["80", ""].map { columns in
            try ReplayProcess.run(
                ["report", "weekly", "--baby", "b", "--week", "2026-W07", "--log", log.path],
                environment: columns.isEmpty ? [:] : ["COLUMNS": columns]
            ).out
        }
        let words = reports.map { $0.split(whereSeparator: \.isWhitespace) }
        expect(words[0], equals: words[1])
        let lines = reports.map { $0.split(separator: "\n") }
        #expect(lines[0].count > lines[1].count && lines[0].allSatisfy { $0.count <= 80 })
        #expect(lines[1].contains { $0.count > 80 })
    }

    @Test("A position shows one event, and -n limits a list")
    func positions() throws {
        let log = try log(days: 3)
        #expect(try log.replay("log", "3").out.hasPrefix("3  2026-02-11"))
        try expect(log.replay("log", "-n", "2").out.split(separator: "\n").count, equals: 2)
        let beyond = try log.replay("log", "99")
        expect(beyond.code, equals: 2)
        #expect(beyond.err.contains("99: the log ends at position 4"), "\(beyond.err)")
    }

    @Test("A time that begins with a minus is the value of its option")
    func negativeTimes() throws {
        let log = try log(days: 1)
        let answer = try log.replay("log", "--from", "-2h")
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(answer.err.contains("--from -2h: "))
        #expect(try log.replay("log", "--limit", "-1").err.contains("at least 0, found -1"))
    }

    @Test("A question about all entities says so where nothing was recorded then")
    func beforeTheLog() throws {
        let log = try log(days: 1)
        let answer = try log.replay("state", "entry", "--at", "2020-03-08")
        #expect(answer.out.isEmpty)
        #expect(answer.err.contains("nothing had been recorded by then"), "\(answer.err)")
        #expect(answer.err.contains("--valid-at"))
        for (arguments, code, message) in [
            (["state", "entry", "--at", "0"], Int32(0), "no entry up to position 0"),
            (["state", "splash"], 0, "no launch up to position "),
            (
                ["state", "entry", "f10", "--valid-at", "2020-03-08"], 1,
                "among the events that had happened by 2020-03-08, by the devices' clocks"
            ),
        ] {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            #expect(answer.code == code && answer.out.isEmpty)
            #expect(answer.err.contains(message), "\(answer.err)")
        }
    }

    @Test("Unknown members are left out, and a first event has no values before it")
    func leftOut() throws {
        let log = try log(days: 1)
        let line = try log.replay("log", "2", "--json").out
        for name in ["actor", "device", "correlation"] { #expect(!line.contains("\"\(name)\"")) }
        let first = try log.replay("history", "entry", "f10", "--json").out
        #expect(first.contains(#"{"field":"babyId","after":"b"}"#), "\(first)")
        #expect(!first.contains("\"before\""))
    }

    @Test("A captured scenario replaces no file unless it is told to")
    func captures() throws {
        let log = try log(days: 1)
        let path = log.folder.appendingPathComponent("story.yaml").path
        let capture = ["capture", "entry", "f10", "--output", path]
        try expect(log.replay(capture[0], capture[1], capture[2], capture[3], path).code, equals: 0)
        try "mine".write(toFile: path, atomically: true, encoding: .utf8)
        let again = try log.replay(capture[0], capture[1], capture[2], capture[3], path)
        expect(again.code, equals: 2)
        #expect(again.err.contains("exists already; --force replaces it"), "\(again.err)")
        try expect(String(contentsOfFile: path, encoding: .utf8), equals: "mine")
        let forced = try log.replay(
            capture[0], capture[1], capture[2], capture[3], path, "--force")
        expect(forced.code, equals: 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) != "mine")
    }
}
