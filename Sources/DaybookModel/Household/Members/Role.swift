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
        /// True where the role manages members and money.
        public var mayManage: Bool { self == .owner || self == .parent }
    }

    /// Lets a user into a household, out of it, or changes what the user may do in it.
    public struct MemberRoleChanged: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.member-role-changed.v1"
        public static let name = "household.change-role"
        public var householdId = ""
        public var userId = ""
        /// `none` for one who left.
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

        /// Refuses a change without an author once a household has members; anyone may make the
        /// first one.
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
        /// Everyone may leave; owners are made and removed by owners.
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
    /// A command of a household with members that names no author.
    static let noUser = Refusal(
        "accessDenied", "Household access denied: the command names no user in its field 'by'")

    static func noMember(_ userId: String) -> Refusal {
        guard !userId.isEmpty else { return .noUser }
        return Refusal("accessDenied", "Household access denied: '\(userId)' is no member")
    }

    static func insufficientRole(_ userId: String, _ role: Household.Role) -> Refusal {
        Refusal(
            "insufficientRole",
            "Insufficient role for this action: '\(userId)' is \(role.name)")
    }
}
