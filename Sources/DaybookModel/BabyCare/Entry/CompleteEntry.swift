public import Daybook

extension BabyCare {
    /// An open entry ended, or a known end replaced an estimated one.
    public struct EntryClosed: EventPayload {
        public static let kind: EventKind = "baby-care.entry-closed.v1"
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var started = Instant.epoch
        public var ended = Instant.epoch
        public var endSource = EndSource.explicit
        /// Details to add; each replaces an earlier detail of the same field.
        public var value = Value()
        /// Names of deleted fields of the value or the metadata.
        public var removed: [String] = []
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var by: Author?
        /// Row of an imported file that states the end; `nil` without an import.
        public var origin: Origin?
        public var endFlag: TimeFlag?
        public var fileLine: FileLine?
        /// Name that an app gave the text; `nil` for a memo.
        public var textName: TextName?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            slotTags(babyId, entryId, kind) + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("endSource", &endSource, "value", &value, "removed", &removed, "meta", &meta)
            try field("text", &text, "by", &by, "origin", &origin, "endFlag", &endFlag)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }
    }

    /// Ends an open entry, or replaces an estimated end.
    public struct Complete: CareCommand {
        public var entryId = ""
        /// End of the entry; `nil` means the time of the command.
        public var ended: Instant?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("endedUs", &ended)
            try field("value", &value, "meta", &meta, "removed", &removed, "by", &by)
            try field("rules", &rules)
        }

        public static let name = "baby-care.complete"

        public func boundary(_ state: State) -> Boundary { Boundary(entries: [entryId]) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EntryClosed.self, in: entry.state),
                entry.state == .open || entry.isEstimated
            else { throw .notOpen(entryId, entry.state) }
            let patch = try Details.read(patching: entry, value, meta)
            let end = ended ?? now
            try checkTimes(entry.started, end)
            let closed = EntryClosed(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                started: entry.started, ended: end,
                endSource: ended == nil ? .now : .explicit, value: patch.value,
                removed: removed, meta: Meta(patch.meta), text: patch.note, by: by,
                textName: patch.textName)
            return [.entryClosed(closed)]
        }
    }
}
