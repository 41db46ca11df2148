import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-state-table
/// Random histories against a plain account of what each entry is.
@Suite struct EntryPropertyTests {
    /// What a person with a pencil would keep.
    struct Account: Equatable {
        var kind: BabyCare.Kind
        var state: BabyCare.EntryState
        var start: Instant
        var end: Instant?
        var ml: Int64
        var before: BabyCare.EntryState?
    }

    @Test("Entries are what a pencil and paper make them, over random commands", arguments: 0..<8)
    func oracle(_ round: Int) throws {
        let seed = UInt64(1_000 + round)
        var random = SeededGenerator(seed: seed)
        var story = try CareStory()
        var accounts: [String: Account] = [:]
        for step in 0..<400 {
            let now = Instant(microseconds: Int64(step) * 60_000_000)
            let id = "e\(Int.random(in: 0..<25, using: &random))"
            let kind: BabyCare.Kind =
                [.sleep, .formula, .breastfeed].randomElement(using: &random) ?? .sleep
            let ml = Int64.random(in: 0...200, using: &random)
            let choice = Int.random(in: 0..<6, using: &random)
            let command = command(choice, id, kind, ml, now)
            let expected = expect(choice, id, kind, ml, now, accounts)
            let count = story.events.count
            var isRefused = false
            do {
                try story.give(command, at: now)
            } catch is Refusal {
                isRefused = true
                #expect(story.events.count == count)
            }
            #expect(isRefused == (expected == nil), "seed \(seed), step \(step): \(command)")
            if let expected { accounts[id] = expected }
            for kind in BabyCare.Kind.allCases {
                let open = story.state.entries.values.count { $0.kind == kind && $0.state == .open }
                #expect(open <= 1, "seed \(seed), step \(step)")
            }
        }
        #expect(story.state.entries.count == accounts.count)
        for (id, account) in accounts {
            let entry = try #require(story.state.entry(id))
            let found = Account(
                kind: entry.kind, state: entry.state, start: entry.started, end: entry.ended,
                ml: (entry.value.amountUl ?? 0) / 1_000, before: entry.cancellation.previousState)
            #expect(found == account, "seed \(seed), \(id)")
        }
    }

    private func command(
        _ choice: Int, _ id: String, _ kind: BabyCare.Kind, _ ml: Int64, _ now: Instant
    ) -> any CareCommand {
        let value: [String: Scalar] = ["ml": Scalar("\(ml)")]
        return switch choice {
        case 0: BabyCare.Start(entryId: id, babyId: "b", kind: kind.name, value: value)
        case 1: BabyCare.Complete(entryId: id, value: value)
        case 2:
            BabyCare.RecordEntry(
                entryId: id, babyId: "b", kind: kind.name, started: now, ended: now + 1,
                value: value)
        case 3: BabyCare.Edit(entryId: id, value: value)
        case 4: BabyCare.Cancel(entryId: id)
        default: BabyCare.Restore(entryId: id)
        }
    }

    /// What becomes of the entry; `nil` where the command has to be refused.
    private func expect(
        _ choice: Int, _ id: String, _ kind: BabyCare.Kind, _ ml: Int64, _ now: Instant,
        _ accounts: [String: Account]
    ) -> Account? {
        let isTaken = { (kind: BabyCare.Kind) in
            accounts.values.contains { $0.kind == kind && $0.state == .open }
        }
        guard var account = accounts[id] else {
            switch choice {
            case 0 where !isTaken(kind):
                return Account(kind: kind, state: .open, start: now, end: nil, ml: ml)
            case 2:
                return Account(kind: kind, state: .closed, start: now, end: now + 1, ml: ml)
            default: return nil
            }
        }
        switch (choice, account.state) {
        case (1, .open): (account.state, account.end, account.ml) = (.closed, now, ml)
        case (3, .closed): account.ml = ml
        case (4, .open), (4, .closed):
            (account.before, account.state) = (account.state, .cancelled)
        case (5, .cancelled):
            if account.before == .open, isTaken(account.kind) { return nil }
            (account.state, account.before) = (account.before ?? .closed, nil)
        default: return nil
        }
        return account
    }
}
