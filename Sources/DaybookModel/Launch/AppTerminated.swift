public import Daybook

extension Launch {
    /// The cause of the end of an app's process.
    public enum TerminationCause: UInt8, StoredEnum {
        /// The user closed a notice that ends the app.
        case notice
        /// An update is required.
        case force
        /// The user ended the app.
        case user
        case crash
        /// The device launched the app again, so the earlier process must have ended.
        case replaced
    }

    /// The app's process ended.
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

    /// Records the end of the app's process; does nothing if it has already ended.
    public struct Terminate: LaunchCommand {
        public static let name = "launch.terminate"
        public var launchId = ""
        public var cause = TerminationCause.notice
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "cause", &cause)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            _ = try state.recordedLaunch(launchId)
            guard !state.terminated else { return [] }
            return [.appTerminated(AppTerminated(launchId: launchId, cause: cause))]
        }
    }
}
