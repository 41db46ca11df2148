import Daybook

extension BabyCare {
    static let lifecycle = Lifecycle<EntryState>(
        "entry", field: "state",
        [
            .begins(EntryOpened.self, .open),
            .begins(EntryRecorded.self, .open, .closed),
            .step(EntryClosed.self, from: .open, .closed, to: .closed),
            .step(EndEstimated.self, from: .open, to: .closed),
            .stays(EntryEdited.self, in: .open, .closed),
            .step(EntryCancelled.self, from: .open, .closed, to: .cancelled),
            .step(EntryRestored.self, from: .cancelled, to: .open, .closed),
            .step(EntriesMerged.self, from: .closed, to: .closed, .cancelled),
            .step(MergeUndone.self, from: .closed, .cancelled, to: .closed),
            .stays(Household.IdReplaced.self, in: .open, .closed, .cancelled),
            // The id from a server may be recorded before the first event of the entry.
            .step(Household.IdReplaced.self, from: nil, EntryState.none, to: EntryState.none),
            .step(EntryOpened.self, from: EntryState.none, to: .open),
            .step(EntryRecorded.self, from: EntryState.none, to: .open, .closed),
        ])

    /// Greatest accepted length of an entry in microseconds; a longer entry is refused.
    private static let longestUs: Int64 = 28 * Instant.dayUs

    /// Throws a refusal if a time is outside the years 1900 to 2199, if the end precedes the start,
    /// or if the entry is longer than 28 days.
    static func checkTimes(_ started: Instant, _ ended: Instant?) throws(Refusal) {
        for time in [started, ended ?? started] where !time.isPossible {
            throw Refusal(
                "impossibleTime",
                "the entry has the time \(time.written); expected a time in the years 1900 to 2199")
        }
        guard let ended else { return }
        guard ended >= started else { throw .endBeforeStart }
        guard ended.microseconds(since: started) <= longestUs else {
            throw Refusal(
                "tooLong",
                "the entry lasts from \(started.written) to \(ended.written); expected at most 28 days"
            )
        }
    }
}

extension Refusal {
    static let endRequired = Refusal(
        "endRequired", "end_time is required for closed events: the entry is closed, but has no end"
    )
    static let endBeforeStart = Refusal(
        "endBeforeStart", "end_time must be after start_time: the entry would end before it starts")

    static func entryNotFound(_ id: String) -> Refusal {
        Refusal("entryNotFound", "Event not found: there is no entry '\(id)'")
    }

    static func entryExists(_ id: String) -> Refusal {
        Refusal("entryExists", "an entry with the id '\(id)' already exists")
    }

    /// Returns the refusal of a second open entry of a kind; `occupant` is the first.
    static func openEntryExists(_ occupant: BabyCare.Entry) -> Refusal {
        Refusal(
            "openEntryExists",
            "open event already exists for this type: the entry '\(occupant.entryId)' of kind "
                + "\(occupant.kind.name) is still open")
    }

    static func notOpen(_ id: String, _ state: BabyCare.EntryState) -> Refusal {
        Refusal("notOpen", "event is not open: the entry '\(id)' is \(state.name)")
    }

    static func notCancelled(_ id: String) -> Refusal {
        Refusal(
            "notCancelled",
            "the entry '\(id)' is not cancelled; only a cancelled entry can be restored")
    }

    static func entryCancelled(_ id: String) -> Refusal {
        Refusal("entryCancelled", "the entry '\(id)' is cancelled; restore it before other changes")
    }

    static func mergedAway(_ id: String, into: String) -> Refusal {
        Refusal(
            "mergedAway",
            "the entry '\(id)' was merged into '\(into)'; separate them with baby-care.undo-merge")
    }

    static func cannotCombine(_ id: String) -> Refusal {
        Refusal(
            "notTogether",
            "the entry '\(id)' cannot be used together with the other entries of the command: it "
                + "is of another baby or kind, or is open or cancelled")
    }
}
