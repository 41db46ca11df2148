public import Daybook

extension Household {
    /// A household: its members, their consents, and its babies with their profiles.
    public struct State: Record {
        public var householdId = ""
        /// Roles by user id; a user who has left the household has no role.
        public var members: [String: Role] = [:]
        /// Newest ids of the babies, in the order in which the babies were added.
        public var babyIds: [String] = []
        /// Profiles by the baby's newest id.
        public var profiles: [String: Profile] = [:]
        /// Newer id of each replaced id of a baby, the household or another entity.
        public var newerIds: [String: String] = [:]
        /// Answers to requests for consent, by user id and subject: `u1/terms`.
        public var consents: [String: ConsentAnswer] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "members", &members, "babies", &babyIds)
            try field("profiles", &profiles, "replaced", &newerIds, "consents", &consents)
        }

        /// Returns the profile of the baby that has or had the given id; blank if no baby had it.
        func profile(_ babyId: String) -> Profile {
            profiles[newerIds.newest(babyId)] ?? Profile()
        }

        /// Throws a refusal unless the author is a member whose role may write.
        func checkMayWrite(_ author: Author?) throws(Refusal) {
            let userId = author?.name ?? ""
            guard let role = members[userId] else { throw .noMember(userId) }
            guard role.mayWrite else { throw .insufficientRole(userId, role) }
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .onboarded(let onboarded):
            state.householdId = state.newerIds.newest(onboarded.householdId)
            let babyId = state.newerIds.newest(onboarded.babyId)
            if !state.babyIds.contains(babyId) { state.babyIds.append(babyId) }
            state.profiles[babyId, default: Profile()].apply(onboarded)
            state.profiles[babyId]?.babyId = babyId
            state.profiles[babyId]?.householdId = state.householdId
        case .idReplaced(let ids):
            guard state.newerIds.replace(ids.localId, by: ids.remoteId) else { break }
            switch ids.kind {
            case .baby:
                let renamed = state.babyIds.map { $0 == ids.localId ? ids.remoteId : $0 }
                // Two added babies may turn out to be one baby.
                state.babyIds = renamed.enumerated().filter { index, id in
                    renamed.firstIndex(of: id) == index
                }.map(\.element)
                var profile = state.profiles.removeValue(forKey: ids.localId) ?? Profile()
                profile.apply(ids)
                state.profiles[ids.remoteId] = profile
            case .household:
                if state.householdId == ids.localId { state.householdId = ids.remoteId }
                for id in state.profiles.keys { state.profiles[id]?.apply(ids) }
            default: break
            }
        case .consentChanged(let changed):
            state.consents["\(changed.userId)/\(changed.kind.name)"] = ConsentAnswer(
                changed, envelope)
        case .memberRoleChanged(let changed):
            state.members.apply(changed)
        case .babyProfileChanged(let changed):
            let known = state.profile(changed.babyId).babyId
            state.profiles[known.isEmpty ? changed.babyId : known, default: Profile()]
                .apply(changed)
        }
    }
}
