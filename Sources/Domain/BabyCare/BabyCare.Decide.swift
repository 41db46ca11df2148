public import CivilTime
import EventSourcing

extension BabyCare {
    public static func decide(
        _ command: Command, in state: State, now: Instant
    ) throws(Refusal) -> [Event] {
        switch command {
        case .start(let body): try start(body, state, now)
        case .complete(let body): try complete(body, state, now)
        case .record(let body): try record(body, state)
        case .edit(let body): try edit(body, state, now)
        case .editOpen(let body): try editOpen(body, state)
        case .cancel(let body): try cancel(body, state, now)
        case .restore(let body): try restore(body, state, now)
        case .estimateEnd(let body): try estimateEnd(body, state, now)
        case .merge(let body): try merge(body, state)
        case .parseVoiceClip(let body): try parse(body, state)
        case .confirmVoiceClip(let body): try confirm(body, state, now)
        case .importRow(let body): try importRow(body, state)
        case .recordImport(let body): try recordImport(body, state)
        case .recordExport(let body): try recordExport(body, state)
        case .issueReport(let body): try issueReport(body, state)
        }
    }

    private static func start(
        _ body: Start, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let details = try details(body.kind, body.value, body.meta)
        try mayWrite(body.by, body.babyId, state)
        guard details.kind.isStartable else { throw .notStartable(details.kind) }
        guard state.entry(body.entryId) == nil else { throw .entryExists(body.entryId) }
        let startedUs = body.startedUs ?? now.microseconds
        try checkTimes(startedUs, nil)
        var events: [Event] = []
        if let occupant = state.occupant(of: details.kind) {
            guard body.estimate == true, startedUs > occupant.startedUs else {
                throw .openEntryExists(occupant.entryId, details.kind)
            }
            let end = Estimate.end(
                of: occupant, before: startedUs, among: Array(state.entries.values))
            events.append(
                .endEstimated(estimated(occupant, end, cappedBy: body.entryId, by: body.by)))
        }
        var opened = EntryOpened()
        opened.entryId = body.entryId
        opened.babyId = body.babyId
        opened.kind = details.kind
        opened.startedUs = startedUs
        opened.value = details.value
        opened.meta = Meta(details.meta)
        opened.text = details.text.map { PersonalText($0) }
        opened.source = body.source
        opened.entryMode = "manual_start"
        opened.by = body.by
        return events + [.entryOpened(opened)]
    }

    private static func complete(
        _ body: Complete, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        guard entry.state == .open || (entry.state == .closed && entry.isEstimated) else {
            throw .notOpen(body.entryId, entry.state)
        }
        let patch = try details(entry.kind, body.value, body.meta, over: entry.value)
        let endedUs = body.endedUs ?? now.microseconds
        try checkTimes(entry.startedUs, endedUs)
        let closed = EntryClosed(
            entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
            startedUs: entry.startedUs, endedUs: endedUs,
            endSource: body.endedUs == nil ? .now : .explicit, value: patch.value,
            removed: body.removed, meta: patch.meta,
            text: patch.text.map { PersonalText($0) }, by: body.by)
        return [.entryClosed(closed)]
    }

    private static func record(_ body: RecordEntry, _ state: State) throws(Refusal) -> [Event] {
        let details = try details(body.kind, body.value, body.meta)
        try mayWrite(body.by, body.babyId, state)
        guard state.entry(body.entryId) == nil else { throw .entryExists(body.entryId) }
        if details.kind == .sleep, body.endedUs == nil { throw .endRequired }
        try checkTimes(body.startedUs, body.endedUs)
        var recorded = EntryRecorded()
        recorded.entryId = body.entryId
        recorded.babyId = body.babyId
        recorded.kind = details.kind
        recorded.startedUs = body.startedUs
        recorded.endedUs = body.endedUs
        recorded.value = details.value
        recorded.meta = Meta(details.meta)
        recorded.text = details.text.map { PersonalText($0) }
        recorded.source = body.source
        recorded.entryMode = "manual_form"
        recorded.by = body.by
        return [.entryRecorded(recorded)]
    }

    private static func edit(
        _ body: Edit, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        if body.undoesDeletion, entry.state == .cancelled || body.rules == .standard {
            return try restore(
                Restore(entryId: body.entryId, by: body.by, rules: body.rules), state, now)
        }
        guard entry.state != .open else { throw .onlyClosed(body.entryId) }
        guard entry.state == .closed || body.rules == .source else {
            throw .entryCancelled(body.entryId)
        }
        if let into = entry.mergedInto { throw .mergedAway(body.entryId, into: into) }
        var closed = entry
        if body.endedUs == nil { closed.endedUs = entry.endedUs ?? inventedEnd(entry) }
        let change = try change(
            of: closed, startedUs: body.startedUs, endedUs: body.endedUs, body.value, body.meta,
            body.removed)
        guard entry.state == .cancelled else {
            return change.map { [edited(entry, $0, body.by)] } ?? []
        }
        // The source documents: any update of a cancelled entry makes it a closed one.
        var revived = EntryRestored()
        revived.entryId = entry.entryId
        revived.babyId = entry.babyId
        revived.kind = entry.kind
        revived.undoOf = entry.cancelledAt
        revived.endedUs = closed.endedUs == entry.endedUs ? nil : closed.endedUs
        revived.by = body.by
        return [.entryRestored(revived)] + (change.map { [edited(entry, $0, body.by)] } ?? [])
    }

    /// What the source documents end an entry with that was open when it was cancelled.
    private static func inventedEnd(_ entry: Entry) -> Int64? {
        guard entry.previousState == .open else { return nil }
        return max(entry.cancelledUs ?? entry.startedUs, entry.startedUs)
    }

    private static func editOpen(_ body: EditOpen, _ state: State) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        guard entry.state == .open else { throw .notOpen(body.entryId, entry.state) }
        let change = try change(
            of: entry, startedUs: body.startedUs, endedUs: nil, body.value, body.meta,
            body.removed)
        return change.map { [edited(entry, $0, body.by)] } ?? []
    }

    private static func cancel(
        _ body: Cancel, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        guard entry.state != .cancelled else { throw .alreadyCancelled(body.entryId) }
        let invented =
            body.rules == .source && entry.state == .open
            ? max(now.microseconds, entry.startedUs) : nil
        return [
            .entryCancelled(
                EntryCancelled(
                    entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                    previousState: entry.state, endedUs: invented, reason: body.reason?.text,
                    by: body.by))
        ]
    }

    private static func restore(
        _ body: Restore, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let entry = try entry(body.entryId, state, body.by)
        guard entry.state == .cancelled else { throw .notCancelled(body.entryId) }
        if let into = entry.mergedInto { throw .mergedAway(body.entryId, into: into) }
        let toState = body.rules == .source ? .closed : entry.previousState ?? .closed
        if toState == .open, !entry.isImported, let occupant = state.occupant(of: entry.kind) {
            throw .openEntryExists(occupant.entryId, entry.kind)
        }
        let invented =
            toState == .closed && entry.endedUs == nil ? inventedEnd(entry) : nil
        let elapsedUs = now.microseconds - (entry.cancelledUs ?? 0)
        return [
            .entryRestored(
                EntryRestored(
                    entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                    toState: toState, undoOf: entry.cancelledAt,
                    withinUndoWindow: (0...undoWindowUs).contains(elapsedUs),
                    endedUs: invented, by: body.by))
        ]
    }
}
