import Daybook
import DaybookInput
import Foundation
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// The real data beside the repository, which is not part of it.
private let data = Checkout.sharedData

private let isPresent = FileManager.default.fileExists(atPath: data.appending(path: "baby").path)

private func load<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws
    -> Value
{
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: data.appending(path: path)))
}

/// The story that a file tells, imported into nothing.
private func story(
    _ format: BabyCare.FileFormat, _ path: String, _ zone: String,
    into known: CareStory? = nil
) throws -> CareStory {
    var story = try known ?? CareStory(zone: zone)
    let bytes = try Array(Data(contentsOf: data.appending(path: path)))
    let rows = try CareFile.read(bytes, as: format, zone: story.zone, rules: .standard)
    let plan = CareImportPlan(babyId: "b", format: format, settingsText: zone, rows: rows) {
        Array("\($0)/".utf8) + $1
    }
    var ids = EntryIdGenerator()
    for (row, identity) in zip(rows, plan.identities()) {
        let content = try row.result.get()
        let identity = try #require(identity)
        let entryId = ids.next(identity, content.entries) { _ in false }
        try story.give(
            BabyCare.ImportRow(
                babyId: "b", entryId: entryId, origin: identity.origin,
                entries: content.entries),
            at: content.entries[0].started)
    }
    return story
}

private func file(_ prefix: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(
        atPath: data.appending(path: "baby").path)
    return try "baby/" + #require(names.first { $0.hasPrefix(prefix) && $0.hasSuffix(".csv") })
}

