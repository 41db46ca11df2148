import EventSourcing

extension [String: Household.Role] {
    mutating func take(_ changed: Household.MemberRoleChanged) {
        self[changed.userId] = changed.role == .none ? nil : changed.role
    }
}
