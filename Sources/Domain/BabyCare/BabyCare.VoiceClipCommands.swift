public import EventSourcing

extension BabyCare {
    /// An entry that was heard.
    public struct ParsedCandidate: Record {
        public var kind = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]

        public init() {}

        public init(
            kind: String, startedUs: Int64? = nil, endedUs: Int64? = nil,
            value: [String: Scalar] = [:], meta: [String: Scalar] = [:]
        ) {
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
            self.meta = meta
        }

        public static let limits: [String: Limit] = ["startedUs": .moment, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ParsedCandidate
        ) throws(Visitor.Failure) {
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
        }
    }

    /// Keep what was heard in a clip.
    public struct ParseVoiceClip: Record {
        public var clipId = ""
        public var babyId = ""
        public var text = PersonalText.blank
        public var language = ""
        public var candidates: [ParsedCandidate] = []
        /// `false` where the plan has no voice.
        public var isEnabled: Bool?
        public var by: Author?

        public init() {}

        public init(
            clipId: String, babyId: String, text: PersonalText, language: String,
            candidates: [ParsedCandidate] = [], isEnabled: Bool? = nil, by: Author? = nil
        ) {
            self.clipId = clipId
            self.babyId = babyId
            self.text = text
            self.language = language
            self.candidates = candidates
            self.isEnabled = isEnabled
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ParseVoiceClip
        ) throws(Visitor.Failure) {
            try visitor.field("clipId", &value.clipId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("text", &value.text)
            try visitor.field("language", &value.language)
            try visitor.field("candidates", &value.candidates)
            try visitor.field("isEnabled", &value.isEnabled)
            try visitor.field("by", &value.by)
        }
    }

    /// One entry a person took over from a clip.
    public struct ConfirmedEntry: Record {
        public var entryId = ""
        /// Which of the clip's candidates, from 0.
        public var candidate: Int64 = 0
        /// The candidate's by default, else when the command was given.
        public var startedUs: Int64?
        public var endedUs: Int64?
        /// Put right by hand.
        public var value: [String: Scalar] = [:]

        public init() {}

        public init(
            entryId: String, candidate: Int64, startedUs: Int64? = nil, endedUs: Int64? = nil,
            value: [String: Scalar] = [:]
        ) {
            self.entryId = entryId
            self.candidate = candidate
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
        }

        public static let limits: [String: Limit] = [
            "candidate": .count, "startedUs": .moment, "endedUs": .moment,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ConfirmedEntry
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("candidate", &value.candidate)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
        }
    }

    /// Take over what was heard in a clip.
    public struct ConfirmVoiceClip: Record {
        public var clipId = ""
        public var entries: [ConfirmedEntry] = []
        public var isEnabled: Bool?
        public var by: Author?

        public init() {}

        public init(
            clipId: String, entries: [ConfirmedEntry] = [], isEnabled: Bool? = nil,
            by: Author? = nil
        ) {
            self.clipId = clipId
            self.entries = entries
            self.isEnabled = isEnabled
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ConfirmVoiceClip
        ) throws(Visitor.Failure) {
            try visitor.field("clipId", &value.clipId)
            try visitor.field("entries", &value.entries)
            try visitor.field("isEnabled", &value.isEnabled)
            try visitor.field("by", &value.by)
        }
    }
}
