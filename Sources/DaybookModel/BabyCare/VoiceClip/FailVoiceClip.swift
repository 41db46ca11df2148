public import Daybook

extension BabyCare {
    /// The reason why no words were recognised in a clip.
    public enum ClipFailure: UInt8, StoredEnum { case noSpeech, unclear, upload, server }

    /// Records that no words were recognised in a clip, or that the clip was never uploaded.
    ///
    /// The command is also the payload of the event that it records.
    public struct VoiceClipFailed: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.voice-clip-failed.v1"
        public static let name = "baby-care.fail-voice-clip"
        /// Id of the voice clip.
        public var clipId = ""
        public var babyId = ""
        /// Reason why no words were recognised.
        public var reason = ClipFailure.noSpeech
        /// Path of the recording, such as `clips/2026/02/c1.m4a`.
        public var audioPath: String?
        /// User who caused the event, if known.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "reason", &reason, "audio", &audioPath)
            try field("by", &by)
        }

        public func boundary(_ state: State) -> Boundary {
            Boundary(clipId: clipId, babyId: babyId)
        }

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
