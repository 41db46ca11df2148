package import Daybook

extension Household {
    /// The sex of a baby.
    package enum Sex: UInt8, StoredEnum { case female, male, unknown, other }

    /// The milk that a baby gets: formula, breast milk or both.
    package enum FeedingMethod: UInt8, StoredEnum { case formula, breastmilk, mixed }

    /// Adds a baby to a household, offline or online, and creates the household if it is new.
    ///
    /// For a baby that is added offline, the app assumes values of missing or blank fields.
    /// `assumedFields` names these fields, so that they are not mistaken for the user's input.
    package struct Onboarded: EventPayload, HouseholdCommand {
        package static let kind: EventKind = "household.onboarded.v1"
        package static let name = "household.onboard"

        /// Id of the baby; an id such as `offline_7` is replaced later.
        package var babyId = ""
        package var householdId = ""
        package var name: PersonalText?
        /// Date of birth, such as `2026-02-01`.
        package var birthDate: String?
        var sex: Sex?
        var birthWeightG: Int64?
        /// Milk that the baby gets: formula, breast milk or both.
        package var feedingMethod: FeedingMethod?
        /// IANA name of the baby's time zone, such as `Asia/Seoul`.
        package var zone: String?
        /// User who adds the baby, and becomes the owner if the household has no members.
        package var by: Author?
        package var formulaBrand: String?
        package var formulaProduct: String?
        /// Type of the formula: `standard`, or a type that the manufacturer names.
        package var formulaType: String?
        package var containsStarch: Bool?
        /// Id of the device on which the baby is added; `nil` if unknown.
        package var device: String?
        /// Names of the fields with assumed values: `name`, `birthDate`, `feedingMethod`.
        var assumedFields: [String]?
        package var tags: [Tag] {
            [profileTag(babyId), tag(householdId)] + (device.map { [deviceTag($0)] } ?? [])
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
            try field.addedField("assumed", &assumedFields)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "baby added", wording.name(name), birthDate.map { "born \($0)" },
                sex.map(wording.words),
                birthWeightG.map { FieldUnit.grams.text($0) + " at birth" },
                feedingMethod.map { "fed \(wording.words($0))" },
                formula(
                    brand: formulaBrand, product: formulaProduct, type: formulaType,
                    containsStarch),
                zone)
        }

        package var query: Query { query(knowing: State()) }

        /// Returns a query for the baby and for the household, under all known ids of both.
        package func query(knowing state: State) -> Query {
            let babies = state.newerIds.all(babyId).map {
                Query.Item(kinds: profileKinds, tags: [profileTag($0)])
            }
            let households = state.newerIds.all(householdId).map {
                Query.Item(kinds: memberKinds.union(profileKinds), tags: [tag($0)])
            }
            return Query(items: babies + households) ?? .all
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try decide(state, in: CommandContext(now: now))
        }

        package func decide(_ state: State, in context: CommandContext) throws(Refusal) -> [Event] {
            guard state.profile(babyId).householdId == nil else {
                throw Refusal("babyExists", "a baby with the id '\(babyId)' already exists")
            }
            if birthDate?.isEmpty != true { try checkDate(birthDate) }
            try checkZone(zone)
            try check(birthWeightG, "birthWeightG", birthWeightsG)
            if !state.members.isEmpty { try state.checkMayWrite(by) }
            let onboarded = withAssumptions(in: context)
            guard let by, let userId = by.name, state.members.isEmpty else {
                return [.onboarded(onboarded)]
            }
            // The user who adds the first baby of a household owns it.
            let owner = MemberRoleChanged(
                householdId: householdId, userId: userId, role: .owner, by: by)
            return [.onboarded(onboarded), .memberRoleChanged(owner)]
        }
    }

    /// True if a device assigned the id while offline, such as `offline_7`.
    static func isOffline(_ id: String) -> Bool { id.hasPrefix("offline_") }

    /// Accepted birth weights in grams.
    private static let birthWeightsG: ClosedRange<Int64> = 100...20_000
}

extension Household.Onboarded {
    /// Name that the app gives a baby without a name.
    private static let assumedName = "우리 아기"

    /// Returns a copy without blank texts; for a baby added offline, with assumed values of missing
    /// fields.
    private func withAssumptions(in context: CommandContext) -> Self {
        var filled = self
        if filled.name?.text?.trimmed.isEmpty == true { filled.name = nil }
        if filled.birthDate?.isEmpty == true { filled.birthDate = nil }
        filled.assumedFields = nil
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
        if !assumed.isEmpty { filled.assumedFields = assumed }
        return filled
    }

    /// Returns the date of the command in the baby's time zone, else in that of the device.
    private func today(in context: CommandContext) -> String {
        if let zone = zone.flatMap(context.knownZone) ?? context.knownZone(context.zone) {
            return zone.day(at: context.now).text
        }
        let local = context.now.advanced(bySeconds: Int64(context.offsetS))
        return CivilDate(utcDayOf: local).text
    }
}
