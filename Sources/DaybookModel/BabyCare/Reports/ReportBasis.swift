package import Daybook

extension BabyCare {
    /// The inputs from which a report was computed.
    package struct Basis: PlainRecord {
        package var babyId = ""
        /// Name of the time zone of the report.
        package var zone = ""
        /// Release of the tz database, such as `2025b`.
        package var tzdata = ""
        /// Digest of the zone's transitions; `nil` if no tz database is available.
        var zoneDigest: Digest?
        /// Name and version of the rule set, such as `standard.v2`.
        package var rule = ""
        /// True if the rules are those of the original app: `source.v2` or `source-eab2a79.v1`.
        package var isOfSource: Bool { rule.hasPrefix("source") }
        /// Release of the tz database and, if known, the digest of the zone's transitions.
        package var database: String { zoneDigest.map { "\(tzdata) (\($0))" } ?? tzdata }
        /// Start of the baby's day, in minutes after local midnight.
        package var dayStartMin: Int64 = 0
        /// Position in the log of the last event that was read.
        package var position: Int64 = 0
        /// Recording time of the last event that was read, by the log's clock.
        package var knownAt = Instant.epoch
        /// Events later than this time, by the devices' clocks, are ignored; `nil` without a limit.
        package var validAt: Instant?
        var layout = ReportLayout.current
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "zone", &zone, "tzdata", &tzdata)
            if layout == .current { try field("zoneDigest", &zoneDigest) }
            try field("rule", &rule, "dayStartMin", &dayStartMin, "position", &position)
            try field("knownAtUs", &knownAt, "validAtUs", &validAt)
        }
    }
}
