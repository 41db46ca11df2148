package import Daybook

extension BabyCare {
    /// A recorded visit to a doctor.
    package struct Visit: PlainRecord {
        package var entryId = ""
        package var started = Instant.epoch
        /// Start in local time, such as `2020-03-08T02:30:00`.
        package var at = ""
        /// Name recorded for the visit; `nil` if none is recorded.
        package var name: String?
        /// Type recorded for the visit; `nil` if none is recorded.
        package var type: String?
        package static var elementKey: String? { "entryId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &started, "at", &at, "name", &name)
            try field("type", &type)
        }
    }

    /// A recorded symptom.
    package struct SymptomNote: PlainRecord {
        package var entryId = ""
        package var started = Instant.epoch
        package var at = ""
        package var name: String?
        /// Type recorded for the symptom; `nil` if none is recorded.
        package var type: String?
        /// Temperature in thousandths of a degree Celsius; `nil` if not measured.
        package var milliC: Int64?
        package static var elementKey: String? { "entryId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &started, "at", &at, "name", &name)
            try field("type", &type, "milliC", &milliC)
        }
    }

    /// The set of fields that a release of Daybook wrote in daily, weekly and monthly reports.
    ///
    /// A published report is identified by the digest of all its fields. An audit therefore
    /// recomputes an earlier report with the fields of the release that published it.
    enum ReportLayout: Equatable, Sendable, CaseIterable {
        case current
        /// All fields except the digest of the zone's transitions.
        case withoutZoneDigest
        /// All fields except that digest and pumped milk.
        case withoutPumping
        /// All fields except that digest, pumped milk, diarrhoea, intake, activity, visits and symptoms.
        case withoutHealth
        var hasPumping: Bool { self == .current || self == .withoutZoneDigest }
    }
}
