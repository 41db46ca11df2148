package import Daybook

extension BabyCare {
    /// Imports one row of a file: new entries, or changes of entries imported from an earlier file.
    ///
    /// An import never estimates an end itself. An imported entry without an end does not prevent
    /// another entry from being started.
    package struct ImportRow: CareCommand, PlainRecord {
        package var babyId = ""
        /// Id of the row's entry; if it has several, the common start of their ids: `x` of `x-pee`.
        package var entryId = ""
        /// Digests that identify the row in the file.
        package var origin = Origin()
        /// Entries that the row states, usually one.
        package var entries: [ImportedEntry] = []
        /// Ids of entries from an earlier import that this row completes or corrects.
        package var changedEntryIds: [String] = []
        /// Person who recorded the entries, as the file names the person.
        package var caregiver: PersonalText?
        /// Way in which the entries were recorded; by default an import.
        package var source = Source.imported
        package var by: Author?
        package var fileLine: FileLine?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "entryId", &entryId, "origin", &origin)
            try field("entries", &entries, "changes", &changedEntryIds, "caregiver", &caregiver)
            try field("source", &source, "by", &by, "fileLine", &fileLine)
        }

        package static let name = "baby-care.import-row"

        package func boundary(_ state: State) -> Boundary {
            Boundary(
                entryIds: changedEntryIds + entries.map { importedId(entryId, $0) }, babyId: babyId)
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayWrite(by, babyId)
            var known: [Entry] = []
            for id in changedEntryIds {
                guard let entry = state.entry(id), state.profile.ids.contains(entry.babyId) else {
                    throw .entryNotFound(id)
                }
                guard entry.state != .cancelled else { throw .entryCancelled(id) }
                known.append(entry)
            }
            var events: [Event] = []
            var ids: Set<String> = []
            for imported in entries {
                try checkTimes(imported.started, imported.ended)
                if let index = known.firstIndex(where: { $0.kind == imported.kind }) {
                    events += try changeEvents(known.remove(at: index), to: imported)
                } else {
                    let entryId = importedId(entryId, imported)
                    guard ids.insert(entryId).inserted else { throw .entryExists(entryId) }
                    try state.checkIsNew(entryId)
                    addNewEntry(imported, entryId, to: &events)
                }
            }
            return events
        }

        /// Adds the events that record a new entry and, if the file says so, end or cancel it.
        private func addNewEntry(
            _ imported: ImportedEntry, _ entryId: String, to events: inout [Event]
        ) {
            let wasOpen = imported.kind == .sleep && imported.ended == nil
            let isOpen = imported.state == .open || (imported.state == .cancelled && wasOpen)
            let estimate = endEstimate(imported, entryId)
            let state = isOpen || estimate != nil ? EntryState.open : .closed
            let recorded = EntryRecorded(
                entryId: entryId, babyId: babyId, kind: imported.kind, state: state,
                started: imported.started, ended: estimate == nil ? imported.ended : nil,
                declaredDurationS: imported.declaredDurationS, value: imported.value,
                meta: Meta(imported.meta), text: imported.text, source: source, entryMode: "import",
                by: by, caregiver: caregiver, origin: origin, startFlag: imported.startFlag,
                endFlag: imported.endFlag, fileLine: fileLine, textName: imported.textName)
            events.append(.entryRecorded(recorded))
            if let estimate { events.append(.endEstimated(estimate)) }
            guard imported.state == .cancelled else { return }
            let cancelled = EntryCancelled(
                entryId: entryId, babyId: babyId, kind: imported.kind,
                previousState: estimate == nil ? state : .closed, by: by)
            events.append(.entryCancelled(cancelled))
        }

        /// Returns the event for an end that the file marks as an estimate; `nil` for other ends.
        private func endEstimate(_ imported: ImportedEntry, _ entryId: String) -> EndEstimated? {
            guard let confidence = imported.endConfidence, let ended = imported.ended else {
                return nil
            }
            return EndEstimated(
                entryId: entryId, babyId: babyId, kind: imported.kind, started: imported.started,
                ended: ended, confidence: confidence,
                basis: confidence >= 80 ? .median14d : .standardLength, by: by)
        }

        /// Returns the events that complete, correct or cancel an entry from an earlier import.
        private func changeEvents(
            _ entry: Entry, to imported: ImportedEntry
        ) throws(Refusal) -> [Event] {
            var events: [Event] = []
            var edit = EntryEdited(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind, by: by,
                origin: origin, fileLine: fileLine)
            let completes = entry.state == .open && imported.ended != nil
            // An end that the file again marks as estimated remains an estimate.
            let isSameEstimate =
                entry.isEstimated && imported.endConfidence != nil
                && imported.ended == entry.ended
            let estimate = completes ? self.endEstimate(imported, entry.entryId) : nil
            if let estimate {
                try checkTimes(entry.started, estimate.ended)
                events.append(.endEstimated(estimate))
            }
            if completes, estimate == nil, let ended = imported.ended {
                try checkTimes(entry.started, ended)
                let closed = EntryClosed(
                    entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                    started: entry.started, ended: ended, endSource: .explicit,
                    value: imported.value, meta: Meta(imported.meta), text: imported.text, by: by,
                    origin: origin, endFlag: imported.endFlag, fileLine: fileLine,
                    textName: imported.textName)
                events.append(.entryClosed(closed))
            } else {
                try checkTimes(imported.started, imported.ended ?? entry.ended)
                edit =
                    entry.editEvent(
                        started: imported.started,
                        ended: isSameEstimate || estimate != nil ? nil : imported.ended,
                        value: imported.value, meta: imported.meta, text: imported.text, by: by,
                        origin: origin, fileLine: fileLine) ?? edit
                edit.textName = imported.textName
            }
            if let declared = imported.declaredDurationS, declared != entry.file.declaredDurationS {
                edit.set.declaredDurationS = declared
                edit.prior.declaredDurationS = entry.file.declaredDurationS
            }
            // Even an edit without changed fields records the origin as the newest row.
            if !completes || estimate != nil || edit.set != Change() {
                events.append(.entryEdited(edit))
            }
            guard imported.state == .cancelled else { return events }
            let cancelled = EntryCancelled(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                previousState: completes ? .closed : entry.state, by: by)
            return events + [.entryCancelled(cancelled)]
        }
    }

    static func importedId(_ rowId: String, _ entry: ImportedEntry) -> String {
        entry.part.map { "\(rowId)-\($0)" } ?? rowId
    }

    /// Returns a query for the entry events that earlier imports recorded for these rows.
    ///
    /// Returns `nil` if there are no rows.
    ///
    /// An import runs the query once for the whole file, because running it for each row would
    /// read the events of similar rows again and again.
    package static func query(
        ofRows origins: [Origin], of babyIds: [String]
    ) -> Query? {
        var tags: Set<Tag> = []
        tags.reserveCapacity(origins.count * babyIds.count)
        for babyId in babyIds {
            for origin in origins { tags.insert(rowTag(babyId, origin)) }
        }
        return Query(items: tags.map { Query.Item(kinds: entryKinds, tags: [$0]) })
    }
}
