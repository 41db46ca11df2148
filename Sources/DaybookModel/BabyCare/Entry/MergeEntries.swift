package import Daybook

extension BabyCare {
    /// Several entries of the same kind were merged into one.
    package struct EntriesMerged: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entries-merged.v1"
        var keepId = ""
        /// Ids of the entries that are merged into the entry `keepId` and thereby cancelled.
        var dropIds: [String] = []
        package var babyId = ""
        package var kind = Kind.formula
        /// Earliest start of the merged entries.
        package var started = Instant.epoch
        /// Latest end of the merged entries; `nil` if none of them has an end.
        package var ended: Instant?
        package var by: Author?
        package var tags: [Tag] {
            [tag(babyId), entryTag(keepId)] + dropIds.map(entryTag)
                + weekTags(babyId, started, ended)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds, .elements(150))
            try field("babyId", &babyId, "kind", &kind, "startedUs", &started, "endedUs", &ended)
            try field("by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            let merged = (dropIds.count + 1).counted("entry", "entries") + " merged into one"
            return "\(merged): \(kind.name) " + wording.stretch(started, ended ?? started)
        }
    }

    /// Merges closed entries of one kind into one, with the sums of their amounts.
    ///
    /// The merged entry lasts from the earliest start to the latest end. The entries must overlap
    /// or adjoin without a gap.
    struct Merge: CareCommand, PlainRecord {
        var keepId = ""
        var dropIds: [String] = []
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId, "dropIds", &dropIds, "by", &by)
        }

        static let name = "baby-care.merge"
        func boundary(_ state: State) -> Boundary { Boundary(entryIds: [keepId] + dropIds) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let keep = try state.entry(keepId, for: by)
            guard !dropIds.isEmpty else { throw .nothingToUpdate }
            var entries = [keep]
            for id in dropIds {
                let entry = try state.entry(id, for: by)
                guard !entries.contains(where: { $0.entryId == entry.entryId }) else {
                    throw Refusal(
                        "cannotMerge",
                        "the command names the entry '\(id)' twice; name each entry once")
                }
                entries.append(entry)
            }
            for entry in entries {
                guard entry.kind == keep.kind, state.profile.ids.contains(entry.babyId),
                    lifecycle.allows(EntriesMerged.self, in: entry.state)
                else { throw .cannotCombine(entry.entryId) }
            }
            entries.sort { ($0.started, $0.entryId) < ($1.started, $1.entryId) }
            var end = entries[0].ended ?? entries[0].started
            for entry in entries.dropFirst() {
                guard entry.started <= end else { throw Self.cannotMerge(entry.entryId) }
                end = max(end, entry.ended ?? entry.started)
            }
            try checkEnd(end, of: keep, among: entries)
            let value = try keep.mergedValue(with: entries)
            let isMoment = entries.allSatisfy { $0.ended == nil }
            let merged = EntriesMerged(
                keepId: keep.entryId, dropIds: dropIds.map(state.newestId), babyId: keep.babyId,
                kind: keep.kind, started: entries[0].started, ended: isMoment ? nil : end, by: by)
            guard value != keep.value || keep.isEstimated && end != keep.ended else {
                return [.entriesMerged(merged)]
            }
            let isKnown = keep.isEstimated && end != keep.ended
            let edited = EntryEdited(
                entryId: keep.entryId, babyId: keep.babyId, kind: keep.kind,
                set: Change(ended: isKnown ? end : nil, value: value == keep.value ? nil : value),
                prior: Change(
                    started: merged.started, ended: merged.ended,
                    value: value == keep.value ? nil : keep.value),
                by: by)
            return [.entriesMerged(merged), .entryEdited(edited)]
        }

        /// Throws a refusal if the merged end is the estimated end of an entry other than `keep`.
        private func checkEnd(
            _ end: Instant, of keep: Entry, among entries: [Entry]
        ) throws(Refusal) {
            let last = entries.filter { ($0.ended ?? $0.started) == end }
            guard keep.ended != end, let estimated = last.first(where: \.isEstimated),
                last.allSatisfy(\.isEstimated)
            else { return }
            throw Refusal(
                "estimatedEnd",
                "the merged entry would get the estimated end of the entry '\(estimated.entryId)'; "
                    + "merge into that entry, or complete it first")
        }

        private static func cannotMerge(_ id: String) -> Refusal {
            Refusal(
                "cannotMerge",
                "the entry '\(id)' starts after all earlier entries have ended; entries to merge must "
                    + "overlap or adjoin")
        }
    }
}
