public import EventSourcing

extension Household {
    /// Add a baby to a household, which is made if it is new.
    public struct Onboard: Record {
        public var babyId = ""
        public var householdId = ""
        public var name: PersonalText?
        public var birthDate: String?
        public var sex: Sex?
        public var birthWeightG: Int64?
        public var feedingMethod: FeedingMethod?
        public var zone: String?
        public var by: String?

        public init() {}

        public init(
            babyId: String, householdId: String, name: PersonalText? = nil,
            birthDate: String? = nil, sex: Sex? = nil, birthWeightG: Int64? = nil,
            feedingMethod: FeedingMethod? = nil, zone: String? = nil, by: String? = nil
        ) {
            self.babyId = babyId
            self.householdId = householdId
            self.name = name
            self.birthDate = birthDate
            self.sex = sex
            self.birthWeightG = birthWeightG
            self.feedingMethod = feedingMethod
            self.zone = zone
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Onboard
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("householdId", &value.householdId)
            try visitor.field("name", &value.name)
            try visitor.field("birthDate", &value.birthDate)
            try visitor.field("sex", &value.sex)
            try visitor.field("birthWeightG", &value.birthWeightG)
            try visitor.field("feedingMethod", &value.feedingMethod)
            try visitor.field("zone", &value.zone)
            try visitor.field("by", &value.by)
        }
    }

    /// Take over the id a server gave.
    public struct ReplaceId: Record {
        public var kind = Replaced.baby
        public var localId = ""
        public var remoteId = ""

        public init() {}

        public init(
            kind: Replaced, localId: String, remoteId: String
        ) {
            self.kind = kind
            self.localId = localId
            self.remoteId = remoteId
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ReplaceId
        ) throws(Visitor.Failure) {
            try visitor.field("kind", &value.kind)
            try visitor.field("localId", &value.localId)
            try visitor.field("remoteId", &value.remoteId)
        }
    }

    /// Record that a user gave or withdrew a consent.
    public struct ChangeConsent: Record {
        public var userId = ""
        public var kind = Consent.terms
        public var granted = false
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

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ChangeConsent
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("kind", &value.kind)
            try visitor.field("granted", &value.granted)
            try visitor.field("version", &value.version)
        }
    }

    /// Let a user into a household, out of it, or do more or less in it.
    public struct ChangeRole: Record {
        public var householdId = ""
        public var userId = ""
        public var role = Role.none
        /// The member who asks; `nil` for the system itself.
        public var by: String?

        public init() {}

        public init(
            householdId: String, userId: String, role: Role, by: String? = nil
        ) {
            self.householdId = householdId
            self.userId = userId
            self.role = role
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ChangeRole
        ) throws(Visitor.Failure) {
            try visitor.field("householdId", &value.householdId)
            try visitor.field("userId", &value.userId)
            try visitor.field("role", &value.role)
            try visitor.field("by", &value.by)
        }
    }

    /// Change what is known of a baby; the first change makes it known.
    public struct ChangeProfile: Record {
        public var babyId = ""
        public var name: PersonalText?
        public var birthDate: String?
        public var sex: Sex?
        public var weightG: Int64?
        public var feedingMethod: FeedingMethod?
        public var zone: String?
        public var nightFromMin: Int64?
        public var nightToMin: Int64?
        public var dayStartMin: Int64?
        public var weekStart: FirstWeekday?
        public var sourceBabyIds: [String: String] = [:]
        public var by: String?

        public init() {}

        public init(
            babyId: String, name: PersonalText? = nil, birthDate: String? = nil, sex: Sex? = nil,
            weightG: Int64? = nil, feedingMethod: FeedingMethod? = nil, zone: String? = nil,
            nightFromMin: Int64? = nil, nightToMin: Int64? = nil, dayStartMin: Int64? = nil,
            weekStart: FirstWeekday? = nil, sourceBabyIds: [String: String] = [:],
            by: String? = nil
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

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ChangeProfile
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
