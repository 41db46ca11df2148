public import Daybook

extension Account {
    public enum Feature: UInt8, StoredEnum { case ai, photos, chat }

    /// The sort of a build of the app.
    public enum Build: UInt8, StoredEnum { case release, debug }

    /// The question if a household's plan opens a feature.
    ///
    /// Chat is closed in release builds alone, and while nothing is known of the plan too.
    ///
    /// Source: S4, answers with 402, and the chat page.
    public struct FeatureGate: Report {
        public typealias Model = Account
        public static let name = "gate"
        public static let summary =
            "Whether a household's plan opens the AI, the photos or the chat"
        public static let subject: ReportSubject? = ReportSubject(
            "household", noun: "household", kinds: [SubscriptionChanged.kind])
        public var household = ""
        public var feature = Feature.ai
        /// A release build by default.
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
            /// The plans that would open it; none where it is open.
            public var requiredPlans: [Plan] = []
            /// S4's sentence where it is closed.
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
    /// S4's sentence of its answer with 402.
    public var closedDetail: String {
        switch self {
        case .ai, .chat: "AI subscription required. Choose AI_ONLY or AI_PHOTO."
        case .photos: "Photo sharing is included in AI plan. Choose AI_ONLY or AI_PHOTO."
        }
    }
}