// Holds: s4-recommendation, s4-trend, s4-generated-month, s4-feed-gaps
@Suite(.enabled(if: isPresent)) struct CareDataTests {
    struct Expected: Decodable {
        var sleep_by_day_clipped, sleep_by_day_clipped_union, sleep_by_startday: [String: Double]
        var sleep_by_iso_week_monday_clipped, sleep_by_month_clipped: [String: Double]
        var bottle_oz_by_day, bottle_oz_by_month: [String: Double]
        var sleep_count_by_startday, feeds_by_day: [String: Int64]
    }

    @Test(
        "A real Baby Connect log adds up to what was computed elsewhere",
        arguments: ["America/Los_Angeles", "UTC"])
    func babyConnect(_ zone: String) throws {
        let all = try load("baby/expected_babyconnect.json", as: [String: Expected].self)
        let expected = try #require(all[zone])
        let reporter = try story(.babyConnect, file("babyconnect"), zone).reporter()
        #expect(expected.sleep_by_day_clipped.count > 100)
        for (date, minutes) in expected.sleep_by_day_clipped {
            let figures = reporter.day(try Zones.date(date)).figures
            let seconds = { (minutes: Double?) in minutes.map { Int64($0 * 60) } ?? 0 }
            expect(figures.sleep?.sumS ?? 0, equals: seconds(minutes), "\(date)")
            expect(
                figures.sleep?.unionS ?? 0,
                equals: seconds(expected.sleep_by_day_clipped_union[date]),
                "\(date)")
            expect(
                figures.sleep?.startedS ?? 0, equals: seconds(expected.sleep_by_startday[date]),
                "\(date)")
            expect(
                figures.sleep?.count ?? 0, equals: expected.sleep_count_by_startday[date] ?? 0,
                "\(date)")
            let feeds =
                (figures.feed.formula?.count ?? 0) + (figures.feed.breastfeed?.count ?? 0)
            expect(feeds, equals: expected.feeds_by_day[date] ?? 0, "\(date)")
            let ml = (expected.bottle_oz_by_day[date] ?? 0) * 29.5735295625
            #expect(abs(Double(figures.feed.formula?.ml ?? 0) - ml) <= 1, "\(date)")
        }
        for (monday, minutes) in expected.sleep_by_iso_week_monday_clipped {
            let week = reporter.week(try Zones.date(monday))
            expect(week.figures.sleep?.sumS, equals: Int64(minutes * 60), "week of \(monday)")
            expect(
                week.days.reduce(0) { $0 + ($1.sleepSumS ?? 0) }, equals: week.figures.sleep?.sumS)
        }
        for (month, minutes) in expected.sleep_by_month_clipped {
            let report = reporter.month(try Zones.date(month + "-01"))
            expect(report.figures.sleep?.sumS, equals: Int64(minutes * 60), "\(month)")
            let ml = (expected.bottle_oz_by_month[month] ?? 0) * 29.5735295625
            #expect(abs(Double(report.figures.feed.formula?.ml ?? 0) - ml) <= 1, "\(month)")
        }
    }

    @Test("Two spring days in Los Angeles have 765 minutes of sleep and one sleep of 479")
    func springForward() throws {
        let reporter = try story(.babyConnect, file("babyconnect"), "America/Los_Angeles")
            .reporter()
        expect(reporter.day(try Zones.date("2020-03-08")).figures.sleep?.sumS, equals: 765 * 60)
        let night = try #require(
            reporter.entries.first {
                reporter.zone.local(at: $0.started).text == "2020-03-07T22:56:00"
            })
        expect(night.lengthUs, equals: 479 * 60_000_000)
        expect(night.file.declaredDurationS, equals: Int64(479 * 60))
        let wrong = reporter.entries.filter {
            $0.kind == .sleep
                && $0.file.declaredDurationS.map { declared in
                    abs(declared)
                } != nil
                && abs(($0.file.declaredDurationS ?? 0) - $0.lengthUs / 1_000_000) > 60
                && $0.ended != nil
        }
        expect(wrong.count, equals: 2)
    }

    struct Reports: Decodable {
        struct Sample: Decodable {
            struct Answer: Decodable { var avg_min, eta_min, n: Int64?; var last: String? }
            var now: String
            var expect: Answer
        }
        struct Night: Decodable { var count: Int; var night_min, nap_min: Double }
        var eta_samples: [Sample]
        var by_start_day_full_duration_night_start_hour_lt6_or_ge18_local: [String: Night]
    }

    @Test("The next feed is expected at the time computed elsewhere")
    func nextFeeding() throws {
        let reports = try load("baby/expected_babyconnect_reports.json", as: Reports.self)
        let reporter = try story(.babyConnect, file("babyconnect"), "America/Los_Angeles")
            .reporter()
        #expect(reports.eta_samples.count > 50)
        for sample in reports.eta_samples {
            let now = try #require(Timestamp.parse(sample.now)).instant
            let answer = reporter.nextFeeding(at: now)
            expect(answer.averageMin, equals: sample.expect.avg_min, "\(sample.now)")
            expect(answer.etaMin, equals: sample.expect.eta_min, "\(sample.now)")
            let last = sample.expect.last.flatMap { Timestamp.parse($0)?.instant }
            expect(answer.lastStart, equals: last, "\(sample.now)")
        }
        for (date, night) in reports.by_start_day_full_duration_night_start_hour_lt6_or_ge18_local {
            let window = reporter.window(of: try Zones.date(date))
            let sleeps = reporter.entries.filter {
                $0.kind == .sleep && $0.isCounted && window.contains($0.started)
            }
            let nightUs = sleeps.filter(reporter.isNight).reduce(0) { $0 + $1.lengthUs }
            expect(nightUs, equals: Int64(night.night_min * 60) * 1_000_000, "\(date)")
        }
    }

    struct Huckleberry: Decodable {
        var by_day_clipped, by_startday, by_iso_week, by_month: [String: Double]
    }

    @Test(
        "A real Huckleberry log adds up to what was computed elsewhere",
        arguments: ["America/New_York", "UTC"])
    func huckleberry(_ zone: String) throws {
        let all = try load("baby/expected_huckleberry.json", as: [String: Huckleberry].self)
        let expected = try #require(all[zone])
        let reporter = try story(.huckleberry, file("huckleberry"), zone).reporter()
        for (date, minutes) in expected.by_day_clipped {
            let sleep = reporter.day(try Zones.date(date)).figures.sleep
            expect(sleep?.sumS, equals: Int64(minutes * 60), "\(date)")
            expect(
                sleep?.startedS ?? 0, equals: Int64((expected.by_startday[date] ?? 0) * 60),
                "\(date)")
        }
        for (monday, minutes) in expected.by_iso_week {
            let week = reporter.week(try Zones.date(monday))
            #expect(
                week.figures.sleep?.startedS == Int64(minutes * 60)
                    || week.figures.sleep?.sumS
                        == Int64(minutes * 60),
                "\(monday)")
        }
    }

    struct BabyBuddy: Decodable {
        struct Sleep: Decodable { var by_day_clipped_min, by_startday_min: [String: Double] }
        struct Feeding: Decodable { var by_day: [String: [Double]]; var types: [String: Int] }
        struct Diapers: Decodable { var by_day_total_wet_solid: [String: [Int64]] }
        struct Fixture: Decodable { var sleep_by_day_clipped_min: [String: Double] }
        var sleep_csv_utc: Sleep
        var feeding_csv: Feeding
        var diaper_csv: Diapers
        var tests_json_us_eastern: Fixture
    }

    @Test("Baby Buddy's own files add up to what was computed elsewhere")
    func babyBuddy() throws {
        let expected = try load("babybuddy/expected.json", as: BabyBuddy.self)
        var story = try story(.babyBuddy, "babybuddy/sleep.csv", "UTC")
        for name in ["feeding", "diaperchange", "temperature", "weight", "tummytime", "pumping"] {
            story = try DaybookFormatsTests.story(
                .babyBuddy, "babybuddy/\(name).csv", "UTC", into: story)
        }
        let reporter = story.reporter()
        for (date, minutes) in expected.sleep_csv_utc.by_day_clipped_min {
            let sleep = reporter.day(try Zones.date(date)).figures.sleep
            #expect(abs(Double(sleep?.sumS ?? 0) - minutes * 60) <= 0.1, "\(date)")
            let started = expected.sleep_csv_utc.by_startday_min[date] ?? 0
            #expect(abs(Double(sleep?.startedS ?? 0) - started * 60) <= 0.1, "\(date)")
        }
        for (date, diapers) in expected.diaper_csv.by_day_total_wet_solid {
            let figures = reporter.day(try Zones.date(date)).figures
            expect(
                [figures.diaper.pee ?? 0, figures.diaper.poo ?? 0],
                equals: Array(diapers.dropFirst()))
        }
        for (date, feeds) in expected.feeding_csv.by_day {
            let figures = reporter.day(try Zones.date(date)).figures
            let count = (figures.feed.formula?.count ?? 0) + (figures.feed.breastfeed?.count ?? 0)
            expect(Double(count), equals: feeds[0], "\(date)")
        }
    }

    @Test("Baby Buddy's own fixture days are 510 and 720 minutes in US/Eastern")
    func babyBuddyFixture() throws {
        let expected = try load("babybuddy/expected.json", as: BabyBuddy.self)
        struct Row: Decodable {
            struct Fields: Decodable { var start, end: String?; var nap: Bool? }
            var model: String
            var fields: Fields
        }
        var story = try CareStory(zone: "US/Eastern")
        let rows = try load("babybuddy/tests.json", as: [Row].self)
        for row in rows where row.model == "core.sleep" {
            let start = try #require(Timestamp.parse(row.fields.start ?? "")).instant
            let end = try #require(Timestamp.parse(row.fields.end ?? "")).instant
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "s\(start.microseconds)", babyId: "b", kind: "sleep",
                    started: start, ended: end), at: end)
        }
        for (date, minutes) in expected.tests_json_us_eastern.sleep_by_day_clipped_min {
            let sleep = story.reporter().day(try Zones.date(date)).figures.sleep
            expect(sleep?.sumS, equals: Int64(minutes * 60), "\(date)")
        }
    }

    struct Rules: Decodable {
        struct ETA: Decodable {
            struct Answer: Decodable { var eta, avg, n: Int64 }
            var name: String
            var feedings: [String]
            var now: String
            var expect: Answer?
        }
        struct Trend: Decodable { var cur, prev: Double; var upstream, proposed: String }
        struct Recommendation: Decodable {
            var age_days: Int64
            var weight_kg: Double
            var method: String
            var interval_min: Int64
            var daily_ml, per_feed_ml: Int64?
        }
        var eta: [ETA]
        var trend: [Trend]
        var recommendation: [Recommendation]
    }

    @Test("The rules taken from BabyAI's server give its answers")
    func babyAI() throws {
        let rules = try load("babyai/expected_rules.json", as: Rules.self)
        for example in rules.eta {
            var story = try CareStory()
            for feed in example.feedings { try story.add(.formula, feed) }
            let now = try Zones.local(example.now, .utc)
            let answer = story.reporter().nextFeeding(at: now)
            expect(answer.etaMin, equals: example.expect?.eta, "\(example.name)")
            expect(answer.averageMin, equals: example.expect?.avg, "\(example.name)")
            #expect(answer.lacksEstimate == (example.expect == nil), "\(example.name)")
            if let expected = example.expect { expect(answer.feedCount, equals: expected.n) }
        }
        for example in rules.trend {
            let (now, before) = (Int64(example.cur * 10), Int64(example.prev * 10))
            expect(BabyCare.trend(now, against: before), equals: example.proposed)
            expect(BabyCare.trend(now, against: before, rules: .source), equals: example.upstream)
        }
        #expect(rules.recommendation.count > 15)
        for example in rules.recommendation {
            let method = try #require(Household.FeedingMethod(name: example.method))
            let answer = BabyCare.Recommendation(
                ageDays: example.age_days, weightG: nil, method: method)
            expect(answer.weightG, equals: Int64(example.weight_kg * 1_000))
            expect(answer.intervalMin, equals: example.interval_min, "\(example)")
            expect(answer.dailyMl, equals: example.daily_ml, "\(example)")
            expect(answer.perFeedMl, equals: example.per_feed_ml, "\(example)")
        }
    }
}
