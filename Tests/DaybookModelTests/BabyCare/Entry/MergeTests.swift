import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-merge
/// Entries that become one, and are taken apart again.
@Suite struct MergeTests {
    private let now = Instant(microseconds: 1_772_000_000_000_000)

    /// What an entry says, without how often it was changed.
    private func content(_ story: CareStory, _ id: String) throws -> BabyCare.Entry {
        var entry = try #require(story.state.entry(id))
        (entry.history.changed, entry.history.revisionCount) = (now, 0)
        return entry
    }

    @Test("The kept entry has the sum of all amounts, and the day's totals stay")
    func amounts() throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T10:00", "2026-02-19T10:20", id: "a", ["ml": "60"])
        try story.add(.formula, "2026-02-19T10:10", "2026-02-19T10:30", id: "c", ["oz": "1.5"])
        try story.add(
            .breastfeed, "2026-02-19T12:00", "2026-02-19T12:20", id: "left",
            ["side": "left", "duration_min": "9"])
        try story.add(
            .breastfeed, "2026-02-19T12:10", "2026-02-19T12:30", id: "right", ["side": "right"])
        try story.add(.weaning, "2026-02-19T13:00", "2026-02-19T13:10", id: "w", ["g": "30"])
        try story.add(.weaning, "2026-02-19T13:05", "2026-02-19T13:15", id: "x", ["g": "12.5"])
        try story.add(.pee, "2026-02-19T14:00", id: "p", ["count": "2"])
        try story.add(.pee, "2026-02-19T14:00", id: "q")
        let day = try Zones.date("2026-02-19")
        let before = story.reporter().day(day).figures
        for (keep, drop) in [("a", "c"), ("left", "right"), ("w", "x"), ("p", "q")] {
            try story.give(BabyCare.Merge(keepId: keep, dropIds: [drop]), at: now)
        }
        let after = story.reporter().day(day).figures
        expect(after.feed.formula?.count, equals: 1)
        expect(after.feed.formula?.ml, equals: before.feed.formula?.ml)
        expect(after.feed.breastfeed?.durationS, equals: before.feed.breastfeed?.durationS)
        expect(after.feed.weaning?.massG, equals: before.feed.weaning?.massG)
        expect(after.diaper, equals: before.diaper)
        expect(story.state.entry("left")?.value.side, equals: .both)
        // 60 ml is no longer what was written down.
        #expect(story.state.entry("a")?.value.original == nil)
    }

    @Test(
        "A merge is undone to exactly what was, by the id of either entry", arguments: ["a", "c"])
    func undone(_ id: String) throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T10:00", "2026-02-19T10:20", id: "a", ["oz": "2"])
        try story.add(.formula, "2026-02-19T10:10", "2026-02-19T10:30", id: "c", ["ml": "40"])
        let before = try ["a", "c"].map { try content(story, $0) }
        let figures = story.reporter().day(try Zones.date("2026-02-19")).figures
        try story.give(BabyCare.Merge(keepId: "a", dropIds: ["c"]), at: now)
        try story.give(BabyCare.UndoMerge(entryId: id), at: now)
        try expect(["a", "c"].map { try content(story, $0) }, equals: before)
        expect(story.reporter().day(try Zones.date("2026-02-19")).figures, equals: figures)
        // Each can be merged, and deleted, as before.
        try story.give(BabyCare.Merge(keepId: "c", dropIds: ["a"]), at: now)
        expect(story.state.entry("c")?.value.amountUl, equals: 99_147)
    }

    @Test(
        "A merge is not undone once the kept entry was changed",
        arguments: [
            BabyCare.Edit(entryId: "a", value: ["ml": "150"]),
            BabyCare.Edit(entryId: "a", meta: ["place": "cot"]),
            BabyCare.Edit(entryId: "a", value: ["note": "warm"]),
        ])
    func changedSince(_ edit: BabyCare.Edit) throws {
        var story = try CareStory()
        try story.add(.formula, "2026-02-19T10:00", "2026-02-19T10:20", id: "a", ["oz": "2"])
        try story.add(.formula, "2026-02-19T10:10", "2026-02-19T10:30", id: "c", ["ml": "40"])
        try story.give(BabyCare.Merge(keepId: "a", dropIds: ["c"]), at: now)
        try story.give(edit, at: now)
        for id in ["a", "c"] {
            let refused = #expect(throws: Refusal.self) {
                try BabyCare.UndoMerge(entryId: id).decide(story.state, now: now)
            }
            expect(refused?.code, equals: "editedSince")
        }
    }

    @Test("Merges are undone from the last one back")
    func severalMerges() throws {
        var story = try CareStory()
        for (id, minute) in [("a", 0), ("c", 10), ("d", 20)] {
            try story.add(
                .sleep, "2026-02-19T10:\(minute + 10)", "2026-02-19T10:\(minute + 25)", id: id)
        }
        let before = try ["a", "c", "d"].map { try content(story, $0) }
        try story.give(BabyCare.Merge(keepId: "a", dropIds: ["c"]), at: now)
        let first = try content(story, "a")
        try story.give(BabyCare.Merge(keepId: "a", dropIds: ["d"]), at: now)
        let refused = try code {
            try BabyCare.UndoMerge(entryId: "c").decide(story.state, now: now)
        }
        expect(refused, equals: "mergedSince")
        try story.give(BabyCare.UndoMerge(entryId: "a"), at: now)
        try expect(content(story, "a"), equals: first)
        try story.give(BabyCare.UndoMerge(entryId: "c"), at: now)
        try expect(["a", "c", "d"].map { try content(story, $0) }, equals: before)
        let nothing = try code {
            try BabyCare.UndoMerge(entryId: "a").decide(story.state, now: now)
        }
        expect(nothing, equals: "notMerged")
    }

    @Test("A cancelled entry is restored before its merge is undone")
    func cancelled() throws {
        var story = try CareStory()
        try story.add(.sleep, "2026-02-19T10:00", "2026-02-19T11:00", id: "a")
        try story.add(.sleep, "2026-02-19T10:30", "2026-02-19T11:30", id: "c")
        try story.give(BabyCare.Merge(keepId: "a", dropIds: ["c"]), at: now)
        try story.give(BabyCare.Cancel(entryId: "a"), at: now)
        let refused = try code {
            try BabyCare.UndoMerge(entryId: "c").decide(story.state, now: now)
        }
        expect(refused, equals: "entryCancelled")
        try story.give(BabyCare.Restore(entryId: "a"), at: now)
        try story.give(BabyCare.UndoMerge(entryId: "c"), at: now)
        expect(story.state.entry("c")?.state, equals: .closed)
    }

    @Test("An end that is an estimate stays one, and a recorded end takes its place")
    func estimatedEnds() throws {
        var story = try CareStory()
        let start = try story.time("2026-02-19T10:00")
        try story.give(
            BabyCare.Start(entryId: "timer", babyId: "b", kind: "sleep", started: start), at: start)
        try story.give(
            BabyCare.EstimateEnd(entryId: "timer", nextStart: start + 36_000_000_000), at: start)
        try story.add(.sleep, "2026-02-19T10:05", "2026-02-19T10:20", id: "short")
        try story.add(.sleep, "2026-02-19T10:10", "2026-02-19T11:00", id: "long")
        let lost = try code {
            try BabyCare.Merge(keepId: "short", dropIds: ["timer"]).decide(story.state, now: now)
        }
        expect(lost, equals: "estimatedEnd")
        try story.give(BabyCare.Merge(keepId: "timer", dropIds: ["short"]), at: now)
        expect(story.state.entry("timer")?.isEstimated, equals: true)
        try story.give(BabyCare.Merge(keepId: "timer", dropIds: ["long"]), at: now)
        expect(story.state.entry("timer")?.isEstimated, equals: false)
        try story.give(BabyCare.UndoMerge(entryId: "timer"), at: now)
        expect(story.state.entry("timer")?.isEstimated, equals: true)
    }

    private func code(_ body: () throws -> [BabyCare.Event]) throws -> String {
        do {
            _ = try body()
            return "no refusal"
        } catch let refusal as Refusal {
            return refusal.code
        }
    }
}
