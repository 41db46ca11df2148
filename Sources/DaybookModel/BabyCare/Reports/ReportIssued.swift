public import Daybook

extension BabyCare {
    /// The kind of period that a report covers.
    public enum ReportKind: UInt8, StoredEnum {
        case daily, weekly, monthly
    }

    /// Records the publication of a report, so that an audit can recompute and compare it.
    public struct ReportIssued: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.report-issued.v1"
        public var babyId = ""
        /// Kind of the reported period: a day, week or month.
        public var kind = ReportKind.daily
        /// Reported day, ISO week or month, such as `2020-03-08`, `2020-W10` or `2020-03`.
        public var period = ""
        /// Name of the time zone of the report.
        public var zone = ""
        /// Release of the tz database that the report was computed with, such as `2025b`.
        public var tzdata = ""
        /// Rule set that the report was computed with.
        public var rules = Rules.standard
        /// Position of the last event from which the report was computed.
        public var position: Int64 = 0
        /// Digest of the report's JSON, with which an audit compares a recomputed report.
        public var digest = Digest.blank
        /// User who caused the event, if known.
        public var by: Author?
        /// Digest of the zone's transitions with which the report was computed; `nil` if unknown.
        public var zoneDigest: Digest?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), reportTag(babyId, kind, period)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "kind", &kind, "period", &period, "zone", &zone)
            try field("tzdata", &tzdata, "rules", &rules)
            try field("position", &position, .position)
            try field("digest", &digest, "by", &by)
            try field.addedField("zoneDigest", &zoneDigest)
        }

        public static let name = "baby-care.issue-report"

        public func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayRead(by, babyId)
            return [.reportIssued(self)]
        }
    }
}
