package import Daybook

extension BabyCare {
    /// Speech in a voice clip was recognised, and possible entries in its words.
    package struct VoiceClipParsed: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.voice-clip-parsed.v1"
        var clipId = ""
        package var babyId = ""
        /// The spoken words.
        package var text = PersonalText.blank
        /// Language of the speech, as the app names it.
        var language = ""
        /// Entries recognised in the clip, which a person may confirm.
        package var candidates: [Candidate] = []
        package var by: Author?
        /// Path of the recording, such as `clips/2026/02/c1.m4a`; the log has no audio data.
        var audioPath: String?
        package var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "text", &text, "language", &language)
            try field("candidates", &candidates, "by", &by)
            try field.addedField("audio", &audioPath)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "voice clip",
                [wording.quoted(text)]
                    + candidates.map { $0.sentence(wording) })
        }
    }

    /// An entry recognised in a voice clip, with the field names and units of an app.
    struct ParsedCandidate: PlainRecord {
        var kind = ""
        var started: Instant?
        var ended: Instant?
        var value: [String: Scalar] = [:]
        var meta: [String: Scalar] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta)
        }
    }

    /// Records the words and entries recognised in a voice clip, even after failed attempts.
    struct ParseVoiceClip: CareCommand, PlainRecord {
        var clipId = ""
        var babyId = ""
        var text = PersonalText.blank
        var language = ""
        /// Entries recognised in the clip, which a person may confirm.
        var candidates: [ParsedCandidate] = []
        var isEnabled: Bool?
        var by: Author?
        var audioPath: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "text", &text, "language", &language)
            try field("candidates", &candidates, "isEnabled", &isEnabled, "by", &by)
            try field("audio", &audioPath)
        }

        static let name = "baby-care.parse-voice-clip"
        func boundary(_ state: State) -> Boundary { Boundary(clipId: clipId, babyId: babyId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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
