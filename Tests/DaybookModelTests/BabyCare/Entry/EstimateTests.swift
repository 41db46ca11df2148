import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-estimate
/// Ends that nobody wrote down, and entries that become one.
@Suite struct EstimateTests {
    /// A story in which a sleep of the given zone is open since a local time.
    private func story(_ start: String, zone: String = "UTC") throws -> CareStory {
        var story = try CareStory(zone: zone)
        let start = try story.time(start)
        try story.give(
            BabyCare.Start(entryId: "e", babyId: "b", kind: "sleep", started: start),
            at: start)
        return story
    }

    private func estimate(
        _ story: inout CareStory, next: String
    ) throws -> (minutes: Int64, confidence: Int64, basis: BabyCare.EstimateBasis, capped: String?)
    {
        try story.add(.pee, next, id: "next")
        try story.give(
            BabyCare.EstimateEnd(entryId: "e", nextEntryId: "next"),
            at: try story.time(next))
        guard case .endEstimated(let estimated) = story.events.last?.event else {
            throw Zones.missing("an estimate")
        }
        return (
            (estimated.ended - estimated.started) / 60_000_000, estimated.confidence,
            estimated.basis, estimated.cappedBy
        )
    }

    @Test(
        "Without enough to go by, an estimate is a usual length, never past what came next",
        arguments: [
            ("2026-02-19T12:00", "2026-02-19T20:00", 45, 50, nil),
            ("2026-02-19T12:00", "2026-02-19T12:30", 30, 50, "next"),
            ("2026-02-19T12:00", "2026-02-19T12:00:20", 1, 50, "next"),
            ("2026-02-19T18:00", "2026-02-20T12:00", 480, 50, nil),
            ("2026-02-19T05:59", "2026-02-20T12:00", 480, 50, nil),
            ("2026-02-19T06:00", "2026-02-20T12:00", 45, 50, nil),
        ] as [(String, String, Int64, Int64, String?)])
    func usual(
        _ start: String, _ next: String, _ minutes: Int64, _ confidence: Int64, _ capped: String?
    ) throws {
        // Night is by the device's clock.
        for zone in ["UTC", "Asia/Seoul", "America/Los_Angeles"] {
            var story = try story(start, zone: zone)
            let found = try estimate(&story, next: next)
            expect(found.minutes, equals: minutes)
            expect(found.confidence, equals: confidence)
            expect(found.basis, equals: .standardLength)
            expect(found.capped, equals: capped)
        }
    }

