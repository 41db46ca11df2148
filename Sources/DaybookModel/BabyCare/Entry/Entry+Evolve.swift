import Daybook

extension BabyCare.Entry {
    /// Time from start to end in microseconds, clamped to 64 bits; 0 without an end.
    package var lengthUs: Int64 { ended?.microseconds(since: started) ?? 0 }

    /// True if the times and amounts of the entry are plausible, so that reports can use it.
    ///
    /// The times lie in the years 1 to 9999, in order and less than 400 days apart, and the amounts
    /// can be added without overflow. Commands record no implausible values, but directly appended
    /// events may have them; the audit reports such entries.
    var isReportable: Bool {
        let range: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000
        guard range.contains(started.microseconds),
            range.contains((ended ?? started).microseconds)
        else { return false }
        // A call for each amount instead of a loop over an array, which would cost an allocation.
        func isAddable(_ amount: Int64?) -> Bool { (amount ?? 0).magnitude < 1_000_000_000_000 }
        return (0..<400 * Instant.dayUs).contains(lengthUs)
            && isAddable(value.amountUl) && isAddable(value.durationS) && isAddable(value.massMg)
            && isAddable(value.lengthUm) && isAddable(value.headUm) && isAddable(value.milliC)
            && isAddable(value.count)
    }

    /// True if the entry starts before another; ids decide between equal starts.
    func precedes(_ other: Self) -> Bool {
        started == other.started ? entryId < other.entryId : started < other.started
    }

    /// True if an event has set the state of the entry; an edit or a new id alone does not.
    var isKnown: Bool { state != .none && !entryId.isEmpty }
    /// True if the entry is closed, so that the totals of reports include it.
    package var isCounted: Bool { state == .closed }

    /// True if the entry prevents another entry of its kind from being started.
    var holdsSlot: Bool { state == .open && !file.isImported }

    mutating func apply(_ opened: BabyCare.EntryOpened, _ envelope: Envelope) {
        begin(opened.entryId, opened.babyId, opened.kind, envelope)
        state = .open
        started = opened.started
        value = opened.value
        meta = opened.meta.plainTexts
        hasText = opened.text != nil
        textName = opened.textName
        source = opened.source
        by = opened.by
    }

    mutating func apply(_ recorded: BabyCare.EntryRecorded, _ envelope: Envelope) {
        begin(recorded.entryId, recorded.babyId, recorded.kind, envelope)
        state = recorded.state
        started = recorded.started
        ended = recorded.ended
        value = recorded.value
        meta = recorded.meta.plainTexts
        hasText = recorded.text != nil
        textName = recorded.textName
        source = recorded.source
        by = recorded.by
        file = BabyCare.FileFacts(
            isImported: recorded.origin != nil, origin: recorded.origin, line: recorded.fileLine,
            declaredDurationS: recorded.declaredDurationS, startFlag: recorded.startFlag,
            endFlag: recorded.endFlag)
    }

    /// Sets the ids, the kind and the recording times from the first event of the entry.
    private mutating func begin(
        _ entryId: String, _ babyId: String, _ kind: BabyCare.Kind, _ envelope: Envelope
    ) {
        // The id may have been replaced before the first event of the entry was recorded.
        self.entryId = newerIds.newest(entryId)
        self.babyId = newerBabyIds.newest(babyId)
        self.kind = kind
        history.begin(envelope)
    }

    mutating func apply(_ closed: BabyCare.EntryClosed, _ envelope: Envelope) {
        setMissingIds(closed.entryId, closed.babyId, closed.kind)
        state = .closed
        started = closed.started
        ended = closed.ended
        isEstimated = false
        confidence = nil
        value.merge(closed.value, removing: closed.removed)
        meta.merge(closed.meta.plainTexts) { _, new in new }
        for field in closed.removed { meta[field] = nil }
        if closed.text != nil { (hasText, textName) = (true, closed.textName) }
        file.origin = closed.origin ?? file.origin
        file.line = closed.fileLine ?? file.line
        file.endFlag = closed.endFlag ?? file.endFlag
        history.countRevision(envelope)
    }

    /// Applies a correction; the fields that it sets replace those of the entry.
    mutating func apply(_ edited: BabyCare.EntryEdited, _ envelope: Envelope) {
        setMissingIds(edited.entryId, edited.babyId, edited.kind)
        started = edited.set.started ?? started
        if let end = edited.set.ended {
            ended = end
            isEstimated = false
            confidence = nil
        }
        file.declaredDurationS = edited.set.declaredDurationS ?? file.declaredDurationS
        value = edited.set.value ?? value
        meta = edited.set.meta?.plainTexts ?? meta
        if edited.text != nil { (hasText, textName) = (true, edited.textName) }
        file.origin = edited.origin ?? file.origin
        file.line = edited.fileLine ?? file.line
        history.editCount += 1
        history.countRevision(envelope)
    }

