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

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId), Launch.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("appVersion", &appVersion)
            try field("build", &build)
            try field("platform", &platform)
            try field("osVersion", &osVersion)
            try field("firstLaunch", &firstLaunch)
            try field("device", &device)
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
        public var rules: Rules = .standard

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId), Tag("version", currentVersion), Launch.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("device", &device)
            try field("currentVersion", &currentVersion)
            try field("configDigest", &configDigest)
            try field("fromCache", &fromCache)
            try field("result", &result)
            try field("reason", &reason)
            try field("primary", &primary)
            try field("minVersion", &minVersion)
            try field("latestVersion", &latestVersion)
            try field("message", &message)
            try field("pending", &pending)
            try field("targetVersion", &targetVersion)
            try field("url", &url)
            try field("noticeDigest", &noticeDigest)
            try field("noticeTerminates", &noticeTerminates)
            try field("rules", &rules)
        }
    }

    /// The app ended.
    public struct AppTerminated: EventPayload {
        public static let kind: EventKind = "launch.app-terminated.v1"

        public var launchId: String = ""
        public var cause: TerminationCause = .notice

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("cause", &cause)
        }
    }
}
