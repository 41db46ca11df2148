package import Daybook

extension BabyCare {
    /// The kind of period that a report covers.
    package enum ReportKind: UInt8, StoredEnum { case daily, weekly, monthly }

    /// Records the publication of a report, so that an audit can recompute and compare it.
    package struct ReportIssued: EventPayload, CareCommand, PlainRecord {
        package static let kind: EventKind = "baby-care.report-issued.v1"
        package var babyId = ""
        /// Kind of the reported period: a day, week or month.
        package var kind = ReportKind.daily
        /// Reported day, ISO week or month, such as `2020-03-08`, `2020-W10` or `2020-03`.
        package var period = ""
        package var zone = ""
        /// Release of the tz database that the report was computed with, such as `2025b`.
        package var tzdata = ""
        /// Rule set that the report was computed with.
        package var rules = Rules.standard
        /// Position of the last event from which the report was computed.
        package var position: Int64 = 0
        /// Digest of the report's JSON, with which an audit compares a recomputed report.
        package var digest = Digest.blank
        package var by: Author?
        /// Digest of the zone's transitions with which the report was computed; `nil` if unknown.
        var zoneDigest: Digest?
        package var tags: [Tag] { [tag(babyId), reportTag(babyId, kind, period)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "kind", &kind, "period", &period, "zone", &zone)
            try field("tzdata", &tzdata, "rules", &rules)
            try field("position", &position, .position)
            try field("digest", &digest, "by", &by)
            try field.addedField("zoneDigest", &zoneDigest)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(wording.words(kind)) report of \(period) issued"
        }

        package static let name = "baby-care.issue-report"
        package func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayRead(by, babyId)
            return [.reportIssued(self)]
        }
    }
}