    @Test(
        "One nap in two weeks is enough for a median, which is rounded and held to bounds",
        arguments: [
            ([(1, 60), (2, 62), (3, 64), (4, 66), (8, 68), (9, 70), (13, 72)], 66, 80),
            ([(14, 60)], 60, 80), ([(1, 60), (2, 63), (3, 66), (4, 66)], 65, 80),
            ([(1, 61), (9, 62)], 62, 80), ([(15, 60)], 45, 50), ([(1, 5)], 10, 80),
            ([(1, 400)], 180, 80),
        ] as [([(Int, Int64)], Int64, Int64)])
    func medians(_ naps: [(day: Int, minutes: Int64)], _ minutes: Int64, _ confidence: Int64) throws
    {
        var story = try CareStory()
        let open = try story.time("2026-02-19T12:00")
        for (index, nap) in naps.enumerated() {
            let start = open - Int64(nap.day) * 86_400_000_000
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "n\(index)", babyId: "b", kind: "sleep", started: start,
                    ended: start + nap.minutes * 60_000_000),
                at: start)
        }
        // A night's sleep says nothing about naps.
        try story.add(.sleep, "2026-02-18T20:00", "2026-02-19T04:00")
        try story.give(
            BabyCare.Start(entryId: "e", babyId: "b", kind: "sleep", started: open),
            at: open)
        let found = try estimate(&story, next: "2026-02-19T23:00")
        expect(found.minutes, equals: minutes)
        expect(found.confidence, equals: confidence)
    }

    @Test(
        "A usual length has the confidence of its sort",
        arguments: [("formula", 15, 50), ("weaning", 15, 50), ("medication", 120, 45)]
            as [(String, Int64, Int64)])
    func usualOfSorts(_ kind: String, _ minutes: Int64, _ confidence: Int64) throws {
        var story = try CareStory()
        let start = try story.time("2026-02-19T12:00")
        try story.give(
            BabyCare.Start(entryId: "e", babyId: "b", kind: kind, started: start), at: start)
        let found = try estimate(&story, next: "2026-02-19T23:00")
        expect(found.minutes, equals: minutes)
        expect(found.confidence, equals: confidence)
    }

    @Test("The baby's own night window decides which usual length a sleep has")
    func ownNight() throws {
        var profile = Household.BabyProfileChanged()
        (profile.nightFromMin, profile.nightToMin) = (21 * 60, 7 * 60)
        var story = try CareStory(profile: profile)
        let start = try story.time("2026-02-19T19:00")
        try story.give(
            BabyCare.Start(entryId: "e", babyId: "b", kind: "sleep", started: start), at: start)
        try expect(estimate(&story, next: "2026-02-20T12:00").minutes, equals: 45)
    }

    @Test("A start may end what is open by an estimate; what is said later wins")
    func onStart() throws {
        var story = try story("2026-02-19T12:00")
        let now = try story.time("2026-02-19T15:00")
        try story.give(
            BabyCare.Start(entryId: "f", babyId: "b", kind: "sleep", closesOpenEntry: true),
            at: now)
        expect(story.state.entry("e")?.isEstimated, equals: true)
        expect(story.state.entry("f")?.state, equals: .open)
        let end = try story.time("2026-02-19T13:15")
        try story.give(BabyCare.Complete(entryId: "e", ended: end), at: now)
        expect(story.state.entry("e")?.isEstimated, equals: false)
        expect(story.state.entry("e")?.ended, equals: end)
    }

    @Test("Entries that overlap become one from the first start to the last end")
    func merge() throws {
        var story = try CareStory()
        try story.add(.sleep, "2026-02-19T10:00", "2026-02-19T11:00", id: "a")
        try story.add(.sleep, "2026-02-19T10:30", "2026-02-19T12:00", id: "b2")
        try story.add(.sleep, "2026-02-19T12:00", "2026-02-19T12:30", id: "c")
        try story.add(.sleep, "2026-02-19T14:00", "2026-02-19T15:00", id: "d")
        try story.add(.pee, "2026-02-19T10:30", id: "p")
        let now = Instant(microseconds: 0)
        let refused: [(BabyCare.Merge, String)] = [
            (BabyCare.Merge(keepId: "a", dropIds: ["d"]), "cannotMerge"),
            (BabyCare.Merge(keepId: "a", dropIds: ["a"]), "cannotMerge"),
            (BabyCare.Merge(keepId: "a", dropIds: ["p"]), "notTogether"),
            (BabyCare.Merge(keepId: "a", dropIds: []), "nothingToUpdate"),
            (BabyCare.Merge(keepId: "a", dropIds: ["x"]), "entryNotFound"),
        ]
        for (merge, code) in refused {
            do {
                try story.give(merge, at: now)
                Issue.record("\(code) was not refused")
            } catch let refusal as Refusal {
                expect(refusal.code, equals: code)
            }
        }
        try story.give(BabyCare.Merge(keepId: "b2", dropIds: ["a", "c"]), at: now)
        let sleep = story.reporter().day(try Zones.date("2026-02-19")).figures.sleep
        expect(sleep?.count, equals: 2)
        expect(sleep?.sumS, equals: Int64(3 * 3_600 + 1_800))
        expect(story.state.entry("a")?.cancellation.mergedInto, equals: "b2")
        #expect(throws: Refusal.mergedAway("a", into: "b2")) {
            try story.give(BabyCare.Restore(entryId: "a"), at: now)
        }
    }

    @Test("The sentences of a clip become entries once somebody confirms them")
    func voice() throws {
        var story = try CareStory()
        let now = try story.time("2026-02-19T10:00")
        let candidates = [
            BabyCare.ParsedCandidate(kind: "FORMULA", value: ["ml": "120"]),
            BabyCare.ParsedCandidate(
                kind: "MEMO", started: 5, value: ["entry_kind": "weaning", "grams": "20"]),
        ]
        try story.give(
            BabyCare.ParseVoiceClip(
                clipId: "c", babyId: "b", text: PersonalText("a bottle and some carrot"),
                language: "en", candidates: candidates), at: now)
        let confirm = BabyCare.ConfirmVoiceClip(
            clipId: "c",
            entries: [
                BabyCare.ConfirmedEntry(entryId: "f", candidateIndex: 0, value: ["ml": "110"]),
                BabyCare.ConfirmedEntry(entryId: "w", candidateIndex: 1),
            ])
        try story.give(confirm, at: now)
        let formula = try #require(story.state.entry("f"))
        expect(formula.value.amountUl, equals: 110_000)
        expect(formula.started, equals: now)
        expect(formula.source, equals: .voice)
        expect(story.state.entry("w")?.kind, equals: .weaning)
        let refused: [(any CareCommand, String)] = [
            (confirm, "clipConfirmed"),
            (
                BabyCare.ConfirmVoiceClip(clipId: "x", entries: []),
                "clipNotFound"
            ),
            (
                BabyCare.ConfirmVoiceClip(clipId: "c", entries: [], isEnabled: false),
                "voiceDisabled"
            ),
            (
                BabyCare.ParseVoiceClip(
                    clipId: "c", babyId: "b", text: PersonalText(""), language: "en"),
                "clipExists"
            ),
        ]
        for (command, code) in refused {
            do {
                try story.give(command, at: now)
                Issue.record("\(code) was not refused")
            } catch let refusal as Refusal {
                expect(refusal.code, equals: code)
            }
        }
    }
}
