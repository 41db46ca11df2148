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

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, state: EntryState, startedUs: Int64,
            endedUs: Int64? = nil, declaredDurationS: Int64? = nil, value: Value = Value(),
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

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "endedUs": .moment, "declaredDurationS": .spanS,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryRecorded
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("state", &value.state)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("declaredDurationS", &value.declaredDurationS)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("text", &value.text)
            try visitor.field("source", &value.source)
            try visitor.field("entryMode", &value.entryMode)
            try visitor.field("by", &value.by)
            try visitor.field("caregiver", &value.caregiver)
            try visitor.field("origin", &value.origin)
            try visitor.field("startFlag", &value.startFlag)
            try visitor.field("endFlag", &value.endFlag)
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

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "endedUs": .moment, "declaredDurationS": .spanS,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Change
        ) throws(Visitor.Failure) {
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("declaredDurationS", &value.declaredDurationS)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
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

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, set: Change = Change(),
            prior: Change = Change(), text: PersonalText? = nil, by: Author? = nil,
            origin: Origin? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.set = set
            self.prior = prior
            self.text = text
            self.by = by
            self.origin = origin
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId)]
                + (origin.map { [BabyCare.rowTag(babyId, $0)] } ?? [])
                + BabyCare.weekTags(
                    babyId, set.startedUs ?? prior.startedUs, set.endedUs ?? prior.endedUs)
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryEdited
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("set", &value.set)
            try visitor.field("prior", &value.prior)
            try visitor.field("text", &value.text)
            try visitor.field("by", &value.by)
            try visitor.field("origin", &value.origin)
        }
    }
}
