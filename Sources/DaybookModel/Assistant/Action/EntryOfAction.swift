import Daybook

extension Assistant {
    /// The care command that records the entry of an action.
    enum EntryOfAction {
        case record(BabyCare.RecordEntry)
        case start(BabyCare.Start)
        /// Ends the sleep that is open.
        case wake(babyId: String, by: Author?)

        /// Creates the command; returns `nil` if the action does not record an entry at once.
        ///
        /// - Parameter now: The time of the command. An entry with a duration ends at this time;
        ///   under `rules: source` it begins at this time and ends in the future, as in the app.
        init?(
            _ action: Interpretation, entryId: String, babyId: String, by: Author?, rules: Rules,
            at now: Instant
        ) {
            guard action.route == .record, let tile = action.reading.tile else { return nil }
            let reading = action.reading
            let care = BabyCare.Rules(rules.ruleSet)
            switch reading.sleep {
            case .start:
                self = .start(
                    BabyCare.Start(
                        entryId: entryId, babyId: babyId, kind: "sleep", started: now,
                        source: .assistant, by: by, rules: care))
                return
            case .end:
                self = .wake(babyId: babyId, by: by)
                return
            case nil: break
            }
            var entry = BabyCare.RecordEntry(
                entryId: entryId, babyId: babyId, kind: reading.kind(tile), started: now,
                value: action.value(tile), source: .assistant, by: by, rules: care)
            if tile == .sleep || tile == .breastfeed, let minutes = reading.durationMin {
                let lengthUs = minutes * 60_000_000
                entry.started = rules == .standard ? now.advanced(byMicroseconds: -lengthUs) : now
                entry.ended = entry.started.advanced(byMicroseconds: lengthUs)
            }
            self = .record(entry)
        }

        /// Entities whose care events the decision depends on.
        var boundary: BabyCare.Boundary {
            switch self {
            case .record(let entry):
                BabyCare.Boundary(entryIds: [entry.entryId], babyId: entry.babyId)
            case .start(let start):
                BabyCare.Boundary(
                    entryIds: [start.entryId], babyId: start.babyId, openedKind: .sleep)
            case .wake(let babyId, _): BabyCare.Boundary(babyId: babyId, openedKind: .sleep)
            }
        }

        /// Returns the events of the command; throws a refusal like the care command itself.
        func decide(_ care: BabyCare.State, now: Instant) throws(Refusal) -> [BabyCare.Event] {
            switch self {
            case .record(let entry): return try entry.decide(care, now: now)
            case .start(let start): return try start.decide(care, now: now)
            case .wake(let babyId, let by):
                guard let sleep = care.openEntry(of: .sleep) else {
                    try care.checkMayWrite(by, babyId)
                    throw Refusal("noOpenSleep", "the baby '\(babyId)' has no open sleep to end")
                }
                return try BabyCare.Complete(entryId: sleep.entryId, by: by).decide(care, now: now)
            }
        }
    }
}

extension Assistant.ActionValues {
    /// Returns the kind of entry that a care command names, such as `formula` or `pee`.
    fileprivate func kind(_ tile: Assistant.Tile) -> String {
        tile == .diaper ? diaper?.name ?? "" : tile.name
    }
}

extension Assistant.Interpretation {
    /// Returns the details of the entry by the app's field names, such as `ml`.
    fileprivate func value(_ tile: Assistant.Tile) -> [String: Scalar] {
        var value: [String: Scalar] = [:]
        switch tile {
        case .formula: value["ml"] = reading.amountMl.map { Scalar("\($0)") }
        case .breastfeed: value["duration_min"] = reading.durationMin.map { Scalar("\($0)") }
        case .weaning: value["grams"] = reading.grams.map { Scalar("\($0)") }
        case .diaper: value["count"] = "1"
        case .sleep, .memo: break
        case .medication:
            value["name"] = medication.map { Scalar($0) }
            value["dose"] = reading.dose.map { Scalar("\($0)") }
        }
        value["memo"] = memo.map { Scalar($0) }
        return value
    }
}

extension BabyCare.Event {
    /// Id of the entry that the event opens, records or closes; `nil` for other events.
    var entryId: String? {
        switch self {
        case .entryOpened(let event): event.entryId
        case .entryRecorded(let event): event.entryId
        case .entryClosed(let event): event.entryId
        default: nil
        }
    }
}
