package import Daybook

extension Launch {
    /// The cause of the end of an app's process.
    package enum TerminationCause: UInt8, StoredEnum {
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
    package struct AppTerminated: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.app-terminated.v1"
        var launchId = ""
        var cause = TerminationCause.notice
        package var tags: [Tag] { [tag(launchId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "cause", &cause)
        }

        package func sentence(_ wording: Wording) -> String {
            switch cause {
            case .notice: "app ended by its notice"
            case .force: "app ended: an update is required"
            case .user: "app ended by the user"
            case .crash: "app crashed"
            case .replaced: "app had ended: it was launched again"
            }
        }
    }

    /// Records the end of the app's process; does nothing if it has already ended.
    struct Terminate: LaunchCommand, PlainRecord {
        static let name = "launch.terminate"
        var launchId = ""
        var cause = TerminationCause.notice
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "cause", &cause)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            _ = try state.recordedLaunch(launchId)
            guard !state.terminated else { return [] }
            return [.appTerminated(AppTerminated(launchId: launchId, cause: cause))]
        }
    }
}
