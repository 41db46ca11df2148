public import CivilTime
import EventSourcing

extension Household {
    public static func decide(
        _ command: Command, in state: State, now: Instant
    ) throws(Refusal) -> [Event] {
        switch command {
        case .onboard(let body): try onboard(body, state)
        case .replaceId(let body): try replaceId(body, state)
        case .changeConsent(let body): changeConsent(body, state)
        case .changeRole(let body): try changeRole(body, state)
        case .changeProfile(let body): try changeProfile(body, state)
        }
    }

    private static func onboard(_ body: Onboard, _ state: State) throws(Refusal) -> [Event] {
        guard state.profile(body.babyId).householdId == nil else {
            throw .babyExists(body.babyId)
        }
        try checkDate(body.birthDate)
        try checkZone(body.zone)
        try check(body.birthWeightG, "birthWeightG", birthWeightsG)
        if !state.members.isEmpty { try mayWrite(body.by, state) }
        guard let owner = body.by, let userId = owner.name, state.members.isEmpty else {
            return [.onboarded(body)]
        }
        // Who adds the first baby of a household owns it.
        let owns = MemberRoleChanged(
            householdId: body.householdId, userId: userId, role: .owner, by: owner)
        return [.onboarded(body), .memberRoleChanged(owns)]
    }

    private static func replaceId(
        _ body: ReplaceId, _ state: State
    ) throws(Refusal) -> [Event] {
        guard body.localId != body.remoteId else { throw .sameId(body.localId) }
        if let other = state.replaced[body.localId] {
            guard other == body.remoteId else {
                throw .idReplacedBefore(body.localId, by: other)
            }
            return []
        }
        guard state.replaced.newest(body.remoteId) != body.localId else {
            throw .idReplacedBefore(body.remoteId, by: body.localId)
        }
        return [.idReplaced(body)]
    }

    private static func changeConsent(_ body: ChangeConsent, _ state: State) -> [Event] {
        let known = state.consents["\(body.userId)/\(body.kind.name)"]
        if let known, known.granted == body.granted, known.version == body.version { return [] }
        return [.consentChanged(body)]
    }

    private static func changeRole(
        _ body: ChangeRole, _ state: State
    ) throws(Refusal) -> [Event] {
        guard state.members[body.userId] ?? .none != body.role else { return [] }
        if let by = body.by?.name { try mayChange(body, by, state.members) }
        try checkOwner(body, state.members)
        return [.memberRoleChanged(body)]
    }

    /// Refuses a user who may not change the role of another.
    ///
    /// Everyone may leave; owners are made and removed by owners.
    static func mayChange(
        _ body: MemberRoleChanged, _ by: String, _ members: [String: Role]
    ) throws(Refusal) {
        guard let role = members[by] else { throw .noMember(userId: by) }
        let known = members[body.userId] ?? .none
        let leaves = by == body.userId && body.role == .none
        let touchesOwner = known == .owner || body.role == .owner
        guard leaves || (touchesOwner ? role == .owner : role.mayManage) else {
            throw .insufficientRole(userId: by, role: role)
        }
    }

    /// Refuses a change that leaves a household without an owner.
    static func checkOwner(
        _ body: MemberRoleChanged, _ members: [String: Role]
    ) throws(Refusal) {
        guard members[body.userId] == .owner, body.role != .owner else { return }
        guard members.contains(where: { $0 != body.userId && $1 == .owner }) else {
            throw .lastOwner(userId: body.userId)
        }
    }

    private static func changeProfile(
        _ body: ChangeProfile, _ state: State
    ) throws(Refusal) -> [Event] {
        try checkDate(body.birthDate)
        try checkZone(body.zone)
        try check(body.weightG, "weightG", weightsG)
        try check(body.nightFromMin, "nightFromMin", 0...1_439)
        try check(body.nightToMin, "nightToMin", 0...1_439)
        try check(body.dayStartMin, "dayStartMin", 0...1_439)
        let profile = state.profile(body.babyId)
        if profile.householdId != nil { try mayWrite(body.by, state) }
        let empty = BabyProfileChanged(babyId: body.babyId, by: body.by)
        guard body != empty || !profile.isKnown else { throw .nothingToUpdate }
        return [.babyProfileChanged(body)]
    }

    private static func mayWrite(_ by: Author?, _ state: State) throws(Refusal) {
        let userId = by?.name ?? ""
        guard let role = state.members[userId] else { throw .noMember(userId: userId) }
        guard role.mayWrite else { throw .insufficientRole(userId: userId, role: role) }
    }

    private static func checkZone(_ zone: String?) throws(Refusal) {
        guard let zone, Zone(fixedOffset: zone) == nil, !ZoneSource.isName(zone) else { return }
        throw .noZone(zone)
    }

    private static func checkDate(_ text: String?) throws(Refusal) {
        guard let text else { return }
        guard CivilDate(text: text) != nil else { throw .unreadableDate(text) }
    }

    private static func check(
        _ value: Int64?, _ field: String, _ range: ClosedRange<Int64>
    ) throws(Refusal) {
        guard let value, !range.contains(value) else { return }
        throw .outOfRange(
            field: field, value: value, range: "\(range.lowerBound) to \(range.upperBound)")
    }
}
