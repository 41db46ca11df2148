public import Daybook

extension Household {
    /// The rights of a member of a household.
    public enum Role: UInt8, StoredEnum {
        case none
        case owner
        case parent
        case caregiver
        case familyViewer

        public var mayWrite: Bool { self == .owner || self == .parent || self == .caregiver }
        public var mayRead: Bool { self != .none }
        /// True if the role may manage members and subscriptions.
        public var mayManage: Bool { self == .owner || self == .parent }
    }

    /// Adds a user to a household, removes the user, or changes the user's role.
    public struct MemberRoleChanged: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.member-role-changed.v1"
        public static let name = "household.change-role"
        public var householdId = ""
        public var userId = ""
        /// New role; `none` removes the user.
        public var role = Role.none
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(householdId), Tag("user", userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "userId", &userId, "role", &role, "by", &by)
        }

        public var query: Query { .any(of: memberKinds, tag(householdId)) }

        public func query(knowing state: State) -> Query {
            let former = state.replaced.filter { $0.value == householdId }.keys.sorted()
            return .any(of: memberKinds, ([householdId] + former).map(tag))
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.members[userId] ?? .none != role else { return [] }
            try checkMayChange(state.members)
            try checkOwnerStays(state.members)
            return [.memberRoleChanged(self)]
        }

        /// Refuses a change without an author, or by an author who may not make the change.
        ///
        /// In a household without members, an author is not required, and may only become the
        /// owner.
        func checkMayChange(_ members: [String: Role]) throws(Refusal) {
            guard let by else {
                guard members.isEmpty else { throw .noUser }
                return
            }
            guard let author = by.name else { return }
            if members.isEmpty, role == .owner, userId == author { return }
            try checkMayChange(author, members)
        }

        /// Refuses an author who may not make the change.
        ///
        /// Every member may leave; only owners appoint and remove owners.
        func checkMayChange(_ author: String, _ members: [String: Role]) throws(Refusal) {
            guard let own = members[author] else { throw .noMember(author) }
            let leaves = userId == author && role == .none
            let touchesOwner = members[userId] == .owner || role == .owner
            guard leaves || (touchesOwner ? own == .owner : own.mayManage) else {
                throw .insufficientRole(author, own)
            }
        }

        /// Refuses a change that leaves a household without an owner.
        func checkOwnerStays(_ members: [String: Role]) throws(Refusal) {
            guard members[userId] == .owner, role != .owner else { return }
            guard members.contains(where: { $0 != userId && $1 == .owner }) else {
                throw Refusal(
                    "lastOwner", "'\(userId)' is the last owner, and a household needs one")
            }
        }
    }
}

extension [String: Household.Role] {
    mutating func apply(_ changed: Household.MemberRoleChanged) {
        self[changed.userId] = changed.role == .none ? nil : changed.role
    }
}

extension Refusal {
    /// Refusal of a command that names no author, in a household with members.
    static let noUser = Refusal(
        "accessDenied", "Household access denied: the command names no user in its field 'by'")

    static func noMember(_ userId: String) -> Refusal {
        guard !userId.isEmpty else { return .noUser }
        return Refusal("accessDenied", "Household access denied: '\(userId)' is not a member")
    }

    static func insufficientRole(_ userId: String, _ role: Household.Role) -> Refusal {
        Refusal(
            "insufficientRole",
            "Insufficient role for this action: '\(userId)' is \(role.name)")
    }
}
