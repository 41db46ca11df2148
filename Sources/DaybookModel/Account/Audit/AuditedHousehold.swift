import Daybook

extension Account {
    /// The plan, the members and the wallets of a household, as the events before tell them.
    struct AuditedHousehold {
        private(set) var subscription = Subscription.State()
        /// Roles by user.
        private(set) var members: [String: Household.Role] = [:]
        /// Credits by user.
        private(set) var wallets: [String: Wallet.State] = [:]
        /// Position of the last change of the plan.
        private var subscribedAt: Int64 = 0
        /// Positions of the last changes of roles, by user.
        private var changedAt: [String: Int64] = [:]

        mutating func apply(_ changed: SubscriptionChanged, at position: Int64) {
            subscription.apply(changed)
            subscribedAt = position
        }

        mutating func apply(_ changed: Household.MemberRoleChanged, at position: Int64) {
            members.apply(changed)
            changedAt[changed.userId] = position
        }

        /// The balance of a user after a change.
        mutating func apply(_ event: Wallet.Event, of userId: String) -> Int64 {
            wallets[userId, default: .blank].apply(event)
            return wallets[userId]?.balance ?? 0
        }

        /// Adds a household that turned out to be the same one; the later change counts.
        mutating func join(_ other: AuditedHousehold) {
            if other.subscribedAt > subscribedAt {
                (subscription, subscribedAt) = (other.subscription, other.subscribedAt)
            }
            for (userId, position) in other.changedAt where position > changedAt[userId] ?? 0 {
                members[userId] = other.members[userId]
                changedAt[userId] = position
            }
            for (userId, wallet) in other.wallets {
                wallets[userId, default: .blank].join(wallet)
            }
        }
    }
}
