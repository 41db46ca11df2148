import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-two-dates, s4-moment, s4-updating-nothing, s4-closed-without-end, s4-cancelling-open,
// s4-cancelled-feeds
/// The two versions of the app behind the source document, which differ in what a day counts.
@Suite struct SourceRulesTests {
    private let days = ["2026-02-20", "2026-02-21"]

    private func figures(_ story: CareStory, _ rules: BabyCare.Rules) throws -> [BabyCare.Figures] {
        try days.map { story.reporter(rules).day(try Zones.date($0)).figures }
    }

    @Test(
        "A sleep over midnight counts in full where it started, in the later code on both days",
        arguments: [
            (BabyCare.Rules.source, [39_300, 0], "source.v2"),
            (.laterSource, [39_300, 39_300], "source-eab2a79.v1"),
        ] as [(BabyCare.Rules, [Int64], String)])
    func night(_ rules: BabyCare.Rules, _ sums: [Int64], _ rule: String) throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.sleep, "2026-02-20T20:10", "2026-02-21T07:05")
        let found = try figures(story, rules)
        expect(found.map { $0.sleep?.sumS }, equals: sums)
        // By the local hour of the start.
        expect(found.map { $0.sleep?.nightS }, equals: sums)
        expect(found.map { $0.sleep?.napS }, equals: [0, 0])
        let week = story.reporter(rules).week(try Zones.date("2026-02-16"))
        expect(week.figures.sleep?.sumS, equals: 39_300, "each once in a week")
        #expect(week.days.compactMap(\.sleepSumS).reduce(0, +) == sums.reduce(0, +))
        expect(week.basis.rule, equals: rule)
    }

    @Test("A feed over midnight counts in full on both days in the later code alone")
    func feed() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.formula, "2026-02-20T23:50", "2026-02-21T00:20", ["ml": "120"])
        for rules in [BabyCare.Rules.standard, .source] {
            let ml = try figures(story, rules).map { $0.feed.formula?.ml ?? 0 }
            expect(ml, equals: [120, 0])
        }
        let later = try figures(story, .laterSource)
        expect(later.map { $0.feed.formula?.ml }, equals: [120, 120])
        expect(later.map { $0.feed.formula?.count }, equals: [1, 1])
    }

    @Test(
        "By the source's rules a missing value is 0, and sums are divided by the days that exist",
        arguments: [BabyCare.Rules.source, .laterSource])
    func nothing(_ rules: BabyCare.Rules) throws {
        var story = try CareStory(zone: "Asia/Seoul")
        let empty = try figures(story, rules)[0]
        expect(empty.sleep?.sumS, equals: 0)
        expect(empty.feed.formula, equals: BabyCare.FormulaFigures(count: 0, ml: 0))
        expect(empty.diaper, equals: BabyCare.DiaperFigures(pee: 0, poo: 0))
        expect(empty.missingKindNames, equals: ["growth", "symptom"])
        try story.add(.formula, "2026-02-16T12:00", ["ml": "100"])
        let week = story.reporter(rules).week(try Zones.date("2026-02-16"))
        expect(week.average.dayCount, equals: 7)
        expect(week.average.formulaMl?.text, equals: "14.3")
        expect(week.trend.sleepS, equals: "new")
    }

    @Test("A week of the source documents has seven days of 24 hours")
    func hours() throws {
        let story = try CareStory(zone: "America/New_York")
        let monday = try Zones.date("2020-03-02")
        expect(story.reporter().week(monday).figures.lengthS, equals: 7 * 86_400 - 3_600)
        expect(story.reporter(.source).week(monday).figures.lengthS, equals: 7 * 86_400)
        let day = story.reporter(.source).day(try Zones.date("2020-03-08"))
        expect(day.figures.lengthS, equals: 86_400)
    }

    @Test("Cancelled feeds count for the next one until the later code")
    func cancelledFeeds() throws {
        var story = try CareStory()
        for hour in ["08:00", "10:00", "11:00"] {
            try story.add(.formula, "2026-02-15T\(hour)", id: hour)
        }
        try story.give(BabyCare.Cancel(entryId: "11:00"), at: try story.time("2026-02-15T11:30"))
        let now = try story.time("2026-02-15T12:00")
        let counts = BabyCare.Rules.allCases.map {
            story.reporter($0).nextFeeding(at: now).feedCount
        }
        expect(counts, equals: [2, 3, 2])
    }

    @Test("An edit of an entry without an end needs one under the source rules")
    func endRequired() throws {
        for rules in [BabyCare.Rules.source, .laterSource] {
            var story = try CareStory()
            try story.add(.formula, "2026-02-15T08:00", id: "f", ["ml": "100"])
            let now = try story.time("2026-02-15T09:00")
            #expect(throws: Refusal.endRequired) {
                try story.give(
                    BabyCare.Edit(entryId: "f", value: ["ml": "90"], rules: rules), at: now)
            }
            #expect(
                throws: Refusal("nothingToUpdate", "at least one field must be provided for update")
            ) {
                try story.give(BabyCare.Edit(entryId: "f", rules: rules), at: now)
            }
            try story.give(
                BabyCare.Edit(entryId: "f", ended: now, value: ["ml": "90"], rules: rules), at: now)
            expect(story.state.entry("f")?.value.amountUl, equals: 90_000)
        }
    }

    @Test("A cancelled entry without an end gets one at its start, which our own undo takes away")
    func inventedEnds() throws {
        for (rules, isKept) in [(BabyCare.Rules.source, true), (.standard, false)] {
            var story = try CareStory()
            try story.add(.formula, "2026-02-15T08:00", id: "f", ["ml": "100"])
            let before = try #require(story.state.entry("f"))
            let now = try story.time("2026-02-15T09:00")
            try story.give(BabyCare.Cancel(entryId: "f", rules: .source), at: now)
            expect(story.state.entry("f")?.ended, equals: before.started)
            try story.give(BabyCare.Restore(entryId: "f", rules: rules), at: now)
            #expect(story.state.entry("f")?.ended == (isKept ? before.started : nil))
        }
    }
}
