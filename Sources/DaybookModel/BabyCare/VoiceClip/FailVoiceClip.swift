package import Daybook

extension BabyCare {
    /// The reason why no words were recognised in a clip.
    package enum ClipFailure: UInt8, StoredEnum { case noSpeech, unclear, upload, server }

    /// Records that no words were recognised in a clip, or that the clip was never uploaded.
    ///
    /// The command is also the payload of the event that it records.
    package struct VoiceClipFailed: EventPayload, CareCommand, PlainRecord {
        package static let kind: EventKind = "baby-care.voice-clip-failed.v1"
        package static let name = "baby-care.fail-voice-clip"
        var clipId = ""
        package var babyId = ""
        /// Reason why no words were recognised.
        package var reason = ClipFailure.noSpeech
        /// Path of the recording, such as `clips/2026/02/c1.m4a`.
        var audioPath: String?
        package var by: Author?
        package var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "reason", &reason, "audio", &audioPath)
            try field("by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch reason {
                case .noSpeech: "no speech"
                case .unclear: "unclear words"
                case .upload: "upload failed"
                case .server: "an error of the server"
                }
            return "voice clip not understood: \(cause)"
        }

        package func boundary(_ state: State) -> Boundary {
            Boundary(clipId: clipId, babyId: babyId)
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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
