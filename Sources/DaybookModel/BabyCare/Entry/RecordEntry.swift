public import Daybook

extension BabyCare {
    /// An entry was written down as a whole.
    public struct EntryRecorded: EventPayload {
        public static let kind: EventKind = "baby-care.entry-recorded.v1"
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        /// `open` only for an imported sleep that was never finished.
        public var state = EntryState.closed
        public var started = Instant.epoch
        /// `nil` for a moment.
        public var ended: Instant?
        /// The length that a file gives, to be compared with the times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var source = Source.manual
        public var entryMode = ""
        /// The user who wrote it.
        public var by: Author?
        /// The person who wrote it, as a file names them.
        public var caregiver: PersonalText?
        public var origin: Origin?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        public var fileLine: FileLine?
        /// The name that an app gave the text; `nil` for a memo.
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

    /// Records an entry as a whole.
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
