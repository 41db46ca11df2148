import Daybook
import DaybookModel

/// A household's plan and a user's credits, as the source app's server shows them.
struct SourceAccount {
    /// Household of the baby; `nil` if the baby has none.
    private let householdId: String?
    /// Folded subscription of the household.
    private let subscription: Account.Subscription.State
    /// Folded AI credits of the user.
    private let wallet: Account.Wallet.State

    /// Reads the plan and the credits from the log.
    ///
    /// - Parameter user: the user whose credits are read; `nil` means no credits granted or used.
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

    /// Name of the plan, even of an ended subscription; `nil` without a subscription.
    var plan: String? {
        switch subscription.plan {
        case .photoShare: "PHOTO_SHARE"
        case .aiOnly: "AI_ONLY"
        case .aiPhoto: "AI_PHOTO"
        case nil: nil
        }
    }

    /// Returns the balance of credits that the landing page shows.
    ///
    /// With an AI plan it includes the grant of the current month even if that is not recorded yet.
    func balance(at now: Instant) -> Int64 {
        guard subscription.opensAI else { return wallet.balance }
        return wallet.balance(withGrantOf: CivilDate(utcDayOf: now).monthText)
    }

    /// Returns the number of free AI answers used on the UTC day of `now`.
    func graceUsed(at now: Instant) -> Int64 {
        wallet.graceUsed[CivilDate(utcDayOf: now).text] ?? 0
    }

    /// Body of the HTTP answer 402 (payment required); `nil` if the household's plan has AI.
    ///
    /// Also `nil` for a baby without a household, which does not exist in the app.
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
