package import Daybook

extension Household {
    /// The profile of a baby: its birth date, weight, time zone, night, day and formula.
    package struct Profile: PlainRecord {
        package var babyId = ""
        /// True once an event has added the baby or changed its profile.
        package var isKnown = false
        package var householdId: String?
        package var birthDate: String?
        var sex: Sex?
        /// Latest weight in grams; `nil` if unknown.
        package var weightG: Int64?
        package var feedingMethod: FeedingMethod?
        package var zone: String?
        /// Start of the night in minutes after local midnight; 18:00 by default, as in the app.
        var nightFromMin: Int64 = 1_080
        /// End of the night in minutes after local midnight; 6:00 by default.
        var nightToMin: Int64 = 360
        /// Start of the baby's day in minutes after local midnight; 0:00 by default.
        package var dayStartMin: Int64 = 0
        var weekStart = WeekStart.monday
        package var sourceBabyIds: [String: String] = [:]
        /// Former ids of the baby, the oldest first.
        package var formerIds: [String] = []
        package var formulaBrand: String?
        package var formulaProduct: String?
        package var formulaType: String?
        package var containsStarch: Bool?
        /// Names of the fields with assumed values that no user has replaced since.
        var assumedFields: [String] = []
        /// Newer id of each replaced household id.
        var newerHouseholdIds: [String: String] = [:]
        /// Newer id of each replaced id of the baby.
        var newerBabyIds: [String: String] = [:]
        /// Ids of all households to which the baby was added, under any of its ids.
        var recordedHouseholdIds: [String] = []
        /// Position of the event by which a user last stated a field, by the field's name.
        var toldAt: [String: Int64] = [:]
        /// Position of the event that last assumed a field which no user has stated.
        var assumedAt: [String: Int64] = [:]
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "isKnown", &isKnown, "householdId", &householdId)
            try field("birthDate", &birthDate, "sex", &sex, "weightG", &weightG)
            try field("feedingMethod", &feedingMethod, "zone", &zone, "nightFromMin", &nightFromMin)
            try field("nightToMin", &nightToMin, "dayStartMin", &dayStartMin)
            try field("weekStart", &weekStart, "sourceBabyIds", &sourceBabyIds)
            try field("formerIds", &formerIds, "formulaBrand", &formulaBrand)
            try field("formulaProduct", &formulaProduct, "formulaType", &formulaType)
            try field("containsStarch", &containsStarch, "assumed", &assumedFields)
            try field.internalField("replacedHouseholds", &newerHouseholdIds)
            try field.internalField("replacedBabies", &newerBabyIds)
            try field.internalField("households", &recordedHouseholdIds)
            try field.internalField("toldAt", &toldAt)
            try field.internalField("assumedAt", &assumedAt)
        }
    }

    /// The projection of a baby's profile.
    package enum BabyProfile: Projection {
        package enum Event: EventSet {
            case onboarded(Onboarded), idReplaced(IdReplaced)
            case babyProfileChanged(BabyProfileChanged)

            package static let kinds = [
                StoredKind(onboarded), StoredKind(idReplaced), StoredKind(babyProfileChanged),
            ]
        }

        package static func evolve(_ state: inout Profile, with event: Event, _ envelope: Envelope)
        {
            switch event {
            case .onboarded(let onboarded): state.apply(onboarded, at: envelope.position)
            case .idReplaced(let ids): state.apply(ids)
            case .babyProfileChanged(let changed): state.apply(changed, at: envelope.position)
            }
        }
    }
}

extension Household.Profile {
    /// All ids of the baby, the newest last; entries may name the baby by any of them.
    package var ids: [String] { formerIds + (babyId.isEmpty ? [] : [babyId]) }

    /// Query items for the events that determine the profile, under all ids of the baby.
    package var queryItems: [Query.Item] { Self.queryItems(ids) }

    /// Returns query items for the events that determine the profile of a baby with these ids.
    package static func queryItems(_ babyIds: [String]) -> [Query.Item] {
        babyIds.map { Query.Item(kinds: Household.profileKinds, tags: [Household.profileTag($0)]) }
    }

    /// True if a local time, in minutes after midnight, lies in the baby's night.
    func isNight(minuteOfDay: Int) -> Bool {
        let minute = Int64(minuteOfDay)
        return nightFromMin <= nightToMin
            ? (nightFromMin..<nightToMin).contains(minute)
            : minute >= nightFromMin || minute < nightToMin
    }

    /// Copy of the profile with its minutes of the day clamped to valid values.
    var withValidMinutes: Household.Profile {
        let minutes = Limit.minuteOfDay.values
        var profile = self
        profile.nightFromMin = nightFromMin.clamped(to: minutes)
        profile.nightToMin = nightToMin.clamped(to: minutes)
        profile.dayStartMin = dayStartMin.clamped(to: minutes)
        return profile
    }
}
