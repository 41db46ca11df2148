public import Daybook

extension BabyCare {
    /// A visit to a doctor.
    public struct Visit: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Local.
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

    /// A symptom that was noted.
    public struct SymptomNote: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Local.
        public var at = ""
        public var name: String?
        public var type: String?
        /// Thousandths of a degree Celsius.
        public var milliC: Int64?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &started, "at", &at, "name", &name)
            try field("type", &type, "milliC", &milliC)
        }
    }

    /// The fields of a daily, weekly or monthly report, by the release that made it.
    ///
    /// A report that was handed out is known by the digest of all its fields, so that an earlier
    /// one is made again with those that it had.
    enum ReportLayout: Hashable, Sendable, CaseIterable {
        case current
        /// Without pumped milk.
        case withoutPumping
        /// Without these, and without diarrhoea, intake, activity, visits and symptoms.
        case withoutHealth
    }
}
