public import EventSourcing

extension Launch {
    /// What can be asked of a launch.
    public enum Command: Sendable {
        case launchApp(AppLaunched)
        case recordConfig(RemoteConfigFetched)
        case recordConfigFailure(RemoteConfigFetchFailed)
        case checkVersion(CheckVersion)
        case showPrompt(ShowPrompt)
        case acceptUpdate(AcceptUpdate)
        case skipOptionalUpdate(SkipOptionalUpdate)
        case showNotice(ShowNotice)
        case dismissNotice(DismissNotice)
        case terminate(Terminate)

        var launchId: String {
            switch self {
            case .launchApp(let body): body.launchId
            case .recordConfig(let body): body.launchId
            case .recordConfigFailure(let body): body.launchId
            case .checkVersion(let body): body.launchId
            case .showPrompt(let body): body.launchId
            case .acceptUpdate(let body): body.launchId
            case .skipOptionalUpdate(let body): body.launchId
            case .showNotice(let body): body.launchId
            case .dismissNotice(let body): body.launchId
            case .terminate(let body): body.launchId
            }
        }
    }

    /// What stands in for a config that did not come.
    public enum Fallback: UInt8, StoredEnum {
        case none, cached
    }

    /// Check the version against what was recorded of the config.
    public struct CheckVersion: Record {
        public var launchId: String = ""
        public var device: String = ""
        public var rules: Rules = .standard
        /// What stands in for a config that did not come; nothing by default.
        public var fallback: Fallback?
        /// Offer `latestVersion` where the config names no optional one.
        public var latestAsOptional: Bool?
        /// A config fault that S2 names as an error is one.
        public var namedErrors: Bool?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("device", &device)
            try field("rules", &rules)
            try field("fallback", &fallback)
            try field("latestAsOptional", &latestAsOptional)
            try field("namedErrors", &namedErrors)
        }
    }

    public struct ShowPrompt: Record {
        public var launchId: String = ""
        public var kind: UpdateKind = .force

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("kind", &kind)
        }
    }

    public struct AcceptUpdate: Record {
        public var launchId: String = ""
        public var kind: UpdateKind = .force

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("kind", &kind)
        }
    }

    public struct SkipOptionalUpdate: Record {
        public var launchId: String = ""
        public var remember: Bool = false

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("remember", &remember)
        }
    }

    public struct ShowNotice: Record {
        public var launchId: String = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
        }
    }

    public struct DismissNotice: Record {
        public var launchId: String = ""
        public var action: NoticeAction = .close

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("action", &action)
        }
    }

    public struct Terminate: Record {
        public var launchId: String = ""
        public var cause: TerminationCause = .notice

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("cause", &cause)
        }
    }
}
