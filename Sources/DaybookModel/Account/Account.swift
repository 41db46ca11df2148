package import Daybook

/// User settings, household subscriptions, and credits that pay for answers of the AI.
///
/// A household's plan gives all its members access to the AI and the photos. The user who asks the
/// AI pays for the answer with credits in that household: two credits are reserved before the
/// answer, then the actual cost is charged, or the reserved credits are released if no answer came.
///
/// Source: S4 for settings, subscriptions and plans; S4's code for credits, because S4's document
/// only mentions them.
package enum Account: Area, Projection {
    package static let name = "account"
    package static let rules: [RuleSet] = [.source]

    /// The events that decisions about accounts depend on.
    package enum Event: DecidedEvents {
        case settingsChanged(SettingsChanged), subscriptionChanged(SubscriptionChanged)
        case creditsGranted(CreditsGranted), creditsReserved(CreditsReserved)
        case creditGraceUsed(CreditGraceUsed), creditsCharged(CreditsCharged)
        case creditsReleased(CreditsReleased), memberRoleChanged(Household.MemberRoleChanged)
        case idReplaced(Household.IdReplaced)

        package static let kinds = [
            StoredKind(settingsChanged), StoredKind(subscriptionChanged),
            StoredKind(creditsGranted), StoredKind(creditsReserved), StoredKind(creditGraceUsed),
            StoredKind(creditsCharged), StoredKind(creditsReleased),
            StoredKind(memberRoleChanged), StoredKind(idReplaced),
        ]
    }

    /// The settings and credits of a user, and the plan and members of a household.
    package struct State: PlainRecord {
        package var settings = Settings.State()
        /// Plan of the household and the features that it unlocks.
        package var subscription = Subscription.State()
        /// Credits of the user in the household.
        package var wallet = Wallet.State()
        /// Ids of the AI requests that were charged or released; each value is true.
        var settledRequestIds: [String: Bool] = [:]
        /// Roles in the household by user id.
        package var members: [String: Household.Role] = [:]
        /// Newer ids of the household, by the ids that they replaced.
        var newerHouseholdIds: [String: String] = [:]
        /// Roles in the household, under each of its ids until one replaced the other.
        var roster = Household.Roster()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("settings", &settings, "subscription", &subscription)
            try field("wallet", &wallet, "settled", &settledRequestIds)
            try field("members", &members, "replaced", &newerHouseholdIds)
            try field.internalField("roster", &roster)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .settingsChanged(let changed): state.settings.apply(changed)
        case .subscriptionChanged(let changed): state.subscription.apply(changed)
        case .memberRoleChanged(let changed):
            state.roster.apply(changed)
            state.members = state.roster.members
        case .idReplaced(let ids):
            guard ids.kind == .household else { break }
            _ = state.newerHouseholdIds.replace(ids.localId, by: ids.remoteId)
            state.roster.apply(ids)
            state.members = state.roster.members
        case .creditsGranted(let granted): state.wallet.apply(.creditsGranted(granted))
        case .creditsReserved(let reserved): state.wallet.apply(.creditsReserved(reserved))
        case .creditGraceUsed(let used): state.wallet.apply(.creditGraceUsed(used))
        case .creditsCharged(let charged):
            state.wallet.apply(.creditsCharged(charged))
            state.settledRequestIds[charged.requestId] = true
        case .creditsReleased(let released):
            state.wallet.apply(.creditsReleased(released))
            state.settledRequestIds[released.requestId] = true
        }
    }

    package static let commands = [
        CommandDescription(ChangeSettings.self), CommandDescription(CheckOut.self),
        CommandDescription(ChangeSubscription.self), CommandDescription(ReserveCredits.self),
        CommandDescription(ChargeCredits.self), CommandDescription(ReleaseCredits.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "settings", noun: "user", "A user's settings, with the defaults of what was never set",
            Settings.self, under: .source, SourceSettings.self),
        ProjectionDescription(
            "nav", noun: "user", "The pages of the app by index, and those in the bottom menu",
            Navigation.self),
        ProjectionDescription(
            "subscription", noun: "household", "A household's plan, and what it opens",
            Subscription.self),
        ProjectionDescription(
            "credits", noun: "wallet", "A user's credits in a household", Wallet.self
        ).endingIn("household"),
        ProjectionDescription(
            "credit-request", noun: "ai-request", "What one request to the AI cost",
            CreditRequest.self),
    ]
    package static let reports = [ReportDescription(FeatureGate.self)]
    package static let machines = [Subscription.lifecycle.machine, CreditRequest.lifecycle.machine]
    /// HTTP endpoints; from the router of 2026-02-21 (S4).
    package static let routes: [RouteDescription] = [
        .v1(.get, "settings/me", .projection("settings")),
        .v1(
            .patch, "settings/me", .command(ChangeSettings.name),
            remark: "the server's answer fills a map of tiles or menu entries with defaults; the "
                + "stored settings are correct"),
        RouteDescription(
            .get, "/api/v1/subscription/me", in: "S4", serves: .projection("subscription"),
            .report(FeatureGate.name)),
        .v1(.post, "subscription/checkout", .command(CheckOut.name)),
    ]
    package static let people: PersonNouns = ["user": "user"]
    static func userTag(_ userId: String) -> Tag { Tag("user", userId) }
    static func householdTag(_ householdId: String) -> Tag { Tag("household", householdId) }

    /// Kinds of the events that determine a household's members and plan.
    static let householdKinds: Set<EventKind> = [
        SubscriptionChanged.kind, Household.MemberRoleChanged.kind, Household.IdReplaced.kind,
    ]

    /// Returns the query for a household's events, under every id that `state` has for it.
    static func query(ofHousehold id: String, _ state: State) -> Query {
        .any(of: householdKinds, state.newerHouseholdIds.all(id).map(householdTag))
    }

    /// Returns the query for a user's credits in a household, under every id that `state` has for
    /// the household.
    static func query(ofWallet userId: String, _ householdId: String, _ state: State) -> Query {
        let ids = state.newerHouseholdIds.all(householdId)
        return Query.any(of: Wallet.kinds, ids.map { walletTag(userId, $0) })
            .union(.any(of: [Household.IdReplaced.kind], ids.map(householdTag)))
    }
}

extension Account.State {
    /// Throws a refusal unless the user may read the household's data. Anyone is accepted while no
    /// member is known.
    func checkIsMember(_ userId: String) throws(Refusal) {
        guard !members.isEmpty, !(members[userId]?.mayRead ?? false) else { return }
        throw .noMember(userId)
    }
}
