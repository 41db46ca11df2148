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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Config
        ) throws(Visitor.Failure) {
            try visitor.field("maintenance", &value.maintenance)
            try visitor.field("minVersion", &value.minVersion)
            try visitor.field("latestVersion", &value.latestVersion)
            try visitor.field("force", &value.force)
            try visitor.field("optional", &value.optional)
            try visitor.field("blacklist", &value.blacklist)
            try visitor.field("notice", &value.notice)
            try visitor.field("problems", &value.problems)
        }
    }

    public struct Maintenance: Record {
        public var mode: Bool = false
        public var message: String = ""

        public init() {}

        public init(
            mode: Bool,
            message: String
        ) {
            self.mode = mode
            self.message = message
        }

        public static var absent: Maintenance? { Maintenance() }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Maintenance
        ) throws(Visitor.Failure) {
            try visitor.field("mode", &value.mode)
            try visitor.field("message", &value.message)
        }
    }

    /// An update that is asked for, and where it is.
    public struct Alert: Record {
        public var version: String?
        public var title: String?
        public var message: String?
        /// As it was written; `link` says whether it can be opened.
        public var url: String?

        public init() {}

        public init(
            version: String? = nil,
            title: String? = nil,
            message: String? = nil,
            url: String? = nil
        ) {
            self.version = version
            self.title = title
            self.message = message
            self.url = url
        }

        public static var absent: Alert? { Alert() }

        /// The url, if it is one that can be opened.
        public var link: String? { url.flatMap(Launch.link) }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Alert
        ) throws(Visitor.Failure) {
            try visitor.field("version", &value.version)
            try visitor.field("title", &value.title)
            try visitor.field("message", &value.message)
            try visitor.field("url", &value.url)
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

        public init() {}

        public static let limits: [String: Limit] = ["startUs": .time, "endUs": .time]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Notice
        ) throws(Visitor.Failure) {
            try visitor.field("digest", &value.digest)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("title", &value.title)
            try visitor.field("message", &value.message)
            try visitor.field("url", &value.url)
            try visitor.field("terminate", &value.terminate)
        }
    }

    /// What can be wrong with a config, without its being unreadable.
    ///
    /// The first four are errors that S2 names.
    public enum ConfigProblem: UInt8, Choice {
        case invalidLinkURLValue
        case notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey
        case notFoundOptionalUpdateAppVersionKey
        case invalidVersion
        case invalidNoticeDate
        case noticeStartNotBeforeEnd
        case invalidBoolean
        case unknownKey

        public static let names = [
            "invalidLinkURLValue", "notFoundLinkURLKey", "notFoundForceUpdateAppVersionKey",
            "notFoundOptionalUpdateAppVersionKey", "invalidVersion", "invalidNoticeDate",
            "noticeStartNotBeforeEnd", "invalidBoolean", "unknownKey",
        ]
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
