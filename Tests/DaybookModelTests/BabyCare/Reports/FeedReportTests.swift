import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-weaning, s4-weaning-as-memo, s4-diaper-count, s4-formula-bands, s4-unrecorded
@Suite struct FeedReportTests {
    private let date = "2026-02-19"

    private func figures(_ story: CareStory, _ rules: BabyCare.Rules = .standard) throws
        -> BabyCare.Figures
    {
        story.reporter(rules).day(try Zones.date(date)).figures
    }

    @Test("Formula is summed in microlitres and rounded once")
    func formula() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.formula, "2026-02-19T07:00", ["oz": "4.5"])
        try story.add(.formula, "2026-02-19T11:59", ["oz": "4.5"])
        try story.add(.formula, "2026-02-19T12:00", ["amount_ml": "100.4"])
        try story.add(.formula, "2026-02-19T23:59")
        let feed = try figures(story).feed
        // 2 · 133.081 + 100.4 = 366.562; rounded one by one it would be 366.
        expect(feed.formula?.ml, equals: 367)
        expect(feed.formula?.count, equals: 4)
        expect(feed.formula?.missingAmountCount, equals: 1)
        expect(feed.bandsMl?.morning, equals: 266)
        expect(feed.bandsMl?.afternoon, equals: 100)
        expect(feed.bandsMl?.evening, equals: 0)
    }

    @Test("No amount at all is no 0")
    func noAmount() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.formula, "2026-02-19T07:00")
        let feed = try figures(story).feed
        #expect(feed.formula?.ml == nil)
        expect(feed.formula?.count, equals: 1)
        #expect(feed.bandsMl == nil)
    }

    @Test("Bands are by the local hour")
    func bands() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.formula, "2026-02-19T05:59", ["ml": "10"])
        try story.add(.formula, "2026-02-19T06:00", ["ml": "20"])
        try story.add(.formula, "2026-02-19T17:59", ["ml": "40"])
        try story.add(.formula, "2026-02-19T18:00", ["ml": "80"])
        let bands = try #require(try figures(story).feed.bandsMl)
        expect(
            [bands.night, bands.morning, bands.afternoon, bands.evening], equals: [10, 20, 40, 80])
    }

    @Test("Breast feeds have their own account of time, and sides")
    func breast() throws {
        var story = try CareStory()
        try story.add(
            .breastfeed, "2026-02-19T07:00", "2026-02-19T07:30",
            ["duration_min": "12", "side": "left"])
        try story.add(.breastfeed, "2026-02-19T09:00", "2026-02-19T09:20", ["side": "both"])
        try story.add(.breastfeed, "2026-02-19T11:00")
        let breast = try #require(try figures(story).feed.breastfeed)
        expect(breast.count, equals: 3)
        expect(breast.durationS, equals: Int64((12 + 20) * 60))
        expect(breast.left?.durationS, equals: 720)
        #expect(breast.right == nil)
        expect(breast.both?.count, equals: 1)
        expect(breast.missingDurationCount, equals: 1)
        var unknown = try CareStory()
        try unknown.add(.breastfeed, "2026-02-19T11:00")
        #expect(try figures(unknown).feed.breastfeed?.durationS == nil)
    }

    @Test("Weaning is no memo and no formula, however it is spelt")
    func weaning() throws {
        var story = try CareStory()
        let spellings: [([String: Scalar], [String: Scalar])] = [
            (["category": "WEANING", "grams": "30"], [:]), (["entry_kind": "weaning"], [:]),
            ([:], ["category": " Weaning "]), ([:], ["entry_kind": "WEANING"]),
        ]
        for (index, spelling) in spellings.enumerated() {
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "w\(index)", babyId: "b", kind: " memo ",
                    started: try story.time("2026-02-19T1\(index):00"), value: spelling.0,
                    meta: spelling.1), at: Instant(microseconds: 0))
        }
        let standard = try figures(story)
        expect(standard.feed.weaning?.count, equals: 4)
        expect(standard.feed.weaning?.massG, equals: 30)
        expect(standard.feed.weaning?.missingMassCount, equals: 3)
        #expect(standard.memoCount == nil)
        #expect(standard.feed.formula == nil)
        try expect(figures(story, .source).memoCount, equals: 4)
    }

    @Test("Diapers are counted, not rows")
    func diapers() throws {
        var story = try CareStory()
        try story.add(.pee, "2026-02-19T07:00", ["count": "3"])
        try story.add(.pee, "2026-02-19T08:00")
        try story.add(.poo, "2026-02-19T08:00")
        try expect(figures(story).diaper.pee, equals: 4)
        try expect(figures(story).diaper.poo, equals: 1)
        try expect(figures(story, .source).diaper.pee, equals: 2)
    }

    @Test("Gaps between feeds leave out those at the same moment")
    func intervals() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T07:00", ["ml": "50"])
        try story.add(.formula, "2026-02-19T07:00", ["ml": "60"])
        try story.add(.breastfeed, "2026-02-19T10:00")
        try story.add(.formula, "2026-02-19T11:00")
        try story.add(.weaning, "2026-02-19T11:30")
        let intervals = try #require(try figures(story).feed.intervals)
        expect(intervals.count, equals: 2)
        expect(intervals.meanS, equals: 7_200)
        expect([intervals.minS, intervals.maxS], equals: [3_600, 10_800])
    }

    @Test("Doses, temperatures, growth and memos are listed")
    func others() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.medication, "2026-02-19T07:00", ["name": "Vitamin D", "dose": "1 drop"])
        try story.add(.symptom, "2026-02-19T08:00", ["temp_c": "38.25"])
        try story.add(.symptom, "2026-02-19T09:00", ["temp_f": "98.6"])
        try story.add(.growth, "2026-02-19T09:00", ["weight_kg": "7.1234"])
        try story.add(.growth, "2026-02-19T10:00", ["height_cm": "66.75"])
        try story.add(.memo, "2026-02-19T10:00", ["memo": "first tooth"])
        let figures = try figures(story)
        expect(figures.medication?.map(\.name), equals: ["Vitamin D"])
        expect(figures.medication?.map(\.at), equals: ["2026-02-19T07:00:00"])
        expect(figures.symptom?.maxMilliC, equals: 38_250)
        expect(figures.symptom?.minMilliC, equals: 37_000)
        expect(figures.growth?.weightG, equals: 7_123)
        expect(figures.growth?.heightMm, equals: 668)
        #expect(figures.growth?.headMm == nil)
        expect(figures.memoCount, equals: 1)
        expect(
            figures.missingKindNames,
            equals: ["formula", "breastfeed", "weaning", "sleep", "pee", "poo"])
    }

    @Test("A day that nobody wrote about has nothing, and no zeros")
    func empty() throws {
        let report = try CareStory(zone: "Asia/Seoul").reporter().day(try Zones.date(date))
        expect(report.figures.missingKindNames, equals: BabyCare.Kind.reportedKinds.map(\.name))
        let json = JSONWriter.text(report)
        #expect(json.contains("\"sleep\":null"))
        #expect(json.contains("\"diaper\":{\"pee\":null,\"poo\":null}"))
        #expect(json.contains("\"memoCount\":null"))
    }

    @Test("Late, edited, cancelled and restored entries are counted")
    func corrections() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T07:00", id: "edited", ["ml": "50"])
        try story.add(.formula, "2026-02-19T08:00", id: "cancelled", ["ml": "60"])
        try story.add(.formula, "2026-02-19T09:00", id: "restored", ["ml": "70"])
        let later = try story.time("2026-02-20T09:00")
        try story.give(
            BabyCare.Edit(entryId: "edited", value: ["ml": "55"]), at: later)
        try story.give(BabyCare.Cancel(entryId: "cancelled"), at: later)
        try story.give(BabyCare.Cancel(entryId: "restored"), at: later)
        try expect(figures(story).feed.formula?.ml, equals: 55)
        try story.give(BabyCare.Restore(entryId: "restored"), at: later)
        try story.give(
            BabyCare.RecordEntry(
                entryId: "late", babyId: "b", kind: "pee",
                started: try story.time("2026-02-19T23:00")), at: later)
        let figures = try figures(story)
        expect(figures.feed.formula?.ml, equals: 125)
        expect(figures.editedCount, equals: 1)
        expect(figures.cancelledCount, equals: 1)
        expect(figures.restoredCount, equals: 1)
        expect(figures.lateCount, equals: 1)
    }
}
