import Daybook
import DaybookModel

/// The plan of a baby's household and the credits of a user, for answers of the source app's
/// server.
struct SourceAccount {
    private let householdId: String?
    private let subscription: Account.Subscription.State
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

    /// Returns the balance that the landing page shows.
    ///
    /// The page includes the grant of the month even if it is not recorded yet.
    func balance(at now: Instant) -> Int64 {
        guard subscription.opensAI else { return wallet.balance }
        return wallet.balance(withGrantOf: CivilDate(utcDayOf: now).monthText)
    }

    func graceUsed(at now: Instant) -> Int64 {
        wallet.graceUsed[CivilDate(utcDayOf: now).text] ?? 0
    }

    /// Body of the answer 402 if the household has no plan with AI; `nil` if it has one.
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
