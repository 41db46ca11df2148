import EventSourcing

extension BabyCare {
    /// A row of a file is new, or says more about an entry of an earlier export.
    ///
    /// An import never estimates an end and takes no slot.
    static func importRow(_ body: ImportRow, _ state: State) throws(Refusal) -> [Event] {
        try mayWrite(body.by, body.babyId, state)
        var known: [Entry] = []
        for id in body.changes {
            guard let entry = state.entry(id), state.profile.ids.contains(entry.babyId) else {
                throw .entryNotFound(id)
            }
            guard entry.state != .cancelled else { throw .entryCancelled(id) }
            known.append(entry)
        }
        var events: [Event] = []
        var ids: Set<String> = []
        for imported in body.entries {
            try checkTimes(imported.startedUs, imported.endedUs)
            if let index = known.firstIndex(where: { $0.kind == imported.kind }) {
                events += try changed(known.remove(at: index), imported, body)
            } else {
                let entryId = importedId(body.entryId, imported)
                guard ids.insert(entryId).inserted else { throw .entryExists(entryId) }
                events += try added(imported, body, state)
            }
        }
        return events
    }

    private static func added(
        _ imported: ImportedEntry, _ body: ImportRow, _ state: State
    ) throws(Refusal) -> [Event] {
        let entryId = importedId(body.entryId, imported)
        guard state.entry(entryId) == nil else { throw .entryExists(entryId) }
        let wasOpen = imported.kind == .sleep && imported.endedUs == nil
        let isOpen = imported.state == .open || (imported.state == .cancelled && wasOpen)
        let recorded = EntryRecorded(
            entryId: entryId, babyId: body.babyId, kind: imported.kind,
            state: isOpen ? .open : .closed, startedUs: imported.startedUs,
            endedUs: imported.endedUs, declaredDurationS: imported.declaredDurationS,
            value: imported.value, meta: imported.meta, text: imported.text, source: body.source,
            entryMode: "import", by: body.by, caregiver: body.caregiver, origin: body.origin,
            startFlag: imported.startFlag, endFlag: imported.endFlag)
        guard imported.state == .cancelled else { return [.entryRecorded(recorded)] }
        let cancelled = EntryCancelled(
            entryId: entryId, babyId: body.babyId, kind: imported.kind,
            previousState: isOpen ? .open : .closed, by: body.by)
        return [.entryRecorded(recorded), .entryCancelled(cancelled)]
    }

    private static func changed(
        _ entry: Entry, _ imported: ImportedEntry, _ body: ImportRow
    ) throws(Refusal) -> [Event] {
        var events: [Event] = []
        let completes = entry.state == .open && imported.endedUs != nil
        if completes, let endedUs = imported.endedUs {
            try checkTimes(entry.startedUs, endedUs)
            let closed = EntryClosed(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                startedUs: entry.startedUs, endedUs: endedUs, endSource: .explicit,
                value: imported.value, meta: imported.meta, text: imported.text, by: body.by,
                origin: body.origin, endFlag: imported.endFlag)
            events.append(.entryClosed(closed))
        } else {
            try checkTimes(imported.startedUs, imported.endedUs ?? entry.endedUs)
        }
        var change: (set: Change, prior: Change, text: String?) = (Change(), Change(), nil)
        if !completes {
            change =
                difference(
                    entry, startedUs: imported.startedUs, endedUs: imported.endedUs,
                    value: imported.value, meta: imported.meta, text: imported.text?.text)
                ?? change
        }
        if let declared = imported.declaredDurationS, declared != entry.declaredDurationS {
            change.set.declaredDurationS = declared
            change.prior.declaredDurationS = entry.declaredDurationS
        }
        // A row whose rest has no field of its own still leaves its mark as the newest.
        if !completes || change.set != Change() {
            events.append(edited(entry, change, body.by, origin: body.origin))
        }
        guard imported.state == .cancelled else { return events }
        let cancelled = EntryCancelled(
            entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
            previousState: completes ? .closed : entry.state, by: body.by)
        return events + [.entryCancelled(cancelled)]
    }

    static func recordImport(_ body: RecordImport, _ state: State) throws(Refusal) -> [Event] {
        try mayWrite(body.by, body.babyId, state)
        return [.dataImported(body)]
    }

    static func recordExport(_ body: RecordExport, _ state: State) throws(Refusal) -> [Event] {
        try mayRead(body.by, body.babyId, state)
        return [.dataExported(body)]
    }

    static func issueReport(_ body: IssueReport, _ state: State) throws(Refusal) -> [Event] {
        try mayRead(body.by, body.babyId, state)
        return [.reportIssued(body)]
    }

    /// Every member may look; where nobody is named, the tool itself does.
    private static func mayRead(
        _ by: Author?, _ babyId: String, _ state: State
    ) throws(Refusal) {
        guard state.profile.isKnown else { throw .babyNotFound(babyId) }
        guard state.profile.householdId != nil, let userId = by?.name else { return }
        guard state.members[userId]?.mayRead ?? false else {
            throw .accessDenied(userId: userId)
        }
    }
}
