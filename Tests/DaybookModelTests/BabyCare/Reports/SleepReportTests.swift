import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-night-sleep, s4-sleep-parts, s4-night-window, s4-daily-summary
@Suite struct SleepReportTests {
    @Test(
        "A sleep is cut at the bounds of civil days, by absolute time",
        arguments: [
            ("Asia/Seoul", "2026-02-20T20:10", "2026-02-21T07:05", "2026-02-20", [230, 425]),
            ("America/New_York", "2020-03-07T23:00", "2020-03-08T07:00", "2020-03-07", [60, 360]),
            ("America/New_York", "2020-10-31T23:00", "2020-11-01T07:00", "2020-10-31", [60, 480]),
            ("Europe/Berlin", "2024-03-30T22:30", "2024-03-31T06:30", "2024-03-30", [90, 330]),
            ("Europe/Berlin", "2024-10-26T22:30", "2024-10-27T06:30", "2024-10-26", [90, 450]),
            (
                "Australia/Lord_Howe", "2024-10-05T21:00", "2024-10-06T06:00", "2024-10-05",
                [180, 330]
            ),
            ("America/Havana", "2024-03-09T22:00", "2024-03-10T06:00", "2024-03-09", [120, 300]),
            ("Pacific/Apia", "2011-12-29T22:00", "2011-12-31T06:00", "2011-12-29", [120, 0, 360]),
            ("UTC", "2024-01-01T23:00", "2024-01-04T01:00", "2024-01-01", [60, 1440, 1440, 60]),
        ] as [(String, String, String, String, [Int64])])
    func pieces(
        _ zone: String, _ start: String, _ end: String, _ first: String, _ minutes: [Int64]
    ) throws {
        var story = try CareStory(zone: zone)
        try story.add(.sleep, start, end)
        let reporter = story.reporter()
        let date = try Zones.date(first)
        let found = minutes.indices.map { reporter.day(date.adding(days: $0)).figures.sleep }
        expect(found.map { $0?.sumS ?? 0 }, equals: minutes.map { $0 * 60 })
        #expect(found.map { $0?.count ?? 0 }.reduce(0, +) == 1)
        #expect(found.first??.startedS == minutes.reduce(0, +) * 60)
        #expect(found.first??.count == 1, "it counts on the day it started")
    }

    @Test(
        "A day is as long as its zone makes it",
        arguments: [
            ("America/New_York", "2020-03-08", 1_380), ("America/New_York", "2020-11-01", 1_500),
            ("Australia/Lord_Howe", "2024-10-06", 1_410),
            ("Australia/Lord_Howe", "2024-04-07", 1_470), ("Asia/Seoul", "2026-02-21", 1_440),
            ("Pacific/Apia", "2011-12-30", 0),
        ] as [(String, String, Int64)])
    func lengths(_ zone: String, _ date: String, _ minutes: Int64) throws {
        let reporter = try CareStory(zone: zone).reporter()
        expect(reporter.day(try Zones.date(date)).figures.lengthS, equals: minutes * 60)
    }

    @Test("A day may start at seven")
    func dayStart() throws {
        var profile = Household.BabyProfileChanged()
        profile.dayStartMin = 420
        var story = try CareStory(zone: "Europe/Berlin", profile: profile)
        try story.add(.sleep, "2024-03-31T01:00", "2024-03-31T08:00")
        try story.add(.formula, "2024-03-31T06:59", id: "f", ["ml": "100"])
        let reporter = story.reporter()
        let before = reporter.day(try Zones.date("2024-03-30")).figures
        let after = reporter.day(try Zones.date("2024-03-31")).figures
        // The clocks went forward at two: from one to seven were five hours.
        expect(before.sleep?.sumS, equals: Int64(5 * 3_600))
        expect(after.sleep?.sumS, equals: 3_600)
        expect(before.lengthS, equals: 23 * 3_600)
        expect(before.feed.formula?.ml, equals: 100)
        #expect(after.feed.formula == nil)
    }

