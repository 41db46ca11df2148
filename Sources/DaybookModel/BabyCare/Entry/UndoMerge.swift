public import Daybook

extension BabyCare {
    /// A merge was undone: its entries are separate again.
    public struct MergeUndone: EventPayload {
        public static let kind: EventKind = "baby-care.merge-undone.v1"
        public var keepId = ""
        public var dropIds: [String] = []
        public var babyId = ""
        public var kind = Kind.formula
        /// Position of the merge.
        public var undoOf: Int64?
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(babyId), entryTag(keepId)] + dropIds.map(entryTag)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds, .elements(150))
            try field("babyId", &babyId, "kind", &kind)
            try field("undoOf", &undoOf, .position)
            try field("by", &by)
        }
    }

    /// Undoes the last merge: each entry returns to its state before the merge.
    ///
    /// The command is refused if the kept entry was changed after the merge, because a change of
    /// the merged entry cannot be assigned to one of its parts.
    public struct UndoMerge: CareCommand {
        /// Id of the kept entry, or of an entry that the merge dropped.
        public var entryId = ""
        public var by: Author?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "by", &by)
        }

        public static let name = "baby-care.undo-merge"

        public func boundary(_ state: State) -> Boundary {
            // So far the merge may be the only event known of the kept entry.
            let keepId = state.entry(entryId)?.mergedInto ?? entryId
            let merged = state.entries[state.newest(keepId)]?.merges.last?.dropIds ?? []
            return Boundary(entries: [entryId, keepId] + merged)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard let keep = state.kept(entryId), let last = keep.merges.last else {
                throw Refusal("notMerged", "nothing was merged into '\(entryId)'")
            }
            guard lifecycle.allows(MergeUndone.self, in: keep.state), keep.state == .closed else {
                throw .entryCancelled(keep.entryId)
            }
            let dropIds = last.dropIds.map(state.newest)
            guard entry.entryId == keep.entryId || dropIds.contains(entry.entryId) else {
                throw Refusal(
                    "mergedSince",
                    "'\(keep.entryId)' was merged again; undo the later merge first")
            }
            guard !keep.isChangedSinceMerge(among: dropIds.compactMap { state.entry($0) }) else {
                throw Refusal(
                    "editedSince",
                    "'\(keep.entryId)' was changed after the merge, and undoing it would drop the "
                        + "change; correct or cancel the entry instead")
            }
            let undone = MergeUndone(
                keepId: keep.entryId, dropIds: dropIds, babyId: keep.babyId, kind: keep.kind,
                undoOf: last.position, by: by)
            return [.mergeUndone(undone)]
        }
    }

    /// The values before a merge of the kept entry's fields that the merge changes.
    struct BeforeMerge: Record {
        var position: Int64 = 0
        var dropIds: [String] = []
        var started = Instant.epoch
        var ended: Instant?
        var value = Value()
        var meta: [String: String] = [:]
        var isEstimated = false
        var confidence: Int64?
        var declaredDurationS: Int64?
        var endFlag: TimeFlag?
        var hasText = false
        var edits: Int64 = 0
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "dropIds", &dropIds)
            try field("startedUs", &started, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("isEstimated", &isEstimated, "confidence", &confidence)
            try field("declaredDurationS", &declaredDurationS, "endFlag", &endFlag)
            try field("hasText", &hasText, "edits", &edits)
        }
    }
}

extension BabyCare.BeforeMerge {
    init(_ entry: BabyCare.Entry, _ merged: BabyCare.EntriesMerged, _ envelope: Envelope) {
        self.init(
            position: Int64(envelope.position.rawValue), dropIds: merged.dropIds,
            started: entry.started, ended: entry.ended, value: entry.value, meta: entry.meta,
            isEstimated: entry.isEstimated, confidence: entry.confidence,
            declaredDurationS: entry.declaredDurationS, endFlag: entry.endFlag,
            hasText: entry.hasText, edits: entry.edits)
    }
}

extension BabyCare.State {
    /// Returns the entry into which the given entry was merged, else the given entry.
    fileprivate func kept(_ entryId: String) -> BabyCare.Entry? {
        guard let entry = entry(entryId) else { return nil }
        return entry.mergedInto.map { self.entry($0) } ?? entry
    }
}
