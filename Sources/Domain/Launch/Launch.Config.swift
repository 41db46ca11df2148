public import EventSourcing

extension Launch {
    /// What a remote config says, from S0's object, S2's keys, or both.
    public struct Config: Record {
        public var maintenance: Maintenance = Maintenance()
        public var minVersion: String?
        /// Information only, unless an option says otherwise.
        public var latestVersion: String?
        public var force: Alert = Alert()
        public var optional: Alert = Alert()
        /// Versions that may not run, whatever the minimum.
        public var blacklist: [String] = []
        public var notice: Notice?
        /// What was wrong with it when it was read, in the order it was found.
        public var problems: [ConfigProblem] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("maintenance", &maintenance)
            try field("minVersion", &minVersion)
            try field("latestVersion", &latestVersion)
            try field("force", &force)
            try field("optional", &optional)
            try field("blacklist", &blacklist)
            try field("notice", &notice)
            try field("problems", &problems)
        }
    }

    public struct Maintenance: Record {
        public var mode: Bool = false
        public var message: String = ""

        public static var blank: Self { Self() }

        public static var absent: Maintenance? { Maintenance() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mode", &mode)
            try field("message", &message)
        }
    }

    /// An update that is asked for, and where it is.
    public struct Alert: Record {
        public var version: String?
        public var title: String?
        public var message: String?
        /// As it was written; `link` says whether it can be opened.
        public var url: String?

        public static var blank: Self { Self() }

        public static var absent: Alert? { Alert() }

        /// The url, if it is one that can be opened.
        public var link: String? { url.flatMap(Launch.link) }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("version", &version)
            try field("title", &title)
            try field("message", &message)
            try field("url", &url)
        }
    }

    /// A notice that shows from its start to its end, both included.
    public struct Notice: Record {
        /// Which notice it is: the same words at the same time are the same notice.
        public var digest: Digest = .blank
        public var startUs: Int64 = 0
        public var endUs: Int64 = 0
        public var title: String = ""
        public var message: String = ""
        public var url: String?
        /// The app ends when it is closed.
        public var terminate: Bool = false

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("digest", &digest)
            try field("startUs", &startUs, .time)
            try field("endUs", &endUs, .time)
            try field("title", &title)
            try field("message", &message)
            try field("url", &url)
            try field("terminate", &terminate)
        }
    }

    /// What can be wrong with a config, without its being unreadable.
    ///
    /// The first four are errors that S2 names.
    public enum ConfigProblem: UInt8, StoredEnum {
        case invalidLinkURLValue
        case notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey
        case notFoundOptionalUpdateAppVersionKey
        case invalidVersion
        case invalidNoticeDate
        case noticeStartNotBeforeEnd
        case invalidBoolean
        case unknownKey
    }

    /// `text` as a link that can be opened: a scheme, a colon and something behind it, a host for
    /// `http` and `https`, and no white space. `about:blank`, S2's word for no link, is none.
    static func link(_ text: String) -> String? {
        let text = text.trimmed
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x20 })
        else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard scheme.utf8.first.map({ (97...122).contains($0) }) == true,
            scheme.utf8.allSatisfy({
                (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
            }), !rest.isEmpty, !(scheme == "about" && rest == "blank")
        else { return nil }
        if scheme == "http" || scheme == "https" {
            guard rest.hasPrefix("//"), let host = rest.dropFirst(2).first, !"/?#:".contains(host)
            else { return nil }
        }
        return text
    }
}
