public import Daybook

extension BabyCare {
    /// The sources of a report.
    public struct Basis: Record {
        public var babyId = ""
        public var zone = ""
        /// The release of the tz database.
        public var tzdata = ""
        /// The rules and their version: `standard.v1`.
        public var rule = ""
        /// True for the rules of an app, `source.v1` or `source-eab2a79.v1`.
        public var isOfSource: Bool { rule.hasPrefix("source") }
        public var dayStartMin: Int64 = 0
        /// The last event that was read.
        public var position: Int64 = 0
        /// Only events that were recorded by then, by the log's clock.
        public var knownAt = Instant.epoch
        /// Only events that had happened by then, by the devices' clocks.
        public var validAt: Instant?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "zone", &zone, "tzdata", &tzdata, "rule", &rule)
            try field("dayStartMin", &dayStartMin, "position", &position, "knownAtUs", &knownAt)
            try field("validAtUs", &validAt)
        }
    }
}
