import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-event-is-entry, s4-create-closed, s4-delete-entry, s4-event-states, s4-state-table,
// s4-one-open-entry, s4-weaning-slot, s4-unstartable, s4-completing, s4-completing-closed,
// s4-updating-open, s4-updating-nothing, s4-cancelling-twice, s4-cancelling-open,
// s4-update-revives, s4-undo-window, s4-end-after-start, s4-not-found, s4-event
/// The life of an entry, row by row of S4's table.
@Suite struct EntryTests {
    private static let start: Instant = 1_771_500_000_000_000
    private static let hour: Int64 = 3_600_000_000

    enum From: String, CaseIterable {
        case open
        case closed
        case cancelledOpen
        case cancelledClosed
        case estimated
    }

    /// A story in which the entry `e` is in a state.
    private func story(_ from: From, _ rules: BabyCare.Rules = .standard) throws -> CareStory {
        var story = try CareStory()
        let now = Self.start
        let end = Self.start + Self.hour
        switch from {
        case .closed, .cancelledClosed:
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "e", babyId: "b", kind: "sleep", started: Self.start,
                    ended: Self.start + Self.hour, value: ["nap": "true"]), at: end)
        case .open, .cancelledOpen, .estimated:
            try story.give(
                BabyCare.Start(entryId: "e", babyId: "b", kind: "sleep"), at: now)
        }
        if from == .estimated {
            try story.give(
                BabyCare.EstimateEnd(entryId: "e"),
                at: Self.start + 2 * Self.hour)
        }
        if from == .cancelledOpen || from == .cancelledClosed {
            try story.give(
                BabyCare.Cancel(entryId: "e", rules: rules),
                at: Self.start + Self.hour / 2)
        }
        return story
    }

    private static func command(_ name: String, _ rules: BabyCare.Rules) -> any CareCommand {
        switch name {
        case "complete":
            BabyCare.Complete(entryId: "e", ended: start + 2 * hour, rules: rules)
        case "update":
            BabyCare.Edit(entryId: "e", value: ["nap": "false"], rules: rules)
        case "edit-open": BabyCare.EditOpen(entryId: "e", started: start - hour)
        case "cancel": BabyCare.Cancel(entryId: "e", rules: rules)
        case "undo":
            BabyCare.Edit(entryId: "e", meta: ["undo_delete": "true"], rules: rules)
        default: BabyCare.Restore(entryId: "e", rules: rules)
        }
    }

    @Test(
        "An entry goes from state to state as S4's table says",
        arguments: [
            (.open, "complete", "closed", "closed"), (.open, "update", "onlyClosed", "onlyClosed"),
            (.open, "edit-open", "open", "open"), (.open, "cancel", "cancelled", "cancelled"),
            (.open, "restore", "notCancelled", "notCancelled"),
            (.closed, "update", "closed", "closed"), (.closed, "complete", "notOpen", "notOpen"),
            (.closed, "edit-open", "notOpen", "notOpen"),
            (.closed, "cancel", "cancelled", "cancelled"),
            (.cancelledClosed, "cancel", "alreadyCancelled", "alreadyCancelled"),
            (.cancelledClosed, "update", "entryCancelled", "closed"),
            (.cancelledClosed, "complete", "notOpen", "notOpen"),
            (.cancelledClosed, "undo", "closed", "closed"),
            (.cancelledOpen, "undo", "open", "closed"),
            (.cancelledOpen, "restore", "open", "closed"),
            (.cancelledOpen, "update", "entryCancelled", "closed"),
            (.estimated, "complete", "closed", "closed"),
            (.estimated, "update", "closed", "closed"),
        ] as [(From, String, String, String)])
    func table(_ from: From, _ command: String, _ standard: String, _ source: String) throws {
        for (rules, expected) in [(BabyCare.Rules.standard, standard), (.source, source)] {
            var story = try story(from, rules)
            let now = Self.start + 3 * Self.hour
            do {
                try story.give(Self.command(command, rules), at: now)
                expect(story.state.entry("e")?.state.name, equals: expected, "\(rules)")
            } catch let refusal as Refusal {
                expect(refusal.code, equals: expected, "\(rules): \(refusal.message)")
            }
        }
    }

    /// What an undo of a deletion with other values gives.
    struct Undo: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let from: From
        let command: BabyCare.Edit
        /// The start and the end afterwards in hours, or the code of the refusal.
        let standard: (start: Int64, end: Int64?)?
        let source: (start: Int64, end: Int64?)?
        var code = ""

        init(
            _ sentence: String, _ from: From, _ meta: Scalar, started: Int64? = nil,
            ended: Int64? = nil, standard: (start: Int64, end: Int64?)? = nil,
            source: (start: Int64, end: Int64?)? = nil, code: String = ""
        ) {
            testDescription = sentence
            self.from = from
            command = BabyCare.Edit(
                entryId: "e", started: started.map { EntryTests.start + $0 * EntryTests.hour },
                ended: ended.map { EntryTests.start + $0 * EntryTests.hour },
                meta: ["undo_delete": meta])
            (self.standard, self.source, self.code) = (standard, source, code)
        }
    }

    @Test(
        "An undo of a deletion keeps the other values of its command",
        arguments: [
            Undo(
                "A new start is an edit after the restoration", .cancelledClosed, "true",
                started: -1, standard: (-1, 1), source: (-1, 1)),
            Undo(
                "The start that it had changes nothing", .cancelledClosed, "TRUE", started: 0,
                ended: 1, standard: (0, 1), source: (0, 1)),
            Undo(
                "A number is no boolean", .cancelledClosed, "1", code: "unreadable"),
            Undo("A number on an entry that stands", .closed, "1", code: "unreadable"),
            Undo(
                "Nothing is undone where nothing was deleted, whatever else is given", .closed,
                "true", started: -1, source: (-1, 1), code: "notCancelled"),
            Undo(
                "No undo and a new start of an entry that stands", .closed, "false", started: -1,
                standard: (-1, 1), source: (-1, 1)),
            Undo(
                "An entry that was open gets a new start, and stays open", .cancelledOpen, "true",
                started: -1, standard: (-1, nil)),
            Undo(
                "An entry that was open gets no end", .cancelledOpen, "true", ended: 1,
                source: (0, 1), code: "onlyClosed"),
        ])
    func undo(_ undo: Undo) throws {
        for (rules, expected) in [
            (BabyCare.Rules.standard, undo.standard), (.source, undo.source),
        ] {
            if rules == .source, expected == nil, undo.code.isEmpty { continue }
            var story = try story(undo.from, rules)
            var command = undo.command
            command.rules = rules
            do {
                try story.give(command, at: Self.start + 3 * Self.hour)
                let entry = try #require(story.state.entry("e"))
                let ended = expected?.end.map { Self.start + $0 * Self.hour }
                expect(
                    entry.started, equals: expected.map { Self.start + $0.start * Self.hour },
                    "\(rules)")
                expect(entry.ended, equals: ended, "\(rules)")
                #expect(entry.meta["undo_delete"] == nil, "\(rules)")
            } catch let refusal as Refusal {
                #expect(expected == nil && refusal.code == undo.code, "\(rules): \(refusal)")
            }
        }
    }

    private static func openSleepExists(_ id: String) -> Refusal {
        Refusal(
            "openEntryExists",
            "open event already exists for this type: the entry '\(id)' of kind sleep is still "
                + "open")
    }

    @Test("A second start is refused with the entry that is open")
    func secondStart() throws {
        var story = try story(.open)
        #expect(throws: Self.openSleepExists("e")) {
            try story.give(
                BabyCare.Start(entryId: "e2", babyId: "b", kind: "SLEEP"),
                at: Self.start + 1)
        }
        // Another kind has another slot, and weaning is not a memo's.
        for (id, kind, meta) in [
            ("f", "formula", [:]), ("m", "memo", [:]), ("w", "memo", ["category": "WEANING"]),
        ] as [(String, String, [String: Scalar])] {
            try story.give(
                BabyCare.Start(entryId: id, babyId: "b", kind: kind, meta: meta),
                at: Self.start + 1)
        }
        expect(story.state.entry("w")?.kind, equals: .weaning)
    }

    @Test(
        "Growth and symptoms are moments and cannot be started", arguments: ["growth", "SYMPTOM"])
    func notStartable(_ kind: String) throws {
        var story = try CareStory()
        #expect(throws: Refusal.self) {
            try story.give(
                BabyCare.Start(entryId: "e", babyId: "b", kind: kind),
                at: Instant(microseconds: 0))
        }
    }

    @Test("Undoing the deletion of what was open needs its slot")
    func slotTaken() throws {
        var story = try story(.cancelledOpen)
        try story.give(
            BabyCare.Start(entryId: "e2", babyId: "b", kind: "sleep"),
            at: Self.start + Self.hour)
        #expect(throws: Self.openSleepExists("e2")) {
            try story.give(
                BabyCare.Restore(entryId: "e"),
                at: Self.start + Self.hour)
        }
    }

    @Test("A restored entry is what it was; the source documents invent an end")
    func restored() throws {
        for rules in BabyCare.Rules.allCases {
            for from in [From.open, .closed] {
                var story = try story(from)
                var before = try #require(story.state.entry("e"))
                let now = Self.start + Self.hour / 2
                try story.give(BabyCare.Cancel(entryId: "e", rules: rules), at: now)
                #expect(
                    story.state.entry("e")?.ended
                        == (from == .open && rules == .standard
                            ? nil : before.ended ?? now))
                try story.give(BabyCare.Restore(entryId: "e", rules: rules), at: now)
                let after = try #require(story.state.entry("e"))
                if rules != .standard, from == .open {
                    expect(after.state, equals: .closed)
                    expect(after.ended, equals: now)
                    continue
                }
                before.history.revisionCount = after.history.revisionCount
                before.history.cancellationCount = 1
                before.history.restorationCount = 1
                before.history.changed = after.history.changed
                expect(after, equals: before)
            }
        }
    }

    @Test("The undo window is the five seconds that the app offers", arguments: [5, 6])
    func undoWindow(_ seconds: Int64) throws {
        var story = try story(.cancelledClosed)
        let cancelled = Self.start + Self.hour / 2
        try story.give(
            BabyCare.Restore(entryId: "e"), at: cancelled + seconds * 1_000_000)
        guard case .entryRestored(let restored) = story.events.last?.event else {
            Issue.record("nothing was restored")
            return
        }
        #expect(restored.isWithinUndoWindow == (seconds <= 5))
        expect(restored.undoOf, equals: 3)
    }

    @Test("Completing merges values, takes now for an end that is not named, and says so")
    func complete() throws {
        var story = try CareStory()
        let now = Self.start
        try story.give(
            BabyCare.Start(
                entryId: "e", babyId: "b", kind: "formula",
                value: ["ml": "100", "method": "bottle"], meta: ["place": "home"]), at: now)
        try story.give(
            BabyCare.Complete(
                entryId: "e", value: ["ml": "90"], meta: ["mood": "calm"],
                removed: ["method"]),
            at: Self.start + Self.hour)
        let entry = try #require(story.state.entry("e"))
        expect(entry.value.amountUl, equals: 90_000)
        #expect(entry.value.method == nil)
        expect(entry.meta, equals: ["place": "home", "mood": "calm"])
        expect(entry.ended, equals: Self.start + Self.hour)
        guard case .entryClosed(let closed) = story.events.last?.event else {
            Issue.record("nothing was closed")
            return
        }
        expect(closed.endSource, equals: .now)
    }

    @Test("An edit keeps what stood there before, and none is made where nothing differs")
    func edit() throws {
        var story = try story(.closed)
        let count = story.events.count
        let now = Self.start + 2 * Self.hour
        try story.give(
            BabyCare.Edit(entryId: "e", started: Self.start, value: ["nap": "1"]), at: now)
        expect(story.events.count, equals: count)
        try story.give(
            BabyCare.Edit(entryId: "e", started: Self.start + 60_000_000), at: now)
        guard case .entryEdited(let edited) = story.events.last?.event else {
            Issue.record("nothing was edited")
            return
        }
        expect(edited.set.started, equals: Self.start + 60_000_000)
        expect(edited.prior.started, equals: Self.start)
        #expect(edited.set.value == nil)
    }

    @Test("Impossible values are refused")
    func refusals() throws {
        let record = { (kind: String, start: Instant, end: Instant?, value: [String: Scalar]) in
            BabyCare.RecordEntry(
                entryId: "x", babyId: "b", kind: kind, started: start, ended: end,
                value: value)
        }
        let cases: [(any CareCommand, String)] = [
            (record("sleep", Self.start, Self.start - 1, [:]), "endBeforeStart"),
            (record("sleep", Self.start, nil, [:]), "endRequired"),
            (record("sleep", Self.start, Self.start + 29 * 24 * Self.hour, [:]), "tooLong"),
            (record("pee", .min, nil, [:]), "impossibleTime"),
            (record("pee", .max, nil, [:]), "impossibleTime"),
            (record("nap", Self.start, nil, [:]), "unreadable"),
            (record("formula", Self.start, nil, ["ml": "-1"]), "unreadable"),
            (record("formula", Self.start, nil, ["ml": "1e3"]), "unreadable"),
            (BabyCare.Edit(entryId: "e"), "nothingToUpdate"),
            (BabyCare.Edit(entryId: "e", ended: Self.start - 1), "endBeforeStart"),
            (BabyCare.Edit(entryId: "none", ended: 1), "entryNotFound"),
            (
                BabyCare.Start(entryId: "e", babyId: "b", kind: "sleep"), "entryExists"
            ),
            (
                BabyCare.RecordEntry(
                    entryId: "e", babyId: "b", kind: "pee", started: Self.start),
                "entryExists"
            ),
            (BabyCare.Complete(entryId: "none"), "entryNotFound"),
            (BabyCare.Cancel(entryId: "none"), "entryNotFound"),
        ]
        for (command, code) in cases {
            var story = try story(.closed)
            #expect(throws: Refusal.self, "\(code)") {
                do {
                    try story.give(command, at: Self.start)
                } catch let refusal as Refusal {
                    expect(refusal.code, equals: code)
                    throw refusal
                }
            }
        }
        let unknown = BabyCare.State()
        #expect(throws: Refusal.babyNotFound("b")) {
            try record("pee", Self.start, nil, [:]).decide(
                unknown, now: Instant(microseconds: 0))
        }
    }

    @Test("An entry carries the weeks it touches, by UTC, at most 64")
    func weekTags() {
        let weeks = { (start: Instant, end: Instant?) -> [String] in
            var recorded = BabyCare.EntryRecorded()
            (recorded.entryId, recorded.babyId) = ("e", "b")
            (recorded.started, recorded.ended) = (start, end)
            return recorded.tags.map(\.text).filter { $0.hasPrefix("week:") }
        }
        // 2026-02-22T23:59:59.999999Z is the last of week 8.
        expect(weeks(1_771_804_799_999_999, nil), equals: ["week:b/2026-W08"])
        #expect(
            weeks(1_771_804_799_999_999, 1_771_804_800_000_000)
                == ["week:b/2026-W08", "week:b/2026-W09"])
        expect(weeks(-1, nil), equals: ["week:b/1970-W01"])
        expect(weeks(0, Instant(microseconds: 10_000 * Instant.dayUs)).count, equals: 64)
    }
}
