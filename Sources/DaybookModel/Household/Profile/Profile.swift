public import Daybook

extension Household {
    /// The profile of a baby.
    public struct Profile: Record {
        public var babyId = ""
        public var isKnown = false
        public var householdId: String?
        public var birthDate: String?
        public var sex: Sex?
        /// Latest weight in grams.
        public var weightG: Int64?
        public var feedingMethod: FeedingMethod?
        public var zone: String?
        /// Start of the night; 18:00 by default, as on S4's server.
        public var nightFromMin: Int64 = 1_080
        public var nightToMin: Int64 = 360
        public var dayStartMin: Int64 = 0
        public var weekStart = WeekStart.monday
        public var sourceBabyIds: [String: String] = [:]
        /// Former ids of the baby, the oldest first.
        public var formerIds: [String] = []
        public var formulaBrand: String?
        public var formulaProduct: String?
        public var formulaType: String?
        public var containsStarch: Bool?
        /// Fields that the app assumed and no user has filled in since.
        public var assumed: [String] = []
        /// Newer ids of households by the ids they replaced.
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

    /// The profile of a baby, folded from the baby's own events.
    public enum BabyProfile: Projection {
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
    /// Every id that the baby has or had; entries may carry any of these ids.
    public var ids: [String] { formerIds + (babyId.isEmpty ? [] : [babyId]) }

    /// The events that the profile depends on.
    public var items: [Query.Item] { Self.items(ids) }

    /// Returns the events that the profile of a baby with these ids depends on.
    public static func items(_ babyIds: [String]) -> [Query.Item] {
        babyIds.map {
            Query.Item(kinds: Household.profileKinds, tags: [Household.profileTag($0)])
        }
    }

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

    /// The profile with the night and the start of the day clamped to valid minutes of a day.
    ///
    /// A recorded fact may have invalid values.
    public var countable: Household.Profile {
        let minutes = Limit.minuteOfDay.values
        var profile = self
        profile.nightFromMin = nightFromMin.clamped(to: minutes)
        profile.nightToMin = nightToMin.clamped(to: minutes)
        profile.dayStartMin = dayStartMin.clamped(to: minutes)
        return profile
    }
}
