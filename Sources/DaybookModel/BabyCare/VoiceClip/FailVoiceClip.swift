public import Daybook

extension BabyCare {
    /// The reason why a clip became no words.
    public enum ClipFailure: UInt8, StoredEnum { case noSpeech, unclear, upload, server }

    /// Nothing was heard in a clip, or it never came to where it is heard.
    ///
    /// Also a command: it asks for what the log then says.
    public struct VoiceClipFailed: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.voice-clip-failed.v1"
        public static let name = "baby-care.fail-voice-clip"
        public var clipId = ""
        public var babyId = ""
        public var reason = ClipFailure.noSpeech
        public var audio: String?
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "reason", &reason, "audio", &audio)
            try field("by", &by)
        }

        public func boundary(_ state: State) -> Boundary { Boundary(clip: clipId, babyId: babyId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayWrite(by, babyId)
            let clip = state.clips[clipId]
            guard clipLifecycle.allows(VoiceClipFailed.self, in: clip?.status) else {
                throw .clipExists(clipId)
            }
            try state.check(clip, isOf: babyId, clipId)
            return [.voiceClipFailed(self)]
        }
    }
}
