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
    public enum Fallback: UInt8, Choice {
        case none, cached

        public static let names = ["none", "cached"]
    }

    /// Check the version against what was recorded of the config.
    public struct CheckVersion: Record {
        public var launchId: String = ""
        public var device: String = ""
        public var rules: RuleSet = .standard
        /// What stands in for a config that did not come; nothing by default.
        public var fallback: Fallback?
        /// Offer `latestVersion` where the config names no optional one.
        public var latestAsOptional: Bool?
        /// A config fault that S2 names as an error is one.
        public var namedErrors: Bool?

        public init() {}

        public init(
            launchId: String,
            device: String,
            rules: RuleSet,
            fallback: Fallback? = nil,
            latestAsOptional: Bool? = nil,
            namedErrors: Bool? = nil
        ) {
            self.launchId = launchId
            self.device = device
            self.rules = rules
            self.fallback = fallback
            self.latestAsOptional = latestAsOptional
            self.namedErrors = namedErrors
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout CheckVersion
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("device", &value.device)
            try visitor.field("rules", &value.rules)
            try visitor.field("fallback", &value.fallback)
            try visitor.field("latestAsOptional", &value.latestAsOptional)
            try visitor.field("namedErrors", &value.namedErrors)
        }
    }

    public struct ShowPrompt: Record {
        public var launchId: String = ""
        public var kind: UpdateKind = .force

        public init() {}

        public init(
            launchId: String,
            kind: UpdateKind
        ) {
            self.launchId = launchId
            self.kind = kind
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ShowPrompt
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("kind", &value.kind)
        }
    }

    public struct AcceptUpdate: Record {
        public var launchId: String = ""
        public var kind: UpdateKind = .force

        public init() {}

        public init(
            launchId: String,
            kind: UpdateKind
        ) {
            self.launchId = launchId
            self.kind = kind
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout AcceptUpdate
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("kind", &value.kind)
        }
    }

    public struct SkipOptionalUpdate: Record {
        public var launchId: String = ""
        public var remember: Bool = false

        public init() {}

        public init(
            launchId: String,
            remember: Bool = false
        ) {
            self.launchId = launchId
            self.remember = remember
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SkipOptionalUpdate
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("remember", &value.remember)
        }
    }

    public struct ShowNotice: Record {
        public var launchId: String = ""

        public init() {}

        public init(
            launchId: String
        ) {
            self.launchId = launchId
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ShowNotice
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
        }
    }

    public struct DismissNotice: Record {
        public var launchId: String = ""
        public var action: NoticeAction = .close

        public init() {}

        public init(
            launchId: String,
            action: NoticeAction
        ) {
            self.launchId = launchId
            self.action = action
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DismissNotice
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("action", &value.action)
        }
    }

    public struct Terminate: Record {
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

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Terminate
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("cause", &value.cause)
        }
    }
}
