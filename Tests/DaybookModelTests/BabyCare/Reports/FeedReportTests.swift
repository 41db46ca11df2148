import Daybook
import TestSupport
import Testing

@testable import DaybookModel

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
        #expect(feed.formula?.ml == 367)
        #expect(feed.formula?.count == 4)
        #expect(feed.formula?.missingAmountCount == 1)
        #expect(feed.bandsMl?.morning == 266)
        #expect(feed.bandsMl?.afternoon == 100)
        #expect(feed.bandsMl?.evening == 0)
    }

    @Test("No amount at all is no 0")
    func noAmount() throws {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.formula, "2026-02-19T07:00")
        let feed = try figures(story).feed
        #expect(feed.formula?.ml == nil)
        #expect(feed.formula?.count == 1)
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
        #expect([bands.night, bands.morning, bands.afternoon, bands.evening] == [10, 20, 40, 80])
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
        #expect(breast.count == 3)
        #expect(breast.durationS == Int64((12 + 20) * 60))
        #expect(breast.left?.durationS == 720)
        #expect(breast.right == nil)
        #expect(breast.both?.count == 1)
        #expect(breast.missingDurationCount == 1)
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
        #expect(standard.feed.weaning?.count == 4)
        #expect(standard.feed.weaning?.massG == 30)
        #expect(standard.feed.weaning?.missingMassCount == 3)
        #expect(standard.memoCount == nil)
        #expect(standard.feed.formula == nil)
        #expect(try figures(story, .source).memoCount == 4)
    }

    @Test("Diapers are counted, not rows")
    func diapers() throws {
        var story = try CareStory()
        try story.add(.pee, "2026-02-19T07:00", ["count": "3"])
        try story.add(.pee, "2026-02-19T08:00")
        try story.add(.poo, "2026-02-19T08:00")
        #expect(try figures(story).diaper.pee == 4)
        #expect(try figures(story).diaper.poo == 1)
        #expect(try figures(story, .source).diaper.pee == 2)
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
        #expect(intervals.count == 2)
        #expect(intervals.meanS == 7_200)
        #expect([intervals.minS, intervals.maxS] == [3_600, 10_800])
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
        #expect(figures.medication?.map(\.name) == ["Vitamin D"])
        #expect(figures.medication?.map(\.at) == ["2026-02-19T07:00:00"])
        #expect(figures.symptom?.maxMilliC == 38_250)
        #expect(figures.symptom?.minMilliC == 37_000)
        #expect(figures.growth?.weightG == 7_123)
        #expect(figures.growth?.heightMm == 668)
        #expect(figures.growth?.headMm == nil)
        #expect(figures.memoCount == 1)
        #expect(
            figures.missingKindNames == ["formula", "breastfeed", "weaning", "sleep", "pee", "poo"])
    }

    @Test("A day that nobody wrote about has nothing, and no zeros")
    func empty() throws {
        let report = try CareStory(zone: "Asia/Seoul").reporter().day(try Zones.date(date))
        #expect(report.figures.missingKindNames == BabyCare.Kind.reportedKinds.map(\.name))
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
        #expect(try figures(story).feed.formula?.ml == 55)
        try story.give(BabyCare.Restore(entryId: "restored"), at: later)
        try story.give(
            BabyCare.RecordEntry(
                entryId: "late", babyId: "b", kind: "pee",
                started: try story.time("2026-02-19T23:00")), at: later)
        let figures = try figures(story)
        #expect(figures.feed.formula?.ml == 125)
        #expect(figures.editedCount == 1)
        #expect(figures.cancelledCount == 1)
        #expect(figures.restoredCount == 1)
        #expect(figures.lateCount == 1)
    }
}
