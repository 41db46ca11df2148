package import Daybook

extension BabyCare {
    /// The new values of the fields that an edit sets, or their values before the edit.
    ///
    /// A field that the edit leaves unchanged is `nil`.
    package struct Change: PlainRecord {
        package var started: Instant?
        package var ended: Instant?
        /// Length that an imported file declares, in seconds.
        package var declaredDurationS: Int64?
        /// All amounts and other details; an edit replaces them as a whole.
        package var value: Value?
        /// All metadata; an edit replaces them as a whole.
        package var meta: Meta?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("startedUs", &started, "endedUs", &ended)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta)
        }
    }

    /// An entry was corrected: its times, its details or its note changed.
    package struct EntryEdited: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-edited.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        /// New values of the corrected fields.
        package var set = Change()
        /// Former values of the fields in `set`, and always both former times. They stand in for
        /// times missing in `set`, so that a report finds the edit by its weeks.
        var prior = Change()
        /// New note; `nil` keeps the former note.
        package var text: PersonalText?
        package var by: Author?
        /// Row of the imported file that states the correction; `nil` without an import.
        package var origin: Origin?
        package var fileLine: FileLine?
        package var textName: TextName?
        package var tags: [Tag] {
            [tag(babyId), entryTag(entryId)] + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "set", &set)
            try field("prior", &prior, .history)
            try field("text", &text, "by", &by, "origin", &origin)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }

        package func sentence(_ wording: Wording) -> String {
            let note = wording.quoted(text).map { "note \($0)" }
            let all = changes(wording) + [note].compactMap(\.self)
            guard !all.isEmpty else { return "\(kind.name): nothing changed" }
            let others = all.count > 4 ? ["\((all.count - 3).counted("other change"))"] : []
            let shown = all.prefix(others.isEmpty ? 4 : 3) + others
            return "\(kind.name) " + shown.joined(separator: "; ")
        }

        /// Start after the edit; `nil` if the event states neither the new nor the former start.
        var started: Instant? { self.set.started ?? prior.started }
        /// End after the edit; `nil` if the entry is open or has no duration.
        var ended: Instant? { self.set.ended ?? prior.ended }
    }

    /// Corrects a closed entry; a field that the command leaves out is unchanged.
    struct Edit: CareCommand, PlainRecord {
        var entryId = ""
        var started: Instant?
        var ended: Instant?
        /// Details by field name; each replaces the recorded value of its field.
        var value: [String: Scalar] = [:]
        /// Further details by key; `undo_delete` with the value `true` restores a cancelled entry,
        /// to which the other fields of the command then apply.
        var meta: [String: Scalar] = [:]
        var removed: [String] = []
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta, "removed", &removed, "by", &by)
            try field("rules", &rules)
        }

        static let name = "baby-care.edit"

        func boundary(_ state: State) -> Boundary {
            Boundary(
                entryIds: [entryId],
                openedKind: meta[undoName] == nil ? nil : state.entry(entryId)?.kind)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard meta[undoName] != nil else { return try decide(entry) }
            let undoes = try undoesDeletion(meta)
            var rest = self
            rest.meta[undoName] = nil
            let hasRest = rest != Edit(entryId: entryId, by: by, rules: rules)
            // Under the source rules any update of a cancelled entry restores it.
            guard undoes, rules == .standard || entry.state == .cancelled && !hasRest else {
                return try rest.decide(entry)
            }
            let restored = try Restore(entryId: entryId, by: by, rules: rules)
                .decide(state, now: now)
            return hasRest ? try restored + rest.edits(after: restored, of: entry, now) : restored
        }

        /// Returns the edit of a restored entry; an empty list if nothing changes.
        private func edits(
            after restoration: [Event], of entry: Entry, _ now: Instant
        ) throws(Refusal) -> [Event] {
            var entry = entry
            for case .entryRestored(let event) in restoration {
                entry.apply(event, Envelope(position: .origin, occurredAt: now, recordedAt: now))
            }
            guard entry.state == .closed || ended == nil else {
                throw Refusal(
                    "onlyClosed",
                    "the entry '\(entryId)' was open before it was deleted and gets no end by "
                        + "undo_delete; restore it, then complete it with baby-care.complete")
            }
            return try entry.checkedEdit(started, ended, value, meta, removed, by: by)
                .map { [.entryEdited($0)] } ?? []
        }

        /// Returns the events of an edit that undoes no deletion.
        private func decide(_ entry: Entry) throws(Refusal) -> [Event] {
            guard entry.state != .open else {
                throw Refusal(
                    "onlyClosed",
                    "only closed events can be updated: the entry '\(entryId)' is open; correct it "
                        + "with baby-care.edit-open")
            }
            guard entry.state == .closed || rules.isOfSource else { throw .entryCancelled(entryId) }
            if let into = entry.cancellation.mergedInto { throw .mergedAway(entryId, into: into) }
            var closed = entry
            if ended == nil { closed.ended = entry.ended ?? entry.inventedEnd }
            let edit = try closed.checkedEdit(started, ended, value, meta, removed, rules, by: by)
            // The source rules refuse edits of an entry without an end.
            if rules.isOfSource, ended ?? closed.ended == nil { throw .endRequired }
            let edits = edit.map { [Event.entryEdited($0)] } ?? []
            guard entry.state == .cancelled else { return edits }
            // Under the source rules any update of a cancelled entry restores it as closed.
            let revived = EntryRestored(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                undoOf: entry.cancellation.position,
                ended: closed.ended == entry.ended && !entry.cancellation.hasInventedEnd
                    ? nil : closed.ended,
                by: by)
            return [.entryRestored(revived)] + edits
        }
    }

    /// Name of the metadata by which the app restores a deleted entry.
    fileprivate static let undoName = "undo_delete"

    /// True if the metadata contain `undo_delete` with the value `true`, in any case; throws a
    /// refusal if its value is neither `true` nor `false`.
    fileprivate static func undoesDeletion(_ meta: [String: Scalar]) throws(Refusal) -> Bool {
        guard let text = meta[undoName]?.text else { return false }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default:
            throw Refusal(
                "unreadable",
                "field '\(undoName)': expected true or false, found '\(text.prefix(60))'")
        }
    }

    /// Corrects an entry that is open.
    struct EditOpen: CareCommand, PlainRecord {
        var entryId = ""
        var started: Instant?
        var value: [String: Scalar] = [:]
        var meta: [String: Scalar] = [:]
        var removed: [String] = []
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "startedUs", &started, "value", &value, "meta", &meta)
            try field("removed", &removed, "by", &by)
        }

        static let name = "baby-care.edit-open"
        func boundary(_ state: State) -> Boundary { Boundary(entryIds: [entryId]) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard entry.state == .open else { throw .notOpen(entryId, entry.state) }
            if try undoesDeletion(meta) { throw .notCancelled(entryId) }
            var meta = meta
            meta[undoName] = nil
            let edit = try entry.checkedEdit(started, nil, value, meta, removed, by: by)
            return edit.map { [.entryEdited($0)] } ?? []
        }
    }
}

