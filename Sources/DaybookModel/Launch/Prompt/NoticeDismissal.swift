package import Daybook

extension Launch {
    /// The way in which a notice was dismissed.
    package enum NoticeDismissalMethod: UInt8, StoredEnum {
        case close, openLink
        /// The notice ended before it could be shown.
        case expire
    }

    /// The notice was closed by the user, or expired unseen.
    package struct NoticeDismissed: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.notice-dismissed.v1"
        var launchId = ""
        /// Hash that identifies the notice.
        var noticeDigest = Digest.blank
        var action = NoticeDismissalMethod.close
        var endsApp = false
        package var tags: [Tag] { [tag(launchId), noticeTag(noticeDigest)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "noticeDigest", &noticeDigest, "action", &action)
            try field("terminate", &endsApp)
        }

        package func sentence(_ wording: Wording) -> String {
            let end =
                switch action {
                case .close: "notice closed"
                case .openLink: "link of the notice opened"
                case .expire: "notice expired"
                }
            return end + (endsApp ? ", the app ends" : "")
        }
    }

    /// Closes the notice, and ends the app if the notice requires it.
    struct DismissNotice: LaunchCommand, PlainRecord {
        static let name = "launch.dismiss-notice"
        var launchId = ""
        var action = NoticeDismissalMethod.close
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "action", &action)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            guard action != .expire else {
                throw Refusal(
                    "notAnAction",
                    "action is 'expire', but a notice expires by itself; expected close or openLink"
                )
            }
            let (check, digest) = try state.pendingNotice(launchId)
            guard state.noticeShown else { throw .notShown(launchId) }
            guard !state.noticeDismissed else { return [] }
            let dismissed = NoticeDismissed(
                launchId: launchId, noticeDigest: digest, action: action,
                endsApp: check.noticeEndsApp)
            guard check.noticeEndsApp else { return [.noticeDismissed(dismissed)] }
            return [
                .noticeDismissed(dismissed),
                .appTerminated(AppTerminated(launchId: launchId, cause: .notice)),
            ]
        }
    }
}
