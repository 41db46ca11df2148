public import Daybook

extension Launch {
    /// The content of a remote config, in the form of source S0 (an object), source S2 (flat keys),
    /// or both.
    public struct Config: Record {
        /// Maintenance mode.
        public var maintenance = Maintenance()
        /// Lowest version that may run; `nil` for no minimum.
        public var minVersion: String?
        /// Latest version; information only, unless the option `latestAsOptional` is on.
        public var latestVersion: String?
        /// Update that older versions must install.
        public var force = UpdateOffer()
        /// Update that is offered to older versions.
        public var optional = UpdateOffer()
        /// Versions, and ranges such as `1.0.0-1.2.0`, that may not run, even above the minimum.
        public var blacklist: [String] = []
        /// Notice to show at launch; `nil` for none.
        public var notice: Notice?
        /// Mistakes that the parser found in the config, in the order found.
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
        /// True if the app may not be used.
        public var isOn = false
        /// Message to show during maintenance.
        public var message = ""
        public static var blank: Self { Self() }
        /// Value for a config that says nothing about maintenance: no maintenance.
        public static var absent: Maintenance? { Maintenance() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mode", &isOn, "message", &message)
        }
    }

    /// An update that the config names, and the texts and link of its prompt.
    public struct UpdateOffer: Record {
        /// Version of the update; `nil` if the config names none.
        public var version: String?
        /// Title of the update prompt.
        public var title: String?
        /// Message of the update prompt.
        public var message: String?
        /// Link as written in the config.
        public var url: String?
        public static var blank: Self { Self() }
        /// Value for a config that does not name this update: no update.
        public static var absent: UpdateOffer? { UpdateOffer() }

        /// The link, or `nil` if it cannot be opened.
        public var link: String? { url.flatMap(Launch.link) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("version", &version, "title", &title, "message", &message, "url", &url)
        }
    }

    /// A notice that is shown at each launch between its start and its end, both included.
    public struct Notice: Record {
        /// Hash of the content, which identifies the notice.
        public var digest = Digest.blank
        public var start = Instant.epoch
        public var end = Instant.epoch
        public var title = ""
        public var message = ""
        /// Link that the notice offers; `nil` for none.
        public var url: String?
        /// True if the app ends when the user closes the notice.
        public var endsApp = false
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("digest", &digest)
            try field("startUs", &start, .time)
            try field("endUs", &end, .time)
            try field("title", &title, "message", &message, "url", &url, "terminate", &endsApp)
        }
    }

    /// A mistake in a config that can still be read.
    ///
    /// The first four cases are errors in the source document S2.
    public enum ConfigProblem: UInt8, StoredEnum {
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidVersion, invalidNoticeDate, noticeStartNotBeforeEnd, invalidBoolean, unknownKey
        case noticeWithoutText
    }
}

extension Launch.ConfigProblem {
    /// Error of the same name in the source document S2; `nil` if there is none.
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
