public import EventSourcing

extension Launch {
    /// The user was asked to update.
    public struct UpdatePromptShown: EventPayload {
        public static let kind: EventKind = "launch.update-prompt-shown.v1"

        public var launchId: String = ""
        public var kind: UpdateKind = .force
        /// `nil` where a blacklist names no other version.
        public var targetVersion: String?
        public var url: String?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("kind", &kind)
            try field("targetVersion", &targetVersion)
            try field("url", &url)
        }
    }

    /// The user went to the store.
    public struct UpdateAccepted: EventPayload {
        public static let kind: EventKind = "launch.update-accepted.v1"

        public var launchId: String = ""
        public var kind: UpdateKind = .force
        public var url: String?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("kind", &kind)
            try field("url", &url)
        }
    }

    /// The user did not want the optional update.
    public struct OptionalUpdateSkipped: EventPayload {
        public static let kind: EventKind = "launch.optional-update-skipped.v1"

        public var launchId: String = ""
        public var targetVersion: String = ""
        /// Do not offer this version on this device again.
        public var remember: Bool = false
        public var device: String = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("targetVersion", &targetVersion)
            try field("remember", &remember)
            try field("device", &device)
        }
    }

    /// The notice was shown.
    public struct NoticeShown: EventPayload {
        public static let kind: EventKind = "launch.notice-shown.v1"

        public var launchId: String = ""
        public var noticeDigest: Digest = .blank

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.noticeTag(noticeDigest)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("noticeDigest", &noticeDigest)
        }
    }

    /// The notice was closed.
    public struct NoticeDismissed: EventPayload {
        public static let kind: EventKind = "launch.notice-dismissed.v1"

        public var launchId: String = ""
        public var noticeDigest: Digest = .blank
        public var action: NoticeAction = .close
        /// The app ends with it.
        public var terminate: Bool = false

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.noticeTag(noticeDigest)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("noticeDigest", &noticeDigest)
            try field("action", &action)
            try field("terminate", &terminate)
        }
    }
}
