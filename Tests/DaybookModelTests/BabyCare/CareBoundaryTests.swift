import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// The consistency boundaries of the commands about a baby's entries.
@Suite struct CareBoundaryTests {
    /// 2026-02-19T00:00Z, a Thursday of week 8.
    private static let start: Instant = 1_771_459_200_000_000

    /// A sleep `e` of the baby `b` in the household `h`, each of which was made offline, and a
    /// clip `c` of it.
    private static let state = {
        var state = BabyCare.State()
        let opened = BabyCare.EntryOpened(
            entryId: "local-e", babyId: "local-b", kind: .sleep, started: start)
        let events: [BabyCare.Event] = [
            .onboarded(Household.Onboarded(babyId: "local-b", householdId: "local-h")),
            .entryOpened(opened),
            .voiceClipParsed(BabyCare.VoiceClipParsed(clipId: "c", babyId: "local-b")),
            .idReplaced(
                Household.IdReplaced(kind: .household, localId: "local-h", remoteId: "h")),
            .idReplaced(Household.IdReplaced(kind: .baby, localId: "local-b", remoteId: "b")),
            .idReplaced(Household.IdReplaced(kind: .careEntry, localId: "local-e", remoteId: "e")),
        ]
        for (index, event) in events.enumerated() {
            let now = start
            let position = Position(UInt64(index) + 1)
            BabyCare.evolve(
                &state, with: event,
                Envelope(position: position, occurredAt: now, recordedAt: now))
        }
        return state
    }()

    private static let baby: Set = [
        "profile:b", "profile:local-b", "household:h", "household:local-h",
    ]
    private static let entry: Set = ["entry:e", "entry:local-e"]
    private static let slot: Set = ["slot:open/b/sleep", "slot:open/local-b/sleep"]
    private static let weeks: Set = Set(
        ["b", "local-b"].flatMap { id in (6...8).map { "week:\(id)/2026-W0\($0)" } })

    @Test(
        "A decision depends on its entries, their baby and its household by all their ids",
        arguments: [
            (BabyCare.Complete(entryId: "e"), entry.union(baby)),
            (BabyCare.Complete(entryId: "local-e"), entry.union(baby)),
            (BabyCare.Edit(entryId: "e"), entry.union(baby)),
            (BabyCare.EditOpen(entryId: "e"), entry.union(baby)),
            (BabyCare.Cancel(entryId: "e"), entry.union(baby)),
            (BabyCare.Restore(entryId: "e"), entry.union(baby).union(slot)),
            (
                BabyCare.Edit(entryId: "e", meta: ["undo_delete": "true"]),
                entry.union(baby).union(slot)
            ),
            (
                BabyCare.EstimateEnd(entryId: "e", nextEntryId: "n"),
                entry.union(baby).union(weeks).union(["entry:n"])
            ),
            (
                BabyCare.Merge(keepId: "e", dropIds: ["x"]), entry.union(baby).union(["entry:x"])
            ),
            (
                BabyCare.Start(entryId: "n", babyId: "b", kind: "sleep"),
                entry.union(baby).union(slot).union(["entry:n"])
            ),
            (
                BabyCare.Start(entryId: "n", babyId: "b", kind: "sleep", closesOpenEntry: true),
                entry.union(baby).union(slot).union(weeks).union(["entry:n"])
            ),
            (
                BabyCare.RecordEntry(entryId: "n", babyId: "b", kind: "pee"),
                baby.union(["entry:n"])
            ),
            (
                BabyCare.ParseVoiceClip(clipId: "c", babyId: "b"), baby.union(["clip:c"])
            ),
            (
                BabyCare.ConfirmVoiceClip(
                    clipId: "c", entries: [BabyCare.ConfirmedEntry(entryId: "n")]),
                baby.union(["clip:c", "entry:n"])
            ),
            (
                BabyCare.ImportRow(
                    babyId: "b", entryId: "n",
                    entries: [BabyCare.ImportedEntry(.pee, part: "pee", started: 0)],
                    changedEntryIds: ["e"]),
                entry.union(baby).union(["entry:n-pee"])
            ),
            (BabyCare.DataImported(babyId: "b"), baby), (BabyCare.DataExported(babyId: "b"), baby),
            (BabyCare.ReportIssued(babyId: "b"), baby),
        ] as [(any CareCommand, Set<String>)])
    func boundary(_ command: any CareCommand, _ expected: Set<String>) throws {
        let items = try #require(command.query(knowing: Self.state).items)
        #expect(Set(items.flatMap(\.tags).map(\.text)) == expected)
        #expect(items.allSatisfy { !$0.kinds.isEmpty })
    }
}
