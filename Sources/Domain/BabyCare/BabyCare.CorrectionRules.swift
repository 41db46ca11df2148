import CivilTime
import EventSourcing

extension BabyCare {
    static func estimated(
        _ entry: Entry, _ end: Estimate.End, cappedBy: String?, by: Author?
    ) -> EndEstimated {
        EndEstimated(
            entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
            startedUs: entry.startedUs, endedUs: end.endedUs, confidence: end.confidence,
            basis: end.basis, cappedBy: end.isCapped ? cappedBy : nil, by: by)
    }

    static func estimateEnd(
        _ body: EstimateEnd, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        guard entry.state == .open else { throw .notOpen(body.entryId, entry.state) }
        let next = body.nextEntryId.flatMap { state.entry($0) }
        if let id = body.nextEntryId, next == nil { throw .entryNotFound(id) }
        if let next, next.state == .cancelled || !state.profile.ids.contains(next.babyId) {
            throw .notTogether(next.entryId)
        }
        let before = body.nextStartUs ?? next?.startedUs ?? now.microseconds
        guard before > entry.startedUs else { throw .endBeforeStart }
        let end = Estimate.end(of: entry, before: before, among: Array(state.entries.values))
        return [.endEstimated(estimated(entry, end, cappedBy: body.nextEntryId, by: body.by))]
    }

    /// One entry from the earliest start to the latest end; each must touch another.
    static func merge(_ body: Merge, _ state: State) throws(Refusal) -> [Event] {
        let keep = try entry(body.keepId, state, body.by)
        guard !body.dropIds.isEmpty else { throw .nothingToUpdate }
        var entries = [keep]
        for id in body.dropIds {
            let entry = try entry(id, state, body.by)
            guard !entries.contains(where: { $0.entryId == entry.entryId }) else {
                throw .cannotMerge(id)
            }
            entries.append(entry)
        }
        for entry in entries {
            guard entry.kind == keep.kind, state.profile.ids.contains(entry.babyId),
                entry.state == .closed
            else { throw .notTogether(entry.entryId) }
        }
        entries.sort { ($0.startedUs, $0.entryId) < ($1.startedUs, $1.entryId) }
        var endUs = entries[0].endedUs ?? entries[0].startedUs
        for entry in entries.dropFirst() {
            guard entry.startedUs <= endUs else { throw .cannotMerge(entry.entryId) }
            endUs = max(endUs, entry.endedUs ?? entry.startedUs)
        }
        let isMoment = entries.allSatisfy { $0.endedUs == nil }
        return [
            .entriesMerged(
                EntriesMerged(
                    keepId: keep.entryId, dropIds: body.dropIds.map(state.newest),
                    babyId: keep.babyId, kind: keep.kind, startedUs: entries[0].startedUs,
                    endedUs: isMoment ? nil : endUs, by: body.by))
        ]
    }
}
