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

        public init() {}

        public init(
            userId: String, kind: Consent, granted: Bool, version: String
        ) {
            self.userId = userId
            self.kind = kind
            self.granted = granted
            self.version = version
        }

        public var tags: [Tag] {
            [Tag("user", userId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ConsentChanged
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("kind", &value.kind)
            try visitor.field("granted", &value.granted)
            try visitor.field("version", &value.version)
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

        public init() {}

        public init(
            householdId: String, userId: String, role: Role, by: Author? = nil
        ) {
            self.householdId = householdId
            self.userId = userId
            self.role = role
            self.by = by
        }

        public var tags: [Tag] {
            [Household.tag(householdId), Tag("user", userId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout MemberRoleChanged
        ) throws(Visitor.Failure) {
            try visitor.field("householdId", &value.householdId)
            try visitor.field("userId", &value.userId)
            try visitor.field("role", &value.role)
            try visitor.field("by", &value.by)
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

        public init() {}

        public init(
            babyId: String, name: PersonalText? = nil, birthDate: String? = nil, sex: Sex? = nil,
            weightG: Int64? = nil, feedingMethod: FeedingMethod? = nil, zone: String? = nil,
            nightFromMin: Int64? = nil, nightToMin: Int64? = nil, dayStartMin: Int64? = nil,
            weekStart: FirstWeekday? = nil, sourceBabyIds: [String: String] = [:],
            by: Author? = nil
        ) {
            self.babyId = babyId
            self.name = name
            self.birthDate = birthDate
            self.sex = sex
            self.weightG = weightG
            self.feedingMethod = feedingMethod
            self.zone = zone
            self.nightFromMin = nightFromMin
            self.nightToMin = nightToMin
            self.dayStartMin = dayStartMin
            self.weekStart = weekStart
            self.sourceBabyIds = sourceBabyIds
            self.by = by
        }

        public var tags: [Tag] {
            [Household.profileTag(babyId)]
        }

        public static let limits: [String: Limit] = [
            "weightG": .values(Household.weightsG), "nightFromMin": .minuteOfDay,
            "nightToMin": .minuteOfDay, "dayStartMin": .minuteOfDay,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout BabyProfileChanged
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("name", &value.name)
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
            try visitor.field("by", &value.by)
        }
    }
}
