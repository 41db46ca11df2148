package import Daybook

extension BabyCare {
    /// An open entry ended, or an estimated end was replaced by the known end.
    package struct EntryClosed: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-closed.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        package var started = Instant.epoch
        package var ended = Instant.epoch
        /// Source of the end time: stated by the command, or the time of the command.
        var endSource = EndSource.explicit
        /// Details to add; each replaces the earlier value of its field.
        package var value = Value()
        /// Names of the fields to delete from the entry's `value` or `meta`.
        var removed: [String] = []
        /// Further details, by key, that have no field in `Value`.
        package var meta: Meta = [:]
        package var text: PersonalText?
        package var by: Author?
        /// Row of the imported file that states the end; `nil` without an import.
        package var origin: Origin?
        /// Problem with the local end time: the clocks skipped it or showed it twice; else `nil`.
        package var endFlag: TimeFlag?
        package var fileLine: FileLine?
        /// Name that the app gave the field with the note, such as `content`; `nil` means `memo`.
        package var textName: TextName?
        package var tags: [Tag] {
            slotTags(babyId, entryId, kind) + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("endSource", &endSource, "value", &value, "removed", &removed, "meta", &meta)
            try field("text", &text, "by", &by, "origin", &origin, "endFlag", &endFlag)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.entry(kind, started, ended, value, meta, wording.quoted(text))
        }
    }

    /// Ends an open entry, or replaces an estimated end by the known end.
    struct Complete: CareCommand, PlainRecord {
        var entryId = ""
        /// End of the entry; `nil` means the time of the command.
        var ended: Instant?
        /// Details by field name; the names and units of several apps are accepted.
        var value: [String: Scalar] = [:]
        /// Further details by key, stored as the app sent them.
        var meta: [String: Scalar] = [:]
        var removed: [String] = []
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("removed", &removed, "by", &by, "rules", &rules)
        }

        static let name = "baby-care.complete"
        func boundary(_ state: State) -> Boundary { Boundary(entryIds: [entryId]) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EntryClosed.self, in: entry.state),
                entry.state == .open || entry.isEstimated
            else { throw .notOpen(entryId, entry.state) }
            let patch = try Details.read(patching: entry, value, meta, rules)
            let end = ended ?? now
            try checkTimes(entry.started, end)
            let closed = EntryClosed(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                started: entry.started, ended: end, endSource: ended == nil ? .now : .explicit,
                value: patch.value, removed: removed, meta: Meta(patch.meta), text: patch.note,
                by: by, textName: patch.textName)
            return [.entryClosed(closed)]
        }
    }
}
