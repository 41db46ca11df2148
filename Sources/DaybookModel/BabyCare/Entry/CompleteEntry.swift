public import Daybook

extension BabyCare {
    /// An open entry has ended.
    public struct EntryClosed: EventPayload {
        public static let kind: EventKind = "baby-care.entry-closed.v1"
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var started = Instant.epoch
        public var ended = Instant.epoch
        public var endSource = EndSource.explicit
        /// Details that are added, and replace earlier ones.
        public var value = Value()
        /// Fields of the value that were deleted.
        public var removed: [String] = []
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var by: Author?
        /// The row of a file that says so.
        public var origin: Origin?
        public var endFlag: TimeFlag?
        public var fileLine: FileLine?
        /// The name that an app gave the text; `nil` for a memo.
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
        /// The time of the command, by default.
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