    mutating func apply(_ cancelled: BabyCare.EntryCancelled, _ envelope: Envelope) {
        setMissingIds(cancelled.entryId, cancelled.babyId, cancelled.kind)
        state = .cancelled
        cancellation.begin(from: cancelled.previousState, envelope)
        cancellation.hasInventedEnd = ended == nil && cancelled.ended != nil
        ended = cancelled.ended ?? ended
        history.cancellationCount += 1
        history.countRevision(envelope)
    }

    mutating func apply(_ restored: BabyCare.EntryRestored, _ envelope: Envelope) {
        setMissingIds(restored.entryId, restored.babyId, restored.kind)
        let hadNoEnd =
            restored.toState == .open
            || (cancellation.hasInventedEnd && cancellation.previousState == .closed)
        ended = restored.toState == .open ? nil : restored.ended ?? (hadNoEnd ? nil : ended)
        cancellation.hasInventedEnd = false
        state = restored.toState
        cancellation.end()
        history.restorationCount += 1
        history.countRevision(envelope)
    }

    mutating func apply(_ estimated: BabyCare.EndEstimated, _ envelope: Envelope) {
        setMissingIds(estimated.entryId, estimated.babyId, estimated.kind)
        state = .closed
        started = estimated.started
        ended = estimated.ended
        isEstimated = true
        confidence = estimated.confidence
        history.countRevision(envelope)
    }

    mutating func apply(_ ids: Household.IdReplaced) {
        guard ids.kind == .careEntry else {
            guard ids.kind == .baby, newerBabyIds.replace(ids.localId, by: ids.remoteId) else {
                return
            }
            babyId = newerBabyIds.newest(babyId)
            return
        }
        guard newerIds.replace(ids.localId, by: ids.remoteId) else { return }
        entryId = newerIds.newest(entryId.isEmpty ? ids.localId : entryId)
        formerIds.append(ids.localId)
    }

    mutating func applyMergeAsKept(_ merged: BabyCare.EntriesMerged, _ envelope: Envelope) {
        setMissingIds(merged.keepId, merged.babyId, merged.kind)
        merges.append(BabyCare.BeforeMerge(self, merged, envelope))
        // A length that a file declares for one entry does not apply to the merged entry.
        if (started, ended) != (merged.started, merged.ended) { file.declaredDurationS = nil }
        started = merged.started
        ended = merged.ended
        history.countRevision(envelope)
    }

    mutating func undoMergeAsKept(_ envelope: Envelope) {
        guard let before = merges.popLast() else { return }
        restoreFields(from: before)
        history.countRevision(envelope)
    }

    /// Sets the fields that a merge may have changed to their values before the merge.
    mutating func restoreFields(from before: BabyCare.BeforeMerge) {
        (started, ended, value, meta) = (before.started, before.ended, before.value, before.meta)
        (isEstimated, confidence) = (before.isEstimated, before.confidence)
        (file.declaredDurationS, file.endFlag) = (before.declaredDurationS, before.endFlag)
        (hasText, history.editCount) = (before.hasText, before.editCount)
    }

    /// Undoes a merge in an entry that was merged into another; the former state returns.
    mutating func undoMergeAsDropped(_ envelope: Envelope) {
        guard cancellation.mergedInto != nil else { return }
        state = cancellation.previousState ?? .closed
        cancellation.mergedInto = nil
        cancellation.end()
        history.countRevision(envelope)
    }

    mutating func applyMergeAsDropped(
        _ merged: BabyCare.EntriesMerged, _ id: String, _ envelope: Envelope
    ) {
        setMissingIds(id, merged.babyId, merged.kind)
        cancellation.begin(from: state, envelope)
        cancellation.mergedInto = merged.keepId
        state = .cancelled
        history.countRevision(envelope)
    }

    /// Sets the ids and the kind of the entry if they are still unset. They are unset if the first
    /// recorded event of the entry is not the one that creates it.
    private mutating func setMissingIds(_ entryId: String, _ babyId: String, _ kind: BabyCare.Kind)
    {
        if self.entryId.isEmpty { self.entryId = newerIds.newest(entryId) }
        guard self.babyId.isEmpty else { return }
        self.babyId = newerBabyIds.newest(babyId)
        self.kind = kind
    }
}
