import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-medication-and-notes, s4-cancelled-uncounted, s4-unrecorded, s4-daily-summary
/// Diarrhoea, intake and activity of a day, and the lists of a month.
@Suite struct HealthReportTests {
    private static func figures(
        _ story: CareStory, _ rules: BabyCare.Rules = .standard
    ) throws -> BabyCare.Figures {
        try story.reporter(rules).day(Zones.date("2026-02-19")).figures
    }

    @Test("A value that nobody recorded is missing, and 0 by the source's rules")
    func nothing() throws {
        let story = try CareStory()
        let figures = try Self.figures(story)
        #expect(figures.diarrhoeaCount == nil)
        #expect(figures.intakeMl == nil)
        #expect(figures.activityMin == nil)
        let source = try Self.figures(story, .source)
        #expect((source.diarrhoeaCount, source.intakeMl, source.activityMin) == (0, 0, 0))
    }

    @Test(
        "A diaper holds diarrhoea only where it says so",
        arguments: [
            (["type": "diarrhea"], 1), (["diaper_type": "Diarrhoea, green"], 1),
            (["consistency": "WATERY"], 1), (["texture": "설사"], 1), (["is_diarrhea": "true"], 1),
            (["diarrhea": "false"], 0), (["type": "loose"], 0), ([:], 0),
            (["type": "watery", "count": "3"], 3),
        ] as [([String: Scalar], Int64)])
    func diarrhoea(_ value: [String: Scalar], _ count: Int64) throws {
        var story = try CareStory()
        try story.add(.poo, "2026-02-19T10:00", value)
        try expect(Self.figures(story).diarrhoeaCount, equals: count)
        try expect(Self.figures(story, .source).diarrhoeaCount, equals: min(count, 1))
        try story.add(.pee, "2026-02-19T11:00", ["type": "watery"])
        try expect(Self.figures(story).diarrhoeaCount, equals: count)
    }

    @Test("Intake adds what has an amount and rounds once")
    func intake() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T08:00", ["ml": "60.4"])
        try story.add(.breastfeed, "2026-02-19T10:00", ["ml": "30.3"])
        try story.add(.weaning, "2026-02-19T12:00", ["ml": "10"])
        try story.add(.breastfeed, "2026-02-19T14:00", "2026-02-19T14:10")
        try story.add(.medication, "2026-02-19T15:00", ["ml": "5"])
        try story.add(.formula, "2026-02-20T08:00", ["ml": "100"])
        let figures = try Self.figures(story)
        expect(figures.intakeMl, equals: 101)
        expect(figures.feed.formula?.ml, equals: 60)
        try expect(Self.figures(story, .source).intakeMl, equals: 100)
    }

    @Test(
        "Activity is play and exercise, and no other memo",
        arguments: [
            ("play", 20), ("Tummy time", 20), ("tummy_time", 20), ("산책", 20), ("bath", nil),
            ("pumping", nil), ("note", nil),
        ] as [(String, Int64?)])
    func activity(_ word: String, _ minutes: Int64?) throws {
        for key in ["activity", "category", "entry_kind"] {
            var story = try CareStory()
            try story.add(
                .memo, "2026-02-19T23:50", "2026-02-20T00:10", [key: Scalar(word)])
            try story.add(.memo, "2026-02-19T10:00", [key: Scalar(word)])
            try expect(Self.figures(story).activityMin, equals: minutes)
        }
    }

    @Test("A cancelled entry is in no figure and no list")
    func cancelled() throws {
        var story = try CareStory()
        let now = try story.time("2026-02-19T12:00")
        try story.add(.poo, "2026-02-19T10:00", id: "p", ["type": "watery"])
        try story.add(.symptom, "2026-02-19T10:00", id: "s", ["temp_c": "38"])
        try story.add(.memo, "2026-02-19T11:00", id: "v", ["category": "hospital"])
        let month = try story.reporter().month(Zones.date("2026-02-01"))
        expect(month.visits.map(\.entryId), equals: ["v"])
        expect(month.symptoms.map(\.milliC), equals: [38_000])
        for id in ["p", "s", "v"] { try story.give(BabyCare.Cancel(entryId: id), at: now) }
        let after = try story.reporter().month(Zones.date("2026-02-01"))
        #expect(after.visits.isEmpty && after.symptoms.isEmpty)
        #expect(after.figures.diarrhoeaCount == nil)
    }
}
