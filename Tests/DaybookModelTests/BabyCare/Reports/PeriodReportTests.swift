import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-recommendation, s4-weekly, s4-trend, s4-half-printed-as-49, s4-weekly-summary,
// s4-feed-gaps, s4-equal-feeds
@Suite struct PeriodReportTests {
    @Test(
        "A trend says how much more or less, rounded half away from zero",
        arguments: [
            (120, 100, "+20%", "+20%"), (50, 100, "-50%", "-49%"), (0, 100, "-100%", "-99%"),
            (10, 0, "new", "new"), (0, 0, "flat", "new"), (100, 100, "0%", "+0%"),
            (997, 1_000, "0%", "0%"), (1_004, 1_000, "0%", "+0%"), (1_005, 1_000, "+1%", "+1%"),
            (995, 1_000, "-1%", "0%"), (300, 100, "+200%", "+200%"),
        ] as [(Int64, Int64, String, String)])
    func trends(_ now: Int64, _ before: Int64, _ standard: String, _ source: String) {
        expect(BabyCare.trend(now, against: before), equals: standard)
        expect(BabyCare.trend(now, against: before, rules: .source), equals: source)
    }

    @Test("A week is seven civil days from its Monday, a Sunday one from the day before")
    func weekStart() throws {
        var story = try CareStory(zone: "America/Los_Angeles")
        try story.add(.pee, "2020-03-01T12:00")
        try story.add(.pee, "2020-03-08T23:59", ["count": "2"])
        let monday = try #require(CivilDate.week(text: "2020-W10"))
        let week = story.reporter().week(monday)
        #expect((week.from, week.to) == ("2020-03-02", "2020-03-08"))
        expect(week.figures.lengthS, equals: 7 * 86_400 - 3_600)
        expect(week.figures.diaper.pee, equals: 2)
        expect(week.trend.pee, equals: "+100%")
        expect(week.days.count, equals: 7)

        var profile = Household.BabyProfileChanged()
        profile.weekStart = .sunday
        var other = try CareStory(zone: "America/Los_Angeles", profile: profile)
        try other.add(.pee, "2020-03-01T12:00")
        try other.add(.pee, "2020-03-08T23:59", ["count": "2"])
        let sundays = other.reporter().week(monday)
        #expect((sundays.from, sundays.to) == ("2020-03-01", "2020-03-07"))
        expect(sundays.figures.diaper.pee, equals: 1)
    }

