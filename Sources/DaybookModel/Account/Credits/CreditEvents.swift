package import Daybook

extension Account {
    /// A user received the month's credits, at the first use of the AI in that month.
    package struct CreditsGranted: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.credits-granted.v1"
        package var userId = ""
        package var householdId = ""
        /// Type of the grant: `monthly`. A user gets one grant per type and month in a household.
        package var type = ""
        /// Month in UTC, such as `2026-02`.
        package var month = ""
        package var amount: Int64 = 0
        var balanceAfter: Int64 = 0
        package var tags: [Tag] { walletTags(userId, householdId) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "type", &type)
            try field("month", &month)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(amount.counted("credit")) granted for \(month), balance \(balanceAfter)"
        }
    }

    /// Credits were reserved before the AI answered a request.
    package struct CreditsReserved: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.credits-reserved.v1"
        package var userId = ""
        package var householdId = ""
        var requestId = ""
        package var amount: Int64 = 0
        var balanceAfter: Int64 = 0
        package var tags: [Tag] { walletTags(userId, householdId, requestId) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(amount.counted("credit")) reserved, balance \(balanceAfter)"
        }
    }

    /// The AI answers a request for free, because the balance was too low and a free answer was
    /// left for the day.
    package struct CreditGraceUsed: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.credit-grace-used.v1"
        package var userId = ""
        package var householdId = ""
        var requestId = ""
        /// Day in UTC, such as `2026-02-20`.
        package var day = ""
        package var tags: [Tag] { walletTags(userId, householdId, requestId) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("day", &day)
        }

        package func sentence(_ wording: Wording) -> String {
            day.isEmpty ? "free answer used" : "free answer of \(day) used"
        }
    }

    /// The user paid for an answer: the reserved credits returned to the balance, less the cost.
    package struct CreditsCharged: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.credits-charged.v1"
        package var userId = ""
        package var householdId = ""
        var requestId = ""
        /// Number of tokens that the AI used for the answer.
        var totalTokens: Int64 = 0
        /// Credits charged; 0 for one of the day's free answers.
        package var amount: Int64 = 0
        /// Balance after the charge; may be negative.
        var balanceAfter: Int64 = 0
        package var tags: [Tag] { walletTags(userId, householdId, requestId) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("totalTokens", &totalTokens, .tokens)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }

        package func sentence(_ wording: Wording) -> String {
            let used = totalTokens.counted("token")
            return amount == 0
                ? "free answer: \(used)"
                : "\(amount.counted("credit")) charged for \(used), balance \(balanceAfter)"
        }
    }

    /// The AI gave no answer, and the reserved credits returned to the balance.
    package struct CreditsReleased: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.credits-released.v1"
        package var userId = ""
        package var householdId = ""
        var requestId = ""
        /// Credits returned to the balance; 0 for one of the day's free answers.
        package var amount: Int64 = 0
        var balanceAfter: Int64 = 0
        package var tags: [Tag] { walletTags(userId, householdId, requestId) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("amount", &amount, .credits)
            try field("balanceAfter", &balanceAfter, .any)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(amount.counted("credit")) given back, balance \(balanceAfter)"
        }
    }

    /// Returns the id of the wallet with a user's credits in a household, such as `u1/h1`.
    static func walletKey(_ userId: String, _ householdId: String) -> String {
        "\(userId)/\(householdId)"
    }

    /// Returns the tag of the wallet with a user's credits in a household, such as `wallet:u1/h1`.
    static func walletTag(_ userId: String, _ householdId: String) -> Tag {
        Tag("wallet", walletKey(userId, householdId))
    }

    /// Returns the tags of an event about credits; `requestId` is the request to the AI, if any.
    static func walletTags(
        _ userId: String, _ householdId: String, _ requestId: String? = nil
    ) -> [Tag] {
        [userTag(userId), walletTag(userId, householdId)]
            + [requestId.map { Tag("ai-request", $0) }].compactMap(\.self)
    }
}

extension Limit {
    /// Accepted numbers of credits; negative credits are owed.
    static let credits = Limit(values: -1_000_000_000_000...1_000_000_000_000)

    /// Accepted numbers of tokens of one answer.
    static let tokens = Limit(values: 0...1_000_000_000)
}
