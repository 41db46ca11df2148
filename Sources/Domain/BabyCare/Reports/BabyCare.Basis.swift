public import EventSourcing

extension BabyCare {
    /// What a report was made from.
    public struct Basis: Record {
        public var babyId = ""
        public var zone = ""
        /// The release of the tz database.
        public var tzdata = ""
        /// The rules and their version: `standard.v1`.
        public var rule = ""
        public var dayStartMin: Int64 = 0
        /// The last event that was read.
        public var position: Int64 = 0
        /// What was known by then, by the log's clock.
        public var knownAtUs: Int64 = 0
        /// Only what had happened by then, by the devices' clocks.
        public var validAtUs: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Basis
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("rule", &value.rule)
            try visitor.field("dayStartMin", &value.dayStartMin)
            try visitor.field("position", &value.position)
            try visitor.field("knownAtUs", &value.knownAtUs)
            try visitor.field("validAtUs", &value.validAtUs)
        }
    }
}
