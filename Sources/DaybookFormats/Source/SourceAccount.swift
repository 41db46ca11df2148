import Daybook
import DaybookModel

/// The plan of a household and the AI credits of a user, as the original app's server shows them.
struct SourceAccount {
    private let householdId: String?
    /// Subscription of the household, computed from its events.
    private let subscription: Account.Subscription.State
    /// AI credits of the user, computed from their events.
    private let wallet: Account.Wallet.State

    /// Reads the plan of the baby's household and the credits of a user from the log.
    ///
    /// - Parameters:
    ///   - profile: the profile of the baby, which names the household.
    ///   - user: the user whose credits are read; `nil` for an account without credits.
    init(_ profile: Household.Profile, user: String? = nil, _ states: any EntityStates) throws {
        householdId = profile.householdId
        guard let householdId else {
            (subscription, wallet) = (.blank, .blank)
            return
        }
        let household = Tag("household", householdId)
        subscription =
            try states.states(Account.Subscription.self, of: [household])[household] ?? .blank
        let tag = Tag("wallet", user ?? "", householdId)
        wallet = try states.states(Account.Wallet.self, of: [tag])[tag] ?? .blank
    }

    /// The app's name of the household's plan, even if it has ended; `nil` without any plan.
    var plan: String? {
        switch subscription.plan {
        case .photoShare: "PHOTO_SHARE"
        case .aiOnly: "AI_ONLY"
        case .aiPhoto: "AI_PHOTO"
        case nil: nil
        }
    }

    /// Returns the balance of AI credits that the landing page shows. With an active AI plan the
    /// balance includes the credits granted for the current month, even if their grant is not
    /// recorded yet.
    func balance(at now: Instant) -> Int64 {
        guard subscription.opensAI else { return wallet.balance }
        return wallet.balance(withGrantOf: CivilDate(utcDayOf: now).monthText)
    }

    /// Returns the number of free AI answers used on the UTC day of `now`.
    func freeAnswersUsed(at now: Instant) -> Int64 {
        wallet.graceUsed[CivilDate(utcDayOf: now).text] ?? 0
    }

    /// Body of the HTTP answer 402 (payment required) to a question for the AI; `nil` if the
    /// household has access to the AI, or if the baby has no household.
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
            "detail": .text(Account.Feature.ai.messageIfClosed),
            "feature": .text("ai"), "required_plans": .texts(["AI_ONLY", "AI_PHOTO"]),
        ])
    }
}
