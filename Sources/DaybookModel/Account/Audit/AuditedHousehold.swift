import Daybook

extension Account {
    /// Plan, members and wallets of a household according to the events read so far.
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

        /// Applies an event to a user's wallet and returns the new balance.
        mutating func apply(_ event: Wallet.Event, of userId: String) -> Int64 {
            wallets[userId, default: .blank].apply(event)
            return wallets[userId]?.balance ?? 0
        }

        /// Merges a household that turned out to be this one under another id; the later change
        /// wins.
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
