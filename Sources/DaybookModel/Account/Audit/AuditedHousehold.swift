import Daybook

extension Account {
    /// The plan, members and credits of a household, from the events that an audit has read.
    struct AuditedHousehold {
        private(set) var subscription = Subscription.State()
        /// Roles of the members, by user id.
        private(set) var members: [String: Household.Role] = [:]
        /// Credits of each user in the household, by user id.
        private(set) var wallets: [String: Wallet.State] = [:]
        /// Log position of the last change of the plan; 0 before the first change.
        private var planChangedAt: Int64 = 0

        mutating func apply(_ changed: SubscriptionChanged, at position: Int64) {
            subscription.apply(changed)
            planChangedAt = position
        }

        mutating func apply(_ changed: Household.MemberRoleChanged) { members.apply(changed) }

        /// Applies an event to a user's wallet and returns the new balance.
        mutating func apply(_ event: Wallet.Event, of userId: String) -> Int64 {
            wallets[userId, default: .blank].apply(event)
            return wallets[userId]?.balance ?? 0
        }

        /// Merges the plan, members and credits that were recorded under another id of this
        /// household. Of two plans, the one that was changed later is kept; of two roles, the
        /// stronger.
        mutating func merge(_ other: AuditedHousehold) {
            if other.planChangedAt > planChangedAt {
                (subscription, planChangedAt) = (other.subscription, other.planChangedAt)
            }
            members.add(other.members)
            for (userId, wallet) in other.wallets { wallets[userId, default: .blank].merge(wallet) }
        }
    }
}
