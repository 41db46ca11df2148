import Daybook

extension Account {
    /// Reserves credits for an answer of the AI, after granting the month's credits if due.
    ///
    /// With fewer than two credits left, up to three answers per UTC day are free.
    struct ReserveCredits: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.reserve-credits"
        var userId = ""
        var householdId = ""
        var requestId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
        }

        var query: Query { query(knowing: .blank) }

        func query(knowing state: State) -> Query {
            Account.query(ofHousehold: householdId, state)
                .union(Account.query(ofWallet: userId, householdId, state))
        }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            try account.checkIsMember(userId)
            guard account.subscription.opensAI else {
                throw Refusal("subscriptionRequired", Feature.ai.messageIfClosed)
            }
            var wallet = account.wallet
            guard wallet.reserved[requestId] == nil else { return [] }
            guard account.settledRequestIds[requestId] == nil else {
                throw .requestIsSettled(requestId)
            }
            let today = CivilDate(utcDayOf: now)
            let householdId = account.newerHouseholdIds.newest(householdId)
            var events: [Event] = []
            let grant = CreditsGranted(
                userId: userId, householdId: householdId, type: Wallet.monthlyType,
                month: today.monthText, amount: Wallet.monthlyGrant,
                balanceAfter: wallet.balance + Wallet.monthlyGrant)
            if wallet.granted[grant.key] == nil {
                events.append(.creditsGranted(grant))
                wallet.apply(.creditsGranted(grant))
            }
            return events + [try reservation(wallet, householdId, today)]
        }

        /// Returns the event that reserves credits or, if the balance is too low, a free answer.
        private func reservation(
            _ wallet: Wallet.State, _ householdId: String, _ today: CivilDate
        ) throws(Refusal) -> Event {
            guard wallet.balance < Wallet.reserveAmount else {
                return .creditsReserved(
                    CreditsReserved(
                        userId: userId, householdId: householdId, requestId: requestId,
                        amount: Wallet.reserveAmount,
                        balanceAfter: wallet.balance - Wallet.reserveAmount))
            }
            guard wallet.graceUsed[today.text, default: 0] < Wallet.freeAnswersPerDay else {
                throw Refusal("insufficientCredits", "Insufficient AI credits")
            }
            return .creditGraceUsed(
                CreditGraceUsed(
                    userId: userId, householdId: householdId, requestId: requestId,
                    day: today.text))
        }
    }

    /// Charges the cost of an answer that the AI gave.
    struct ChargeCredits: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.charge-credits"
        var userId = ""
        var householdId = ""
        var requestId = ""
        var totalTokens: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
            try field("totalTokens", &totalTokens, .tokens)
        }

        var query: Query { query(knowing: .blank) }

        func query(knowing state: State) -> Query {
            Account.query(ofWallet: userId, householdId, state)
        }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            [.creditsCharged(try account.charge(userId, householdId, requestId, totalTokens))]
        }
    }

    /// Releases the credits reserved for an answer that the AI did not give.
    struct ReleaseCredits: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.release-credits"
        var userId = ""
        var householdId = ""
        var requestId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "householdId", &householdId, "requestId", &requestId)
        }

        var query: Query { query(knowing: .blank) }

        func query(knowing state: State) -> Query {
            Account.query(ofWallet: userId, householdId, state)
        }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            [.creditsReleased(try account.release(userId, householdId, requestId))]
        }
    }
}

extension Account.State {
    /// Returns the event that charges an answer; its amount is 0 for one of the day's free answers.
    /// Throws a refusal if no credits are reserved for the request or no token was used.
    func charge(
        _ userId: String, _ householdId: String, _ requestId: String, _ totalTokens: Int64
    ) throws(Refusal) -> Account.CreditsCharged {
        let reserve = try reservedCredits(of: requestId)
        guard totalTokens > 0 else {
            throw Refusal("noTokens", "totalTokens is \(totalTokens); expected at least 1")
        }
        let isGrace = wallet.graceDays[requestId] != nil
        let amount = isGrace ? 0 : Account.Wallet.cost(ofTokens: totalTokens)
        return Account.CreditsCharged(
            userId: userId, householdId: newerHouseholdIds.newest(householdId),
            requestId: requestId, totalTokens: totalTokens, amount: amount,
            balanceAfter: wallet.balance + reserve - amount)
    }

    /// Returns the event that releases the reserved credits of a request; throws a refusal if no
    /// credits are reserved for the request.
    func release(
        _ userId: String, _ householdId: String, _ requestId: String
    ) throws(Refusal) -> Account.CreditsReleased {
        let reserve = try reservedCredits(of: requestId)
        return Account.CreditsReleased(
            userId: userId, householdId: newerHouseholdIds.newest(householdId),
            requestId: requestId, amount: reserve, balanceAfter: wallet.balance + reserve)
    }

    /// Returns the credits reserved for a request; throws a refusal if the request is unknown, or
    /// was already charged or released.
    private func reservedCredits(of requestId: String) throws(Refusal) -> Int64 {
        guard let reserve = wallet.reserved[requestId] else {
            throw settledRequestIds[requestId] != nil
                ? .requestIsSettled(requestId)
                : Refusal("notReserved", "no credits are reserved for the request '\(requestId)'")
        }
        return reserve
    }
}

extension Refusal {
    static func requestIsSettled(_ requestId: String) -> Refusal {
        Refusal(
            "requestIsOver",
            "the credits for the request '\(requestId)' were already charged or released")
    }
}
