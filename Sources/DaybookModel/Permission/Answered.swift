import Daybook

extension Permission {
    /// The user answered the system's question, or changed the permission in the system's settings;
    /// the command records the change.
    struct Answered: EventPayload, PermissionCommand {
        static let kind: EventKind = "permission.answered.v1"
        static let name = "permission.answer"
        var deviceId = ""
        var capability = Capability.location
        /// The answer, or the new setting.
        var answer = Answer.notDetermined
        var tags: [Tag] { [tag(deviceId), tag(deviceId, capability)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId, "part", &capability, "answer", &answer)
        }

        func sentence(_ wording: Wording) -> String {
            "\(wording.words(capability)): \(wording.words(answer))"
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let known = state[capability]
            guard known.status != Status(answer) else { return [] }
            guard known.wasAsked || needsNoQuestion(state) else {
                throw Refusal(
                    "notAsked",
                    "the device '\(deviceId)' was never asked for the permission "
                        + "'\(capability.name)'")
            }
            return [.answered(self)]
        }

        /// True if the system can report this answer without having asked the user.
        func needsNoQuestion(_ state: State) -> Bool {
            answer == .restricted || answer == .notDetermined
                || state[capability].status != .notDetermined
        }
    }
}
