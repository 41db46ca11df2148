import Foundation
import TestSupport
import Testing

/// `replay report`, as people use it.
@Suite struct ReportTests {
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "at": "2026-02-18T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul", "birthDate": "2026-01-01"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "#
                + #""f", "babyId": "b", "kind": "formula", "startedUs": "2026-02-19T01:00:00Z", "#
                + #""value": {"ml": 120}}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T22:05:00Z", "data": {"entryId": "#
                + #""s", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-19T11:10:00Z", "#
                + #""endedUs": "2026-02-19T22:05:00Z"}}"#,
            #"{"command": "baby-care.start", "at": "2026-02-20T03:00:00Z", "data": {"entryId": "#
                + #""o", "babyId": "b", "kind": "sleep"}}"#,
        ]
        try log.replay("append", "--each", input: lines.joined(separator: "\n")).ends(0)
        return log
    }

    @Test("The report on the next feed names the last one, also without an estimate")
    func lastFeed() throws {
        let answer = try log().replay(
            "report", "next-feeding", "--baby", "b", "--now", "2026-02-19T03:30:00Z")
        answer.ends(0)
        expect(
            answer.out,
            equals: """
                unstable: it takes two feeds at different times, there are 1
                last feed 2026-02-19 10:00, 2 h 30 min ago (formula, 120 ml)

                """)
    }

    @Test("Rows of an import are no corrections of the days that they are about")
    func importedRows() throws {
        let log = try ScratchLog()
        let csv = Checkout.root.appending(path: "docs/story-baby.csv").path
        try log.replay(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "America/Los_Angeles",
            csv
        ).ends(0)
        let week = try log.replay("report", "weekly", "--baby", "mia", "--week", "2020-W07")
        week.ends(0)
        #expect(week.out.contains("Sleep") && !week.out.contains("Corrections"), "\(week.out)")
        let json = try log.replay(
            "report", "weekly", "--baby", "mia", "--week", "2020-W07", "--json")
        #expect(!json.out.contains(#""lateCount":0,"#))
    }

    private func report(_ log: ScratchLog, _ arguments: String...) throws -> [String: Any] {
        let answer = try ReplayProcess.run(
            ["report"] + arguments + ["--baby", "b", "--json", "--log", log.path])
        answer.ends(0)
        return try #require(try answer.objects().first)
    }

    @Test("A day is counted in the baby's zone")
    func aDayIsThatOfTheBabysZone() throws {
        let log = try log()
        let day = try report(log, "daily", "--date", "2026-02-19")
        expect(day["zone"] as? String, equals: "Asia/Seoul")
        #expect((day["sleep"] as? [String: Any])?["sumS"] as? Int == 230 * 60)
        expect(day["rule"] as? String, equals: "standard.v2")
        expect(day["position"] as? Int, equals: 4)
        #expect((day["tzdata"] as? String)?.hasPrefix("20") == true)
        let next = try report(log, "daily", "--date", "2026-02-20")
        let sleep = try #require(next["sleep"] as? [String: Any])
        expect(sleep["sumS"] as? Int, equals: 425 * 60)
        #expect((sleep["open"] as? [[String: Any]])?.first?["entryId"] as? String == "o")
        let utc = try report(log, "daily", "--date", "2026-02-19", "--zone", "UTC")
        #expect((utc["sleep"] as? [String: Any])?["sumS"] as? Int == 655 * 60)
        let offset = try report(log, "daily", "--date", "2026-02-19", "--zone", "+09:00")
        #expect((offset["sleep"] as? [String: Any])?["sumS"] as? Int == 230 * 60)
    }

    @Test("A report can be made as of an earlier moment")
    func aReportCanBeAskedAsItWasKnown() throws {
        let log = try log()
        let before = try report(log, "daily", "--date", "2026-02-19", "--at", "2")
        #expect(before["sleep"] is NSNull)
        #expect((before["missing"] as? [String])?.contains("sleep") == true)
        let valid = try report(
            log, "daily", "--date", "2026-02-19", "--valid-at", "2026-02-19T02:00:00Z")
        #expect(valid["sleep"] is NSNull)
        expect(valid["validAtUs"] as? Int, equals: 1_771_466_400_000_000)
        expect(valid["partial"] as? Bool, equals: true)
    }

    @Test("An open sleep is found on the days that it plausibly covers")
    func openSleeps() throws {
        let log = try log()
        let night =
            #"{"command": "baby-care.record", "at": "2026-02-22T00:00:00Z", "data": {"entryId": "#
            + #""n", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-21T13:00:00Z", "#
            + #""endedUs": "2026-02-21T14:00:00Z"}}"#
        let open = { (date: String) -> String? in
            let day = try report(log, "daily", "--date", date)
            let open = (day["sleep"] as? [String: Any])?["open"] as? [[String: Any]]
            return open?.first?["entryId"] as? String
        }
        try expect(open("2026-02-20"), equals: "o")
        #expect(try open("2026-02-21") == nil)
        #expect(try report(log, "daily", "--date", "2026-04-01")["sleep"] is NSNull)
        try log.replay("append", input: night).ends(0)
        try expect(open("2026-02-20"), equals: "o")
        #expect(try open("2026-02-21") == nil)
        try log.replay(
            "append",
            input: #"{"command": "baby-care.complete", "at": "2026-02-20T04:00:00Z", "#
                + #""data": {"entryId": "o"}}"#
        ).ends(0)
        #expect(try report(log, "daily", "--date", "2026-04-01")["sleep"] is NSNull)
    }

    @Test("A report is printed as narrow text, as a CSV table and as SVG")
    func everyFormFitsItsReader() throws {
        let log = try log()
        let text = try ReplayProcess.run(
            ["report", "daily", "--baby", "b", "--date", "2026-02-20", "--log", log.path],
            environment: ["COLUMNS": "80"]
        ).out
        #expect(text.hasPrefix("Friday 20 February 2026 · Asia/Seoul · 24 h"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.contains("open since 2026-02-20 12:00, not counted"))
        #expect(!text.contains("\u{1B}"))
        let csv = try log.replay(
            "report", "daily", "--baby", "b", "--from", "2026-02-19", "--to", "2026-02-20",
            "--format", "csv"
        ).out.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(csv.count == 3 && Set(csv.map(\.count)).count == 1)
        let column = try #require(csv[0].firstIndex(of: "sleep.unionS"))
        expect(csv.dropFirst().map { $0[column] }, equals: ["13800", "25500"])
        for arguments in [
            ["daily", "--date", "2026-02-19"], ["weekly", "--week", "2026-W08"],
            ["monthly", "--month", "2026-02"],
        ] {
            let svg = try ReplayProcess.run(
                ["report"] + arguments + ["--baby", "b", "--format", "svg", "--log", log.path])
            svg.ends(0)
            #expect(svg.out.hasPrefix("<svg xmlns") && svg.out.hasSuffix("</svg>\n"))
        }
    }

    @Test("The short reports answer for a given moment")
    func quickQuestionsHaveQuickAnswers() throws {
        let log = try log()
        let now = "2026-02-20T03:00:00Z"
        try expect(report(log, "next-feeding", "--now", now)["unstable"] as? Bool, equals: true)
        let last = try report(log, "last", "--now", now)
        #expect((last["feeding"] as? [String: Any])?["entryId"] as? String == "f")
        #expect(last["poo"] is NSNull)
        let today = try report(log, "today", "--now", now)
        expect(
            today["lines"] as? [String],
            equals: [
                "Feeding events: not recorded", "Formula total: not recorded",
                "Sleep total: 425 minutes", "Diaper events: not recorded",
            ])
        expect(today["sleepMin"] as? Int, equals: 425)
        let landing = try report(log, "landing", "--range", "week", "--date", "2026-02-20")
        expect(landing["formulaMl"] as? Int, equals: 120)
        let advice = try report(log, "recommendation", "--date", "2026-02-20")
        expect(advice["ageDays"] as? Int, equals: 50)
        let unborn = try log.replay(
            "report", "recommendation", "--baby", "b", "--date", "2025-12-31")
        #expect(
            unborn.code == 1
                && unborn.err.contains("2025-12-31 is before the birth of the baby 'b'"))
        let before = try log.replay("report", "daily", "--baby", "b", "--date", "2025-12-31")
        #expect(
            before.code == 0
                && before.err.contains("is before the birth of the baby 'b' on 2026-01-01"))
        before.shows("· before birth")
        let wrong = try log.replay("report", "landing", "--baby", "b", "--range", "year")
        #expect(wrong.code == 2 && wrong.err.contains("range must be one of: day, week, month"))
    }

    @Test("A quick answer is as of the moment that the log is read as of, and says which")
    func quickAnswersSayTheirMoment() throws {
        let log = try log()
        let valid = "2026-02-19T02:00:00Z"
        for name in ["next-feeding", "last", "today", "landing"] {
            let answer = try log.replay(
                "report", name, "--baby", "b", "--valid-at", valid, "--json")
            answer.says("as of \(valid), by --valid-at", "\(name)")
            let now = try #require(try answer.objects().first?["nowUs"])
            let named = try report(log, name, "--valid-at", valid, "--now", valid)
            expect("\(named["nowUs"] ?? "")", equals: "\(now)", "\(name)")
            let known = try log.replay("report", name, "--baby", "b", "--at", "2")
            #expect(known.code == 0 && known.err.contains(", by --at"), "\(name)")
            let clock = try log.replay("report", name, "--baby", "b")
            clock.says(", by this machine's clock", "\(name)")
        }
        // The feed of 10:00 in Seoul had not happened; now it is the last one.
        let then = try report(log, "landing", "--now", "2026-02-19T00:59:00Z", "--range", "day")
        #expect((then["latest"] as? [String: Any])?["feeding"] is NSNull)
        let later = try report(log, "landing", "--now", "2026-02-19T01:01:00Z", "--range", "day")
        #expect((later["latest"] as? [String: Any])?["feeding"] is [String: Any])
    }

    @Test("The report of all babies joins those of each")
    func allBabiesAreThatOfEach() throws {
        let log = try log()
        let more = [
            #"{"command": "household.change-profile", "data": {"babyId": "a", "zone": "UTC"}}"#,
            #"{"command": "baby-care.record", "data": {"entryId": "x", "babyId": "a", "kind": "#
                + #""pee", "startedUs": "2026-02-20T23:00:00Z"}}"#,
        ]
        _ = try log.replay("append", input: more.joined(separator: "\n"))
        let all = try log.replay("report", "daily", "--all", "--date", "2026-02-20", "--json")
        let single = try ["a", "b"].map { baby in
            let own = try log.replay(
                "report", "daily", "--baby", baby, "--date", "2026-02-20", "--json")
            return own.out.replacing(
                #"{"report":"daily","#, with: #"{"report":"daily","baby":"\#(baby)","#)
        }
        expect(all.out, equals: single.joined())
    }

    @Test("A publication that no longer matches the log is found")
    func whatWasIssuedIsFoundWhenItDrifts() throws {
        let log = try log()
        let issued = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2026-02-19", "--issue")
        issued.ends(0)
        try log.replay("audit", "--rule", "R3").ends(0)
        let edit =
            #"{"command": "baby-care.edit", "data": {"entryId": "f", "value": {"ml": 90}}}"#
        try log.replay("append", input: edit).ends(0)
        let audit = try log.replay("audit", "--rule", "R3", "--json")
        audit.ends(1)
        audit.shows("recomputed now")
        audit.shows("feed.formula.ml")
        let refused = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2026-02-19", "--issue", "--valid-at",
            "2026-02-19T02:00:00Z")
        refused.ends(2)
    }

    @Test("Impossible facts are left out of a report and listed")
    func factsThatCannotBeAreLeftOutAndSaidSo() throws {
        let log = try log()
        var lines: [String] = []
        let edges = [Int.min, Int.min + 1, -1, 0, Int.max - 1, Int.max]
        for (index, start) in edges.enumerated() {
            for (other, end) in (edges.map { "\($0)" } + ["null"]).enumerated() {
                for kind in ["sleep", "formula", "pee"] {
                    lines.append(
                        #"{"event": "baby-care.entry-recorded.v1", "data": {"entryId": "#
                            + "\"x\(index)-\(other)-\(kind)\", \"babyId\": \"b\", "
                            + "\"kind\": \"\(kind)\", \"state\": \"closed\", "
                            + "\"startedUs\": \(start), \"endedUs\": \(end), "
                            + #""value": {"amountUl": 9223372036854775807, "count": "#
                            + #"9223372036854775807}, "source": "manual", "entryMode": "x"}}"#)
                }
            }
        }
        // Nothing outside the limits comes in any more; older logs hold it.
        try log.replay("append", input: lines.joined(separator: "\n")).ends(2)
        try log.store(lines)
        for arguments in [
            ["daily", "--date", "1970-01-01"], ["daily", "--date", "2026-02-19"],
            ["weekly", "--week", "1970-W01"], ["monthly", "--month", "1970-01"],
            ["next-feeding", "--now", "2026-02-20T00:00:00Z"],
            ["last", "--now", "2026-02-20T00:00:00Z"], ["today", "--now", "1970-01-01T01:00:00Z"],
            ["landing", "--date", "1970-01-01"],
        ] {
            let answer = try ReplayProcess.run(
                ["report"] + arguments + ["--baby", "b", "--log", log.path])
            answer.ends(0, "\(arguments): \(answer.err)")
        }
        let all = try log.replay("report", "last", "--baby", "b", "--now", "2026-02-20T00:00:00Z")
        all.says("126 entries of the baby 'b' are left out")
        try log.replay("audit", "--rule", "B14").ends(1)
        try log.replay("export", "--format", "babyai-csv", "--baby", "b").ends(0)
    }

    @Test("A report that cannot be made ends with a code and the reason")
    func badQuestionsAreAnsweredAsSuch() throws {
        let log = try log()
        let cases: [([String], Int32, String)] = [
            (["daily", "--baby", "b", "--date", "2026-02-30"], 2, "there is no day"),
            (["weekly", "--baby", "b", "--week", "2026-W54"], 2, "there is no week"),
            (["monthly", "--baby", "b", "--month", "2026-13"], 2, "there is no month"),
            (["daily", "--baby", "nobody", "--date", "2026-02-19"], 1, "nothing is known"),
            (
                ["daily", "--baby", "b", "--date", "2026-02-19", "--zone", "Mars/Base"], 2,
                "is not in the tz database"
            ),
            (
                ["daily", "--baby", "b", "--date", "2026-02-19", "--tzdata", "/nowhere"], 2,
                "in /nowhere states the release"
            ),
            (["daily", "--date", "2026-02-19"], 2, "Give a baby"),
            (["daily", "--baby", "b"], 2, "Give a day"),
            (
                ["daily", "--baby", "b", "--date", "2026-02-19", "--at", "99"], 2,
                "ends at position"
            ),
        ]
        for (arguments, code, message) in cases {
            let answer = try ReplayProcess.run(["report"] + arguments + ["--log", log.path])
            answer.ends(code, "\(arguments)")
            answer.says(message)
        }
    }
}
