public import Daybook

extension Launch {
    /// The content of a remote config, from S0's object, S2's keys, or both.
    public struct Config: Record {
        public var maintenance = Maintenance()
        public var minVersion: String?
        /// Information only, unless an option says otherwise.
        public var latestVersion: String?
        public var force = Alert()
        public var optional = Alert()
        /// Versions that may not run, whatever the minimum.
        public var blacklist: [String] = []
        public var notice: Notice?
        /// The faults that its reader found, in order.
        public var problems: [ConfigProblem] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("maintenance", &maintenance, "minVersion", &minVersion)
            try field("latestVersion", &latestVersion, "force", &force, "optional", &optional)
            try field("blacklist", &blacklist, "notice", &notice, "problems", &problems)
        }
    }

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
        /// As it was written; `link` is `nil` unless it can be opened.
        public var url: String?
        public static var blank: Self { Self() }
        public static var absent: Alert? { Alert() }

        /// The url, if it is one that can be opened.
        public var link: String? { url.flatMap(Launch.link) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("version", &version, "title", &title, "message", &message, "url", &url)
        }
    }

    /// A notice that shows from its start to its end, both included.
    public struct Notice: Record {
        /// Identity of the notice: the same words at the same time are the same notice.
        public var digest = Digest.blank
        public var start = Instant.epoch
        public var end = Instant.epoch
        public var title = ""
        public var message = ""
        public var url: String?
        /// The app ends when it is closed.
        public var terminate = false
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("digest", &digest)
            try field("startUs", &start, .time)
            try field("endUs", &end, .time)
            try field("title", &title, "message", &message, "url", &url, "terminate", &terminate)
        }
    }

    /// A fault of a config that does not make it unreadable.
    ///
    /// The first four are errors that S2 names.
    public enum ConfigProblem: UInt8, StoredEnum {
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidVersion, invalidNoticeDate, noticeStartNotBeforeEnd, invalidBoolean, unknownKey
        case noticeWithoutText
    }
}

extension Launch.ConfigProblem {
    /// S2's error of this name; `nil` where it has none.
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
