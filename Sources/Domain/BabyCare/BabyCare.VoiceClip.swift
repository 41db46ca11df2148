public import EventSourcing

extension BabyCare {
    /// An entry that was heard in a clip.
    public struct Candidate: Record {
        public var kind = Kind.formula
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var value = Value()
        public var meta: Meta = [:]

        public init() {}

        public init(
            kind: Kind, startedUs: Int64? = nil, endedUs: Int64? = nil, value: Value = Value(),
            meta: [String: String] = [:]
        ) {
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
            self.meta = Meta(meta)
        }

        public static let limits: [String: Limit] = ["startedUs": .moment, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Candidate
        ) throws(Visitor.Failure) {
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
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

        public init() {}

        public init(
            clipId: String, babyId: String, text: PersonalText, language: String,
            candidates: [Candidate] = [], by: Author? = nil
        ) {
            self.clipId = clipId
            self.babyId = babyId
            self.text = text
            self.language = language
            self.candidates = candidates
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), Tag("clip", clipId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout VoiceClipParsed
        ) throws(Visitor.Failure) {
            try visitor.field("clipId", &value.clipId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("text", &value.text)
            try visitor.field("language", &value.language)
            try visitor.field("candidates", &value.candidates)
            try visitor.field("by", &value.by)
        }
    }

    /// A person took over what was heard.
    public struct VoiceClipConfirmed: EventPayload {
        public static let kind: EventKind = "baby-care.voice-clip-confirmed.v1"

        public var clipId = ""
        public var babyId = ""
        public var entryIds: [String] = []
        public var by: Author?

        public init() {}

        public init(
            clipId: String, babyId: String, entryIds: [String] = [], by: Author? = nil
        ) {
            self.clipId = clipId
            self.babyId = babyId
            self.entryIds = entryIds
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), Tag("clip", clipId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout VoiceClipConfirmed
        ) throws(Visitor.Failure) {
            try visitor.field("clipId", &value.clipId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("entryIds", &value.entryIds)
            try visitor.field("by", &value.by)
        }
    }
}
