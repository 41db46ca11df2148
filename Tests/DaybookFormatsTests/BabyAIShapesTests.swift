import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

/// The worked examples of the app behind the source document, at its date, against the reports of
/// `rules: source`. They lie beside the repository and are no part of it.
private let shapes = Checkout.sharedData.appending(path: "babyai/shapes.json")

// Holds: s4-same-output
@Suite(.enabled(if: FileManager.default.fileExists(atPath: shapes.path)))
struct BabyAIShapesTests {
    private typealias Object = [String: Any]

    private var root: Object {
        get throws {
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: shapes))
            return try #require(json as? Object)
        }
    }

    private var fixture: Object {
        get throws { try #require(root["fixture"] as? Object) }
    }

    private var now: Instant {
        get throws {
            let text = try #require(try fixture["now"] as? String)
            return try #require(Timestamp.parse(text)).instant
        }
    }

    /// The entries of the app's example, and others in its columns, as its commands make them.
    private func story(_ others: [Any]...) throws -> CareStory {
        var story = try CareStory(zone: "Asia/Seoul")
        let events = try #require(fixture["events"] as? [[Any]])
        for row in events + others {
            let text = { (index: Int) in row[index] as? String ?? "" }
            let started = try #require(Timestamp.parse(text(2))).instant
            let ended = Timestamp.parse(text(3))?.instant
            var value: [String: Scalar] = [:]
            for (key, some) in row[4] as? Object ?? [:] { value[key] = Scalar("\(some)") }
            if text(5) == "OPEN" {
                try story.give(
                    BabyCare.Start(
                        entryId: text(0), babyId: "b", kind: text(1), started: started,
                        value: value), at: started)
            } else {
                try story.give(
                    BabyCare.RecordEntry(
                        entryId: text(0), babyId: "b", kind: text(1), started: started,
                        ended: ended, value: value), at: started)
            }
            if text(5) == "CANCELED" {
                try story.give(BabyCare.Cancel(entryId: text(0), rules: .source), at: started)
            }
        }
        return story
    }

    /// The answer to the example of an endpoint that is asked about the fixture.
    private func response(_ endpoint: String) throws -> (input: Object, response: Object) {
        let endpoints = try #require(root["endpoints"] as? Object)
        let described = try #require(endpoints[endpoint] as? Object)
        let examples = try #require(described["examples"] as? [Object])
        let example = try #require(
            examples.first { ($0["input"] as? Object)?["fixture"] as? Bool == true })
        return (
            try #require(example["input"] as? Object), try #require(example["response"] as? Object)
        )
    }

    @Test("A day has the app's summary and its entries, in its order")
    func daily() throws {
        let (input, expected) = try response("reports_daily")
        let date = try Zones.date(try #require(input["date"] as? String))
        let day = try story().reporter(.source).day(date)
        let figures = day.figures
        let summary = [
            "Feeding events: \(figures.feed.count ?? -1)",
            "Formula total: \(figures.feed.formula?.ml ?? -1) ml",
            "Sleep total: \((figures.sleep?.sumS ?? -60) / 60) minutes",
            "Diaper events: pee \(figures.diaper.pee ?? -1), poo \(figures.diaper.poo ?? -1)",
        ]
        expect(summary, equals: expected["summary"] as? [String])
        expect(day.entries.map(\.entryId), equals: (1...9).map { "e\($0)" })
        let events = try #require(expected["events"] as? [Object])
        for (event, entry) in zip(events, day.entries) {
            expect(Timestamp.text(entry.started), equals: event["start_time"] as? String)
            expect(entry.ended.map(Timestamp.text), equals: event["end_time"] as? String)
        }
    }

    @Test("A week has the app's trend")
    func weekly() throws {
        let (input, expected) = try response("reports_weekly")
        let monday = try Zones.date(try #require(input["week_start"] as? String))
        let plus = try #require(input["plus"] as? [Any])
        let week = try story(plus).reporter(.source).week(monday)
        let trend = try #require(expected["trend"] as? [String: String])
        expect(week.trend.formulaMl, equals: trend["feeding_total_ml"])
        expect(week.trend.sleepS, equals: trend["sleep_total_min"])
    }

    @Test("The landing page has the app's numbers")
    func landing() throws {
        let (_, expected) = try response("quick_landing_snapshot")
        let reporter = try story().reporter(.source)
        let landing = reporter.landing(.day, around: try Zones.date("2026-02-20"), at: try now)
        let numbers: [(String, Int64?)] = [
            ("formula_count", landing.formulaCount), ("formula_total_ml", landing.formulaMl),
            ("breastfeed_count", landing.breastfeedCount), ("weaning_count", landing.weaningCount),
            ("diaper_pee_count", landing.pee), ("diaper_poo_count", landing.poo),
            ("medication_count", landing.medicationCount), ("memo_count", landing.memoCount),
            ("sleep_total_min", landing.sleepMin), ("sleep_night_total_min", landing.nightMin),
            ("sleep_day_total_min", landing.napMin),
        ]
        for (name, number) in numbers {
            expect(number, equals: expected[name] as? Int64, "\(name)")
        }
        let bands = try #require(expected["formula_amount_by_time_band_ml"] as? [String: Int64])
        let own = try #require(landing.bandsMl)
        expect(
            bands,
            equals: [
                "night": own.night, "morning": own.morning, "afternoon": own.afternoon,
                "evening": own.evening,
            ])
        let averages = [
            ("avg_feedings_per_day", landing.average.feedCount),
            ("avg_formula_ml_per_day", landing.average.formulaMl),
            ("avg_sleep_minutes_per_day", landing.average.sleepMin),
            ("avg_diaper_pee_per_day", landing.average.pee),
            ("avg_diaper_poo_per_day", landing.average.poo),
        ]
        for (name, average) in averages {
            let number = try #require(expected[name] as? Double, "\(name)")
            expect(average?.tenths, equals: Int64((number * 10).rounded()), "\(name)")
        }
        let latest = [
            ("last_poo_time", landing.latest.poo), ("last_diaper_time", landing.latest.diaper),
            ("last_breastfeed_time", landing.latest.feeding),
            ("last_medication_time", landing.latest.medication),
            ("recent_sleep_time", landing.latest.sleep),
        ]
        for (name, last) in latest {
            expect(
                last.map { Timestamp.text($0.started) }, equals: expected[name] as? String,
                "\(name)")
        }
        expect(landing.latest.sleep?.agoMin, equals: expected["minutes_since_last_sleep"] as? Int64)
    }

    @Test("The averages of a week are over seven days, as the app's own test has them")
    func landingWeek() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-16T08:00", ["ml": "100"])
        try story.add(.formula, "2026-02-18T09:00", ["ml": "200"])
        try story.add(.breastfeed, "2026-02-19T10:00")
        try story.add(.sleep, "2026-02-17T13:00", "2026-02-17T15:00")
        try story.add(.sleep, "2026-02-20T23:00", "2026-02-21T02:00")
        let landing = story.reporter(.source)
            .landing(.week, around: try Zones.date("2026-02-18"), at: Instant(microseconds: 0))
        expect(landing.average.formulaMl?.text, equals: "42.9")
        expect(landing.average.feedCount?.text, equals: "0.4")
        expect(landing.average.sleepMin?.text, equals: "42.9")
        #expect((landing.nightMin, landing.napMin) == (180, 120))
    }

    @Test("The quick answers are the app's")
    func quick() throws {
        let reporter = try story().reporter(.source)
        let today = reporter.today(at: try now)
        expect(
            today.lines,
            equals: (try response("quick_today_summary").response)["summary_lines"]
                as? [String])
        let eta = try response("quick_next_feeding_eta").response
        let next = reporter.nextFeeding(at: try now)
        expect(next.etaMin, equals: eta["eta_minutes"] as? Int64)
        expect(
            "Computed from \(next.feedCount) recent feeding events.",
            equals: eta["reference_text"]
                as? String)
        let poo = try response("quick_last_poo_time").response
        let last = try #require(reporter.latest(at: try now).poo)
        expect(Timestamp.text(last.started), equals: poo["last_poo_time"] as? String)
    }
}
