import Daybook
import DaybookModel

/// The plan of a baby's household and the credits of a user, which the app's server knows beside
/// the entries.
struct SourceAccount {
    private let householdId: String?
    private let subscription: Account.Subscription.State
    private let wallet: Account.Wallet.State

    /// - Parameter user: the user who asks; without one nothing was granted or used yet.
    init(
        _ profile: Household.Profile, user: String? = nil, _ states: any EntityStates
    ) throws {
        householdId = profile.householdId
        guard let householdId else {
            (subscription, wallet) = (.blank, .blank)
            return
        }
        let household = Tag("household", householdId)
        subscription =
            try states.states(Account.Subscription.self, of: [household])[household] ?? .blank
        let tag = Tag("wallet", "\(user ?? "")/\(householdId)")
        wallet = try states.states(Account.Wallet.self, of: [tag])[tag] ?? .blank
    }

    /// The plan, also of a subscription that is over.
    var plan: String? {
        switch subscription.plan {
        case .photoShare: "PHOTO_SHARE"
        case .aiOnly: "AI_ONLY"
        case .aiPhoto: "AI_PHOTO"
        case nil: nil
        }
    }

    /// The balance as the landing page shows it, which gives the month's credits where that was
    /// not done yet.
    func balance(at now: Instant) -> Int64 {
        guard subscription.opensAI else { return wallet.balance }
        return wallet.balance(withGrantOf: CivilDate(utcDayOf: now).monthText)
    }

    func graceUsed(at now: Instant) -> Int64 {
        wallet.graceUsed[CivilDate(utcDayOf: now).text] ?? 0
    }

    /// The answer with 402 where the household has no plan with AI; `nil` where it has one, and
    /// for a baby of no household, which the app does not know.
    var paymentRequired: SourceJSON? {
        guard householdId != nil, !subscription.opensAI else { return nil }
        let status: String? =
            switch subscription.status {
            case .none: nil
            case .pastDue: "past_due"
            case .cancelled: "canceled"
            case .trialing, .active: subscription.status.name
            }
        return .object([
            "current_plan": .text(plan), "current_status": .text(status),
            "detail": .text(Account.Feature.ai.closedDetail),
            "feature": .text("ai"), "required_plans": .texts(["AI_ONLY", "AI_PHOTO"]),
        ])
    }
}
