package import Daybook

extension BabyCare {
    /// A merge was undone: its entries are separate again.
    package struct MergeUndone: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.merge-undone.v1"
        /// Id of the entry into which the other entries had been merged.
        var keepId = ""
        /// Ids of the entries that had been merged into the entry `keepId`.
        var dropIds: [String] = []
        package var babyId = ""
        package var kind = Kind.formula
        /// Position in the log of the merge that is undone.
        var undoOf: Int64?
        package var by: Author?
        package var tags: [Tag] { [tag(babyId), entryTag(keepId)] + dropIds.map(entryTag) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds, .elements(150))
            try field("babyId", &babyId, "kind", &kind)
            try field("undoOf", &undoOf, .position)
            try field("by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(kind.name): merge of \((dropIds.count + 1).counted("entry", "entries")) undone"
        }
    }

    /// Undoes the last merge into an entry: each entry returns to its state before the merge.
    ///
    /// The command is refused if the merged entry was changed after the merge, because the change
    /// cannot be assigned to one of the former entries.
    struct UndoMerge: CareCommand, PlainRecord {
        /// Id of the entry into which others were merged, or of one of those others.
        var entryId = ""
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "by", &by)
        }

        static let name = "baby-care.undo-merge"

        func boundary(_ state: State) -> Boundary {
            // So far the merge may be the only event known of the kept entry.
            let keepId = state.entry(entryId)?.cancellation.mergedInto ?? entryId
            let merged = state.entries[state.newestId(of: keepId)]?.merges.last?.dropIds ?? []
            return Boundary(entryIds: [entryId, keepId] + merged)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard let keep = state.survivingEntry(entryId), let last = keep.merges.last else {
                throw Refusal(
                    "notMerged",
                    "no entry was merged into the entry '\(entryId)', so there is no merge to undo")
            }
            guard lifecycle.allows(MergeUndone.self, in: keep.state), keep.state == .closed else {
                throw .entryCancelled(keep.entryId)
            }
            let dropIds = last.dropIds.map(state.newestId)
            guard entry.entryId == keep.entryId || dropIds.contains(entry.entryId) else {
                throw Refusal(
                    "mergedSince",
                    "the entry '\(keep.entryId)' was merged again after '\(entry.entryId)' had become part "
                        + "of it; undo the later merge first")
            }
            guard !keep.isChangedSinceMerge(among: dropIds.compactMap { state.entry($0) }) else {
                throw Refusal(
                    "editedSince",
                    "the entry '\(keep.entryId)' was changed after the merge, and undoing the merge would "
                        + "lose the change; correct or cancel the entry instead")
            }
            let undone = MergeUndone(
                keepId: keep.entryId, dropIds: dropIds, babyId: keep.babyId, kind: keep.kind,
                undoOf: last.position, by: by)
            return [.mergeUndone(undone)]
        }
    }

    /// The values of an entry before other entries were merged into it.
    struct BeforeMerge: PlainRecord {
        var position: Int64 = 0
        var dropIds: [String] = []
        var started = Instant.epoch
        var ended: Instant?
        /// Amounts and other details before the merge.
        var value = Value()
        /// Further details before the merge, by key.
        var meta: [String: String] = [:]
        /// True if the end was an estimate before the merge.
        var isEstimated = false
        /// Confidence in the estimated end before the merge, 0 to 100.
        var confidence: Int64?
        /// Length that an imported file declared, in seconds; `nil` if none was declared.
        var declaredDurationS: Int64?
        /// Problem with the local end time before the merge; `nil` if there was none.
        var endFlag: TimeFlag?
        /// True if the entry had a note before the merge.
        var hasText = false
        /// Number of corrections before the merge.
        var editCount: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "dropIds", &dropIds)
            try field("startedUs", &started, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("isEstimated", &isEstimated, "confidence", &confidence)
            try field("declaredDurationS", &declaredDurationS, "endFlag", &endFlag)
            try field("hasText", &hasText, "edits", &editCount)
        }
    }
}

extension BabyCare.BeforeMerge {
    /// Creates a copy of the fields of `entry` before the merge `merged` is applied to the entry.
    init(_ entry: BabyCare.Entry, _ merged: BabyCare.EntriesMerged, _ envelope: Envelope) {
        self.init(
            position: Int64(envelope.position.rawValue), dropIds: merged.dropIds,
            started: entry.started, ended: entry.ended, value: entry.value, meta: entry.meta,
            isEstimated: entry.isEstimated, confidence: entry.confidence,
            declaredDurationS: entry.file.declaredDurationS, endFlag: entry.file.endFlag,
            hasText: entry.hasText, editCount: entry.history.editCount)
    }
}

extension BabyCare.State {
    /// Returns the entry, or the entry into which it was merged; `nil` if the id is unknown.
    fileprivate func survivingEntry(_ entryId: String) -> BabyCare.Entry? {
        guard let entry = entry(entryId) else { return nil }
        return entry.cancellation.mergedInto.map { self.entry($0) } ?? entry
    }
}
