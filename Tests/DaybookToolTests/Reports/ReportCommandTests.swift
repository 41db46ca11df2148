import Foundation
import TestSupport
import Testing

/// `replay report NAME`, whose arguments come from the report's own fields.
@Suite struct ReportCommandTests {
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "at": "2026-02-18T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "#
                + #""p", "babyId": "b", "kind": "poo", "startedUs": "2026-02-19T01:00:00Z"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-27T01:00:00Z", "data": {"entryId": "#
                + #""q", "babyId": "b", "kind": "poo", "startedUs": "2026-02-27T01:00:00Z"}}"#,
            #"{"command": "running.change-profile", "data": {"userId": "u", "name": "Kim"}}"#,
        ]
        try expect(log.replay("append", input: lines.joined(separator: "\n")).code, equals: 0)
        return log
    }

    @Test("The help lists every report, and the help of a report its arguments and forms")
    func help() throws {
        let names = try ReplayProcess.run(["schema", "--json"]).objects()
            .filter { $0["kind"] as? String == "report" }.compactMap { $0["name"] as? String }
        #expect(names.count > 10)
        for arguments in [["report"], ["report", "--help"], ["report", "-h"]] {
            let help = try ReplayProcess.run(arguments)
            expect(help.code, equals: 0)
            for name in names { #expect(help.out.contains("\n  \(name) "), "\(name)") }
        }
        let daily = try ReplayProcess.run(["report", "daily", "--help"])
        expect(daily.code, equals: 0)
        for part in [
            "--baby <text>", "--date <text>", "--include-open", "--issue", " --log, ",
            "FORMS: text, json, csv, svg", "or several with --from and --to",
        ] { #expect(daily.out.contains(part), "\(part)") }
        let last = try ReplayProcess.run(["report", "last", "--help"]).out
        #expect(last.contains("--now <time>") && last.contains("now by default"))
        #expect(last.contains("[<what>]"))
    }

    @Test(
        "A wrong argument ends with code 2 and names the option",
        arguments: [
            (
                ["dayly", "--baby", "b"],
                "There is no report 'dayly'; did you mean 'daily'? The reports are: "
            ),
            (["daily", "--baby", "b", "--dat", "2026-02-19"], "Unknown option '--dat'"),
            (["daily", "--baby"], "Missing value for '--baby <text>'"),
            (["daily", "--date", "2026-02-19"], "Give a baby with --baby."),
            (["daily", "--with", "bady=b"], "--with: the report 'daily' has no argument 'bady'"),
            (["home"], "Give a user with --user."),
            (["daily", "poo", "--baby", "b"], "Unexpected argument 'poo'"),
            (
                ["daily", "2026-02-19", "--baby", "b"],
                "Unexpected argument '2026-02-19'. Did you mean '--date 2026-02-19'?"
            ),
            (["last", "peo", "--baby", "b"], "--what: expected one of poo, feeding"),
            (["last", "--baby", "b", "--now", "noon"], "--now: expected a time like"),
            (["last", "--baby", "b", "--from", "2026-02-19"], "has no periods"),
            (
                ["last", "--baby", "b", "--format", "pdf"],
                "'last' has no such form; its forms are text, json, csv."
            ),
            (["last", "--baby", "b", "--issue"], "--issue: the report 'last' cannot be issued"),
            (["home", "--user", "u", "--all", "--json"], "'home' is not about an entity"),
            (["daily", "--all", "--date", "today", "--json"], "'today' means different times"),
            (["weekly", "--all", "--week", "last week", "--json"], "give a week like 2020-W10"),
            (
                [
                    "daily", "--baby", "b", "--from", "2026-02-19", "--to", "2026-02-20",
                    "--format", "svg",
                ],
                "--format svg shows only one day"
            ),
            (["daily", "--baby", "b", "--with", "date"], "--with: expected NAME=VALUE"),
            (["daily", "--baby", "b", "--date", "2026-02-19", "--rules", "mine"], "--rules"),
        ])
    func wrong(_ arguments: [String], _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(["report"] + arguments + ["--log", log.path])
        expect(answer.code, equals: 2, "\(answer.out)")
        #expect(answer.err.contains(message), "\(answer.err)")
        #expect(answer.out.isEmpty)
    }

    @Test("An argument may be given as an option, joined to it, by name, or without its name")
    func spellings() throws {
        let log = try log()
        let day = try log.replay("report", "daily", "--baby", "b", "--date", "2026-02-19", "--json")
        expect(day.code, equals: 0)
        for arguments in [
            ["--baby=b", "--date=2026-02-19"], ["--with", "baby=b", "--date", "2026-02-19"],
            ["--json", "--with", "baby=b", "--with", "date=2026-02-19"],
        ] {
            let answer = try ReplayProcess.run(
                ["report", "daily"] + arguments + ["--format", "json", "--log", log.path])
            expect(answer.out, equals: day.out, "\(answer.err)")
        }
        let now = ["--baby", "b", "--now", "2026-02-28T00:00:00Z", "--log", log.path]
        let poo = try ReplayProcess.run(["report", "last", "poo"] + now).out
        expect(poo, equals: "poo         2026-02-27T10:00:00, 23 h 0 min ago (poo)\n")
        try expect(ReplayProcess.run(["report", "last", "--what", "poo"] + now).out, equals: poo)
        let later = ["--baby", "b", "--now", "2026-03-01T11:00:00Z", "--log", log.path]
        let days = try ReplayProcess.run(["report", "last", "poo"] + later).out
        expect(days, equals: "poo         2026-02-27T10:00:00, 2 d 10 h ago (poo)\n")
        try expect(
            ReplayProcess.run(["report", "last"] + now).out.split(separator: "\n").count, equals: 5)
    }

    @Test("Weeks and months from one to another are one reading, each with its own answer")
    func periods() throws {
        let log = try log()
        let weeks = try log.replay(
            "report", "weekly", "--baby", "b", "--from", "2026-W08", "--to", "2026-02-28", "--json")
        let single = try ["2026-W08", "2026-W09"].map {
            try log.replay("report", "weekly", "--baby", "b", "--week", $0, "--json").out
        }
        expect(weeks.out, equals: single.joined(), "\(weeks.err)")
        let text = try log.replay(
            "report", "weekly", "--baby", "b", "--from", "2026-W08", "--to", "2026-W09")
        #expect(text.out.contains("Week 2026-W08,") && text.out.contains("\n\nWeek 2026-W09,"))
        let csv = try log.replay(
            "report", "monthly", "--baby", "b", "--from", "2026-01", "--to", "2026-02", "--format",
            "csv")
        expect(csv.out.split(whereSeparator: \.isNewline).count, equals: 1 + 31 + 28)
    }

    @Test(
        "A week and a month are named once in the answer in JSON, and by their name in the schema")
    func periodIsNamedOnce() throws {
        let log = try log()
        for (report, period) in [("weekly", "2026-W08"), ("monthly", "2026-02")] {
            let name = report == "weekly" ? "week" : "month"
            let answer = try log.replay(
                "report", report, "--baby", "b", "--\(name)", period, "--json")
            expect(answer.code, equals: 0, "\(answer.err)")
            expect(
                answer.out.components(separatedBy: #""\#(name)":"\#(period)""#).count, equals: 2)
            let fields = try ReplayProcess.run(["schema", report, "--json"]).objects()
                .flatMap { $0["fields"] as? [[String: Any]] ?? [] }
                .compactMap { $0["name"] as? String }
            #expect(fields.contains(name) && fields.contains("week") == (name == "week"))
        }
    }

    @Test("A ranking is a report like any other, and publishing it closes the week")
    func ranking() throws {
        let log = try log()
        let run =
            #"{"event": "running.run-completed.v1", "at": "2026-02-20T00:00:00Z", "data": {"runId": "r", "userId": "u", "startedUs": "2026-02-20T00:00:00Z", "endedUs": "2026-02-20T00:30:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": 5000000, "kcal": 0}}"#
        try expect(log.replay("append", input: run).code, equals: 0)
        let week = ["--week", "2026-W08", "--log", log.path]
        let table = try ReplayProcess.run(["report", "ranking"] + week)
        #expect(table.out.contains("5.000 km  Kim (u)"), "\(table.err)")
        try expect(ReplayProcess.run(["ranking"] + week).out, equals: table.out)
        let open = try ReplayProcess.run(["report", "ranking", "--format", "closed"] + week)
        expect(open.code, equals: 1)
        #expect(
            open.err.contains(
                "2026-W08 in Asia/Seoul is not closed, so that it has no final ranking at position"
            ))
        let final = try ReplayProcess.run(["report", "ranking", "--issue"] + week)
        #expect(final.code == 0 && final.out.contains("closed at position"), "\(final.err)")
        let twice = try ReplayProcess.run(["report", "ranking", "--issue"] + week)
        #expect(twice.code == 1 && twice.err.contains("alreadyClosed") && twice.out.isEmpty)
        try expect(
            ReplayProcess.run(["report", "ranking", "--issue", "--again"] + week).code, equals: 0)
        let past = try ReplayProcess.run(["report", "ranking", "--issue", "--at", "1"] + week)
        expect(past.code, equals: 2)
    }

    @Test("A name is in the answer for people, and in none that is kept or compared")
    func names() throws {
        let log = try log()
        let home = ["report", "home", "--user", "u", "--log", log.path]
        #expect(try ReplayProcess.run(home).out.contains("shown as Kim"))
        #expect(try ReplayProcess.run(home + ["--json"]).out.contains(#""displayName":"Kim""#))
        let trace = try log.replay("trace", "--report", "home", "--with", "user=u")
        #expect(trace.code == 0 && trace.out.contains("displayName"), "\(trace.err)")
        #expect(!trace.out.contains("Kim"))
        try expect(log.replay("erase", "--tag", "user:u").code, equals: 0)
        #expect(try ReplayProcess.run(home).out.contains("shown as erased"))
    }

    @Test("A report of an entity that nobody knows ends with code 1 and says up to when")
    func unknown() throws {
        let log = try log()
        for (arguments, message) in [
            (["home", "--user", "x"], "nothing is known of a runner 'x' at position 4"),
            (["track", "--run", "x"], "no event of run 'x' is known at position 4"),
            (["last", "--baby", "x"], "nothing is known of a baby 'x' at position 4"),
        ] {
            let answer = try ReplayProcess.run(["report"] + arguments + ["--log", log.path])
            expect(answer.code, equals: 1)
            #expect(answer.err.contains(message), "\(answer.err)")
        }
    }
}
