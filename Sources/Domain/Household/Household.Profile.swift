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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("isKnown", &isKnown)
            try field("householdId", &householdId)
            try field("birthDate", &birthDate)
            try field("sex", &sex)
            try field("weightG", &weightG)
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone)
            try field("nightFromMin", &nightFromMin)
            try field("nightToMin", &nightToMin)
            try field("dayStartMin", &dayStartMin)
            try field("weekStart", &weekStart)
            try field("sourceBabyIds", &sourceBabyIds)
            try field("formerIds", &formerIds)
        }
    }
}
