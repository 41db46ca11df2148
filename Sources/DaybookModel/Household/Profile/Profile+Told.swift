import Daybook

// Values that users state, and values that the app assumes.
//
// A stated value beats an assumed one, and a later stated value an earlier one, also if two babies
// that were added offline turn out to be one.
extension Household.Profile {
    mutating func apply(_ onboarded: Household.Onboarded, at position: Position) {
        isKnown = true
        if babyId.isEmpty { babyId = newerBabyIds.newest(onboarded.babyId) }
        if !recordedHouseholdIds.contains(onboarded.householdId) {
            recordedHouseholdIds.append(onboarded.householdId)
        }
        let at = Int64(clamping: position.rawValue)
        let assumed = onboarded.assumedFields ?? []
        for name in assumed { assume(name, at) }
        set("householdId", \.householdId, onboarded.householdId, at)
        householdId = householdId.map { newerHouseholdIds.newest($0) }
        if onboarded.name != nil { _ = accepts("name", at, isAssumed: assumed.contains("name")) }
        set("birthDate", \.birthDate, onboarded.birthDate, at, assumed)
        set("sex", \.sex, onboarded.sex, at, assumed)
        set("weightG", \.weightG, onboarded.birthWeightG, at, assumed)
        set("feedingMethod", \.feedingMethod, onboarded.feedingMethod, at, assumed)
        set("zone", \.zone, onboarded.zone, at, assumed)
        set("formulaBrand", \.formulaBrand, onboarded.formulaBrand, at, assumed)
        set("formulaProduct", \.formulaProduct, onboarded.formulaProduct, at, assumed)
        set("formulaType", \.formulaType, onboarded.formulaType, at, assumed)
        set("containsStarch", \.containsStarch, onboarded.containsStarch, at, assumed)
    }

    /// Applies a change of the profile; a field that is `nil` in the event keeps its value.
    mutating func apply(_ changed: Household.BabyProfileChanged, at position: Position) {
        isKnown = true
        if babyId.isEmpty { babyId = newerBabyIds.newest(changed.babyId) }
        let at = Int64(clamping: position.rawValue)
        if changed.name != nil { _ = accepts("name", at) }
        set("birthDate", \.birthDate, changed.birthDate, at)
        set("sex", \.sex, changed.sex, at)
        set("weightG", \.weightG, changed.weightG, at)
        set("feedingMethod", \.feedingMethod, changed.feedingMethod, at)
        set("zone", \.zone, changed.zone, at)
        set("nightFromMin", \.nightFromMin, given: changed.nightFromMin, at)
        set("nightToMin", \.nightToMin, given: changed.nightToMin, at)
        set("dayStartMin", \.dayStartMin, given: changed.dayStartMin, at)
        set("weekStart", \.weekStart, given: changed.weekStart, at)
        set("formulaBrand", \.formulaBrand, changed.formulaBrand, at)
        set("formulaProduct", \.formulaProduct, changed.formulaProduct, at)
        set("formulaType", \.formulaType, changed.formulaType, at)
        set("containsStarch", \.containsStarch, changed.containsStarch, at)
        for (format, id) in changed.sourceBabyIds {
            set("sourceBabyIds/\(format)", \.sourceBabyIds[format], id, at)
        }
    }

