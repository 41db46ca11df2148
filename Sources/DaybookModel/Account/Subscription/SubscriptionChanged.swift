public import Daybook

extension Account {
    /// The plans that a household can subscribe to.
    public enum Plan: UInt8, StoredEnum {
        /// Plan without AI; it unlocks neither the AI nor the photos nor chat.
        case photoShare
        case aiOnly
        case aiPhoto

        /// True for plans with AI; only these plans include the photos.
        var hasAI: Bool { self != .photoShare }

        /// Name of the plan in the original app, such as `AI_ONLY`.
        var sourceName: String {
            switch self {
            case .photoShare: "PHOTO_SHARE"
            case .aiOnly: "AI_ONLY"
            case .aiPhoto: "AI_PHOTO"
            }
        }
    }

    /// The status of a household's subscription.
    public enum SubscriptionStatus: UInt8, StoredEnum {
        /// No subscription is recorded.
        case none
        case trialing
        case active
        /// A payment is overdue.
        case pastDue
        case cancelled

        /// True if the status gives access to the plan's features.
        var isEnabled: Bool { self == .trialing || self == .active }
    }

    /// The plan of a household or its status changed.
    public struct SubscriptionChanged: EventPayload {
        public static let kind: EventKind = "account.subscription-changed.v1"
        public var householdId = ""
        /// Plan that the household subscribes to.
        public var plan = Plan.photoShare
        /// Status of the subscription, such as `trialing`.
        public var status = SubscriptionStatus.none
        /// Member who chose the plan; `nil` for a change by the payment provider.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [householdTag(householdId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "plan", &plan, "status", &status, "by", &by)
        }
    }

    /// Begins a trial of a plan, even in place of a paid plan.
    ///
    /// Only an owner or a parent may begin a trial.
    public struct CheckOut: Command {
        public typealias Model = Account
        public static let name = "account.check-out"
        public var householdId = ""
        /// Plan that the household subscribes to.
        public var plan = Plan.photoShare
        /// User who chooses the plan.
        public var by: Author?
        /// Rule set that the decision follows: Daybook's own rules or the original app's.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "plan", &plan, "by", &by, "rules", &rules)
        }

        public var query: Query { query(knowing: .blank) }

        public func query(knowing state: State) -> Query {
            Account.query(ofHousehold: householdId, state)
        }

        public func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            guard !account.members.isEmpty else {
                throw Refusal("householdNotFound", "Household not found: '\(householdId)'")
            }
            guard let userId = by?.name else { throw .noUser }
            guard let role = account.members[userId] else { throw .noMember(userId) }
            guard role.mayManage else { throw .insufficientRole(userId, role) }
            guard rules == .standard || plan.hasAI else {
                throw Refusal("invalidPlan", "Invalid subscription plan: \(plan.sourceName)")
            }
            let known = account.subscription
            guard known.plan != plan || known.status != .trialing else { return [] }
            return [
                .subscriptionChanged(
                    SubscriptionChanged(
                        householdId: householdId, plan: plan, status: .trialing, by: by))
            ]
        }
    }

    /// Records a subscription status that the payment provider reports.
    public struct ChangeSubscription: Command {
        public typealias Model = Account
        public static let name = "account.change-subscription"
        public var householdId = ""
        /// Status of the subscription, such as `trialing`.
        public var status = SubscriptionStatus.none
        /// New plan; `nil` keeps the current plan.
        public var plan: Plan?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "status", &status, "plan", &plan)
        }

        public var query: Query { query(knowing: .blank) }

        public func query(knowing state: State) -> Query {
            Account.query(ofHousehold: householdId, state)
        }

        public func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            let known = account.subscription
            guard let plan = plan ?? known.plan else {
                throw Refusal(
                    "noPlan", "the household '\(householdId)' has no plan yet; give one in 'plan'")
            }
            guard known.plan != plan || known.status != status else { return [] }
            guard known.allows(status) else {
                throw Refusal(
                    "illegalStep",
                    "the subscription of the household '\(householdId)' cannot change from "
                        + "\(known.status.name) to \(status.name)")
            }
            return [
                .subscriptionChanged(
                    SubscriptionChanged(householdId: householdId, plan: plan, status: status))
            ]
        }
    }
}
