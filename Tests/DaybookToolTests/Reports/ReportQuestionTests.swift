import Foundation
import TestSupport
import Testing

/// `trace`, `compare` and `what-if` over reports, as people use them.
@Suite struct ReportQuestionTests {
    static let days = ["--from", "2026-02-16", "--to", "2026-02-25"]
    static let daily = ["--report", "daily", "--with", "baby=b"] + days

    /// Ten days of a baby in Seoul: a feed a day and a night's sleep over each midnight.
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        var lines = [
            #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul", "birthDate": "2026-01-01"}}"#
        ]
        for day in 16...25 {
            lines.append(
                #"{"command": "baby-care.record", "at": "2026-02-\#(day)T01:00:00Z", "data": {"#
                    + #""entryId": "f\#(day)", "babyId": "b", "kind": "formula", "#
                    + #""startedUs": "2026-02-\#(day)T01:00:00Z", "value": {"ml": 120}}}"#)
            lines.append(
                #"{"command": "baby-care.record", "at": "2026-02-\#(day)T21:00:00Z", "data": {"#
                    + #""entryId": "s\#(day)", "babyId": "b", "kind": "sleep", "#
                    + #""startedUs": "2026-02-\#(day)T12:00:00Z", "#
                    + #""endedUs": "2026-02-\#(day)T21:00:00Z"}}"#)
        }
        let answer = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        answer.ends(0)
        return log
    }

    private func trace(_ log: ScratchLog, _ arguments: [String]) throws -> String {
        let answer = try ReplayProcess.run(["trace"] + arguments + ["--log", log.path])
        answer.ends(0)
        return answer.out
    }

    @Test("A trace of a report has a line for each day, with the answer that the report gives")
    func traces() throws {
        let log = try log()
        let lines = try trace(log, Self.daily).split(separator: "\n").map(String.init)
        expect(lines.count, equals: 11)
        let header = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        expect(header["daybookReports"] as? Int, equals: 1)
        expect(header["report"] as? String, equals: "daily")
        expect(header["rules"] as? String, equals: "standard")
        expect(header["through"] as? Int, equals: 21)
        expect(header["with"] as? [String: String], equals: ["baby": "b"])
        for (index, day) in (16...25).enumerated() {
            let report = try log.replay(
                "report", "daily", "--baby", "b", "--date", "2026-02-\(day)", "--json")
            let answer = report.out.trimmingCharacters(in: .newlines)
                .replacing(#""report":"daily","#, with: "")
            expect(lines[index + 1], equals: #"{"period":"2026-02-\#(day)","answer":\#(answer)}"#)
        }
    }

    @Test("Blame of a report names the events that wrote its fields, the last one first")
    func blames() throws {
        let log = try log()
        let more =
            #"{"command": "baby-care.record", "at": "2026-02-26T01:00:00Z", "data": {"#
            + #""entryId": "late", "babyId": "b", "kind": "formula", "#
            + #""startedUs": "2026-02-20T03:00:00Z", "value": {"ml": 30}}}"#
        try log.replay("append", input: more).ends(0)
        let asked = ["--report", "daily", "--with", "baby=b", "--with", "date=2026-02-20"]
        let blame = { (arguments: [String]) in
            try ReplayProcess.run(["blame"] + arguments + ["--log", log.path])
        }
        let writers = try blame(asked + ["feed.formula.ml", "--json"]).objects()
        expect(writers.map { $0["position"] as? Int }, equals: [22, 10])
        expect(writers.map { $0["after"] as? Int }, equals: [150, 120])
        expect(writers.map { $0["last"] as? Bool }, equals: [true, false])
        let all = try blame(asked).out
        #expect(all.contains("daily baby=b date=2026-02-20: the last writer of each field"))
        #expect(all.contains(#/feed\.formula\.ml +150  ← 22 formula 30 ml/#), "\(all)")
        #expect(all.contains(#/sleep\.sumS +32400  ← 11 /#), "\(all)")
        for (arguments, code, message) in [
            (asked + ["feed.milk"], Int32(2), "daily has no field 'feed.milk'"),
            (asked + ["feed.milk"], 2, "the fields of 'feed' are "),
            (asked + ["formula.ml"], 2, "did you mean 'feed.formula.ml'?"),
            (asked + ["feed.formula.ml", "b"], 2, "at most one field"),
            (["--report", "daily"], 2, "'daily' needs the argument baby: --with baby=…"),
            (["--report", "daily", "--with", "baby=b"], 2, "'daily' needs a day: --with date="),
            (["report.daily"], 2, "use --report daily"),
            (["entry"], 2, "Give a projection and a key"),
            (["entry", "f16", "--with", "baby=b"], 2, "--with can only be used"),
            (["--report", "daily", "--with", "bby=b", "--with", "date=2026-02-20"], 2, "bby"),
            (["--report", "daily", "--with", "baby=x", "--with", "date=2026-02-20"], 1, "x"),
        ] {
            let answer = try blame(arguments)
            #expect(answer.code == code && answer.err.contains(message), "\(answer.err)")
        }
    }

    @Test(
        "A bisection of a report that cannot be asked says why, and not that it never holds",
        arguments: [
            (["baby=b"], 2, "The report 'daily' needs a day: --with date="),
            (["date=2026-02-20"], 2, "The report 'daily' needs the argument baby: --with baby=…"),
            (["baby=b", "date=2026-02-20", "zone=Asia/Soul"], 2, "'Asia/Soul' is not in the tz"),
            (["baby=zz", "date=2026-02-20"], 1, "nothing is known of a baby 'zz'"),
            (["baby=b", "date=2026-02-20"], 1, "the expression never holds up to position 21"),
        ] as [([String], Int32, String)])
    func unanswerable(_ with: [String], _ code: Int32, _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(
            ["bisect", "--report", "daily", "--until", "intakeMl == 380", "--log", log.path]
                + with.flatMap { ["--with", $0] })
        #expect(answer.code == code && answer.out.isEmpty)
        answer.says(message)
    }

    @Test("A line of a report says which report it is, of whom, and as of which position")
    func rows() throws {
        let log = try log()
        let feeding = try log.replay("report", "next-feeding", "--baby", "b", "--json").objects()
        expect(feeding.first?["report"] as? String, equals: "next-feeding")
        expect(feeding.first?["position"] as? Int, equals: 21)
        let every = try log.replay("report", "next-feeding", "--all", "--json").objects()
        expect(every.map { $0["baby"] as? String }, equals: ["b"])
        let days = try log.replay(
            "report", "daily", "--baby", "b", "--from", "2026-02-16", "--to", "2026-02-17", "--json"
        )
        try expect(
            days.objects().map { $0["date"] as? String }, equals: ["2026-02-16", "2026-02-17"])
        #expect(days.out.hasPrefix(#"{"report":"daily","date":"2026-02-16","#), "\(days.out)")
        expect(days.out.split(separator: #""position":"#).count, equals: 3)
    }

    @Test("A trace covers the weeks and months that the given days lie in")
    func weeks() throws {
        let log = try log()
        for (report, arguments, periods) in [
            ("weekly", ["--from", "2026-02-16", "--to", "2026-W09"], ["2026-W08", "2026-W09"]),
            ("monthly", ["--from", "2026-01", "--to", "2026-02-25"], ["2026-01", "2026-02"]),
            ("daily", ["--with", "date=2026-02-16"], ["2026-02-16"]),
            ("next-feeding", [], [""]),
        ] {
            let answer = try ReplayProcess.run(
                ["trace", "--report", report, "--with", "baby=b", "--log", log.path] + arguments)
            let found = try answer.objects().dropFirst().map { $0["period"] as? String }
            expect(found, equals: periods, "\(answer.err)")
        }
    }

    @Test("A report that has no answer is an error on its line")
    func unanswered() throws {
        let log = try log()
        let out = try trace(
            log, ["--report", "daily", "--with", "baby=nobody", "--with", "date=2026-02-16"])
        #expect(
            out.hasSuffix(
                #"{"period":"2026-02-16","error":"nothing is known of a baby 'nobody'"}"# + "\n"))
    }

    @Test("A wrong answer of another build is found in two traces, with its day and its field")
    func wrongReport() throws {
        let log = try log()
        let right = try trace(log, Self.daily)
        let wrong = right.split(separator: "\n").map { line in
            line.contains(#""period":"2026-02-20""#)
                ? line.replacingOccurrences(of: #""ml":120"#, with: #""ml":121"#) : String(line)
        }.joined(separator: "\n")
        #expect(wrong != right)
        let first = try log.file("a.trace", right)
        let second = try log.file("b.trace", wrong)
        let same = try ReplayProcess.run(["compare", first, first])
        same.ends(0)
        same.shows("10 periods; 0 differ")
        let answer = try ReplayProcess.run(["compare", first, second])
        answer.ends(1)
        answer.shows("10 periods; 1 differ")
        answer.shows("1 in feed.formula.ml\n  2026-02-20\n")
        answer.shows("feed.formula.ml: 120 → 121")
        let json = try ReplayProcess.run(["compare", first, second, "--json"])
        try expect(json.objects().map { $0["period"] as? String }, equals: ["2026-02-20"])
        let log2 = try ReplayProcess.run(["compare", second, log.path] + Self.daily)
        #expect(log2.code == 1 && log2.out.contains("10 periods; 1 differ"), "\(log2.err)")

        let rules = try log.file(
            "expect.yaml", "- {field: feed, key: 2026-02-20, kind: daily, reason: rounding}")
        let expected = try ReplayProcess.run(["compare", first, second, "--expect", rules])
        expected.ends(0)
        expected.shows("expected in 1: rounding")
        let others = try log.file(
            "others.yaml", "- {field: feed, key: 2026-02-21, reason: another day}")
        try ReplayProcess.run(["compare", first, second, "--expect", others]).ends(1)
    }

    @Test("A comparison of a report without periods names no period")
    func withoutPeriods() throws {
        let log = try log()
        let next = ["--report", "next-feeding", "--with", "baby=b"]
        let right = try trace(log, next)
        let first = try log.file("a.trace", right)
        let wrong = right.replacingOccurrences(of: #""n":"#, with: #""n":1"#)
        let second = try log.file("b.trace", wrong)
        let same = try ReplayProcess.run(["compare", first, first])
        #expect(same.code == 0 && same.out.hasSuffix("\n  the same answer\n"), "\(same.out)")
        let answer = try ReplayProcess.run(["compare", first, second])
        answer.ends(1)
        #expect(
            answer.out.contains("\n  a different answer\n      ")
                && answer.out.contains("n: 10 → 110"),
            "\(answer.out)")
    }

    @Test("Rule sets whose daily reports differ on several days are reported with their number")
    func ruleSets() throws {
        let log = try log()
        let same = try ReplayProcess.run(["compare", log.path, log.path] + Self.daily)
        same.ends(0)
        same.shows("10 periods; 0 differ")
        let answer = try ReplayProcess.run(
            ["compare", log.path, "--other-rules", "source"] + Self.daily)
        answer.ends(1)
        let differing = try ReplayProcess.run(
            ["compare", log.path, "--other-rules", "source", "--json"] + Self.daily)
        let days = try differing.objects().compactMap { $0["period"] as? String }
        // The source says 0 where nothing is recorded.
        expect(days.count, equals: 10)
        answer.shows("10 periods; 10 differ")
        // It comes last, on one line; what is more than that comes first.
        #expect(!answer.out.contains("in diaper.pee\n"), "\(answer.out)")
        let last = try #require(answer.out.split(separator: "\n").last)
        #expect(
            last.hasPrefix("nothing on one side, 0 or an empty list on the other, in ")
                && last.contains(" fields of 10 periods: ")
                && last.hasSuffix("; --all shows each"), "\(last)")
        let all = try ReplayProcess.run(
            ["compare", log.path, "--other-rules", "source", "--all"] + Self.daily)
        all.shows("10 in diaper.pee\n  2026-02-16\n")
        #expect(!answer.out.contains(" in rule\n"))
        // Its later code adds the whole length of a sleep on each of its days.
        let gate = try ReplayProcess.run(
            ["compare", log.path, "--rules", "source", "--other-rules", "source-eab2a79"]
                + Self.daily)
        gate.ends(1)
        gate.shows("in sleep.sumS\n")
        #expect(!gate.out.contains("in diaper.pee\n"), "\(gate.out)")
    }

    @Test("An entry that was inserted is one difference, and the entries behind it are none")
    func insertedEntry() throws {
        let log = try log()
        let first = try log.file("a.trace", try trace(log, Self.daily))
        let line =
            #"{"command": "baby-care.record", "at": "2026-02-20T00:30:00Z", "data": {"#
            + #""entryId": "early", "babyId": "b", "kind": "memo", "#
            + #""startedUs": "2026-02-20T00:30:00Z"}}"#
        try log.replay("append", input: line).ends(0)
        let second = try log.file("b.trace", try trace(log, Self.daily))
        let answer = try ReplayProcess.run(["compare", first, second])
        answer.ends(1)
        answer.shows(
            #"1 in entries[]\#n  2026-02-20\#n      entries[early]: – → {"entryId": "early", "#
                + #""kind": "memo", "state": "closed", "startedUs": "2026-02-20T00:30:00Z""#)
        #expect(!answer.out.contains("entries[].kind"), "\(answer.out)")
        let back = try ReplayProcess.run(["compare", second, first])
        back.shows(#"entries[early]: {"entryId": "early", "#)
        let json = try ReplayProcess.run(["compare", first, second, "--json"]).objects()
        let changes = try #require(json.first?["changes"] as? [[String: Any]])
        let fields = changes.compactMap { $0["field"] as? String }
            .filter { $0.hasPrefix("entries") }
        #expect(!fields.isEmpty && fields.allSatisfy { $0.hasPrefix("entries[early].") })
        // What changed in an entry has the entry's name.
        let edited = try ReplayProcess.run(
            [
                "what-if", "--report", "daily", "--with", "baby=b", "--with", "date=2026-02-20",
                "--edit", "10:value.amountUl=130000", "--log", log.path,
            ])
        edited.shows("entries[f20].value.amountUl: 120000 → 130000")
    }

    @Test("Days that one trace lacks are differences")
    func missingDays() throws {
        let log = try log()
        let all = try log.file("a.trace", try trace(log, Self.daily))
        let fewer = try log.file(
            "b.trace",
            try trace(
                log,
                ["--report", "daily", "--with", "baby=b", "--from", "2026-02-16", "--to"]
                    + ["2026-02-24"]))
        let answer = try ReplayProcess.run(["compare", all, fewer, "--json"])
        answer.ends(1)
        let found = try #require(try answer.objects().first)
        expect(found["period"] as? String, equals: "2026-02-25")
        expect(found["in"] as? String, equals: "first")
    }

    @Test("An event that is skipped, edited or added changes the days that it touches alone")
    func whatIf() throws {
        let log = try log()
        // The feed of the 20th is at position 2 + 2 × 4.
        let skipped = try ReplayProcess.run(
            ["what-if", "--skip", "10", "--json", "--log", log.path] + Self.daily)
        skipped.ends(0)
        let object = try #require(try skipped.objects().first)
        try expect(skipped.objects().count, equals: 1)
        expect(object["period"] as? String, equals: "2026-02-20")
        let text = try ReplayProcess.run(
            ["what-if", "--skip", "10", "--log", log.path] + Self.daily)
        text.shows("report daily baby=b: 1 of 10 periods would differ")

        let edited = try ReplayProcess.run(
            ["what-if", "--edit", "11:endedUs=2026-02-20T22:00:00Z", "--json", "--log", log.path]
                + Self.daily)
        let changes = try edited.objects().last?["changes"] as? [[String: Any]]
        let sum = changes?.first { $0["field"] as? String == "sleep.sumS" }
        expect(
            sum?["after"] as? Int, equals: (sum?["before"] as? Int ?? 0) + 3_600, "\(edited.err)")

        let line =
            #"{"command": "baby-care.cancel", "at": "2026-02-21T22:00:00Z", "#
            + #""data": {"entryId": "s20"}}"#
        let cancelled = try ReplayProcess.run(
            ["what-if", "--insert", try log.file("more.jsonl", line), "--json", "--log", log.path]
                + Self.daily)
        let days = try cancelled.objects().compactMap { $0["period"] as? String }
        // From 21:00 to 06:00 in Seoul.
        expect(days, equals: ["2026-02-20", "2026-02-21"], "\(cancelled.err)")

        let nothing = try ReplayProcess.run(
            ["what-if", "--skip", "10", "--report", "daily", "--with", "baby=b", "--with"]
                + ["date=2026-02-17", "--log", log.path])
        nothing.shows("nothing would differ")
    }

    @Test(
        "A question about a report that makes no sense is refused",
        arguments: [
            (["trace", "--report", "nothing", "--with", "baby=b"], "There is no report 'nothing'"),
            (["trace", "--report", "daily", "--with", "baby=b"], "--from 2020-03-08"),
            (["trace", "--report", "daily", "--with", "baby"], "expected NAME=VALUE"),
            (["trace", "--report", "daily"] + days, "field 'baby': the field is missing"),
            (["trace"] + daily + ["--with", "cat=b"], "'cat'"),
            (["trace", "--report", "last", "--with", "baby=b"] + days, "has no periods"),
            (["trace", "splash", "--report", "daily"], ", not both"),
            (["trace"], "Give a projection"),
            (["trace", "splash", "--with", "baby=b"], "can only be used together with --report"),
            (
                ["trace", "--report", "daily", "--from", "2026-02-20", "--to", "2026-02-16"],
                "--to is before --from"
            ),
            (
                ["trace", "--report", "weekly", "--from", "2026-W60", "--to", "2026-02-16"],
                "there is no week 2026-W60"
            ),
        ])
    func wrongQuestions(_ arguments: [String], _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(arguments + ["--log", log.path])
        answer.ends(2)
        answer.says(message)
    }

    @Test("A trace of a report is not comparable with one of a projection or of other arguments")
    func unlike() throws {
        let log = try log()
        let daily = try log.file("a.trace", try trace(log, Self.daily))
        let entries = try log.file("b.trace", try trace(log, ["entry"]))
        let zone = try log.file("c.trace", try trace(log, Self.daily + ["--with", "zone=UTC"]))
        for (other, message) in [
            (entries, "one side is a trace of a projection"), (zone, "the second of report daily"),
        ] {
            let answer = try ReplayProcess.run(["compare", daily, other])
            answer.ends(2)
            answer.says(message)
        }
        let cut = try log.file("cut.trace", String(try trace(log, Self.daily).dropLast(20)))
        let answer = try ReplayProcess.run(["compare", daily, cut])
        answer.ends(2)
        answer.says("cut.trace:11")
    }
}
