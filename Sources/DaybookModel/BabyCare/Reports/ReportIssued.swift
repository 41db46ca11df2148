public import Daybook

extension BabyCare {
    /// The kind of period that a report covers.
    public enum ReportKind: UInt8, StoredEnum {
        case daily, weekly, monthly
    }

    /// Records that a report was published, so that an audit can compare it with later knowledge.
    public struct ReportIssued: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.report-issued.v1"
        public var babyId = ""
        public var kind = ReportKind.daily
        /// Day, ISO week or month: `2020-03-08`, `2020-W10` or `2020-03`.
        public var period = ""
        public var zone = ""
        /// Release of the tz database: `2025b`.
        public var tzdata = ""
        public var rules = Rules.standard
        /// Position of the last event that the report was computed from.
        public var position: Int64 = 0
        /// Digest of the report's JSON.
        public var digest = Digest.blank
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), reportTag(babyId, kind, period)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "kind", &kind, "period", &period, "zone", &zone)
            try field("tzdata", &tzdata, "rules", &rules)
            try field("position", &position, .position)
            try field("digest", &digest, "by", &by)
        }

        public static let name = "baby-care.issue-report"

        public func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayRead(by, babyId)
            return [.reportIssued(self)]
        }
    }
}
