public import EventSourcing

extension BabyCare {
    /// Something went on from then: a sleep, a feed.
    public struct EntryOpened: EventPayload {
        public static let kind: EventKind = "baby-care.entry-opened.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        public var value = Value()
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var source = Source.manual
        /// Which form or flow it came through: `manual_start`.
        public var entryMode = ""
        public var by: Author?

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, startedUs: Int64, value: Value = Value(),
            meta: [String: String] = [:], text: PersonalText? = nil,
            source: Source = Source.manual, entryMode: String = "", by: Author? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.value = value
            self.meta = Meta(meta)
            self.text = text
            self.source = source
            self.entryMode = entryMode
            self.by = by
        }

        public var tags: [Tag] {
            [
                BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind),
            ] + BabyCare.weekTags(babyId, startedUs, nil)
        }

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryOpened
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("text", &value.text)
            try visitor.field("source", &value.source)
            try visitor.field("entryMode", &value.entryMode)
            try visitor.field("by", &value.by)
        }
    }

    /// It ended.
    public struct EntryClosed: EventPayload {
        public static let kind: EventKind = "baby-care.entry-closed.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        public var endedUs: Int64 = 0
        public var endSource = EndSource.explicit
        /// What was added; wins over what stood there.
        public var value = Value()
        /// Fields of the value that were deleted.
        public var removed: [String] = []
        public var meta: Meta = [:]
        public var text: PersonalText?
        public var by: Author?
        /// The row of a file that says so.
        public var origin: Origin?
        public var endFlag: TimeFlag?

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, startedUs: Int64, endedUs: Int64,
            endSource: EndSource, value: Value = Value(), removed: [String] = [],
            meta: [String: String] = [:], text: PersonalText? = nil, by: Author? = nil,
            origin: Origin? = nil, endFlag: TimeFlag? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.endSource = endSource
            self.value = value
            self.removed = removed
            self.meta = Meta(meta)
            self.text = text
            self.by = by
            self.origin = origin
            self.endFlag = endFlag
        }

        public var tags: [Tag] {
            [
                BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind),
            ] + (origin.map { [BabyCare.rowTag(babyId, $0)] } ?? [])
                + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public static let limits: [String: Limit] = ["startedUs": .moment, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryClosed
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("endSource", &value.endSource)
            try visitor.field("value", &value.value)
            try visitor.field("removed", &value.removed)
            try visitor.field("meta", &value.meta)
            try visitor.field("text", &value.text)
            try visitor.field("by", &value.by)
            try visitor.field("origin", &value.origin)
            try visitor.field("endFlag", &value.endFlag)
        }
    }
}
