import CivilTime
import EventSourcing

extension BabyCare {
    static func details(
        _ kind: String, _ value: [String: Scalar], _ meta: [String: Scalar]
    ) throws(Refusal) -> Details {
        do throws(UnreadableDetail) {
            return try Details(kind: kind, value: value, meta: meta)
        } catch {
            throw .unreadable(field: error.field, text: error.text, expected: error.expected)
        }
    }

    /// What a command adds to an entry; a method that it leaves out stays what it was.
    static func details(
        _ kind: Kind, _ value: [String: Scalar], _ meta: [String: Scalar], over known: Value
    ) throws(Refusal) -> Details {
        var details = try details(kind.name, value, meta)
        if value["method"] == nil, known.method != nil { details.value.method = nil }
        return details
    }

    /// The entry, which the user may change.
    static func entry(
        _ entryId: String, _ state: State, _ by: Author?
    ) throws(Refusal) -> Entry {
        guard let entry = state.entry(entryId) else { throw .entryNotFound(entryId) }
        try mayWrite(by, entry.babyId, state)
        return entry
    }

    /// Anyone may write about a baby that belongs to no household yet.
    static func mayWrite(_ by: Author?, _ babyId: String, _ state: State) throws(Refusal) {
        guard state.profile.isKnown else { throw .babyNotFound(babyId) }
        guard state.profile.householdId != nil else { return }
        let userId = by?.name ?? ""
        guard let role = state.members[userId] else { throw .accessDenied(userId: userId) }
        guard role.mayWrite else { throw .insufficientRole(userId: userId, role: role) }
    }

    static func checkTimes(_ startedUs: Int64, _ endedUs: Int64?) throws(Refusal) {
        for time in [startedUs, endedUs ?? startedUs] where !Instant.possibleUs.contains(time) {
            throw .impossibleTime(time)
        }
        guard let endedUs else { return }
        guard endedUs >= startedUs else { throw .endBeforeStart }
        guard endedUs - startedUs <= longestUs else { throw .tooLong }
    }

    /// What an edit changes; `nil` where all of it stands there already.
    static func change(
        of entry: Entry, startedUs: Int64?, endedUs: Int64?, _ value: [String: Scalar],
        _ meta: [String: Scalar], _ removed: [String]
    ) throws(Refusal) -> (set: Change, prior: Change, text: String?)? {
        let isNothing =
            startedUs == nil && endedUs == nil && value.isEmpty && meta.isEmpty && removed.isEmpty
        guard !isNothing else { throw .nothingToUpdate }
        let patch = try details(entry.kind, value, meta, over: entry.value)
        var newValue = entry.value
        newValue.merge(patch.value, removing: removed)
        let newMeta = entry.meta.merging(patch.meta) { _, new in new }
            .filter { !removed.contains($0.key) }
        try checkTimes(startedUs ?? entry.startedUs, endedUs ?? entry.endedUs)
        return difference(
            entry, startedUs: startedUs, endedUs: endedUs, value: newValue, meta: newMeta,
            text: patch.text)
    }

    /// Only what differs is set, and what stood there goes beside it.
    static func difference(
        _ entry: Entry, startedUs: Int64?, endedUs: Int64?, value: Value, meta: [String: String],
        text: String?
    ) -> (set: Change, prior: Change, text: String?)? {
        var set = Change()
        var prior = Change()
        if let startedUs, startedUs != entry.startedUs {
            set.startedUs = startedUs
        }
        if let endedUs, endedUs != entry.endedUs || entry.isEstimated {
            set.endedUs = endedUs
        }
        if value != entry.value {
            set.value = value
            prior.value = entry.value
        }
        if meta != entry.meta {
            set.meta = Meta(meta)
            prior.meta = Meta(entry.meta)
        }
        guard set != Change() || text != nil else { return nil }
        // Both times, so that a report finds the edit by either of the weeks.
        prior.startedUs = entry.startedUs
        prior.endedUs = entry.endedUs
        return (set, prior, text)
    }

    static func edited(
        _ entry: Entry, _ change: (set: Change, prior: Change, text: String?), _ by: Author?,
        origin: Origin? = nil
    ) -> Event {
        .entryEdited(
            EntryEdited(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind, set: change.set,
                prior: change.prior, text: change.text.map { PersonalText($0) }, by: by,
                origin: origin))
    }
}
