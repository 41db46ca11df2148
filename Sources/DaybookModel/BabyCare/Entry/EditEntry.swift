public import Daybook

extension BabyCare {
    /// The fields of an entry that an edit sets, or their values before; fields left out stay.
    public struct Change: Record {
        public var started: Instant?
        public var ended: Instant?
        public var declaredDurationS: Int64?
        /// The whole value.
        public var value: Value?
        /// All of it.
        public var meta: Meta?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("startedUs", &started, "endedUs", &ended)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta)
        }
    }

    /// An entry was corrected.
    public struct EntryEdited: EventPayload {
        public static let kind: EventKind = "baby-care.entry-edited.v1"
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var set = Change()
        /// The values before, for the same fields.
        public var prior = Change()
        /// A new note.
        public var text: PersonalText?
        public var by: Author?
        /// The row of a file that says so.
        public var origin: Origin?
        public var fileLine: FileLine?
        /// The name that an app gave the text; `nil` for a memo.
        public var textName: TextName?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(babyId), entryTag(entryId)] + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "set", &set)
            try field("prior", &prior, .history)
            try field("text", &text, "by", &by, "origin", &origin)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }

        /// The start and the end after the edit, as far as it tells them.
        var started: Instant? { self.set.started ?? prior.started }
        var ended: Instant? { self.set.ended ?? prior.ended }
    }

    /// Corrects an entry that is closed; fields left out stay.
    public struct Edit: CareCommand {
        public var entryId = ""
        public var started: Instant?
        public var ended: Instant?
        /// Details that are merged into the recorded ones.
        public var value: [String: Scalar] = [:]
        /// `undo_delete` restores a cancelled entry.
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta, "removed", &removed, "by", &by)
            try field("rules", &rules)
        }

        public static let name = "baby-care.edit"

        /// True where the metadata say so, as the server's clients do.
        private var undoesDeletion: Bool { meta["undo_delete"]?.text.lowercased() == "true" }

        public func boundary(_ state: State) -> Boundary {
            Boundary(
                entries: [entryId], slot: undoesDeletion ? state.entry(entryId)?.kind : nil)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            if undoesDeletion, entry.state == .cancelled || rules == .standard {
                return try Restore(entryId: entryId, by: by, rules: rules).decide(state, now: now)
            }
            guard entry.state != .open else {
                throw Refusal(
                    "onlyClosed",
                    "only closed events can be updated: '\(entryId)' is open; edit-open changes it"
                )
            }
            guard entry.state == .closed || rules.isOfSource else {
                throw .entryCancelled(entryId)
            }
            if let into = entry.mergedInto { throw .mergedAway(entryId, into: into) }
            var closed = entry
            if ended == nil { closed.ended = entry.ended ?? entry.inventedEnd }
            let edit = try closed.edit(started, ended, value, meta, removed, by: by)
            // The source documents let nothing without an end be edited.
            if rules.isOfSource, ended ?? closed.ended == nil { throw .endRequired }
            let edits = edit.map { [Event.entryEdited($0)] } ?? []
            guard entry.state == .cancelled else { return edits }
            // The source documents: any update of a cancelled entry makes it a closed one.
            let revived = EntryRestored(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                undoOf: entry.cancelledAt,
                ended: closed.ended == entry.ended && !entry.hasInventedEnd ? nil : closed.ended,
                by: by)
            return [.entryRestored(revived)] + edits
        }
    }

    /// Corrects an entry that is open.
    public struct EditOpen: CareCommand {
        public var entryId = ""
        public var started: Instant?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("startedUs", &started)
            try field("value", &value, "meta", &meta, "removed", &removed, "by", &by)
        }

        public static let name = "baby-care.edit-open"

        public func boundary(_ state: State) -> Boundary { Boundary(entries: [entryId]) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard entry.state == .open else { throw .notOpen(entryId, entry.state) }
            let edit = try entry.edit(started, nil, value, meta, removed, by: by)
            return edit.map { [.entryEdited($0)] } ?? []
        }
    }
}

extension BabyCare.Entry {
    /// Makes the edit of a command; `nil` where it would change nothing.
    fileprivate func edit(
        _ started: Instant?, _ ended: Instant?, _ value: [String: Scalar],
        _ meta: [String: Scalar], _ removed: [String], by: Author?
    ) throws(Refusal) -> BabyCare.EntryEdited? {
        let isEmpty =
            started == nil && ended == nil && value.isEmpty && meta.isEmpty && removed.isEmpty
        guard !isEmpty else { throw .nothingToUpdate }
        let patch = try BabyCare.Details.read(patching: self, value, meta)
        var newValue = self.value
        newValue.merge(patch.value, removing: removed)
        let newMeta = self.meta.merging(patch.meta) { _, new in new }
            .filter { !removed.contains($0.key) }
        try BabyCare.checkTimes(started ?? self.started, ended ?? self.ended)
        var edit = edited(
            started: started, ended: ended, value: newValue, meta: newMeta,
            text: patch.note, by: by)
        edit?.textName = patch.textName
        return edit
    }

    /// Makes an edit of the fields that differ, with their values before; `nil` where nothing
    /// differs.
    func edited(
        started: Instant?, ended: Instant?, value: BabyCare.Value, meta: [String: String],
        text: PersonalText?, by: Author?, origin: BabyCare.Origin? = nil,
        fileLine: BabyCare.FileLine? = nil
    ) -> BabyCare.EntryEdited? {
        var set = BabyCare.Change()
        // Both times, so that a report finds the edit by either of the weeks.
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
