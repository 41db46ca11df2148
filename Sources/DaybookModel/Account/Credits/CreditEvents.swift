public import Daybook

extension Account {
    /// The month's credits were given, at the first use in it.
    public struct CreditsGranted: EventPayload {
        public static let kind: EventKind = "account.credits-granted.v1"
        public var userId = ""
        public var householdId = ""
        /// The sort of the grant: `monthly`. A user has one of each sort and month in a household.
        public var type = ""
        /// A month of UTC: `2026-02`.
        public var month = ""
        public var amount: Int64 = 0
        public var balanceAfter: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { walletTags(userId, householdId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "type", &type)
            try field("month", &month)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }
    }

    /// Credits were set aside before an answer.
    public struct CreditsReserved: EventPayload {
        public static let kind: EventKind = "account.credits-reserved.v1"
        public var userId = ""
        public var householdId = ""
        public var requestId = ""
        public var amount: Int64 = 0
        public var balanceAfter: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { walletTags(userId, householdId, requestId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }
    }

    /// An answer is free, since the balance is too low and the day has a grace left.
    public struct CreditGraceUsed: EventPayload {
        public static let kind: EventKind = "account.credit-grace-used.v1"
        public var userId = ""
        public var householdId = ""
        public var requestId = ""
        /// A day of UTC: `2026-02-20`.
        public var day = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { walletTags(userId, householdId, requestId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("day", &day)
        }
    }

    /// An answer was paid: what it cost beyond the reserve is taken, what is left of it given back.
    public struct CreditsCharged: EventPayload {
        public static let kind: EventKind = "account.credits-charged.v1"
        public var userId = ""
        public var householdId = ""
        public var requestId = ""
        public var totalTokens: Int64 = 0
        /// 0 for one of the day's graces.
        public var amount: Int64 = 0
        /// May lie below zero.
        public var balanceAfter: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { walletTags(userId, householdId, requestId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("totalTokens", &totalTokens, .tokens)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }
    }

    /// No answer came: what was reserved is given back.
    public struct CreditsReleased: EventPayload {
        public static let kind: EventKind = "account.credits-released.v1"
        public var userId = ""
        public var householdId = ""
        public var requestId = ""
        /// 0 for one of the day's graces.
        public var amount: Int64 = 0
        public var balanceAfter: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { walletTags(userId, householdId, requestId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }
    }

    static func walletKey(_ userId: String, _ householdId: String) -> String {
        "\(userId)/\(householdId)"
    }

    static func walletTag(_ userId: String, _ householdId: String) -> Tag {
        Tag("wallet", walletKey(userId, householdId))
    }

    static func walletTags(
        _ userId: String, _ householdId: String, _ requestId: String? = nil
    ) -> [Tag] {
        [userTag(userId), walletTag(userId, householdId)]
            + [requestId.map { Tag("ai-request", $0) }].compactMap(\.self)
    }
}

extension Limit {
    /// Credits, also those that somebody owes.
    static let credits = Limit(values: -1_000_000_000_000...1_000_000_000_000)

    /// Tokens of one answer.
    static let tokens = Limit(values: 0...1_000_000_000)
}
