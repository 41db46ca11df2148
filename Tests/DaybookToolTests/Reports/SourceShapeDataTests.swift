import Foundation
import TestSupport
import Testing

/// The worked examples of the source app's server, as facts of its code. They lie beside the
/// repository and are no part of it.
private let shapes = Checkout.sharedData.appending(path: "babyai/shapes.json")

// Holds: s4-same-output, s4-daily, s4-weekly, s4-report-lines, s4-report-errors, s4-last-poo,
// s4-next-feeding, s4-today-summary, s4-landing
/// `report --shape source`, field by field against the app.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: shapes.path)))
struct SourceShapeDataTests {
    private typealias Object = [String: Any]

    private static let types: Set = [
        "FORMULA", "BREASTFEED", "SLEEP", "PEE", "POO", "MEMO", "MEDICATION",
    ]

    private let root: Object
    private let fixture: [[Any]]

    init() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: shapes))
        root = try #require(json as? Object)
        fixture = try #require((root["fixture"] as? Object)?["events"] as? [[Any]])
    }

    /// A log with entries in the columns of the fixture.
    private func log(_ rows: [[Any]], zone: String = "Asia/Seoul") throws -> ScratchLog {
        let log = try ScratchLog()
        var lines: [Object] = [
            [
                "command": "household.onboard", "at": "2026-01-05T00:00:00Z",
                "data": [
                    "babyId": "b1", "householdId": "h1", "name": "Ara", "birthDate": "2026-01-05",
                    "birthWeightG": 5_000, "feedingMethod": "mixed", "zone": zone, "by": "ana",
                    "formulaBrand": "Acme", "formulaProduct": "One", "formulaType": "standard",
                ] as Object,
            ],
            [
                "command": "account.change-subscription", "at": "2026-01-05T00:00:01Z",
                "data": ["householdId": "h1", "plan": "aiOnly", "status": "active"] as Object,
            ],
        ]
        for (index, row) in rows.enumerated() {
            // Some rows have no id.
            let isNamed = !Self.types.contains(row[0] as? String ?? "")
            let cells = isNamed ? row : ["x\(index)"] + row
            let id = try #require(cells[0] as? String)
            let start = try #require(cells[2] as? String)
            var data: Object = [
                "entryId": id, "babyId": "b1", "kind": cells[1], "startedUs": start, "by": "ana",
                "value": (cells.count > 4 ? cells[4] as? Object : nil) ?? [:],
            ]
            let state = cells.count > 5 ? cells[5] as? String : nil
            if cells.count > 3, let end = cells[3] as? String { data["endedUs"] = end }
            let command = state == "OPEN" ? "start" : "record"
            lines.append(["command": "baby-care.\(command)", "at": start, "data": data])
            guard state == "CANCELED" else { continue }
            lines.append([
                "command": "baby-care.cancel", "at": start,
                "data": ["entryId": id, "by": "ana"] as Object,
            ])
        }
        let input = try lines.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
        }
        let answer = try log.replay("append", "--each", input: input.joined(separator: "\n"))
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    private func examples(_ endpoint: String) throws -> [Object] {
        let described = try #require((root["endpoints"] as? Object)?[endpoint] as? Object)
        return try #require(described["examples"] as? [Object])
    }

    private func response(_ endpoint: String, _ index: Int = 0) throws -> Object {
        try #require(try examples(endpoint)[index]["response"] as? Object)
    }

    private func answer(_ log: ScratchLog, _ arguments: String...) throws -> Object {
        let all = ["report"] + arguments + ["--baby", "b1", "--shape", "source"]
        let answer = try ReplayProcess.run(all + ["--log", log.path])
        expect(answer.code, equals: 0, "\(answer.err)")
        return try #require(try answer.objects().first)
    }

    private func expectSame(_ own: Object, _ app: Object) {
        expect(Set(own.keys), equals: Set(app.keys))
        for (key, value) in app {
            let same = (own[key] as? NSObject)?.isEqual(value) ?? false
            #expect(same, "\(key): \(own[key] ?? "missing"), the app says \(value)")
        }
    }

    @Test("The day of the fixture")
    func daily() throws {
        var own = try answer(try log(fixture), "daily", "--date", "2026-02-20")
        var app = try response("reports_daily")
        let events = try #require(own.removeValue(forKey: "events") as? [Object])
        let written = try #require(app.removeValue(forKey: "events") as? [Object])
        expectSame(own, app)
        expect(events.compactMap { $0["event_id"] as? String }, equals: (1...9).map { "e\($0)" })
        for (event, said) in zip(events, written) { expectSame(event, said) }
        let value = try #require(events[7]["value"] as? Object)
        #expect(value as NSDictionary == ["name": "vitamin D", "memo": "with milk"])
    }

    @Test("The day of the app's own tests")
    func dailyOfTheApp() throws {
        let (second, third) = (try examples("reports_daily")[1], try examples("reports_daily")[2])
        let rows = try #require((second["input"] as? Object)?["events"] as? [[Any]])
        let today = rows.map { row in
            row.enumerated().map { index, cell in
                (1...2).contains(index)
                    ? (cell as? String).map { "2026-02-20T\($0):00Z" as Any } ?? cell : cell
            }
        }
        let own = try answer(try log(today, zone: "UTC"), "daily", "--date", "2026-02-20")
        let summary = try #require(own["summary"] as? [String])
        let expected =
            try #require(second["expect_summary_contains"] as? [String])
            + (try #require(second["by_reading_also"] as? [String]))
        for line in expected { #expect(summary.contains(line)) }
        let late = try #require((third["input"] as? Object)?["events"] as? [[Any]])
        let day = try answer(try log(late), "daily", "--date", "2026-02-19")
        expect((day["events"] as? [Object])?.first?["type"] as? String, equals: "FORMULA")
    }

    @Test("The weeks")
    func weekly() throws {
        let examples = try examples("reports_weekly")
        let plus = try #require((examples[0]["input"] as? Object)?["plus"] as? [Any])
        let own = try answer(try log(fixture + [plus]), "weekly", "--week", "2026-W08")
        expectSame(own, try response("reports_weekly"))
        let rows = try #require((examples[2]["input"] as? Object)?["events"] as? [[Any]])
        let week = try answer(try log(rows, zone: "UTC"), "weekly", "--week", "2026-W07")
        expectSame(
            try #require(week["trend"] as? Object),
            try #require(examples[2]["by_reading"] as? Object))
        expect(week["week_start"] as? String, equals: "2026-02-09")
    }

    @Test("The next feed")
    func nextFeeding() throws {
        let own = try answer(
            try log(fixture), "next-feeding", "--now", "2026-02-20T08:40:00Z")
        expectSame(own, try response("quick_next_feeding_eta"))
        let second = try examples("quick_next_feeding_eta")[1]
        let rows = try #require((second["input"] as? Object)?["events"] as? [[Any]])
        let brief = try answer(
            try log(rows), "next-feeding", "--now", "2026-02-20T08:40:00Z", "--tone", "brief")
        expectSame(brief, try response("quick_next_feeding_eta", 1))
        let none = try answer(try log([]), "next-feeding", "--now", "2026-02-20T08:40:00Z")
        #expect(none["eta_minutes"] is NSNull && none["unstable"] as? Bool == true)
    }

    @Test("The last poo, and the day by UTC")
    func quick() throws {
        let log = try log(fixture)
        expectSame(
            try answer(log, "last", "poo", "--now", "2026-02-20T08:40:00Z"),
            try response("quick_last_poo_time"))
        expectSame(
            try answer(log, "today", "--now", "2026-02-20T08:40:00Z"),
            try response("quick_today_summary"))
        let none = try answer(
            try self.log([]), "last", "poo", "--now", "2026-02-20T08:40:00Z")
        #expect(none["last_poo_time"] is NSNull)
        expect(none["reference_text"] as? String, equals: "No confirmed poo events are stored yet.")
    }

    @Test("The last entries, as the release before had them")
    func last() throws {
        let examples = try examples("quick_last_feeding_sleep_diaper_medication")
        let rows = try #require((examples[0]["input"] as? Object)?["events"] as? [[Any]])
        let log = try log(rows)
        expectSame(
            try answer(log, "last", "feeding", "--now", "2026-02-20T08:40:00Z"),
            try #require(examples[1]["response"] as? Object))
        let none = try answer(log, "last", "diaper", "--now", "2026-02-20T08:40:00Z")
        #expect(none["timestamp"] is NSNull && none["type"] is NSNull)
        let cases = try self.log([
            ["SLEEP", "2026-02-17T02:20:00Z", "2026-02-17T03:10:00Z", [:] as Object],
            ["PEE", "2026-02-17T03:40:00Z"], ["POO", "2026-02-17T03:55:00Z"],
            ["MEDICATION", "2026-02-17T05:30:00Z", "2026-02-17T05:50:00Z", [:] as Object],
        ])
        let sleep = try answer(cases, "last", "sleep", "--now", "2026-02-20T08:40:00Z")
        #expect(sleep["type"] as? String == "SLEEP" && sleep["duration_min"] as? Int == 50)
        let diaper = try answer(cases, "last", "diaper", "--now", "2026-02-20T08:40:00Z")
        #expect(diaper["type"] as? String == "POO" && diaper["duration_min"] is NSNull)
        let dose = try answer(cases, "last", "medication", "--now", "2026-02-20T08:40:00Z")
        expect(dose["duration_min"] as? Int, equals: 20)
    }

    @Test("Siri and Bixby")
    func assistants() throws {
        let log = try log(fixture)
        let now = "2026-02-20T08:40:00Z"
        expectSame(
            try answer(log, "siri", "GetTodaySummary", "--tone", "friendly", "--now", now),
            try response("siri"))
        expectSame(
            try answer(log, "siri", "GetNextFeedingEta", "--tone", "FORMAL", "--now", now),
            try response("siri", 1))
        let other = try answer(log, "siri", "UnknownIntent", "--now", now)
        expect(other["dialog"] as? String, equals: "Unsupported intent.")
        expectSame(
            try answer(log, "bixby", "Whatever", "--tone", "brief", "--now", now),
            try response("bixby"))
        let empty = try answer(
            try self.log([]), "siri", "GetTodaySummary", "--tone", "brief", "--now", now)
        expect(empty["dialog"] as? String, equals: "Today: 0 events.")
    }

    @Test("The landing page of the fixture")
    func landing() throws {
        let own = try answer(
            try log(fixture), "landing", "--range", "day", "--now", "2026-02-20T08:40:00Z")
        var app = try response("quick_landing_snapshot")
        for name in ["breastfeed", "diaper", "formula", "medication", "sleep", "weaning"] {
            for part in ["event_id", "memo", "start_time", "value"] {
                let key = "open_\(name)_\(part)"
                app[key] = app[key] ?? NSNull()
            }
        }
        app["open_diaper_type"] = app["open_diaper_type"] ?? NSNull()
        let described = try #require(
            (root["endpoints"] as? Object)?["quick_landing_snapshot"] as? Object)
        expect(own.count, equals: described["key_count"] as? Int)
        expectSame(own, app)
    }

    @Test("The landing pages of the app's own tests")
    func landingOfTheApp() throws {
        let examples = try examples("quick_landing_snapshot")
        let rows = try #require((examples[1]["input"] as? Object)?["events_today_utc"] as? [[Any]])
        let today = rows.map { row in
            row.enumerated().map { index, cell in
                (1...2).contains(index)
                    ? (cell as? String).map { "2026-02-20T\($0):00Z" as Any } ?? cell : cell
            }
        }
        let day = try answer(
            try log(today, zone: "UTC"), "landing", "--now", "2026-02-20T22:00:00Z")
        for (path, value) in try #require(examples[1]["expect"] as? Object) {
            let keys = path.split(separator: ".").map(String.init)
            var own: Any? = day
            for key in keys { own = (own as? Object)?[key] }
            expect((own as? NSObject)?.isEqual(value), equals: true, "\(path)")
        }
        let rowsOfWeek: [[Any]] = [
            ["FORMULA", "2026-02-16T08:00:00Z", NSNull(), ["ml": 100, "memo": "after vaccine"]],
            ["FORMULA", "2026-02-18T09:00:00Z", NSNull(), ["ml": 200]],
            ["BREASTFEED", "2026-02-19T10:00:00Z"],
            ["SLEEP", "2026-02-17T13:00:00Z", "2026-02-17T15:00:00Z", [:] as Object],
            ["SLEEP", "2026-02-20T23:00:00Z", "2026-02-21T02:00:00Z", [:] as Object],
        ]
        let week = try answer(
            try log(rowsOfWeek, zone: "UTC"), "landing", "--range", "week", "--now",
            "2026-02-18T12:00:00Z")
        var expected = try #require(examples[2]["expect"] as? Object)
        expected["graph items"] = nil
        expected["graph sum"] = nil
        for (path, value) in expected {
            expect((week[path] as? NSObject)?.isEqual(value), equals: true, "\(path)")
        }
        let points = try #require(week["feeding_graph_points"] as? [Int])
        #expect(points.count == 7 && points.reduce(0, +) == 300)
        let kinds = ["FORMULA", "BREASTFEED", "SLEEP", "POO", "MEMO", "MEDICATION"]
        var started: [[Any]] = []
        for (index, kind) in kinds.enumerated() {
            let value: Object = kind == "MEMO" ? ["category": "WEANING"] : [:]
            started.append(
                ["o\(index)", kind, "2026-02-20T0\(index):00:00Z", NSNull(), value, "OPEN"])
        }
        let open = try answer(
            try log(started), "landing", "--now", "2026-02-20T08:40:00Z")
        for name in ["breastfeed", "diaper", "formula", "medication", "sleep", "weaning"] {
            #expect(open["open_\(name)_event_id"] is String, "\(name)")
            #expect(open["open_\(name)_start_time"] is String, "\(name)")
        }
        expect(open["open_diaper_type"] as? String, equals: "POO")
    }

    @Test("The errors of the app's own tests")
    func errors() throws {
        let log = try log([])
        let rows = try #require((root["upstream_error_tests"] as? Object)?["rows"] as? [[Any]])
        let details = Dictionary(
            rows.map { ($0[0] as? String ?? "", $0[2] as? String ?? "") }, uniquingKeysWith: { $1 })
        for (endpoint, arguments) in [
            ("reports_daily", ["daily", "--date", "2026-02-30"]),
            ("reports_weekly", ["weekly", "--week", "someday"]),
            ("quick_landing_snapshot", ["landing", "--range", "year"]),
            ("bixby", ["bixby", "--action", " "]),
        ] {
            let all = ["report"] + arguments + ["--baby", "b1", "--shape", "source"]
            let answer = try ReplayProcess.run(all + ["--log", log.path])
            expect(answer.code, equals: 2)
            try expect(answer.objects().first?["detail"] as? String, equals: details[endpoint])
        }
    }
}
