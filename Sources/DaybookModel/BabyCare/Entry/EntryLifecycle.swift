import Daybook

extension BabyCare {
    /// The transitions that the events of an entry allow.
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

    /// Greatest accepted length of an entry; a longer one is taken for a typing error.
    private static let longestUs: Int64 = 28 * Instant.dayUs

    static func checkTimes(_ started: Instant, _ ended: Instant?) throws(Refusal) {
        for time in [started, ended ?? started] where !time.isPossible {
            throw Refusal(
                "impossibleTime",
                "\(time.written) is not in the years 1900 to 2199")
        }
        guard let ended else { return }
        guard ended >= started else { throw .endBeforeStart }
        guard ended.microseconds(since: started) <= longestUs else {
            throw Refusal("tooLong", "an entry lasts at most 28 days")
        }
    }
}

extension Refusal {
    static let endRequired = Refusal("endRequired", "end_time is required for closed events")
    static let endBeforeStart = Refusal(
        "endBeforeStart", "end_time must be after start_time")

    static func entryNotFound(_ id: String) -> Refusal {
        Refusal("entryNotFound", "Event not found: '\(id)'")
    }

    static func entryExists(_ id: String) -> Refusal {
        Refusal("entryExists", "there is an entry '\(id)' already")
    }

    static func openEntryExists(_ occupant: BabyCare.Entry) -> Refusal {
        let name = "\(occupant.kind.name) '\(occupant.entryId)'"
        return Refusal("openEntryExists", "open event already exists for this type: \(name)")
    }

    static func notOpen(_ id: String, _ state: BabyCare.EntryState) -> Refusal {
        Refusal("notOpen", "event is not open: '\(id)' is \(state.name)")
    }

    static func entryCancelled(_ id: String) -> Refusal {
        Refusal("entryCancelled", "'\(id)' is cancelled; restore it before other changes")
    }

    static func mergedAway(_ id: String, into: String) -> Refusal {
        Refusal(
            "mergedAway",
            "'\(id)' was merged into '\(into)'; baby-care.undo-merge separates them")
    }

    static func notTogether(_ id: String) -> Refusal {
        Refusal("notTogether", "'\(id)' belongs to another baby, has another kind or is not closed")
    }
}
