public import Daybook

extension BabyCare {
    public enum ClipStatus: UInt8, StoredEnum {
        /// The words are recognised and await confirmation by a person.
        case parsed
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

    /// The folded state of a voice clip.
    public struct Clip: Record {
        public var babyId = ""
        public var status = ClipStatus.parsed
        public var language = ""
        /// Path of the recording.
        public var audio: String?
        public var candidates: [Candidate] = []
        /// Reason of the last failure; `nil` after a successful attempt.
        public var failure: ClipFailure?
        /// Number of failed attempts.
        public var failures: Int64 = 0
        /// Ids of the entries that a person confirmed.
        public var entryIds: [String] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "status", &status, "language", &language)
            try field("audio", &audio, "candidates", &candidates, "failure", &failure)
            try field("failures", &failures, "entryIds", &entryIds)
        }
    }

    /// The fold of the events of one voice clip.
    public enum VoiceClip: Projection {
        public enum Event: EventSet {
            case parsed(VoiceClipParsed)
            case confirmed(VoiceClipConfirmed)
            case failed(VoiceClipFailed)

            public static let kinds = [
                StoredKind(parsed), StoredKind(confirmed), StoredKind(failed),
            ]
        }

        public static func evolve(_ state: inout Clip, with event: Event, _ envelope: Envelope) {
            switch event {
            case .parsed(let event): state.apply(event)
            case .confirmed(let event): state.apply(event)
            case .failed(let event): state.apply(event)
            }
        }
    }

    /// An entry recognised in a clip.
    public struct Candidate: Record {
        public var kind = Kind.formula
        public var started: Instant?
        public var ended: Instant?
        public var value = Value()
        public var meta: Meta = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta)
        }
    }
}

extension BabyCare.Clip {
    mutating func apply(_ parsed: BabyCare.VoiceClipParsed) {
        (babyId, status, language) = (parsed.babyId, .parsed, parsed.language)
        (candidates, failure) = (parsed.candidates, nil)
        audio = parsed.audio ?? audio
    }

    mutating func apply(_ confirmed: BabyCare.VoiceClipConfirmed) {
        (babyId, status, entryIds) = (confirmed.babyId, .confirmed, confirmed.entryIds)
    }

    mutating func apply(_ failed: BabyCare.VoiceClipFailed) {
        (babyId, status, failure) = (failed.babyId, .failed, failed.reason)
        audio = failed.audio ?? audio
        failures += 1
    }
}

extension BabyCare.State {
    /// Throws if the clip belongs to another baby; any id of the same baby is accepted.
    func check(_ clip: BabyCare.Clip?, isOf babyId: String, _ clipId: String) throws(Refusal) {
        guard let clip, clip.babyId != babyId else { return }
        let ids = profile.ids
        guard !ids.contains(clip.babyId) || !ids.contains(babyId) else { return }
        throw Refusal("otherBaby", "the clip '\(clipId)' is of '\(clip.babyId)'")
    }
}

extension Refusal {
    static func clipExists(_ clipId: String) -> Refusal {
        Refusal("clipExists", "there is a clip '\(clipId)' already")
    }

    static let voiceDisabled = Refusal("voiceDisabled", "voice is not part of the plan")
}
