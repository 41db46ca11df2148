public import Daybook

extension Household {
    public enum Sex: UInt8, StoredEnum { case female, male, unknown, other }

    /// The food of a baby.
    public enum FeedingMethod: UInt8, StoredEnum { case formula, breastmilk, mixed }

    /// Adds a baby to a household, on a device alone or at the server; a new household is made.
    ///
    /// A baby that is added on a device alone gets the app's assumptions for what is left out or
    /// blank; `assumed` names them, so that nobody takes them for an answer.
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
        public var formulaBrand: String?
        public var formulaProduct: String?
        /// `standard`, or another kind that the maker names.
        public var formulaType: String?
        public var containsStarch: Bool?
        /// The device that it is added on.
        public var device: String?
        /// Fields that nobody filled in: `name`, `birthDate`, `feedingMethod`.
        public var assumed: [String]?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [profileTag(babyId), tag(householdId)] + (device.map { [deviceTag($0)] } ?? [])
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "householdId", &householdId, "name", &name)
            try field("birthDate", &birthDate, "sex", &sex)
            try field("birthWeightG", &birthWeightG, .values(birthWeightsG))
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone, .zone)
            try field("by", &by)
            try field.addedField("formulaBrand", &formulaBrand)
            try field.addedField("formulaProduct", &formulaProduct)
            try field.addedField("formulaType", &formulaType)
            try field.addedField("containsStarch", &containsStarch)
            try field.addedField("device", &device)
            try field.addedField("assumed", &assumed)
        }

        public var query: Query {
            Query(
                Query.Item(kinds: profileKinds, tags: [profileTag(babyId)]),
                Query.Item(kinds: memberKinds.union(profileKinds), tags: [tag(householdId)]))
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try decide(state, in: CommandContext(now: now))
        }

        public func decide(
            _ state: State, in context: CommandContext
        ) throws(Refusal) -> [Event] {
            guard state.profile(babyId).householdId == nil else {
                throw Refusal("babyExists", "there is a baby '\(babyId)' already")
            }
            if birthDate?.isEmpty != true { try checkDate(birthDate) }
            try checkZone(zone)
            try check(birthWeightG, "birthWeightG", birthWeightsG)
            if !state.members.isEmpty { try state.checkMayWrite(by) }
            let onboarded = filled(in: context)
            guard let by, let userId = by.name, state.members.isEmpty else {
                return [.onboarded(onboarded)]
            }
            // The user who adds the first baby of a household owns it.
            let owner = MemberRoleChanged(
                householdId: householdId, userId: userId, role: .owner, by: by)
            return [.onboarded(onboarded), .memberRoleChanged(owner)]
        }
    }

    /// True for an id that a device gave, until the server's replaces it.
    static func isOffline(_ id: String) -> Bool { id.hasPrefix("offline_") }

    /// Weights of babies at birth, in grams.
    private static let birthWeightsG: ClosedRange<Int64> = 100...20_000
}

extension Household.Onboarded {
    /// The name that the app gives a baby without one.
    private static let assumedName = "우리 아기"

    /// The payload without blank texts, and with the app's assumptions where a device alone adds
    /// the baby.
    private func filled(in context: CommandContext) -> Self {
        var filled = self
        if filled.name?.text?.trimmed.isEmpty == true { filled.name = nil }
        if filled.birthDate?.isEmpty == true { filled.birthDate = nil }
        filled.assumed = nil
        guard Household.isOffline(babyId) else { return filled }
        var assumed: [String] = []
        if filled.name == nil {
            filled.name = PersonalText(Self.assumedName)
            assumed.append("name")
        }
        if filled.birthDate == nil {
            filled.birthDate = today(in: context)
            assumed.append("birthDate")
        }
        if filled.feedingMethod == nil {
            filled.feedingMethod = .mixed
            assumed.append("feedingMethod")
        }
        if !assumed.isEmpty { filled.assumed = assumed }
        return filled
    }

    /// The day of the command where the baby is, else by the device's clock.
    private func today(in context: CommandContext) -> String {
        if let zone = zone.flatMap(context.knownZone) ?? context.knownZone(context.zone) {
            return zone.day(at: context.now).text
        }
        let local = context.now.advanced(bySeconds: Int64(context.offsetS))
        return CivilDate(utcDayOf: local).text
    }
}
