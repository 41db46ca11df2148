public import EventSourcing

extension Household {
    /// A user gave or withdrew a consent.
    public struct ConsentChanged: EventPayload {
        public static let kind: EventKind = "household.consent-changed.v1"

        public var userId = ""
        public var kind = Consent.terms
        public var granted = false
        /// Of the text that was agreed to.
        public var version = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("user", userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("kind", &kind)
            try field("granted", &granted)
            try field("version", &version)
        }
    }

    /// A user joined a household, left it, or may do more or less in it.
    public struct MemberRoleChanged: EventPayload {
        public static let kind: EventKind = "household.member-role-changed.v1"

        public var householdId = ""
        public var userId = ""
        /// `none` for one who left.
        public var role = Role.none
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Household.tag(householdId), Tag("user", userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId)
            try field("userId", &userId)
            try field("role", &role)
            try field("by", &by)
        }
    }

    /// What is known of a baby changed; fields left out stay as they were.
    public struct BabyProfileChanged: EventPayload {
        public static let kind: EventKind = "household.baby-profile-changed.v1"

        public var babyId = ""
        public var name: PersonalText?
        public var birthDate: String?
        public var sex: Sex?
        public var weightG: Int64?
        public var feedingMethod: FeedingMethod?
        /// IANA name of the zone its days are counted in.
        public var zone: String?
        /// Minutes after local midnight at which its night starts.
        public var nightFromMin: Int64?
        /// Minutes after local midnight at which its night ends.
        public var nightToMin: Int64?
        /// Minutes after local midnight at which its day starts.
        public var dayStartMin: Int64?
        public var weekStart: FirstWeekday?
        /// Ids it has in files, by their format.
        public var sourceBabyIds: [String: String] = [:]
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Household.profileTag(babyId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("name", &name)
            try field("birthDate", &birthDate)
            try field("sex", &sex)
            try field("weightG", &weightG, .values(Household.weightsG))
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone)
            try field("nightFromMin", &nightFromMin, .minuteOfDay)
            try field("nightToMin", &nightToMin, .minuteOfDay)
            try field("dayStartMin", &dayStartMin, .minuteOfDay)
            try field("weekStart", &weekStart)
            try field("sourceBabyIds", &sourceBabyIds)
            try field("by", &by)
        }
    }
}