    mutating func apply(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            if !formerIds.contains(ids.localId) { formerIds.append(ids.localId) }
            _ = newerBabyIds.replace(ids.localId, by: ids.remoteId)
            babyId = newerBabyIds.newest(babyId.isEmpty ? ids.localId : babyId)
            formerIds.removeAll { $0 == babyId }
        case .household:
            _ = newerHouseholdIds.replace(ids.localId, by: ids.remoteId)
            householdId = householdId.map { newerHouseholdIds.newest($0) }
        default: break
        }
    }

    /// Takes over what was recorded of the same baby under another id.
    mutating func merge(_ other: Self) {
        isKnown = isKnown || other.isKnown
        formerIds += other.formerIds.filter { !formerIds.contains($0) }
        recordedHouseholdIds += other.recordedHouseholdIds
            .filter { !recordedHouseholdIds.contains($0) }
        newerHouseholdIds.merge(other.newerHouseholdIds) { own, _ in own }
        newerBabyIds.merge(other.newerBabyIds) { own, _ in own }
        take("householdId", \.householdId, from: other)
        householdId = householdId.map { newerHouseholdIds.newest($0) }
        take("birthDate", \.birthDate, from: other)
        take("sex", \.sex, from: other)
        take("weightG", \.weightG, from: other)
        take("feedingMethod", \.feedingMethod, from: other)
        take("zone", \.zone, from: other)
        take("nightFromMin", \.nightFromMin, from: other)
        take("nightToMin", \.nightToMin, from: other)
        take("dayStartMin", \.dayStartMin, from: other)
        take("weekStart", \.weekStart, from: other)
        take("formulaBrand", \.formulaBrand, from: other)
        take("formulaProduct", \.formulaProduct, from: other)
        take("formulaType", \.formulaType, from: other)
        take("containsStarch", \.containsStarch, from: other)
        for format in other.sourceBabyIds.keys {
            take("sourceBabyIds/\(format)", \.sourceBabyIds[format], from: other)
        }
        // A profile holds no name, only whether a user stated it.
        take("name", \.isKnown, from: other)
        assumedFields += other.assumedFields.filter { !assumedFields.contains($0) }
        assumedFields.removeAll { toldAt[$0] != nil }
    }

    /// Ids of every household to which the baby was added, under all of their known ids.
    ///
    /// - Parameter newerIds: the newer id of each replaced household id.
    func householdIds(_ newerIds: [String: String]) -> [String] {
        guard !recordedHouseholdIds.isEmpty else { return [] }
        return Set(recordedHouseholdIds.flatMap { newerIds.all($0) }).sorted()
    }

    /// Notes that the app assumed a field, unless a user has stated it.
    private mutating func assume(_ name: String, _ position: Int64) {
        guard accepts(name, position, isAssumed: true) else { return }
        if !assumedFields.contains(name) { assumedFields.append(name) }
    }

    /// True if a field takes a new value, whose origin is then noted.
    private mutating func accepts(
        _ name: String, _ position: Int64, isAssumed: Bool = false
    ) -> Bool {
        if isAssumed {
            guard toldAt[name] == nil else { return false }
            assumedAt[name] = position
        } else {
            toldAt[name] = position
            assumedAt[name] = nil
            assumedFields.removeAll { $0 == name }
        }
        return true
    }

    /// Sets a field to a new value if there is one and it does not yield to the present value.
    private mutating func set<Value>(
        _ name: String, _ field: WritableKeyPath<Self, Value?>, _ value: Value?,
        _ position: Int64, _ assumed: [String] = []
    ) {
        guard let value, accepts(name, position, isAssumed: assumed.contains(name)) else { return }
        self[keyPath: field] = value
    }

    /// Sets a field that always has a value to a new value, if there is one.
    private mutating func set<Value>(
        _ name: String, _ field: WritableKeyPath<Self, Value>, given value: Value?,
        _ position: Int64
    ) {
        guard let value, accepts(name, position) else { return }
        self[keyPath: field] = value
    }

    /// Takes a field from a profile of the same baby if its value there beats the own one.
    private mutating func take<Value>(
        _ name: String, _ field: WritableKeyPath<Self, Value>, from other: Self
    ) {
        let isTaken =
            if let theirs = other.toldAt[name] {
                toldAt[name].map { $0 < theirs } ?? true
            } else if toldAt[name] == nil, let theirs = other.assumedAt[name] {
                assumedAt[name].map { $0 < theirs } ?? true
            } else {
                false
            }
        guard isTaken else { return }
        self[keyPath: field] = other[keyPath: field]
        toldAt[name] = other.toldAt[name]
        assumedAt[name] = other.assumedAt[name]
    }
}
