import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-unrecorded
/// Entries that were started and never ended, and the days after them.
@Suite struct ForgottenTimerTests {
    private func story(
        _ kind: String, _ start: String, zone: String = "Asia/Seoul"
    ) throws -> CareStory {
        var story = try CareStory(zone: zone)
        let start = try story.time(start)
        try story.give(
            BabyCare.Start(entryId: "forgotten", babyId: "b", kind: kind, started: start),
            at: start)
        return story
    }

    /// The days around the start that have an open sleep, counted from it.
    private func daysOf(_ story: CareStory, _ date: String) throws -> [Int] {
        let first = try Zones.date(date)
        let reporter = story.reporter()
        return (-3...40).filter { day in
            let figures = reporter.day(first.adding(days: day)).figures
            #expect(
                (figures.sleep == nil) == figures.missingKindNames.contains("sleep"), "day \(day)")
            expect(figures.sleep?.sumS ?? 0, equals: 0)
            return figures.sleep?.open.map(\.entryId) == ["forgotten"]
        }
    }

    @Test(
        "A forgotten sleep is recorded on the days that it plausibly covers, and on no other",
        arguments: [
            // A nap lasts three hours at most, a night 14.
            ("2026-02-19T13:00", [0]), ("2026-02-19T17:59", [0]), ("2026-02-19T18:00", [0, 1]),
            ("2026-02-19T09:59", [0]), ("2026-02-19T00:00", [0]), ("2026-02-19T23:59", [0, 1]),
        ] as [(String, [Int])])
    func coveredDays(_ start: String, _ days: [Int]) throws {
        try expect(daysOf(try story("sleep", start), "2026-02-19"), equals: days)
    }

    @Test("A day with only a dry diaper is recorded, and a cancelled one records nothing")
    func dryDay() throws {
        var story = try CareStory()
        try story.add(.dry, "2026-02-18T09:00", id: "d", [:])
        func recorded(_ story: CareStory) throws -> [String] {
            try story.reporter().week(Zones.date("2026-02-16")).days.filter(\.isRecorded)
                .map(\.date)
        }
        try expect(recorded(story), equals: ["2026-02-18"])
        try story.give(BabyCare.Cancel(entryId: "d"), at: try story.time("2026-02-18T10:00"))
        try expect(recorded(story), equals: [])
    }

    @Test("The next sleep ends what a forgotten one covers")
    func nextEntry() throws {
        var story = try story("sleep", "2026-02-19T20:00")
        try story.add(.sleep, "2026-02-19T23:00", "2026-02-19T23:30")
        let next = try Zones.date("2026-02-20")
        let reporter = story.reporter()
        #expect(reporter.day(next).figures.sleep == nil)
        expect(
            reporter.day(next).figures.missingKindNames,
            equals: BabyCare.Kind.reportedKinds.map(\.name))
        var asked = reporter
        asked.showsOpenLengths = true
        let open = asked.day(try Zones.date("2026-02-19")).figures.sleep?.open.first
        expect(open?.soFarS, equals: Int64(3 * 3_600))
    }

    @Test("The baby's own night tells how long a forgotten sleep may have lasted")
    func ownNight() throws {
        var profile = Household.BabyProfileChanged()
        (profile.nightFromMin, profile.nightToMin) = (22 * 60, 7 * 60)
        var story = try CareStory(profile: profile)
        let start = try story.time("2026-02-19T20:00")
        try story.give(
            BabyCare.Start(entryId: "forgotten", babyId: "b", kind: "sleep", started: start),
            at: start)
        try expect(daysOf(story, "2026-02-19"), equals: [0])
    }

    @Test("Averages and trends are those of the days that were recorded")
    func averages() throws {
        var story = try story("sleep", "2026-02-16T10:00")
        try story.add(.formula, "2026-02-16T12:00", ["ml": "100"])
        let week = story.reporter().week(try Zones.date("2026-02-16"))
        expect(week.average.dayCount, equals: 1)
        expect(week.average.formulaMl?.text, equals: "100.0")
        #expect(week.average.sleepMin == nil)
        expect(week.days.map(\.isRecorded), equals: [true] + Array(repeating: false, count: 6))
        expect(week.days.map(\.sleepSumS), equals: Array(repeating: nil, count: 7))
        let years = story.reporter().week(try Zones.date("2029-02-19"))
        #expect(years.figures.sleep == nil)
        expect(years.average.dayCount, equals: 0)
        expect(years.trend, equals: BabyCare.Trends())
    }

    @Test("A forgotten feed makes its day recorded, and counts in no total")
    func feed() throws {
        let reporter = try story("formula", "2026-02-19T12:00").reporter()
        let day = reporter.day(try Zones.date("2026-02-19"))
        #expect(day.figures.feed.formula == nil)
        let others = BabyCare.Kind.reportedKinds.filter { $0 != .formula }
        expect(day.figures.missingKindNames, equals: others.map(\.name))
        expect(day.entries.map(\.entryId), equals: ["forgotten"])
        expect(day.entries.map(\.state), equals: [.open])
        let next = reporter.day(try Zones.date("2026-02-20"))
        expect(next.figures.missingKindNames, equals: BabyCare.Kind.reportedKinds.map(\.name))
        #expect(next.entries.isEmpty)
    }

    @Test("An imported sleep that was never finished covers what a live one would")
    func imported() throws {
        var story = try CareStory()
        let started = try story.time("2026-02-19T23:00")
        var sleep = BabyCare.ImportedEntry(.sleep, started: started)
        sleep.state = .open
        try story.give(
            BabyCare.ImportRow(babyId: "b", entryId: "forgotten", entries: [sleep]), at: started)
        try expect(daysOf(story, "2026-02-19"), equals: [0, 1])
    }
}
