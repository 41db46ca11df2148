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

        public static var blank: Self { Self() }

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, startedUs: Int64, value: Value = .blank,
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

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("text", &text)
            try field("source", &source)
            try field("entryMode", &entryMode)
            try field("by", &by)
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

        public static var blank: Self { Self() }

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, startedUs: Int64, endedUs: Int64,
            endSource: EndSource, value: Value = .blank, removed: [String] = [],
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

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("endSource", &endSource)
            try field("value", &value)
            try field("removed", &removed)
            try field("meta", &meta)
            try field("text", &text)
            try field("by", &by)
            try field("origin", &origin)
            try field("endFlag", &endFlag)
        }
    }
}
