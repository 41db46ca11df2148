package import Daybook

extension BabyCare {
    /// The stage of a voice clip: recognised, confirmed or failed.
    package enum ClipStatus: UInt8, StoredEnum {
        /// Words were recognised; a person has yet to confirm the candidates.
        case parsed
        /// A person confirmed candidates; these were recorded as entries.
        case confirmed
        /// Recognition failed; another attempt is allowed.
        case failed
    }

    static let clipLifecycle = Lifecycle<ClipStatus>(
        "voice-clip", field: "status",
        [
            .step(VoiceClipParsed.self, from: nil, .failed, to: .parsed),
            .step(VoiceClipFailed.self, from: nil, .failed, to: .failed),
            .step(VoiceClipConfirmed.self, from: .parsed, to: .confirmed),
        ])

    /// The state of a voice clip: a recording in which a user says what the baby did.
    package struct Clip: PlainRecord {
        package var babyId = ""
        /// Stage of the clip: recognised, confirmed or failed.
        package var status = ClipStatus.parsed
        var language = ""
        var audioPath: String?
        package var candidates: [Candidate] = []
        /// Reason why the last recognition failed; `nil` if it succeeded.
        package var failure: ClipFailure?
        /// Number of failed attempts to recognise words.
        var failureCount: Int64 = 0
        /// Ids of the entries recorded when a person confirmed the clip.
        package var entryIds: [String] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "status", &status)
            try field.unlessBlank("language", &language)
            try field("audio", &audioPath, "candidates", &candidates, "failure", &failure)
            try field("failures", &failureCount, "entryIds", &entryIds)
        }
    }

    /// The projection of one voice clip from its events.
    enum VoiceClip: Projection {
        enum Event: EventSet {
            case parsed(VoiceClipParsed), confirmed(VoiceClipConfirmed), failed(VoiceClipFailed)
            static let kinds = [StoredKind(parsed), StoredKind(confirmed), StoredKind(failed)]
        }

        static func evolve(_ state: inout Clip, with event: Event, _ envelope: Envelope) {
            switch event {
            case .parsed(let event): state.apply(event)
            case .confirmed(let event): state.apply(event)
            case .failed(let event): state.apply(event)
            }
        }
    }

    /// An entry recognised in a voice clip, not yet confirmed.
    package struct Candidate: PlainRecord {
        package var kind = Kind.formula
        package var started: Instant?
        package var ended: Instant?
        package var value = Value()
        package var meta: Meta = [:]
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta)
        }
    }
}

extension BabyCare.Clip {
    mutating func apply(_ parsed: BabyCare.VoiceClipParsed) {
        (babyId, status, language) = (parsed.babyId, .parsed, parsed.language)
        (candidates, failure) = (parsed.candidates, nil)
        audioPath = parsed.audioPath ?? audioPath
    }

    mutating func apply(_ confirmed: BabyCare.VoiceClipConfirmed) {
        (babyId, status, entryIds) = (confirmed.babyId, .confirmed, confirmed.entryIds)
    }

    mutating func apply(_ failed: BabyCare.VoiceClipFailed) {
        (babyId, status, failure) = (failed.babyId, .failed, failed.reason)
        audioPath = failed.audioPath ?? audioPath
        failureCount += 1
    }
}

extension BabyCare.State {
    /// Throws a refusal if the clip belongs to another baby; accepts every id of the same baby.
    func check(_ clip: BabyCare.Clip?, isOf babyId: String, _ clipId: String) throws(Refusal) {
        guard let clip, clip.babyId != babyId else { return }
        let ids = profile.ids
        guard !ids.contains(clip.babyId) || !ids.contains(babyId) else { return }
        throw Refusal(
            "otherBaby",
            "the voice clip '\(clipId)' belongs to the baby '\(clip.babyId)', not to '\(babyId)'")
    }
}

extension Refusal {
    static func clipExists(_ clipId: String) -> Refusal {
        Refusal("clipExists", "a voice clip with the id '\(clipId)' already exists")
    }

    static let voiceDisabled = Refusal(
        "voiceDisabled", "the subscription plan does not include voice input")
}
