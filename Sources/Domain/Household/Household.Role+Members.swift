import EventSourcing

extension [String: Household.Role] {
    /// Who adds the first baby of a household owns it.
    mutating func take(_ onboarded: Household.Onboarded) {
        if let by = onboarded.by, isEmpty { self[by] = .owner }
    }

    mutating func take(_ changed: Household.MemberRoleChanged) {
        self[changed.userId] = changed.role == .none ? nil : changed.role
    }
}
