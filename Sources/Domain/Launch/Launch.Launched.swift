public import EventSourcing

extension Launch {
    /// The app was started.
    public struct AppLaunched: EventPayload {
        public static let kind: EventKind = "launch.app-launched.v1"

        public var launchId: String = ""
        /// As the bundle says; empty where it says none.
        public var appVersion: String = ""
        public var build: String?
        public var platform: Platform = .ios
        public var osVersion: String?
        public var firstLaunch: Bool = false
        public var device: String = ""

        public init() {}

        public init(
            launchId: String,
            appVersion: String,
            build: String? = nil,
            platform: Platform,
            osVersion: String? = nil,
            firstLaunch: Bool = false,
            device: String
        ) {
            self.launchId = launchId
            self.appVersion = appVersion
            self.build = build
            self.platform = platform
            self.osVersion = osVersion
            self.firstLaunch = firstLaunch
            self.device = device
        }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout AppLaunched
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("appVersion", &value.appVersion)
            try visitor.field("build", &value.build)
            try visitor.field("platform", &value.platform)
            try visitor.field("osVersion", &value.osVersion)
            try visitor.field("firstLaunch", &value.firstLaunch)
            try visitor.field("device", &value.device)
        }
    }

    /// The version was held against the config, once in the launch.
    public struct AppVersionChecked: EventPayload {
        public static let kind: EventKind = "launch.app-version-checked.v1"

        public var launchId: String = ""
        public var device: String = ""
        public var currentVersion: String = ""
        /// The config it was held against.
        public var configDigest: Digest?
        /// The fetch failed, and an earlier config stood in.
        public var fromCache: Bool = false
        public var result: VersionResult = .upToDate
        public var reason: VersionReason?
        /// S2's view: the first rule that hit.
        public var primary: LaunchStatus = .valid
        /// The lowest version that may run, from either rule.
        public var minVersion: String?
        /// Information only.
        public var latestVersion: String?
        public var message: String?
        /// What the splash shows before it goes on, in order.
        public var pending: [PendingStep] = []
        /// The version the update leads to.
        public var targetVersion: String?
        /// Where the update is.
        public var url: String?
        public var noticeDigest: Digest?
        public var noticeTerminates: Bool = false
        public var rules: RuleSet = .standard

        public init() {}

        public init(
            launchId: String,
            device: String,
            currentVersion: String,
            configDigest: Digest? = nil,
            fromCache: Bool = false,
            result: VersionResult,
            reason: VersionReason? = nil,
            primary: LaunchStatus,
            minVersion: String? = nil,
            latestVersion: String? = nil,
            message: String? = nil,
            pending: [PendingStep] = [],
            targetVersion: String? = nil,
            url: String? = nil,
            noticeDigest: Digest? = nil,
            noticeTerminates: Bool = false,
            rules: RuleSet
        ) {
            self.launchId = launchId
            self.device = device
            self.currentVersion = currentVersion
            self.configDigest = configDigest
            self.fromCache = fromCache
            self.result = result
            self.reason = reason
            self.primary = primary
            self.minVersion = minVersion
            self.latestVersion = latestVersion
            self.message = message
            self.pending = pending
            self.targetVersion = targetVersion
            self.url = url
            self.noticeDigest = noticeDigest
            self.noticeTerminates = noticeTerminates
            self.rules = rules
        }

        public var tags: [Tag] {
            [Launch.tag(launchId), Tag("version", currentVersion), Launch.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout AppVersionChecked
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("device", &value.device)
            try visitor.field("currentVersion", &value.currentVersion)
            try visitor.field("configDigest", &value.configDigest)
            try visitor.field("fromCache", &value.fromCache)
            try visitor.field("result", &value.result)
            try visitor.field("reason", &value.reason)
            try visitor.field("primary", &value.primary)
            try visitor.field("minVersion", &value.minVersion)
            try visitor.field("latestVersion", &value.latestVersion)
            try visitor.field("message", &value.message)
            try visitor.field("pending", &value.pending)
            try visitor.field("targetVersion", &value.targetVersion)
            try visitor.field("url", &value.url)
            try visitor.field("noticeDigest", &value.noticeDigest)
            try visitor.field("noticeTerminates", &value.noticeTerminates)
            try visitor.field("rules", &value.rules)
        }
    }

    /// The app ended.
    public struct AppTerminated: EventPayload {
        public static let kind: EventKind = "launch.app-terminated.v1"

        public var launchId: String = ""
        public var cause: TerminationCause = .notice

        public init() {}

        public init(
            launchId: String,
            cause: TerminationCause
        ) {
            self.launchId = launchId
            self.cause = cause
        }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout AppTerminated
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("cause", &value.cause)
        }
    }
}
