public import EventSourcing

extension BabyCare {
    /// An entry that was heard.
    public struct ParsedCandidate: Record {
        public var kind = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId)
            try field("babyId", &babyId)
            try field("text", &text)
            try field("language", &language)
            try field("candidates", &candidates)
            try field("isEnabled", &isEnabled)
            try field("by", &by)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("candidate", &candidate, .count)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
        }
    }

    /// Take over what was heard in a clip.
    public struct ConfirmVoiceClip: Record {
        public var clipId = ""
        public var entries: [ConfirmedEntry] = []
        public var isEnabled: Bool?
        public var by: Author?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId)
            try field("entries", &entries)
            try field("isEnabled", &isEnabled)
            try field("by", &by)
        }
    }
}
