public import Daybook

extension BabyCare {
    /// The inputs from which a report was computed.
    public struct Basis: Record {
        public var babyId = ""
        /// Name of the time zone of the report.
        public var zone = ""
        /// Release of the tz database, such as `2025b`.
        public var tzdata = ""
        /// Digest of the zone's transitions; `nil` if no tz database is available.
        public var zoneDigest: Digest?
        /// Name and version of the rule set, such as `standard.v2`.
        public var rule = ""
        /// True if the rules are those of the original app: `source.v2` or `source-eab2a79.v1`.
        public var isOfSource: Bool { rule.hasPrefix("source") }
        /// Release of the tz database and, if known, the digest of the zone's transitions.
        public var database: String { zoneDigest.map { "\(tzdata) (\($0))" } ?? tzdata }
        /// Start of the baby's day, in minutes after local midnight.
        public var dayStartMin: Int64 = 0
        /// Position in the log of the last event that was read.
        public var position: Int64 = 0
        /// Recording time of the last event that was read, by the log's clock.
        public var knownAt = Instant.epoch
        /// Events later than this time, by the devices' clocks, are ignored; `nil` without a limit.
        public var validAt: Instant?
        /// Fields that are written; an audit sets those of the release that published a report.
        var layout = ReportLayout.current
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "zone", &zone, "tzdata", &tzdata)
            if layout == .current { try field("zoneDigest", &zoneDigest) }
            try field("rule", &rule)
            try field("dayStartMin", &dayStartMin, "position", &position, "knownAtUs", &knownAt)
            try field("validAtUs", &validAt)
        }
    }
}
