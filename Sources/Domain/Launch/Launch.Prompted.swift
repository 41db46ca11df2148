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

        public init() {}

        public init(
            launchId: String,
            kind: UpdateKind,
            targetVersion: String? = nil,
            url: String? = nil
        ) {
            self.launchId = launchId
            self.kind = kind
            self.targetVersion = targetVersion
            self.url = url
        }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout UpdatePromptShown
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("kind", &value.kind)
            try visitor.field("targetVersion", &value.targetVersion)
            try visitor.field("url", &value.url)
        }
    }

    /// The user went to the store.
    public struct UpdateAccepted: EventPayload {
        public static let kind: EventKind = "launch.update-accepted.v1"

        public var launchId: String = ""
        public var kind: UpdateKind = .force
        public var url: String?

        public init() {}

        public init(
            launchId: String,
            kind: UpdateKind,
            url: String? = nil
        ) {
            self.launchId = launchId
            self.kind = kind
            self.url = url
        }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout UpdateAccepted
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("kind", &value.kind)
            try visitor.field("url", &value.url)
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

        public init() {}

        public init(
            launchId: String,
            targetVersion: String,
            remember: Bool = false,
            device: String
        ) {
            self.launchId = launchId
            self.targetVersion = targetVersion
            self.remember = remember
            self.device = device
        }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout OptionalUpdateSkipped
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("targetVersion", &value.targetVersion)
            try visitor.field("remember", &value.remember)
            try visitor.field("device", &value.device)
        }
    }

    /// The notice was shown.
    public struct NoticeShown: EventPayload {
        public static let kind: EventKind = "launch.notice-shown.v1"

        public var launchId: String = ""
        public var noticeDigest: Digest = .blank

        public init() {}

        public init(
            launchId: String,
            noticeDigest: Digest
        ) {
            self.launchId = launchId
            self.noticeDigest = noticeDigest
        }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.noticeTag(noticeDigest)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout NoticeShown
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("noticeDigest", &value.noticeDigest)
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

        public init() {}

        public init(
            launchId: String,
            noticeDigest: Digest,
            action: NoticeAction,
            terminate: Bool = false
        ) {
            self.launchId = launchId
            self.noticeDigest = noticeDigest
            self.action = action
            self.terminate = terminate
        }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.noticeTag(noticeDigest)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout NoticeDismissed
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("noticeDigest", &value.noticeDigest)
            try visitor.field("action", &value.action)
            try visitor.field("terminate", &value.terminate)
        }
    }
}
