public import Daybook

extension Permission {
    /// Records an answer to the system's question, or a change in the system's settings.
    public struct Answered: EventPayload, PermissionCommand {
        public static let kind: EventKind = "permission.answered.v1"
        public static let name = "permission.answer"
        public var deviceId = ""
        public var part = Part.location
        public var answer = Answer.notDetermined
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(deviceId), tag(deviceId, part)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId, "part", &part, "answer", &answer)
        }

        public func decide(
            _ state: State, now: Instant
        ) throws(Refusal) -> [Event] {
            let known = state[part]
            guard known.status != Status(answer) else { return [] }
            guard known.wasAsked || needsNoQuestion(state) else {
                throw Refusal(
                    "notAsked", "the device '\(deviceId)' was never asked for \(part.name)")
            }
            return [.answered(self)]
        }

        /// True if the system gives this answer without a question.
        ///
        /// Such answers are a restriction, a reset, and a change of a known status.
        func needsNoQuestion(_ state: State) -> Bool {
            answer == .restricted || answer == .notDetermined
                || state[part].status != .notDetermined
        }
    }
}
