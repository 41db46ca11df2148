import Daybook

extension Household {
    /// The roles of users in households, some of which may turn out to be the same household.
    ///
    /// The roles of a household are kept under its newest id, whatever the order in which ids are
    /// replaced. If two households become one, a user keeps the stronger of two roles: who was a
    /// member of either is a member of both.
    struct Roster: PlainRecord {
        /// Roles by newest household id, then by user id.
        private var roles: [String: [String: Role]] = [:]
        /// Newer id of each replaced household id.
        private var newerIds: [String: String] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("roles", &roles, "replaced", &newerIds)
        }

        /// Roles by user id in any of the households; of several, a user's strongest role.
        var members: [String: Role] { roles.values.reduce(into: [:]) { $0.add($1) } }

        /// Returns the roles by user id in one household, under any of its ids.
        func members(of householdId: String) -> [String: Role] {
            roles[newerIds.newest(householdId)] ?? [:]
        }

        /// Returns the roles by user id in any of several households.
        func members(ofAny householdIds: [String]) -> [String: Role] {
            householdIds.reduce(into: [:]) { $0.add(members(of: $1)) }
        }

        func newestId(of householdId: String) -> String { newerIds.newest(householdId) }

        mutating func apply(_ changed: MemberRoleChanged) {
            roles[newerIds.newest(changed.householdId), default: [:]].apply(changed)
        }

        mutating func apply(_ ids: IdReplaced) {
            guard ids.kind == .household, newerIds.replace(ids.localId, by: ids.remoteId),
                let former = roles.removeValue(forKey: ids.localId)
            else { return }
            roles[newerIds.newest(ids.remoteId), default: [:]].add(former)
        }
    }
}

extension [String: Household.Role] {
    /// Applies a role change to the roles by user id; the role `none` removes the user.
    mutating func apply(_ changed: Household.MemberRoleChanged) {
        self[changed.userId] = changed.role == .none ? nil : changed.role
    }

    /// Adds the roles of another household; a user in both keeps the stronger role.
    mutating func add(_ others: Self) { merge(others) { $0.isStronger(than: $1) ? $0 : $1 } }
}

extension Household.Role {
    /// True if the role allows more than another; `owner` is the strongest.
    fileprivate func isStronger(than other: Self) -> Bool {
        other == .none || self != .none && rawValue < other.rawValue
    }
}
