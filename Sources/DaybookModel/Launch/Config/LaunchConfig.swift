package import Daybook

extension Launch {
    /// The content of a remote config, in the form of source S0 (an object), source S2 (flat keys),
    /// or both.
    package struct Config: PlainRecord {
        var maintenance = Maintenance()
        /// Lowest version that may run; `nil` for no minimum.
        var minVersion: String?
        /// Latest version; information only, unless the option `latestAsOptional` is on.
        package var latestVersion: String?
        /// Update that older versions must install.
        var force = UpdateOffer()
        /// Update that is offered to older versions.
        package var optional = UpdateOffer()
        /// Versions, and ranges such as `1.0.0-1.2.0`, that may not run, even above the minimum.
        var blacklist: [String] = []
        /// Notice to show at launch; `nil` for none.
        var notice: Notice?
        /// Mistakes that the parser found in the config, in the order found.
        var problems: [ConfigProblem] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("maintenance", &maintenance, "minVersion", &minVersion)
            try field("latestVersion", &latestVersion, "force", &force, "optional", &optional)
            try field("blacklist", &blacklist, "notice", &notice, "problems", &problems)
        }
    }

    /// The maintenance mode, which stops every version of the app, and its message.
    package struct Maintenance: PlainRecord {
        /// True if the app may not be used.
        var isOn = false
        /// Message to show during maintenance.
        package var message = ""
        /// Value for a config that says nothing about maintenance: no maintenance.
        package static var absent: Maintenance? { Maintenance() }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mode", &isOn, "message", &message)
        }
    }

    /// An update that the config names, and the texts and link of its prompt.
    package struct UpdateOffer: PlainRecord {
        package var version: String?
        package var title: String?
        package var message: String?
        /// Link as written in the config.
        var url: String?
        /// Value for a config that does not name this update: no update.
        package static var absent: UpdateOffer? { UpdateOffer() }

        /// The link, or `nil` if it cannot be opened.
        package var link: String? { url.flatMap(Launch.link) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("version", &version, "title", &title, "message", &message, "url", &url)
        }
    }

    /// A notice that is shown at each launch between its start and its end, both included.
    package struct Notice: PlainRecord {
        /// Hash of the content, which identifies the notice.
        package var digest = Digest.blank
        package var start = Instant.epoch
        package var end = Instant.epoch
        package var title = ""
        package var message = ""
        /// Link that the notice offers; `nil` for none.
        var url: String?
        /// True if the app ends when the user closes the notice.
        var endsApp = false
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("digest", &digest)
            try field("startUs", &start, .time)
            try field("endUs", &end, .time)
            try field("title", &title, "message", &message, "url", &url, "terminate", &endsApp)
        }
    }

    /// A mistake in a config that can still be read.
    ///
    /// The first four cases are errors in the source document S2.
    package enum ConfigProblem: UInt8, StoredEnum {
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidVersion, invalidNoticeDate, noticeStartNotBeforeEnd, invalidBoolean, unknownKey
        case noticeWithoutText
    }
}

extension Launch.ConfigProblem {
    /// Error of the same name in the source document S2; `nil` if there is none.
    var namedError: Launch.VersionReason? {
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
