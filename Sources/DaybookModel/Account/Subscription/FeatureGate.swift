import Daybook

extension Account {
    /// A feature that needs a plan.
    package enum Feature: UInt8, StoredEnum { case ai, photos, chat }

    /// The build type of the app.
    enum Build: UInt8, StoredEnum { case release, debug }

    /// A report on whether a household's plan gives access to a feature.
    ///
    /// In release builds chat needs a plan with AI; debug builds always have chat.
    ///
    /// Source: S4's answers with status 402, and its chat page.
    struct FeatureGate: Report, PlainRecord {
        typealias Model = Account
        static let name = "gate"
        static let summary = "Whether a household's plan opens the AI, the photos or the chat"
        /// Kind of entity that the report is about.
        static let subject: ReportSubject? = ReportSubject(
            "household", noun: "household", kinds: [SubscriptionChanged.kind])
        var household = ""
        var feature = Feature.ai
        /// Build type of the app; `nil` means a release build.
        var build: Build?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("household", &household, "feature", &feature, "build", &build)
        }

        var query: Query { Account.query(ofHousehold: household, .blank) }

        func query(knowing state: State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(Account.query(ofHousehold: household, state))
        }

        func answer(_ account: State, _ context: ReportContext) -> Answer {
            let subscription = account.subscription
            let isOpen =
                switch feature {
                case .ai: subscription.opensAI
                case .photos: subscription.opensPhotos
                case .chat: build == .debug || subscription.opensChat
                }
            return Answer(
                isOpen: isOpen, plan: subscription.plan, status: subscription.status,
                requiredPlans: isOpen ? [] : Plan.allCases.filter(\.hasAI),
                detail: isOpen ? nil : feature.messageIfClosed,
                position: Int64(context.position.rawValue))
        }

        /// The answer: whether the feature is open, and which plans would open it.
        struct Answer: PlainRecord {
            var isOpen = false
            var plan: Plan?
            var status = SubscriptionStatus.none
            /// Plans that would open the feature; empty if the feature is open.
            var requiredPlans: [Plan] = []
            /// Explanation for the user if the feature is closed; `nil` if the feature is open.
            var detail: String?
            /// Log position of the last event that was read.
            var position: Int64 = 0
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("isOpen", &isOpen, "plan", &plan, "status", &status)
                try field("requiredPlans", &requiredPlans, "detail", &detail, "position", &position)
            }
        }

        /// Fields of the answer that only say up to which log position events were read.
        static let basisFields: Set<String> = ["position"]
    }
}

extension Account.Feature {
    /// Message for a user whose plan does not include the feature, in the original app's own words.
    package var messageIfClosed: String {
        switch self {
        case .ai, .chat: "AI subscription required. Choose AI_ONLY or AI_PHOTO."
        case .photos: "Photo sharing is included in AI plan. Choose AI_ONLY or AI_PHOTO."
        }
    }
}
