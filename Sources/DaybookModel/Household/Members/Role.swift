package import Daybook

extension Household {
    /// The role of a user in a household.
    package enum Role: UInt8, StoredEnum {
        /// The user is not a member.
        case none
        /// Member who may do everything.
        case owner
        /// Member who may record entries and manage members, but no owners.
        case parent
        /// Member who may record entries, but not manage members.
        case caregiver
        /// Member who may only read.
        case familyViewer

        /// True if the role may record entries and change profiles.
        var mayWrite: Bool { self == .owner || self == .parent || self == .caregiver }
        var mayRead: Bool { self != .none }
        /// True if the role may manage members and subscriptions.
        var mayManage: Bool { self == .owner || self == .parent }
    }

    /// Adds a user to a household, removes the user, or changes the user's role.
    package struct MemberRoleChanged: EventPayload, HouseholdCommand {
        package static let kind: EventKind = "household.member-role-changed.v1"
        package static let name = "household.change-role"
        package var householdId = ""
        package var userId = ""
        /// New role; `none` removes the user.
        package var role = Role.none
        package var by: Author?
        package var tags: [Tag] { [tag(householdId), Tag("user", userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "userId", &userId, "role", &role, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            switch role {
            case .none: "member removed"
            case .owner: "member is now an owner"
            default: "member is now a \(wording.words(role))"
            }
        }

        package var query: Query { .any(of: memberKinds, tag(householdId)) }

        /// Returns a query for the members of the household under all of its known ids.
        package func query(knowing state: State) -> Query {
            .any(of: memberKinds, state.newerIds.all(householdId).map(tag))
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.members[userId] ?? .none != role else { return [] }
            try checkMayChange(state.members)
            try checkOwnerRemains(state.members)
            return [.memberRoleChanged(self)]
        }

        /// Throws a refusal if the change has no author, or if the author may not make it. In a
        /// household without members, no author is required; an author may only make himself or
        /// herself the owner. An erased author is not checked.
        func checkMayChange(_ members: [String: Role]) throws(Refusal) {
            guard let by else {
                guard members.isEmpty else { throw .noUser }
                return
            }
            guard let author = by.name else { return }
            if members.isEmpty, role == .owner, userId == author { return }
            try checkMayChange(author, members)
        }

        /// Throws a refusal if the author may not make the change. Every member may leave; only
        /// owners appoint and remove owners.
        func checkMayChange(_ author: String, _ members: [String: Role]) throws(Refusal) {
            guard let own = members[author] else { throw .noMember(author) }
            let leaves = userId == author && role == .none
            let touchesOwner = members[userId] == .owner || role == .owner
            guard leaves || (touchesOwner ? own == .owner : own.mayManage) else {
                throw .insufficientRole(author, own)
            }
        }

        /// Throws a refusal if the change would leave the household without an owner.
        func checkOwnerRemains(_ members: [String: Role]) throws(Refusal) {
            guard members[userId] == .owner, role != .owner else { return }
            guard members.contains(where: { $0 != userId && $1 == .owner }) else {
                throw Refusal(
                    "lastOwner",
                    "the user '\(userId)' is the last owner of the household; make another member "
                        + "an owner first")
            }
        }
    }
}

extension Refusal {
    static let noUser = Refusal(
        "accessDenied", "Household access denied: the command names no user in its field 'by'")

    static func noMember(_ userId: String) -> Refusal {
        guard !userId.isEmpty else { return .noUser }
        return Refusal(
            "accessDenied", "Household access denied: the user '\(userId)' is not a member")
    }

    static func insufficientRole(_ userId: String, _ role: Household.Role) -> Refusal {
        Refusal(
            "insufficientRole",
            "Insufficient role for this action: the role of the user '\(userId)', "
                + "\(role.name), does not allow it")
    }
}
