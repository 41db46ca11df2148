public import Daybook

extension Launch {
    /// The content of a remote config, from S0's object, S2's keys, or both.
    public struct Config: Record {
        public var maintenance = Maintenance()
        public var minVersion: String?
        /// Latest version; information only, unless the option `latestAsOptional` is on.
        public var latestVersion: String?
        public var force = Alert()
        public var optional = Alert()
        /// Versions and ranges of versions that may not run, regardless of the minimum.
        public var blacklist: [String] = []
        public var notice: Notice?
        /// Faults that the parser found, in order.
        public var problems: [ConfigProblem] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("maintenance", &maintenance, "minVersion", &minVersion)
            try field("latestVersion", &latestVersion, "force", &force, "optional", &optional)
            try field("blacklist", &blacklist, "notice", &notice, "problems", &problems)
        }
    }

    /// The maintenance mode, which stops every version of the app, and its message.
    public struct Maintenance: Record {
        public var mode = false
        public var message = ""
        public static var blank: Self { Self() }
        public static var absent: Maintenance? { Maintenance() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mode", &mode, "message", &message)
        }
    }

    /// An update to offer, and its address.
    public struct Alert: Record {
        public var version: String?
        public var title: String?
        public var message: String?
        /// Address as written; `link` is `nil` if the address cannot be opened.
        public var url: String?
        public static var blank: Self { Self() }
        public static var absent: Alert? { Alert() }

        /// The address if it can be opened, otherwise `nil`.
        public var link: String? { url.flatMap(Launch.link) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("version", &version, "title", &title, "message", &message, "url", &url)
        }
    }

    /// A notice that shows from its start to its end, both included.
    public struct Notice: Record {
        /// Identity of the notice: notices with equal content have equal digests.
        public var digest = Digest.blank
        public var start = Instant.epoch
        public var end = Instant.epoch
        public var title = ""
        public var message = ""
        public var url: String?
        /// True if the app ends when the notice is closed.
        public var terminate = false
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("digest", &digest)
            try field("startUs", &start, .time)
            try field("endUs", &end, .time)
            try field("title", &title, "message", &message, "url", &url, "terminate", &terminate)
        }
    }

    /// Fault that leaves a config readable.
    ///
    /// The first four cases are errors that S2 names.
    public enum ConfigProblem: UInt8, StoredEnum {
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidVersion, invalidNoticeDate, noticeStartNotBeforeEnd, invalidBoolean, unknownKey
        case noticeWithoutText
    }
}

extension Launch.ConfigProblem {
    /// Error of the same name in the source document S2; `nil` if S2 has none.
    public var namedError: Launch.VersionReason? {
        switch self {
        case .invalidLinkURLValue: .invalidLinkURLValue
        case .notFoundLinkURLKey: .notFoundLinkURLKey
        case .notFoundForceUpdateAppVersionKey: .notFoundForceUpdateAppVersionKey
        case .notFoundOptionalUpdateAppVersionKey: .notFoundOptionalUpdateAppVersionKey
        case .invalidVersion, .invalidNoticeDate, .noticeStartNotBeforeEnd, .invalidBoolean,
            .unknownKey, .noticeWithoutText:
            nil
        }
    }
}
