import Foundation
import TestSupport
import Testing

// Holds: s4-same-output, s4-refusals, s4-not-found, s4-week-start, s4-report-lines, s4-tz-offset,
// s4-report-errors, s4-landing
/// `report --shape source`: the JSON of the app that reports were taken from, byte by byte.
@Suite struct SourceShapeTests {
    /// Entries around a local midnight of Seoul, one of them cancelled.
    private static let lines = [
        #"{"command":"account.change-subscription","data":{"householdId":"h1","plan":"aiOnly","#
            + #""status":"active"}}"#,
        #"{"command":"household.onboard","at":"2026-01-05T00:00:00Z","data":{"babyId":"b1","#
            + #""householdId":"h1","name":"Ara <&>","birthDate":"2026-01-05","by":"ana","#
            + #""birthWeightG":5000,"feedingMethod":"mixed","zone":"Asia/Seoul"}}"#,
        record(
            "s1", "sleep", "2026-03-01T14:00:00.900Z",
            #""endedUs":"2026-03-01T21:30:40Z","value":{"memo":"restless"}"#),
        record("f1", "formula", "2026-03-01T22:00:00.123456Z", #""value":{"ml":120.4}"#),
        record(
            "p1", "poo", "2026-03-02T01:00:00.120Z",
            #""value":{"diaper_type":"green <b>","note":"a & b"}"#),
        record(
            "f2", "breastfeed", "2026-03-02T02:00:00Z",
            #""endedUs":"2026-03-02T02:10:00Z","value":{"side":"left"}"#),
        record("x1", "formula", "2026-03-02T03:00:00Z", #""value":{"ml":80}"#),
        #"{"command":"baby-care.cancel","at":"2026-03-02T03:01:00Z","data":{"entryId":"x1","#
            + #""by":"ana"}}"#,
        record(
            "w1", "memo", "2026-03-02T04:00:00Z",
            #""value":{"category":"weaning","grams":40.5}"#),
    ]

    private static func record(
        _ id: String, _ kind: String, _ start: String, _ rest: String
    ) -> String {
        #"{"command":"baby-care.record","at":"\#(start)","data":{"entryId":"\#(id)","#
            + #""babyId":"b1","kind":"\#(kind)","startedUs":"\#(start)","by":"ana",\#(rest)}}"#
    }

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let input = Self.lines.joined(separator: "\n")
        let answer = try log.replay("append", "--each", input: input)
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    private func report(
        _ log: ScratchLog, _ arguments: String
    ) throws -> ReplayProcess.Answer {
        let words = arguments.split(separator: " ").map(String.init)
        return try ReplayProcess.run(
            ["report"] + words + ["--baby", "b1", "--shape", "source", "--log", log.path])
    }

    @Test("Each answer is the app's, its keys in the order of their bytes")
    func answers() throws {
        let log = try log()
        let now = "--now 2026-03-02T05:00:00Z"
        for (arguments, answer) in [
            (
                "daily --date 2026-03-02",
                #"{"baby_id":"b1","date":"2026-03-02","events":["#
                    + #"{"end_time":null,"event_id":"f1","start_time":"2026-03-01T22:00:00Z","#
                    + #""type":"FORMULA","value":{"ml":120.4}},"#
                    + #"{"end_time":null,"event_id":"p1","start_time":"2026-03-02T01:00:00Z","#
                    + #""type":"POO","value":{"diaper_type":"green \u003cb\u003e","#
                    + #""note":"a \u0026 b"}},"#
                    + #"{"end_time":"2026-03-02T02:10:00Z","event_id":"f2","#
                    + #""start_time":"2026-03-02T02:00:00Z","type":"BREASTFEED","#
                    + #""value":{"side":"left"}},"#
                    + #"{"end_time":null,"event_id":"w1","start_time":"2026-03-02T04:00:00Z","#
                    + #""type":"MEMO","value":{"category":"WEANING","grams":40.5}}],"#
                    + #""labels":["record_based"],"summary":["Feeding events: 2","#
                    + #""Formula total: 120 ml","Sleep total: 0 minutes","#
                    + #""Diaper events: pee 0, poo 1"]}"#
            ),
            (
                "weekly --week 2026-W10",
                #"{"baby_id":"b1","labels":["record_based"],"suggestions":["#
                    + #""Keep logging feeding and sleep consistently to improve ETA quality.","#
                    + #""If diaper events spike, review feeding intervals and hydration "#
                    + #"patterns."],"trend":{"feeding_total_ml":"new","sleep_total_min":"-99%"},"#
                    + #""week_start":"2026-03-02"}"#
            ),
            (
                "next-feeding \(now)",
                #"{"eta_minutes":30,"message":"Estimated next feeding in 30 minutes based on a "#
                    + #"2h 30m average interval.","reference_text":"Computed from 3 recent "#
                    + #"feeding events.","unstable":false}"#
            ),
            (
                "next-feeding --tone FORMAL \(now)",
                #"{"eta_minutes":30,"message":"Estimated next feeding in 30 minutes based on a "#
                    + #"2h 30m average interval.","reference_text":"Computed from 3 recent "#
                    + #"feeding events.","unstable":false}"#
            ),
            (
                "last poo --tone brief \(now)",
                #"{"last_poo_time":"2026-03-02T01:00:00.12Z","message":"Last poo: 01:00 UTC.","#
                    + #""reference_text":"Based on confirmed event logs for this baby."}"#
            ),
            (
                "last sleep \(now)",
                #"{"amount_ml":null,"confidence":null,"duration_min":450.65166666666664,"#
                    + #""local_time":"2026-03-01T23:00:00+09:00","message":"Most recent sleep was "#
                    + #"logged at 14:00 UTC.","reference_text":"Latest confirmed sleep event for "#
                    + #"this baby.","timestamp":"2026-03-01T14:00:00Z","type":"SLEEP"}"#
            ),
            (
                "today \(now)",
                #"{"reference_text":"Derived from today's confirmed events.","summary_lines":["#
                    + #""Feedings: 2","Formula total: 80 ml","Sleep logged: 0 minutes","#
                    + #""Diaper events: pee 0, poo 1"]}"#
            ),
            (
                "siri GetLastPooTime --tone Formal \(now)",
                #"{"dialog":"The latest recorded poo event time is 01:00 UTC.","#
                    + #""reference":"Based on confirmed event logs."}"#
            ),
            (
                "bixby GetNextFeedingEta --tone brief \(now)",
                #"{"answer":"ETA 30m.","resultMoment":true}"#
            ),
        ] {
            let own = try report(log, arguments)
            expect(own.code, equals: 0, "\(own.err)")
            expect(own.out, equals: answer + "\n", "\(arguments)")
        }
    }

    @Test(
        "A text keeps the name that the app gave it, also where an edit or the end adds it",
        arguments: [
            (#""value":{"category":"weaning","note":"pear"}"#, "", "note", "pear"),
            (#""value":{"content":"pear"}"#, "", "content", "pear"),
            (#""value":{"memo":"pear"}"#, "", "memo", "pear"),
            (#""value":{"note":"pear"}"#, #"{"ml":30}"#, "note", "pear"),
            (#""value":{}"#, #"{"text":"plum"}"#, "text", "plum"),
        ])
    func textNames(_ value: String, _ edit: String, _ name: String, _ text: String) throws {
        let log = try ScratchLog()
        var lines = [
            Self.lines[1], Self.record("e1", "memo", "2026-03-02T01:00:00Z", value),
        ]
        if !edit.isEmpty {
            lines.append(
                #"{"command":"baby-care.edit","at":"2026-03-02T02:00:00Z","data":{"#
                    + #""entryId":"e1","value":\#(edit),"by":"ana"}}"#)
        }
        let answer = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        expect(answer.code, equals: 0, "\(answer.err)")
        let day = try report(log, "daily --date 2026-03-02").objects().first
        let events = try #require(day?["events"] as? [[String: Any]])
        let shown = try #require(events.first?["value"] as? [String: Any])
        expect(shown[name] as? String, equals: text, "\(shown)")
        expect(["note", "memo", "text", "content"].filter { shown[$0] != nil }, equals: [name])
    }

    @Test("A landing page and a month have the same 93 keys, and days are one object a line")
    func pages() throws {
        let log = try log()
        let day = try #require(
            try report(log, "landing --now 2026-03-02T05:00:00Z").objects().first)
        let month = try #require(try report(log, "monthly --month 2026-03").objects().first)
        expect(day.count, equals: 93)
        expect(Set(day.keys), equals: Set(month.keys))
        expect(day["baby_name"] as? String, equals: "Ara <&>")
        expect(day["special_memo"] as? String, equals: "a & b")
        expect(month["range_label"] as? String, equals: "2026-03")
        expect(month["sleep_night_total_min"] as? Int, equals: 451)
        let days = try report(log, "daily --from 2026-03-01 --to 2026-03-03").objects()
        expect(
            days.map { $0["date"] as? String }, equals: ["2026-03-01", "2026-03-02", "2026-03-03"])
        expect((days[2]["events"] as? [Any])?.isEmpty, equals: true)
    }

    @Test(
        "A missing answer is said in the app's words, and in ours on standard error",
        arguments: [
            ("daily --date nonsense", 2, "date must be YYYY-MM-DD"),
            ("weekly --week 2026-13", 2, "week_start must be YYYY-MM-DD"),
            ("landing --range year", 2, "range must be one of: day, week, month"),
            ("bixby --action=", 2, "capsule_action and baby_id are required"),
            ("daily --date 2026-03-02 --zone 0900", 2, "tz_offset must be in +/-HH:MM format"),
            ("daily --date 2026-03-02 --zone +14:01", 2, "tz_offset is out of range"),
        ] as [(String, Int32, String)])
    func errors(_ arguments: String, _ code: Int32, _ detail: String) throws {
        let log = try log()
        let answer = try report(log, arguments)
        expect(answer.code, equals: code)
        expect(answer.out, equals: "{\"detail\":\"\(detail)\"}\n")
        #expect(!answer.err.isEmpty)
    }

    @Test("Siri and Bixby ask for a plan with AI, and the landing page shows the month's credits")
    func plan() throws {
        let log = try log()
        let now = "--now 2026-03-02T05:00:00Z"
        let page = try #require(try report(log, "landing --user ana \(now)").objects().first)
        expect(page["ai_plan"] as? String, equals: "AI_ONLY")
        expect(page["ai_credit_balance"] as? Int, equals: 500)
        let lapse =
            #"{"command":"account.change-subscription","data":{"householdId":"h1","#
            + #""status":"pastDue"}}"#
        try expect(log.replay("append", input: lapse).code, equals: 0)
        for report in ["siri GetTodaySummary", "bixby GetTodaySummary"] {
            #expect(
                try self.report(log, "\(report) \(now)").out
                    == #"{"current_plan":"AI_ONLY","current_status":"past_due","detail":"AI "#
                    + #"subscription required. Choose AI_ONLY or AI_PHOTO.","feature":"ai","#
                    + #""required_plans":["AI_ONLY","AI_PHOTO"]}"# + "\n")
        }
        let lapsed = try #require(try report(log, "landing \(now)").objects().first)
        expect(lapsed["ai_plan"] as? String, equals: "AI_ONLY")
        expect(lapsed["ai_credit_balance"] as? Int, equals: 0)
    }

    @Test(
        "A week begins on any day that is asked for, by the source alone",
        arguments: [
            // Seven days from Wednesday, which have the formula; the night of sleep lies before.
            ("2026-03-02", "2026-03-02", "new", "-99%"), ("2026-W10", "2026-03-02", "new", "-99%"),
            ("2026-02-25", "2026-02-25", "new", "new"),
            ("2026-03-03", "2026-03-03", "-99%", "-99%"),
            ("2026-03-09", "2026-03-09", "-99%", "new"),
        ])
    func anyDay(_ week: String, _ from: String, _ formula: String, _ sleep: String) throws {
        let log = try log()
        let answer = try report(log, "weekly --week \(week)")
        expect(answer.code, equals: 0, "\(answer.err)")
        let object = try #require(try answer.objects().first)
        let trend = try #require(object["trend"] as? [String: String])
        expect(object["week_start"] as? String, equals: from)
        expect(trend, equals: ["feeding_total_ml": formula, "sleep_total_min": sleep], "\(week)")
        let standard = try log.replay(
            "report", "weekly", "--baby", "b1", "--week", week, "--json"
        ).objects().first
        expect((standard?["week"] as? String)?.hasPrefix("2026-W"), equals: true)
    }

    @Test("The plan and the credits follow a household that gets another id")
    func planOfRenamedHousehold() throws {
        let log = try log()
        let more = """
            {"command":"account.reserve-credits","at":"2026-03-02T04:30:00Z","data":{"userId":"ana","householdId":"h1","requestId":"q1"}}
            {"command":"household.replace-id","at":"2026-03-02T04:40:00Z","data":{"kind":"household","localId":"h1","remoteId":"h2"}}
            """
        try expect(log.replay("append", "--each", input: more).code, equals: 0)
        let now = "--now 2026-03-02T05:00:00Z"
        let page = try #require(try report(log, "landing --user ana \(now)").objects().first)
        expect(page["ai_plan"] as? String, equals: "AI_ONLY")
        expect(page["ai_credit_balance"] as? Int, equals: 498)
        #expect(try report(log, "siri GetTodaySummary \(now)").out.contains("dialog"))
    }

    @Test("Whatever numbers are stored, each shape has an answer", arguments: [Int64.max, .min])
    func extremes(_ number: Int64) throws {
        let log = try log()
        let entries = ["sleep", "formula", "breastfeed"].flatMap { kind in
            (0..<3).map { index in
                #"{"event":"baby-care.entry-recorded.v1","at":"2026-03-02T03:00:00Z","data":{"#
                    + #""entryId":"\#(kind)\#(index)","babyId":"b1","kind":"\#(kind)","#
                    + #""state":"closed","startedUs":"2026-03-02T0\#(index):00:00Z","meta":{},"#
                    + #""value":{"durationS":\#(number),"amountUl":\#(number),"count":\#(number)},"#
                    + #""source":"manual","entryMode":"x"}}"#
            }
        }
        let grants = ["2026-01", "2026-02"].map { month in
            #"{"event":"account.credits-granted.v1","at":"2026-03-01T00:00:00Z","data":{"#
                + #""userId":"ana","householdId":"h1","type":"monthly","month":"\#(month)","#
                + #""amount":\#(number),"balanceAfter":0}}"#
        }
        try log.store(entries + grants)
        let now = "--now 2026-03-02T05:00:00Z"
        for arguments in [
            "daily --date 2026-03-02", "weekly --week 2026-W10", "monthly --month 2026-03",
            "landing --user ana \(now)", "landing --user ana --range week \(now)",
            "last feeding \(now)", "last sleep \(now)", "today \(now)",
            "next-feeding \(now)", "siri GetTodaySummary \(now)",
        ] {
            let answer = try report(log, arguments)
            expect(answer.code, equals: 0, "\(arguments): \(answer.code) \(answer.err)")
        }
    }

    @Test("The range of the landing page is read in any case")
    func anyCase() throws {
        let log = try log()
        let landing = "landing --user ana --now 2026-03-02T05:00:00Z --range"
        let answer = try report(log, "\(landing) WEEK")
        expect(answer.code, equals: 0, "\(answer.err)")
        try expect(answer.out, equals: report(log, "\(landing) week").out)
    }

    @Test("A baby that nobody knows is not found")
    func unknownBaby() throws {
        let log = try log()
        let answer = try ReplayProcess.run([
            "report", "daily", "--baby", "nobody", "--date", "2026-03-02", "--shape", "source",
            "--log", log.path,
        ])
        expect(answer.code, equals: 1)
        expect(answer.out, equals: "{\"detail\":\"Baby not found\"}\n")
        let none = try ReplayProcess.run([
            "report", "today", "--shape", "source", "--log", log.path,
        ])
        expect(none.code, equals: 2)
        expect(none.out, equals: "{\"detail\":\"Baby not found\"}\n")
    }

    @Test("A shape that a report does not have, and other rules, are refused")
    func refused() throws {
        let log = try log()
        let other = try ReplayProcess.run([
            "report", "home", "--user", "u", "--shape", "source", "--log", log.path,
        ])
        expect(other.code, equals: 2)
        #expect(other.err.contains("the report 'home' has no such shape; it has no shapes"))
        let rules = try report(log, "daily --date 2026-03-02 --rules standard")
        expect(rules.code, equals: 2)
        #expect(rules.err.contains("always uses the rule set 'source'"))
        let named = try report(log, "daily --date 2026-03-02 --rules source")
        expect(named.code, equals: 0)
        let help = try ReplayProcess.run(["report", "daily", "--help"])
        #expect(help.out.contains("FORMS: text, json, csv, svg\n\nSHAPES: source\n"))
    }
}
