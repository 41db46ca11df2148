public import EventSourcing

extension BabyCare {
    /// Something was written down as a whole.
    public struct EntryRecorded: EventPayload {
        public static let kind: EventKind = "baby-care.entry-recorded.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        /// `open` only for an imported sleep that was never finished.
        public var state = EntryState.closed
        public var startedUs: Int64 = 0
        /// `nil` for a moment.
        public var endedUs: Int64?
        /// The length a file gives, to be held against the times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var source = Source.manual
        public var entryMode = ""
        /// The user who wrote it.
        public var by: Author?
        /// Who wrote it, as a file names them.
        public var caregiver: PersonalText?
        public var origin: Origin?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, state: EntryState, startedUs: Int64,
            endedUs: Int64? = nil, declaredDurationS: Int64? = nil, value: Value = .blank,
            meta: [String: String] = [:], text: PersonalText? = nil,
            source: Source = Source.manual, entryMode: String = "", by: Author? = nil,
            caregiver: PersonalText? = nil, origin: Origin? = nil, startFlag: TimeFlag? = nil,
            endFlag: TimeFlag? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.state = state
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.declaredDurationS = declaredDurationS
            self.value = value
            self.meta = Meta(meta)
            self.text = text
            self.source = source
            self.entryMode = entryMode
            self.by = by
            self.caregiver = caregiver
            self.origin = origin
            self.startFlag = startFlag
            self.endFlag = endFlag
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId)]
                + (origin.map { [BabyCare.rowTag(babyId, $0)] } ?? [])
                + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("state", &state)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value)
            try field("meta", &meta)
            try field("text", &text)
            try field("source", &source)
            try field("entryMode", &entryMode)
            try field("by", &by)
            try field("caregiver", &caregiver)
            try field("origin", &origin)
            try field("startFlag", &startFlag)
            try field("endFlag", &endFlag)
        }
    }

    /// What of an entry an edit sets, or stood there before; fields left out stay.
    public struct Change: Record {
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var declaredDurationS: Int64?
        /// The whole value.
        public var value: Value?
        /// All of it.
        public var meta: Meta?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            startedUs: Int64? = nil, endedUs: Int64? = nil, declaredDurationS: Int64? = nil,
            value: Value? = nil, meta: [String: String]? = nil
        ) {
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.declaredDurationS = declaredDurationS
            self.value = value
            self.meta = meta.map { Meta($0) }
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value)
            try field("meta", &meta)
        }
    }

    /// An entry was put right.
    public struct EntryEdited: EventPayload {
        public static let kind: EventKind = "baby-care.entry-edited.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var set = Change()
        /// What stood there before, for the same fields.
        public var prior = Change()
        /// A new note.
        public var text: PersonalText?
        public var by: Author?
        /// The row of a file that says so.
        public var origin: Origin?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId)]
                + (origin.map { [BabyCare.rowTag(babyId, $0)] } ?? [])
                + BabyCare.weekTags(
                    babyId, set.startedUs ?? prior.startedUs, set.endedUs ?? prior.endedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("set", &set)
            try field("prior", &prior)
            try field("text", &text)
            try field("by", &by)
            try field("origin", &origin)
        }
    }
}
