public import Daybook

extension BabyCare {
    /// Speech in a voice clip was recognised, and possible entries in its words.
    public struct VoiceClipParsed: EventPayload {
        public static let kind: EventKind = "baby-care.voice-clip-parsed.v1"
        /// Id of the voice clip.
        public var clipId = ""
        public var babyId = ""
        /// The spoken words.
        public var text = PersonalText.blank
        /// Language of the speech, as the app names it.
        public var language = ""
        /// Entries recognised in the clip, which a person may confirm.
        public var candidates: [Candidate] = []
        /// User who caused the event, if known.
        public var by: Author?
        /// Path of the recording, such as `clips/2026/02/c1.m4a`; the log has no audio data.
        public var audioPath: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "text", &text, "language", &language)
            try field("candidates", &candidates, "by", &by)
            try field.addedField("audio", &audioPath)
        }
    }

    /// An entry recognised in a voice clip, with the field names and units of an app.
    public struct ParsedCandidate: Record {
        /// Kind of the entry as an app writes it, in any letter case.
        public var kind = ""
        public var started: Instant?
        public var ended: Instant?
        /// Details by field name; the names and units of several apps are accepted.
        public var value: [String: Scalar] = [:]
        /// Further details by key, stored as the app sent them.
        public var meta: [String: Scalar] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta)
        }
    }

    /// Records the words and entries recognised in a voice clip, even after failed attempts.
    public struct ParseVoiceClip: CareCommand {
        /// Id of the voice clip.
        public var clipId = ""
        public var babyId = ""
        /// The spoken words.
        public var text = PersonalText.blank
        /// Language of the speech, as the app names it.
        public var language = ""
        /// Entries recognised in the clip, which a person may confirm.
        public var candidates: [ParsedCandidate] = []
        /// False if the subscription plan excludes voice; the command is then refused.
        public var isEnabled: Bool?
        /// User who gives the command, if known.
        public var by: Author?
        /// Path of the recording, such as `clips/2026/02/c1.m4a`.
        public var audioPath: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "text", &text, "language", &language)
            try field("candidates", &candidates, "isEnabled", &isEnabled, "by", &by)
            try field("audio", &audioPath)
        }

        public static let name = "baby-care.parse-voice-clip"

        public func boundary(_ state: State) -> Boundary {
            Boundary(clipId: clipId, babyId: babyId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard isEnabled != false else { throw .voiceDisabled }
            try state.checkMayWrite(by, babyId)
            let clip = state.clips[clipId]
            guard clipLifecycle.allows(VoiceClipParsed.self, in: clip?.status) else {
                throw .clipExists(clipId)
            }
            try state.check(clip, isOf: babyId, clipId)
            var known: [Candidate] = []
            for parsed in candidates {
                let details = try Details.read(parsed.kind, parsed.value, parsed.meta)
                known.append(
                    Candidate(
                        kind: details.kind, started: parsed.started, ended: parsed.ended,
                        value: details.value, meta: Meta(details.meta)))
            }
            let parsed = VoiceClipParsed(
                clipId: clipId, babyId: babyId, text: text, language: language, candidates: known,
                by: by, audioPath: audioPath)
            return [.voiceClipParsed(parsed)]
        }
    }
}
