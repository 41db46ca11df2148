import CivilTime
public import EventSourcing

extension Household.Profile {
    /// Every id the baby has or had; entries are found by any of them.
    public var ids: [String] { formerIds + (babyId.isEmpty ? [] : [babyId]) }

    /// What the profile itself depends on.
    public var items: [Query.Item] {
        ids.map {
            Query.Item(kinds: Household.profileKinds, tags: [Household.profileTag($0)])
        }
    }

    public mutating func take(_ onboarded: Household.Onboarded) {
        isKnown = true
        if babyId.isEmpty { babyId = onboarded.babyId }
        householdId = onboarded.householdId
        birthDate = onboarded.birthDate ?? birthDate
        sex = onboarded.sex ?? sex
        weightG = onboarded.birthWeightG ?? weightG
        feedingMethod = onboarded.feedingMethod ?? feedingMethod
        zone = onboarded.zone ?? zone
    }

    /// The newest id stands in `babyId`, whichever of its ids the baby was asked for by.
    public mutating func take(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            if !formerIds.contains(ids.localId) { formerIds.append(ids.localId) }
            if babyId.isEmpty || babyId == ids.localId { babyId = ids.remoteId }
        case .household where householdId == ids.localId:
            householdId = ids.remoteId
        default: break
        }
    }

    public mutating func take(_ changed: Household.BabyProfileChanged) {
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
    }

    /// The profile with a night and a day that can be counted with: minutes of a day, whatever a
    /// recorded fact says.
    public var countable: Household.Profile {
        let minutes = Limit.minuteOfDay.values
        var profile = self
        profile.nightFromMin = nightFromMin.clamped(to: minutes)
        profile.nightToMin = nightToMin.clamped(to: minutes)
        profile.dayStartMin = dayStartMin.clamped(to: minutes)
        return profile
    }
}
