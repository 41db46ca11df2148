package import Daybook

extension Account {
    /// The plans that a household can subscribe to.
    package enum Plan: UInt8, StoredEnum {
        /// Plan without AI; it unlocks neither the AI nor the photos nor chat.
        case photoShare
        case aiOnly, aiPhoto

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
    package enum SubscriptionStatus: UInt8, StoredEnum {
        case none, trialing, active
        /// A payment is overdue.
        case pastDue
        case cancelled

        /// True if the status gives access to the plan's features.
        var isEnabled: Bool { self == .trialing || self == .active }
    }

    /// The plan of a household or its status changed.
    package struct SubscriptionChanged: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.subscription-changed.v1"
        package var householdId = ""
        /// Plan that the household subscribes to.
        package var plan = Plan.photoShare
        package var status = SubscriptionStatus.none
        /// Member who chose the plan; `nil` for a change by the payment provider.
        package var by: Author?
        package var tags: [Tag] { [householdTag(householdId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "plan", &plan, "status", &status, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            let name =
                switch plan {
                case .photoShare: "photos"
                case .aiOnly: "AI"
                case .aiPhoto: "AI and photos"
                }
            return "subscription to \(name): \(status == .none ? "ended" : wording.words(status))"
        }
    }

    /// Begins a trial of a plan, even in place of a paid plan.
    ///
    /// Only an owner or a parent may begin a trial.
    struct CheckOut: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.check-out"
        var householdId = ""
        var plan = Plan.photoShare
        /// User who chooses the plan.
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "plan", &plan, "by", &by, "rules", &rules)
        }

        var query: Query { query(knowing: .blank) }
        func query(knowing state: State) -> Query { Account.query(ofHousehold: householdId, state) }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
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
            let changed = SubscriptionChanged(
                householdId: householdId, plan: plan, status: .trialing, by: by)
            return [.subscriptionChanged(changed)]
        }
    }

    /// Records a subscription status that the payment provider reports.
    struct ChangeSubscription: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.change-subscription"
        var householdId = ""
        var status = SubscriptionStatus.none
        /// New plan; `nil` keeps the current plan.
        var plan: Plan?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId, "status", &status, "plan", &plan)
        }

        var query: Query { query(knowing: .blank) }
        func query(knowing state: State) -> Query { Account.query(ofHousehold: householdId, state) }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
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
