public import EventSourcing

extension Household {
    /// What is known of a baby.
    public struct Profile: Record {
        public var babyId = ""
        public var isKnown = false
        public var householdId: String?
        public var birthDate: String?
        public var sex: Sex?
        /// The last one that was told.
        public var weightG: Int64?
        public var feedingMethod: FeedingMethod?
        public var zone: String?
        /// 18:00 by default, as the server has it.
        public var nightFromMin: Int64 = 1_080
        public var nightToMin: Int64 = 360
        public var dayStartMin: Int64 = 0
        public var weekStart = FirstWeekday.monday
        public var sourceBabyIds: [String: String] = [:]
        /// Ids it had before, the oldest first.
        public var formerIds: [String] = []

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Profile
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("isKnown", &value.isKnown)
            try visitor.field("householdId", &value.householdId)
            try visitor.field("birthDate", &value.birthDate)
            try visitor.field("sex", &value.sex)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("feedingMethod", &value.feedingMethod)
            try visitor.field("zone", &value.zone)
            try visitor.field("nightFromMin", &value.nightFromMin)
            try visitor.field("nightToMin", &value.nightToMin)
            try visitor.field("dayStartMin", &value.dayStartMin)
            try visitor.field("weekStart", &value.weekStart)
            try visitor.field("sourceBabyIds", &value.sourceBabyIds)
            try visitor.field("formerIds", &value.formerIds)
        }
    }
}
