public import Daybook

extension WeekStart: StoredEnum {}

extension Household {
    /// Changes the profile of a baby; a field that is `nil` keeps its value.
    ///
    /// The first change adds the baby if no other event has added it.
    package struct BabyProfileChanged: EventPayload, HouseholdCommand {
        package static let kind: EventKind = "household.baby-profile-changed.v1"
        package static let name = "household.change-profile"
        package var babyId = ""
        package var name: PersonalText?
        package var birthDate: String?
        var sex: Sex?
        package var weightG: Int64?
        package var feedingMethod: FeedingMethod?
        package var zone: String?
        /// Start of the baby's night, in minutes after local midnight.
        var nightFromMin: Int64?
        /// End of the baby's night, in minutes after local midnight.
        var nightToMin: Int64?
        /// Start of the baby's day, in minutes after local midnight.
        package var dayStartMin: Int64?
        /// First day of the baby's week.
        var weekStart: WeekStart?
        /// Ids of the baby in imported files, by file format.
        package var sourceBabyIds: [String: String] = [:]
        package var by: Author?
        package var formulaBrand: String?
        package var formulaProduct: String?
        package var formulaType: String?
        package var containsStarch: Bool?
        package var tags: [Tag] { [profileTag(babyId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "name", &name, "birthDate", &birthDate, "sex", &sex)
            try field("weightG", &weightG, .values(weightsG))
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone, .zone)
            try field("nightFromMin", &nightFromMin, .minuteOfDay)
            try field("nightToMin", &nightToMin, .minuteOfDay)
            try field("dayStartMin", &dayStartMin, .minuteOfDay)
            try field("weekStart", &weekStart, "sourceBabyIds", &sourceBabyIds, "by", &by)
            try field.addedField("formulaBrand", &formulaBrand)
            try field.addedField("formulaProduct", &formulaProduct)
            try field.addedField("formulaType", &formulaType)
            try field.addedField("containsStarch", &containsStarch)
        }

        package func sentence(_ wording: Wording) -> String {
            let night = [nightFromMin, nightToMin].map { time in
                time.map { FieldUnit.minuteOfDay.text($0) }
            }
            return wording.list(
                after: "baby's profile changed", wording.name(name),
                birthDate.map { "born \($0)" },
                sex.map(wording.words), weightG.map { FieldUnit.grams.text($0) },
                feedingMethod.map { "fed \(wording.words($0))" },
                formula(
                    brand: formulaBrand, product: formulaProduct, type: formulaType,
                    containsStarch),
                zone, night[0].map { "night from \($0)" }, night[1].map { "night to \($0)" },
                dayStartMin.map { "day starts at \(FieldUnit.minuteOfDay.text($0))" },
                weekStart.map { "week starts on \(wording.words($0))" },
                sourceBabyIds.isEmpty
                    ? nil
                    : "known in files of \(sourceBabyIds.keys.sorted().joined(separator: " "))")
        }

        package var query: Query { .any(of: profileKinds, profileTag(babyId)) }

        /// Returns the query, extended by events about the members of the household, if known.
        package func query(knowing state: State) -> Query {
            let profile = state.profile(babyId)
            var items = query.items ?? []
            items += Profile.queryItems(state.newerIds.all(babyId))
            items += profile.householdIds(state.newerIds).map {
                Query.Item(kinds: memberKinds, tags: [tag($0)])
            }
            return Query(items: items) ?? query
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let minutes = Limit.minuteOfDay.values
            try checkDate(birthDate)
            try checkZone(zone)
            try check(weightG, "weightG", weightsG)
            try check(nightFromMin, "nightFromMin", minutes)
            try check(nightToMin, "nightToMin", minutes)
            try check(dayStartMin, "dayStartMin", minutes)
            let profile = state.profile(babyId)
            if profile.householdId != nil { try state.checkMayWrite(by) }
            let empty = BabyProfileChanged(babyId: babyId, by: by)
            guard self != empty || !profile.isKnown else { throw .nothingToUpdate }
            return [.babyProfileChanged(self)]
        }
    }

    /// Accepted weights in grams.
    private static let weightsG: ClosedRange<Int64> = 100...50_000
}
