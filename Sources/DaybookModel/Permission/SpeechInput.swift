import Daybook

extension Permission {
    /// Speech input was started: the app listens and transcribes speech.
    struct SpeechInputStarted: EventPayload, PlainRecord {
        static let kind: EventKind = "permission.speech-input-started.v1"
        var deviceId = ""
        var tags: [Tag] { [tag(deviceId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId)
        }

        func sentence(_ wording: Wording) -> String {
            "speech input started"
        }
    }

    /// Starts speech input; rejected unless microphone and speech recognition are granted.
    struct StartSpeechInput: PermissionCommand {
        static let name = "permission.start-speech-input"
        var deviceId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let missing = state.missingForSpeechInput
            guard missing.isEmpty else {
                let statuses = missing.map { "\($0.name) is \(state[$0].status.name)" }
                throw Refusal(
                    "permissionMissing",
                    "speech input needs the permissions microphone and speech, but "
                        + statuses.joined(separator: ", "))
            }
            guard !state.isListening else { return [] }
            return [.speechInputStarted(SpeechInputStarted(deviceId: deviceId))]
        }
    }

    /// Speech input ended; the command records it.
    struct SpeechInputEnded: EventPayload, PermissionCommand {
        static let kind: EventKind = "permission.speech-input-ended.v1"
        static let name = "permission.end-speech-input"
        var deviceId = ""
        var tags: [Tag] { [tag(deviceId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId)
        }

        func sentence(_ wording: Wording) -> String {
            "speech input ended"
        }

        func decide(_ state: State, now: Instant) -> [Event] {
            state.isListening ? [.speechInputEnded(self)] : []
        }
    }
}
