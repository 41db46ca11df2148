public import Daybook

extension BabyCare {
    /// Several entries of the same kind were merged into one.
    public struct EntriesMerged: EventPayload {
        public static let kind: EventKind = "baby-care.entries-merged.v1"
        /// Id of the entry that the others are merged into.
        public var keepId = ""
        /// Ids of the entries that are merged into the entry `keepId`.
        public var dropIds: [String] = []
        public var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        /// Earliest start of the merged entries.
        public var started = Instant.epoch
        /// Latest end of the merged entries; `nil` if all are moments.
        public var ended: Instant?
        /// User who caused the event, if known.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(babyId), entryTag(keepId)] + dropIds.map(entryTag)
                + weekTags(babyId, started, ended)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds, .elements(150))
            try field("babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("by", &by)
        }
    }

    /// Merges closed entries of one kind into one, with the sums of their amounts.
    ///
    /// The merged entry lasts from the earliest start to the latest end. The entries must overlap
    /// or adjoin without a gap.
    public struct Merge: CareCommand {
        /// Id of the entry that the others are merged into.
        public var keepId = ""
        /// Ids of the entries that are merged into the entry `keepId`.
        public var dropIds: [String] = []
        /// User who gives the command, if known.
        public var by: Author?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId, "dropIds", &dropIds, "by", &by)
        }

        public static let name = "baby-care.merge"

        public func boundary(_ state: State) -> Boundary { Boundary(entries: [keepId] + dropIds) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let keep = try state.entry(keepId, for: by)
            guard !dropIds.isEmpty else { throw .nothingToUpdate }
            var entries = [keep]
            for id in dropIds {
                let entry = try state.entry(id, for: by)
                guard !entries.contains(where: { $0.entryId == entry.entryId }) else {
                    throw Refusal(
                        "cannotMerge", "the entry '\(id)' is named twice; name each entry once")
                }
                entries.append(entry)
            }
            for entry in entries {
                guard entry.kind == keep.kind, state.profile.ids.contains(entry.babyId),
                    lifecycle.allows(EntriesMerged.self, in: entry.state)
                else { throw .notTogether(entry.entryId) }
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
                keepId: keep.entryId, dropIds: dropIds.map(state.newest), babyId: keep.babyId,
                kind: keep.kind, started: entries[0].started, ended: isMoment ? nil : end,
                by: by)
            guard value != keep.value || keep.isEstimated && end != keep.ended else {
                return [.entriesMerged(merged)]
            }
            let isKnown = keep.isEstimated && end != keep.ended
            let edited = EntryEdited(
                entryId: keep.entryId, babyId: keep.babyId, kind: keep.kind,
                set: Change(
                    ended: isKnown ? end : nil, value: value == keep.value ? nil : value),
                prior: Change(
                    started: merged.started, ended: merged.ended,
                    value: value == keep.value ? nil : keep.value),
                by: by)
            return [.entriesMerged(merged), .entryEdited(edited)]
        }

        /// Throws if the merged end is an estimate of another entry, which the merge would show as
        /// recorded.
        private func checkEnd(
            _ end: Instant, of keep: Entry, among entries: [Entry]
        ) throws(Refusal) {
            let last = entries.filter { ($0.ended ?? $0.started) == end }
            guard keep.ended != end, let estimated = last.first(where: \.isEstimated),
                last.allSatisfy(\.isEstimated)
            else { return }
            throw Refusal(
                "estimatedEnd",
                "the end of '\(estimated.entryId)' is an estimate; keep that entry, or complete it")
        }

        /// Returns the refusal of an entry with a gap between it and the other entries.
        private static func cannotMerge(_ id: String) -> Refusal {
            Refusal(
                "cannotMerge", "the entry '\(id)' neither overlaps nor adjoins the other entries")
        }
    }
}
