public import EventSourcing

extension BabyCare {
    /// An entry that was heard in a clip.
    public struct Candidate: Record {
        public var kind = Kind.formula
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var value = Value()
        public var meta: Meta = [:]

        public static var blank: Self { Self() }

        public init() {}

        public init(
            kind: Kind, startedUs: Int64? = nil, endedUs: Int64? = nil, value: Value = .blank,
            meta: [String: String] = [:]
        ) {
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
            self.meta = Meta(meta)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
        }
    }

    /// Speech was turned into candidates for entries.
    public struct VoiceClipParsed: EventPayload {
        public static let kind: EventKind = "baby-care.voice-clip-parsed.v1"

        public var clipId = ""
        public var babyId = ""
        /// What was said.
        public var text = PersonalText.blank
        public var language = ""
        public var candidates: [Candidate] = []
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), Tag("clip", clipId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId)
            try field("babyId", &babyId)
            try field("text", &text)
            try field("language", &language)
            try field("candidates", &candidates)
            try field("by", &by)
        }
    }

    /// A person took over what was heard.
    public struct VoiceClipConfirmed: EventPayload {
        public static let kind: EventKind = "baby-care.voice-clip-confirmed.v1"

        public var clipId = ""
        public var babyId = ""
        public var entryIds: [String] = []
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), Tag("clip", clipId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId)
            try field("babyId", &babyId)
            try field("entryIds", &entryIds)
            try field("by", &by)
        }
    }
}