    @Test("Averages are by the days that have an entry, with one decimal")
    func averages() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-16T07:00", ["ml": "100"])
        try story.add(.formula, "2026-02-17T07:00", ["ml": "101"])
        try story.add(.formula, "2026-02-17T09:00", ["ml": "100"])
        try story.add(.memo, "2026-02-20T07:00")
        let week = story.reporter().week(try Zones.date("2026-02-16"))
        expect(week.average.dayCount, equals: 3)
        expect(week.average.formulaMl?.text, equals: "100.3")
        expect(week.average.feedCount?.text, equals: "1.0")
        #expect(week.average.sleepMin == nil)
        #expect(JSONWriter.text(week).contains("\"formulaMl\":100.3"))
    }

    @Test("A month has its own days, also where the zone skipped one")
    func month() throws {
        var story = try CareStory(zone: "Pacific/Apia")
        try story.add(.sleep, "2011-12-29T22:00", "2011-12-31T06:00")
        let month = story.reporter().month(try Zones.date("2011-12-01"))
        expect(month.period, equals: "2011-12")
        expect(month.days.count, equals: 31)
        expect(month.days[29].lengthS, equals: 0)
        expect(month.figures.lengthS, equals: 30 * 86_400)
        expect(month.figures.sleep?.sumS, equals: Int64(8 * 3_600))
    }

    @Test("A report is partial while its time is not over at what is known")
    func partial() throws {
        let story = try CareStory(zone: "Asia/Seoul")
        let end = try story.time("2026-02-23T00:00")
        let before = story.reporter(knownAt: end - 1)
        let after = story.reporter(knownAt: end)
        let monday = try Zones.date("2026-02-16")
        #expect(before.week(monday).isPartial)
        #expect(!after.week(monday).isPartial)
    }

    @Test(
        "The next feed is expected after the mean gap",
        arguments: [
            (["08:00", "10:00"], "11:00", 60, 120), (["08:00", "10:00"], "14:00", 120, 120),
            (["08:00", "10:00"], "12:00", 0, 120), (["08:00", "10:00"], "12:00:01", 120, 120),
            (["08:00", "08:00", "10:00"], "11:00", 60, 120), (["08:00"], "11:00", nil, nil),
            // Five gaps: 60, 60, 60, 120, 300; the longest and the shortest do not count.
            (["08:00", "09:00", "10:00", "11:00", "13:00", "18:00"], "18:00", 80, 80),
        ] as [([String], String, Int64?, Int64?)])
    func nextFeeding(_ feeds: [String], _ now: String, _ eta: Int64?, _ average: Int64?) throws {
        var story = try CareStory()
        for feed in feeds { try story.add(.formula, "2026-02-15T\(feed)") }
        try story.add(.formula, "2026-02-15T07:00", id: "cancelled")
        try story.give(
            BabyCare.Cancel(entryId: "cancelled"), at: Instant(microseconds: 0))
        let now = try story.time("2026-02-15T\(now)")
        let answer = story.reporter().nextFeeding(at: now)
        expect(answer.etaMin, equals: eta)
        expect(answer.averageMin, equals: average)
        #expect(answer.lacksEstimate == (eta == nil))
    }

    @Test("The quick answers tell the last of each, and the day so far")
    func quick() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.poo, "2026-02-19T07:00")
        try story.add(.pee, "2026-02-19T09:00")
        try story.add(.sleep, "2026-02-19T10:00", "2026-02-19T11:30")
        try story.add(.formula, "2026-02-19T12:00", ["ml": "120"])
        try story.add(.formula, "2026-02-19T15:00", ["ml": "500"])
        let now = try story.time("2026-02-19T13:00")
        let reporter = story.reporter()
        let latest = reporter.latest(at: now)
        expect(latest.poo?.agoMin, equals: 360)
        expect(latest.diaper?.kind, equals: .pee)
        expect(latest.sleep?.agoMin, equals: 90)
        expect(latest.feeding?.agoMin, equals: 60)
        #expect(latest.medication == nil)
        let today = reporter.today(at: now)
        expect(
            today.lines,
            equals: [
                "Feeding events: 1", "Formula total: 120 ml", "Sleep total: 90 minutes",
                "Diaper events: pee 1, poo 1",
            ])
        let landing = reporter.landing(
            .week, around: try Zones.date("2026-02-19"), at: now)
        #expect((landing.from, landing.to) == ("2026-02-16", "2026-02-22"))
        expect(landing.formulaMl, equals: 120)
        expect(landing.bandsMl?.afternoon, equals: 120)
    }

    @Test("The recommendation is S4's rule by age, weight and method, and says what it is")
    func recommendation() throws {
        var profile = Household.BabyProfileChanged()
        profile.birthDate = "2026-01-01"
        profile.feedingMethod = .mixed
        var story = try CareStory(profile: profile)
        try story.add(.growth, "2026-02-01T09:00", ["weight_kg": "5"])
        let answer = try #require(
            story.reporter().recommendation(on: try Zones.date("2026-02-15")))
        expect(answer.ageDays, equals: 45)
        expect(answer.weightG, equals: 5_000)
        #expect(!answer.weightIsAssumed)
        // 5 kg · 135 ml · 0.55 = 371.25 ml; every 180 min that is 46.4, to fives 45.
        #expect((answer.dailyMl, answer.intervalMin, answer.perFeedMl) == (371, 180, 45))
        #expect(answer.notice.contains("no medical advice"))
    }
}
