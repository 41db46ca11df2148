public import Daybook

extension Account {
    public enum Plan: UInt8, StoredEnum {
        case photoShare
        case aiOnly
        case aiPhoto

        /// True for the plans with AI, which photos take as well.
        var hasAI: Bool { self != .photoShare }

        /// S4's name: `AI_ONLY`.
        var sourceName: String {
            switch self {
            case .photoShare: "PHOTO_SHARE"
            case .aiOnly: "AI_ONLY"
            case .aiPhoto: "AI_PHOTO"
            }
        }
    }

    public enum SubscriptionStatus: UInt8, StoredEnum {
        case none
        case trialing
        case active
        case pastDue
        case cancelled

        /// True where the plan opens what it has.
        var isEnabled: Bool { self == .trialing || self == .active }
    }

    /// A household's plan or its status is another one.
    public struct SubscriptionChanged: EventPayload {
        public static let kind: EventKind = "account.subscription-changed.v1"
        public var householdId = ""
        public var plan = Plan.photoShare
        public var status = SubscriptionStatus.none
        /// The member who checked out; `nil` for the provider of the payments.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [householdTag(householdId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "plan", &plan, "status", &status, "by", &by)
        }
    }

    /// Begins a trial of a plan, also over a plan that is paid. An owner or a parent does so.
    public struct CheckOut: Command {
        public typealias Model = Account
        public static let name = "account.check-out"
        public var householdId = ""
        public var plan = Plan.photoShare
        public var by: Author?
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

    /// Records what the provider of the payments says of a subscription.
    public struct ChangeSubscription: Command {
        public typealias Model = Account
        public static let name = "account.change-subscription"
        public var householdId = ""
        public var status = SubscriptionStatus.none
        /// The plan that it has by default.
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
                throw Refusal("noPlan", "'\(householdId)' has no plan, and the command names none")
            }
            guard known.plan != plan || known.status != status else { return [] }
            guard known.allows(status) else {
                throw Refusal(
                    "illegalStep",
                    "a subscription that is \(known.status.name) does not become \(status.name)")
            }
            return [
                .subscriptionChanged(
                    SubscriptionChanged(householdId: householdId, plan: plan, status: status))
            ]
        }
    }
}