extension BabyCare.Entry {
    /// Returns the event that records the corrections of a command; `nil` if no field changes.
    /// Throws a refusal if a detail is unreadable, a time is impossible or no correction is given.
    fileprivate func checkedEdit(
        _ started: Instant?, _ ended: Instant?, _ value: [String: Scalar], _ meta: [String: Scalar],
        _ removed: [String], _ rules: BabyCare.Rules = .standard, by: Author?
    ) throws(Refusal) -> BabyCare.EntryEdited? {
        let isEmpty =
            started == nil && ended == nil && value.isEmpty && meta.isEmpty && removed.isEmpty
        guard !isEmpty else { throw .nothingToUpdate }
        let patch = try BabyCare.Details.read(patching: self, value, meta, rules)
        var newValue = self.value
        newValue.merge(patch.value, removing: removed)
        let newMeta = self.meta.merging(patch.meta) { _, new in new }
            .filter { !removed.contains($0.key) }
        try BabyCare.checkTimes(started ?? self.started, ended ?? self.ended)
        var edit = editEvent(
            started: started, ended: ended, value: newValue, meta: newMeta,
            text: patch.note, by: by)
        edit?.textName = patch.textName
        return edit
    }

    /// Returns an event that sets the fields whose new values differ from those of the entry. A new
    /// end replaces an estimated end even if both are equal. Returns `nil` if there is no field to
    /// set and `text`, the new note, is `nil`.
    func editEvent(
        started: Instant?, ended: Instant?, value: BabyCare.Value, meta: [String: String],
        text: PersonalText?, by: Author?, origin: BabyCare.Origin? = nil,
        fileLine: BabyCare.FileLine? = nil
    ) -> BabyCare.EntryEdited? {
        var set = BabyCare.Change()
        // Holds both times, so that a report finds the edit by the week of either time.
        var prior = BabyCare.Change(started: self.started, ended: self.ended)
        if started != self.started { set.started = started }
        if ended != self.ended || isEstimated { set.ended = ended }
        if value != self.value {
            set.value = value
            prior.value = self.value
        }
        if meta != self.meta {
            set.meta = BabyCare.Meta(meta)
            prior.meta = BabyCare.Meta(self.meta)
        }
        guard set != BabyCare.Change() || text != nil else { return nil }
        return BabyCare.EntryEdited(
            entryId: entryId, babyId: babyId, kind: kind, set: set, prior: prior, text: text,
            by: by, origin: origin, fileLine: fileLine)
    }
}
