public import Daybook

extension Household {
    /// The profile of a baby: its birth date, weight, time zone, night, day and formula.
    public struct Profile: Record {
        public var babyId = ""
        /// True once an event has added the baby or changed its profile.
        public var isKnown = false
        /// Id of the household; `nil` if none is known.
        public var householdId: String?
        /// Date of birth, such as `2026-02-01`.
        public var birthDate: String?
        /// Sex of the baby; `nil` if not stated.
        public var sex: Sex?
        /// Latest weight in grams.
        public var weightG: Int64?
        /// Milk that the baby gets: formula, breast milk or both.
        public var feedingMethod: FeedingMethod?
        /// IANA name of the baby's time zone, such as `Asia/Seoul`.
        public var zone: String?
        /// Start of the night in minutes after local midnight; 18:00 by default, as in the app.
        public var nightFromMin: Int64 = 1_080
        /// End of the night in minutes after local midnight; 6:00 by default.
        public var nightToMin: Int64 = 360
        /// Start of the baby's day in minutes after local midnight; 0:00 by default.
        public var dayStartMin: Int64 = 0
        /// First day of the baby's week.
        public var weekStart = WeekStart.monday
        /// Ids of the baby in imported files, by file format.
        public var sourceBabyIds: [String: String] = [:]
        /// Former ids of the baby, the oldest first.
        public var formerIds: [String] = []
        /// Brand of the formula.
        public var formulaBrand: String?
        /// Product name of the formula.
        public var formulaProduct: String?
        /// Type of the formula: `standard`, or a type that the manufacturer names.
        public var formulaType: String?
        /// True if the formula contains starch; `nil` if unknown.
        public var containsStarch: Bool?
        /// Fields that the app assumed and no user has filled in since.
        public var assumed: [String] = []
        /// Newer id of each replaced household id.
        var replacedHouseholds: [String: String] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "isKnown", &isKnown, "householdId", &householdId)
            try field("birthDate", &birthDate, "sex", &sex, "weightG", &weightG)
            try field("feedingMethod", &feedingMethod, "zone", &zone, "nightFromMin", &nightFromMin)
            try field("nightToMin", &nightToMin, "dayStartMin", &dayStartMin)
            try field("weekStart", &weekStart, "sourceBabyIds", &sourceBabyIds)
            try field("formerIds", &formerIds, "formulaBrand", &formulaBrand)
            try field("formulaProduct", &formulaProduct, "formulaType", &formulaType)
            try field("containsStarch", &containsStarch, "assumed", &assumed)
            try field.internalField("replacedHouseholds", &replacedHouseholds)
        }
    }

    /// The projection of a baby's profile.
    public enum BabyProfile: Projection {
        /// Events that change the profile of a baby.
        public enum Event: EventSet {
            case onboarded(Onboarded)
            case idReplaced(IdReplaced)
            case babyProfileChanged(BabyProfileChanged)

            public static let kinds = [
                StoredKind(onboarded), StoredKind(idReplaced), StoredKind(babyProfileChanged),
            ]
        }

        public static func evolve(_ state: inout Profile, with event: Event, _ envelope: Envelope) {
            switch event {
            case .onboarded(let onboarded): state.apply(onboarded)
            case .idReplaced(let ids): state.apply(ids)
            case .babyProfileChanged(let changed): state.apply(changed)
            }
        }
    }
}

extension Household.Profile {
    /// All ids of the baby, the newest last; entries may have any of them.
    public var ids: [String] { formerIds + (babyId.isEmpty ? [] : [babyId]) }

    /// Query items that match the events that determine the profile, under all ids of the baby.
    public var items: [Query.Item] { Self.items(ids) }

    /// Returns query items that match the events that determine the profile of a baby.
    public static func items(_ babyIds: [String]) -> [Query.Item] {
        babyIds.map {
            Query.Item(kinds: Household.profileKinds, tags: [Household.profileTag($0)])
        }
    }

    /// Applies the event that adds the baby to a household.
    public mutating func apply(_ onboarded: Household.Onboarded) {
        isKnown = true
        if babyId.isEmpty { babyId = onboarded.babyId }
        householdId = replacedHouseholds.newest(onboarded.householdId)
        birthDate = onboarded.birthDate ?? birthDate
        sex = onboarded.sex ?? sex
        weightG = onboarded.birthWeightG ?? weightG
        feedingMethod = onboarded.feedingMethod ?? feedingMethod
        zone = onboarded.zone ?? zone
        formulaBrand = onboarded.formulaBrand ?? formulaBrand
        formulaProduct = onboarded.formulaProduct ?? formulaProduct
        formulaType = onboarded.formulaType ?? formulaType
        containsStarch = onboarded.containsStarch ?? containsStarch
        assumed = onboarded.assumed ?? []
    }

    /// Applies a replacement, so that `babyId` is the newest id, whichever id was looked up.
    public mutating func apply(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            if !formerIds.contains(ids.localId) { formerIds.append(ids.localId) }
            if babyId.isEmpty || babyId == ids.localId { babyId = ids.remoteId }
        case .household:
            _ = replacedHouseholds.replace(ids.localId, by: ids.remoteId)
            householdId = householdId.map { replacedHouseholds.newest($0) }
        default: break
        }
    }

    /// Applies a change of the profile; absent fields keep their values.
    public mutating func apply(_ changed: Household.BabyProfileChanged) {
        isKnown = true
        if babyId.isEmpty { babyId = changed.babyId }
        birthDate = changed.birthDate ?? birthDate
        sex = changed.sex ?? sex
        weightG = changed.weightG ?? weightG
        feedingMethod = changed.feedingMethod ?? feedingMethod
        zone = changed.zone ?? zone
        nightFromMin = changed.nightFromMin ?? nightFromMin
        nightToMin = changed.nightToMin ?? nightToMin
        dayStartMin = changed.dayStartMin ?? dayStartMin
        weekStart = changed.weekStart ?? weekStart
        sourceBabyIds.merge(changed.sourceBabyIds) { _, new in new }
        formulaBrand = changed.formulaBrand ?? formulaBrand
        formulaProduct = changed.formulaProduct ?? formulaProduct
        formulaType = changed.formulaType ?? formulaType
        containsStarch = changed.containsStarch ?? containsStarch
        if changed.name != nil { assumed.removeAll { $0 == "name" } }
        if changed.birthDate != nil { assumed.removeAll { $0 == "birthDate" } }
        if changed.feedingMethod != nil { assumed.removeAll { $0 == "feedingMethod" } }
    }

    /// True if a local time, in minutes after midnight, lies in the baby's night.
    func isNight(minuteOfDay: Int) -> Bool {
        let minute = Int64(minuteOfDay)
        return nightFromMin <= nightToMin
            ? (nightFromMin..<nightToMin).contains(minute)
            : minute >= nightFromMin || minute < nightToMin
    }

    /// Copy of the profile with its minutes of the day clamped to valid values.
    ///
    /// A recorded event may have invalid values.
    public var withValidMinutes: Household.Profile {
        let minutes = Limit.minuteOfDay.values
        var profile = self
        profile.nightFromMin = nightFromMin.clamped(to: minutes)
        profile.nightToMin = nightToMin.clamped(to: minutes)
        profile.dayStartMin = dayStartMin.clamped(to: minutes)
        return profile
    }
}
