public import CivilTime
public import EventSourcing

extension Household {
    public enum Sex: UInt8, StoredEnum { case female, male }

    /// The food of a baby.
    public enum FeedingMethod: UInt8, StoredEnum { case formula, breastmilk, mixed }

    /// Adds a baby to a household, on a device alone or at the server; a new household is made.
    public struct Onboarded: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.onboarded.v1"
        public static let name = "household.onboard"

        /// May be an `offline_…` id, replaced later.
        public var babyId = ""
        public var householdId = ""
        public var name: PersonalText?
        /// A date of the civil calendar: `2026-02-01`.
        public var birthDate: String?
        public var sex: Sex?
        public var birthWeightG: Int64?
        public var feedingMethod: FeedingMethod?
        /// IANA name.
        public var zone: String?
        /// The user who adds it: the first owner of a new household.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [profileTag(babyId), tag(householdId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "householdId", &householdId, "name", &name)
            try field("birthDate", &birthDate, "sex", &sex)
            try field("birthWeightG", &birthWeightG, .values(birthWeightsG))
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone, .zone)
            try field("by", &by)
        }

        public var query: Query {
            Query(
                Query.Item(kinds: profileKinds, tags: [profileTag(babyId)]),
                Query.Item(kinds: memberKinds.union(profileKinds), tags: [tag(householdId)]))
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.profile(babyId).householdId == nil else {
                throw Refusal("babyExists", "there is a baby '\(babyId)' already")
            }
            try checkDate(birthDate)
            try checkZone(zone)
            try check(birthWeightG, "birthWeightG", birthWeightsG)
            if !state.members.isEmpty { try state.checkMayWrite(by) }
            guard let by, let userId = by.name, state.members.isEmpty else {
                return [.onboarded(self)]
            }
            // The user who adds the first baby of a household owns it.
            let owner = MemberRoleChanged(
                householdId: householdId, userId: userId, role: .owner, by: by)
            return [.onboarded(self), .memberRoleChanged(owner)]
        }
    }

    /// Weights of babies at birth, in grams.
    private static let birthWeightsG: ClosedRange<Int64> = 100...20_000
}
