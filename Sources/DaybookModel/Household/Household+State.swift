package import Daybook

extension Household {
    /// A household: its members, their consents, and its babies with their profiles.
    package struct State: PlainRecord {
        package var householdId = ""
        /// Roles by user id; a user who has left the household has no role.
        package var members: [String: Role] = [:]
        /// Newest ids of the babies, in the order in which the babies were added.
        var babyIds: [String] = []
        /// Profiles by the baby's newest id.
        var profiles: [String: Profile] = [:]
        /// Newer id of each replaced id of a baby, the household or another entity.
        var newerIds: [String: String] = [:]
        /// Answers to requests for consent, by user id and subject: `u1/terms`.
        var consents: [String: ConsentAnswer] = [:]
        /// Roles in each household of the state, under its id until another id replaced it.
        var roster = Roster()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("householdId", &householdId)
            try field("members", &members, "babies", &babyIds)
            try field("profiles", &profiles, "replaced", &newerIds, "consents", &consents)
            try field.internalField("roster", &roster)
        }

        /// Returns the profile of the baby that has or had the given id; blank if no baby had it.
        func profile(_ babyId: String) -> Profile { profiles[newerIds.newest(babyId)] ?? Profile() }

        /// Replaces the id of a baby, which may turn out to be another known baby.
        fileprivate mutating func replaceBaby(_ ids: IdReplaced) {
            let newest = newerIds.newest(ids.remoteId)
            let renamed = babyIds.map { $0 == ids.localId ? newest : $0 }
            babyIds = renamed.enumerated().filter { renamed.firstIndex(of: $1) == $0 }
                .map(\.element)
            var profile = profiles.removeValue(forKey: ids.localId) ?? Profile()
            profile.apply(ids)
            if let other = profiles[newest] { profile.merge(other) }
            profile.babyId = newest
            profile.householdId = profile.householdId.map { newerIds.newest($0) }
            profiles[newest] = profile
        }

        /// Throws a refusal unless the author is a member whose role may write.
        func checkMayWrite(_ author: Author?) throws(Refusal) {
            let userId = author?.name ?? ""
            guard let role = members[userId] else { throw .noMember(userId) }
            guard role.mayWrite else { throw .insufficientRole(userId, role) }
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .onboarded(let onboarded):
            state.householdId = state.newerIds.newest(onboarded.householdId)
            let babyId = state.newerIds.newest(onboarded.babyId)
            if !state.babyIds.contains(babyId) { state.babyIds.append(babyId) }
            state.profiles[babyId, default: Profile()].apply(onboarded, at: envelope.position)
            state.profiles[babyId]?.babyId = babyId
            state.profiles[babyId]?.householdId = state.householdId
        case .idReplaced(let ids):
            guard state.newerIds.replace(ids.localId, by: ids.remoteId) else { break }
            state.roster.apply(ids)
            state.members = state.roster.members
            switch ids.kind {
            case .baby: state.replaceBaby(ids)
            case .household:
                state.householdId = state.newerIds.newest(state.householdId)
                for id in state.profiles.keys { state.profiles[id]?.apply(ids) }
            default: break
            }
        case .consentChanged(let changed):
            state.consents["\(changed.userId)/\(changed.kind.name)"] = ConsentAnswer(
                changed, envelope)
        case .memberRoleChanged(let changed):
            state.roster.apply(changed)
            state.members = state.roster.members
        case .babyProfileChanged(let changed):
            let babyId = state.newerIds.newest(changed.babyId)
            state.profiles[babyId, default: Profile()].apply(changed, at: envelope.position)
        }
    }
}