    @Test(
        "The rules of the app leave out the start of the day and the night of a profile",
        arguments: [BabyCare.Rules.source, .laterSource])
    func settingsOfTheApp(_ rules: BabyCare.Rules) throws {
        var profile = Household.BabyProfileChanged()
        profile.dayStartMin = 420
        (profile.nightFromMin, profile.nightToMin) = (1_260, 480)
        var story = try CareStory(zone: "Asia/Seoul", profile: profile)
        try story.add(.formula, "2026-02-20T01:45", id: "f", ["ml": "120"])
        try story.add(.sleep, "2026-02-20T18:30", "2026-02-20T19:30")
        let reporter = story.reporter(rules)
        expect(reporter.day(try Zones.date("2026-02-19")).figures.feed.formula?.ml, equals: 0)
        let day = reporter.day(try Zones.date("2026-02-20"))
        expect(day.figures.feed.formula?.ml, equals: 120)
        expect(day.figures.sleep?.nightS, equals: 3_600)
        expect(day.basis.dayStartMin, equals: 0)
    }

    @Test("Night is by the local hour of the start; what the sleep says of itself wins")
    func night() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.sleep, "2026-02-19T17:59", "2026-02-19T18:59")
        try story.add(.sleep, "2026-02-19T05:59", "2026-02-19T06:29")
        try story.add(.sleep, "2026-02-19T13:00", "2026-02-19T15:00", ["nap": "false"])
        try story.add(.sleep, "2026-02-19T19:00", "2026-02-19T19:10", ["nap": "true"])
        // 11:00 by UTC.
        try story.add(.sleep, "2026-02-19T20:00", "2026-02-19T20:20")
        let sleep = story.reporter().day(try Zones.date("2026-02-19")).figures.sleep
        expect(sleep?.nightS, equals: Int64((30 + 120 + 20) * 60))
        expect(sleep?.napS, equals: Int64((60 + 10) * 60))
        expect(sleep?.longestS, equals: Int64(120 * 60))
    }

    @Test("A baby's own night holds for it")
    func ownNight() throws {
        var profile = Household.BabyProfileChanged()
        (profile.nightFromMin, profile.nightToMin) = (21 * 60, 7 * 60)
        var story = try CareStory(zone: "UTC", profile: profile)
        try story.add(.sleep, "2026-02-19T20:59", "2026-02-19T21:59")
        try story.add(.sleep, "2026-02-19T06:59", "2026-02-19T07:29")
        let sleep = story.reporter().day(try Zones.date("2026-02-19")).figures.sleep
        expect(sleep?.nightS, equals: Int64(30 * 60))
        expect(sleep?.napS, equals: Int64(60 * 60))
    }

    @Test("Two who write down the same sleep give it twice in the sum and once united")
    func overlap() throws {
        var story = try CareStory()
        try story.add(.sleep, "2026-02-19T10:00", "2026-02-19T12:00", id: "mother")
        try story.add(.sleep, "2026-02-19T10:00", "2026-02-19T12:00", id: "father")
        try story.add(.sleep, "2026-02-19T11:30", "2026-02-19T12:30")
        let figures = story.reporter().day(try Zones.date("2026-02-19")).figures
        expect(figures.sleep?.sumS, equals: Int64(5 * 3_600))
        expect(figures.sleep?.unionS, equals: 9_000)
        expect(figures.sleep?.count, equals: 3)
        expect(figures.sleep?.longestS, equals: 7_200)
        #expect(figures.wake == nil)
    }

    @Test("Time awake lies between united sleeps, both ends in the day")
    func wake() throws {
        var story = try CareStory()
        try story.add(.sleep, "2026-02-18T22:00", "2026-02-19T06:00")
        try story.add(.sleep, "2026-02-19T08:00", "2026-02-19T09:00")
        try story.add(.sleep, "2026-02-19T08:30", "2026-02-19T09:30")
        try story.add(.sleep, "2026-02-19T14:00", "2026-02-19T15:00")
        try story.add(.sleep, "2026-02-20T01:00", "2026-02-20T02:00")
        let wake = story.reporter().day(try Zones.date("2026-02-19")).figures.wake
        expect(wake?.count, equals: 2)
        expect(wake?.maxS, equals: 16_200)
        expect(wake?.meanS, equals: Int64((7_200 + 16_200) / 2))
    }

    @Test("An open entry is listed and counts nowhere; its length is shown on request")
    func open() throws {
        var story = try CareStory()
        try story.give(
            BabyCare.Start(
                entryId: "s", babyId: "b", kind: "sleep",
                started: try story.time("2026-02-18T23:00")),
            at: try story.time("2026-02-18T23:00"))
        let known = try story.time("2026-02-19T02:00")
        var reporter = story.reporter(knownAt: known)
        let day = reporter.day(try Zones.date("2026-02-19"))
        expect(day.figures.sleep?.sumS, equals: 0)
        expect(day.figures.sleep?.open.map(\.entryId), equals: ["s"])
        expect(day.figures.sleep?.open.first?.start, equals: "2026-02-18T23:00:00")
        #expect(day.figures.sleep?.open.first?.soFarS == nil)
        #expect(day.isPartial)
        reporter.showsOpenLengths = true
        let asked = reporter.day(try Zones.date("2026-02-19")).figures.sleep
        expect(asked?.open.first?.soFarS, equals: 7_200)
        expect(asked?.sumS, equals: 0)
        #expect(reporter.day(try Zones.date("2026-02-17")).figures.sleep == nil)
    }

    @Test("An estimated end counts and is told apart")
    func estimated() throws {
        var story = try CareStory()
        let start = try story.time("2026-02-19T10:00")
        try story.give(
            BabyCare.Start(entryId: "s", babyId: "b", kind: "sleep"), at: start)
        try story.give(
            BabyCare.EstimateEnd(
                entryId: "s", nextStart: try story.time("2026-02-19T18:00")), at: start)
        try story.add(.sleep, "2026-02-19T19:00", "2026-02-19T20:00")
        let sleep = story.reporter().day(try Zones.date("2026-02-19")).figures.sleep
        expect(sleep?.estimatedS, equals: Int64(45 * 60))
        expect(sleep?.sumS, equals: Int64(105 * 60))
    }

    @Test("Parts are cut at whole seconds, and nothing is lost at midnight")
    func wholeSeconds() throws {
        var story = try CareStory(zone: "Asia/Kathmandu")
        let start = try story.time("2026-02-19T23:59:58") + 700_000
        let end = try story.time("2026-02-20T00:00:03") + 200_000
        try story.give(
            BabyCare.RecordEntry(
                entryId: "s", babyId: "b", kind: "sleep", started: start, ended: end),
            at: end)
        let reporter = story.reporter()
        let parts = ["2026-02-19", "2026-02-20"].compactMap {
            CivilDate(text: $0).map { reporter.day($0).figures.sleep?.sumS }
        }
        expect(parts, equals: [2, 3])
    }

    @Test("Time shared by night sleep and a nap counts as night, and both add up to the union")
    func shared() throws {
        var story = try CareStory()
        try story.add(.sleep, "2026-02-19T17:00", "2026-02-19T20:00", id: "nap")
        try story.add(.sleep, "2026-02-19T19:00", "2026-02-19T23:00", id: "night")
        try story.add(.sleep, "2026-02-19T19:00", "2026-02-19T23:00", id: "copy")
        let sleep = story.reporter().day(try Zones.date("2026-02-19")).figures.sleep
        expect(sleep?.sumS, equals: Int64(11 * 3_600))
        expect(sleep?.unionS, equals: Int64(6 * 3_600))
        expect(sleep?.nightS, equals: Int64(4 * 3_600))
        expect(sleep?.napS, equals: Int64(2 * 3_600))
    }

    @Test("The source documents' day is 24 hours, whatever the clocks do")
    func sourceDay() throws {
        let reporter = try CareStory(zone: "America/New_York").reporter(.source)
        expect(reporter.day(try Zones.date("2020-03-08")).figures.lengthS, equals: 86_400)
    }
}
