public import Daybook

extension BabyCare {
    /// A complete entry was recorded.
    public struct EntryRecorded: EventPayload {
        public static let kind: EventKind = "baby-care.entry-recorded.v1"
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        /// State of the entry; `open` only if imported without a final end.
        public var state = EntryState.closed
        public var started = Instant.epoch
        /// End of the entry; `nil` for a moment.
        public var ended: Instant?
        /// Length that a file declares, in seconds; the audit compares the length with the times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var source = Source.manual
        public var entryMode = ""
        /// User who recorded the entry.
        public var by: Author?
        /// Person who recorded the entry, as named in a file.
        public var caregiver: PersonalText?
        public var origin: Origin?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        public var fileLine: FileLine?
        /// Name that an app gave the text; `nil` for a memo.
        public var textName: TextName?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(babyId), entryTag(entryId)] + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta, "text", &text, "source", &source)
            try field("entryMode", &entryMode, "by", &by, "caregiver", &caregiver)
            try field("origin", &origin, "startFlag", &startFlag, "endFlag", &endFlag)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }
    }

    /// Records a complete entry.
    public struct RecordEntry: CareCommand {
        public var entryId = ""
        public var babyId = ""
        public var kind = ""
        public var started = Instant.epoch
        public var ended: Instant?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var source = Source.manual
        public var by: Author?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta, "source", &source, "by", &by)
            try field("rules", &rules)
        }

        public static let name = "baby-care.record"

        public func boundary(_ state: State) -> Boundary {
            Boundary(entries: [entryId], babyId: babyId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let details = try Details.read(kind, value, meta)
            try state.checkMayWrite(by, babyId)
            try state.checkIsNew(entryId)
            if details.kind == .sleep, ended == nil { throw .endRequired }
            try checkTimes(started, ended)
            let recorded = EntryRecorded(
                entryId: entryId, babyId: babyId, kind: details.kind, started: started,
                ended: ended, value: details.value, meta: Meta(details.meta),
                text: details.note, source: source, entryMode: "manual_form", by: by,
                textName: details.textName)
            return [.entryRecorded(recorded)]
        }
    }
}
