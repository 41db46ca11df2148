public import Daybook

extension BabyCare {
    /// A visit to a doctor.
    public struct Visit: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Start in local time.
        public var at = ""
        public var name: String?
        public var type: String?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &started, "at", &at, "name", &name)
            try field("type", &type)
        }
    }

    /// A recorded symptom.
    public struct SymptomNote: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Start in local time.
        public var at = ""
        public var name: String?
        public var type: String?
        /// Temperature in thousandths of a degree Celsius; `nil` if not measured.
        public var milliC: Int64?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &started, "at", &at, "name", &name)
            try field("type", &type, "milliC", &milliC)
        }
    }

    /// The set of fields of a daily, weekly or monthly report, by release of Daybook.
    ///
    /// A published report is identified by the digest of all its fields. An audit therefore
    /// recomputes an earlier report with the fields of its release.
    enum ReportLayout: Hashable, Sendable, CaseIterable {
        case current
        /// The fields without pumped milk.
        case withoutPumping
        /// The fields without pumped milk, diarrhoea, intake, activity, visits and symptoms.
        case withoutHealth
    }
}
