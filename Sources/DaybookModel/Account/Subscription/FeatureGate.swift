public import Daybook

extension Account {
    /// Feature that needs a plan.
    public enum Feature: UInt8, StoredEnum { case ai, photos, chat }

    /// Type of an app build.
    public enum Build: UInt8, StoredEnum { case release, debug }

    /// Report on whether a household's plan gives access to a feature.
    ///
    /// Only release builds restrict chat; they also close chat while no plan is known.
    ///
    /// Source: S4's answers with status 402, and its chat page.
    public struct FeatureGate: Report {
        public typealias Model = Account
        public static let name = "gate"
        public static let summary =
            "Whether a household's plan opens the AI, the photos or the chat"
        public static let subject: ReportSubject? = ReportSubject(
            "household", noun: "household", kinds: [SubscriptionChanged.kind])
        public var household = ""
        public var feature = Feature.ai
        /// Build of the app; a release build by default.
        public var build: Build?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("household", &household, "feature", &feature, "build", &build)
        }

        public var query: Query { Account.query(ofHousehold: household, .blank) }

        public func query(knowing state: State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(Account.query(ofHousehold: household, state))
        }

        public func answer(_ account: State, _ context: ReportContext) -> Answer {
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
                detail: isOpen ? nil : feature.closedDetail,
                position: Int64(context.position.rawValue))
        }

        public struct Answer: Record {
            public var isOpen = false
            public var plan: Plan?
            public var status = SubscriptionStatus.none
            /// Plans that would open the feature; empty if the feature is open.
            public var requiredPlans: [Plan] = []
            /// Explanation for the user if the feature is closed; `nil` if the feature is open.
            public var detail: String?
            public var position: Int64 = 0
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("isOpen", &isOpen, "plan", &plan, "status", &status)
                try field("requiredPlans", &requiredPlans, "detail", &detail)
                try field("position", &position)
            }
        }

        public static let basisFields: Set<String> = ["position"]
    }
}

extension Account.Feature {
    /// Explanation for the user if the feature is closed: the text of S4's answer with status 402.
    public var closedDetail: String {
        switch self {
        case .ai, .chat: "AI subscription required. Choose AI_ONLY or AI_PHOTO."
        case .photos: "Photo sharing is included in AI plan. Choose AI_ONLY or AI_PHOTO."
        }
    }
}
