public import Daybook

extension Launch {
    public enum TerminationCause: UInt8, StoredEnum {
        case notice, force, user, crash
        /// The device launched the app again, so the earlier process must have ended.
        case replaced
    }

    /// The app ended.
    public struct AppTerminated: EventPayload {
        public static let kind: EventKind = "launch.app-terminated.v1"
        public var launchId = ""
        public var cause = TerminationCause.notice
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "cause", &cause)
        }
    }

    /// Ends the app; does nothing if the app has already ended.
    public struct Terminate: LaunchCommand {
        public static let name = "launch.terminate"
        public var launchId = ""
        public var cause = TerminationCause.notice
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "cause", &cause)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            _ = try state.started(launchId)
            guard !state.terminated else { return [] }
            return [.appTerminated(AppTerminated(launchId: launchId, cause: cause))]
        }
    }
}
