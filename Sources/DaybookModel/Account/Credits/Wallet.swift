package import Daybook

extension Account {
    /// The projection of a user's credits in a household, which pay for answers of the AI.
    package enum Wallet: Projection {
        package enum Event: EventSet {
            case creditsGranted(CreditsGranted), creditsReserved(CreditsReserved)
            case creditGraceUsed(CreditGraceUsed), creditsCharged(CreditsCharged)
            case creditsReleased(CreditsReleased)

            package static let kinds = [
                StoredKind(creditsGranted), StoredKind(creditsReserved),
                StoredKind(creditGraceUsed), StoredKind(creditsCharged),
                StoredKind(creditsReleased),
            ]
        }

        package struct State: PlainRecord {
            /// Available credits, without the reserved ones; may be negative.
            package var balance: Int64 = 0
            /// Granted credits by type and month of the grant; a key is, for example,
            /// `monthly/2026-02`.
            var granted: [String: Int64] = [:]
            /// Reserved credits by id of the AI request; 0 for one of the day's free answers.
            var reserved: [String: Int64] = [:]
            /// Number of free answers that were used, by UTC day, such as `2026-02-20`.
            package var graceUsed: [String: Int64] = [:]
            /// Sum of all charged credits.
            var chargedTotal: Int64 = 0
            /// Sum of the tokens of all charged answers.
            var tokensTotal: Int64 = 0
            /// UTC days of the free answers that the AI has not given yet, by id of the AI request.
            var graceDays: [String: String] = [:]
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("balance", &balance, "granted", &granted, "reserved", &reserved)
                try field("graceUsed", &graceUsed)
                try field("chargedTotal", &chargedTotal, "tokensTotal", &tokensTotal)
                try field.internalField("graceDays", &graceDays)
            }

            /// Returns the balance including the month's grant, even if the grant is still due.
            package func balance(withGrantOf month: String) -> Int64 {
                let grant = CreditsGranted(type: monthlyType, month: month)
                return granted[grant.key] == nil ? balance + monthlyGrant : balance
            }

            /// Updates the credits with a recorded change.
            mutating func apply(_ event: Event) {
                switch event {
                case .creditsGranted(let granted):
                    balance += granted.amount
                    self.granted[granted.key] = granted.amount
                case .creditsReserved(let reserved):
                    balance -= reserved.amount
                    self.reserved[reserved.requestId] = reserved.amount
                case .creditGraceUsed(let used):
                    graceUsed[used.day, default: 0] += 1
                    reserved[used.requestId] = 0
                    graceDays[used.requestId] = used.day
                case .creditsCharged(let charged):
                    balance += (reserved.removeValue(forKey: charged.requestId) ?? 0)
                    balance -= charged.amount
                    chargedTotal += charged.amount
                    tokensTotal += charged.totalTokens
                    graceDays[charged.requestId] = nil
                case .creditsReleased(let released):
                    balance += (reserved.removeValue(forKey: released.requestId) ?? 0)
                    // A free answer that did not come does not count as used.
                    if let day = graceDays.removeValue(forKey: released.requestId) {
                        graceUsed[day, default: 0] -= 1
                    }
                }
            }

            /// Merges the user's credits that were recorded under another id of the same household.
            mutating func merge(_ other: State) {
                balance += other.balance
                granted.merge(other.granted) { own, _ in own }
                reserved.merge(other.reserved) { own, _ in own }
                graceUsed.merge(other.graceUsed) { $0 + $1 }
                chargedTotal += other.chargedTotal
                tokensTotal += other.tokensTotal
                graceDays.merge(other.graceDays) { own, _ in own }
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            state.apply(event)
        }

        /// Number of credits granted in each UTC month.
        static let monthlyGrant: Int64 = 500
        /// Type of the monthly grant, as the events store it.
        static let monthlyType = "monthly"
        /// Number of credits reserved before an answer.
        static let reserveAmount: Int64 = 2
        /// Number of free answers per UTC day.
        static let freeAnswersPerDay: Int64 = 3

        /// Returns the cost of an answer: one credit per thousand tokens, rounded up.
        static func cost(ofTokens tokens: Int64) -> Int64 { (tokens + 999) / 1_000 }
    }

    /// The state of the credits for a request to the AI; `grace` means that the answer is free.
    enum CreditRequestState: UInt8, StoredEnum { case reserved, grace, charged, released }

    /// The projection of one request to the AI and its cost.
    enum CreditRequest: Projection {
        enum Event: EventSet {
            case creditsReserved(CreditsReserved), creditGraceUsed(CreditGraceUsed)
            case creditsCharged(CreditsCharged), creditsReleased(CreditsReleased)

            static let kinds = [
                StoredKind(creditsReserved), StoredKind(creditGraceUsed),
                StoredKind(creditsCharged), StoredKind(creditsReleased),
            ]
        }

        struct State: PlainRecord {
            /// State of the credits: reserved, free, charged or released.
            var state = CreditRequestState.reserved
            var userId = ""
            var householdId = ""
            /// True if the request is one of the day's free answers.
            var isGrace = false
            /// Credits charged; `nil` until the request is charged.
            var charged: Int64?
            /// Number of tokens of the answer; `nil` until the request is charged.
            var totalTokens: Int64?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("state", &state, "userId", &userId, "householdId", &householdId)
                try field("isGrace", &isGrace, "charged", &charged, "totalTokens", &totalTokens)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .creditsReserved(let reserved):
                state.state = .reserved
                (state.userId, state.householdId) = (reserved.userId, reserved.householdId)
            case .creditGraceUsed(let used):
                (state.state, state.isGrace) = (.grace, true)
                (state.userId, state.householdId) = (used.userId, used.householdId)
            case .creditsCharged(let charged):
                state.state = .charged
                (state.userId, state.householdId) = (charged.userId, charged.householdId)
                (state.charged, state.totalTokens) = (charged.amount, charged.totalTokens)
            case .creditsReleased(let released):
                state.state = .released
                (state.userId, state.householdId) = (released.userId, released.householdId)
            }
        }

        static let lifecycle = Lifecycle<CreditRequestState>(
            "credit-request", field: "state",
            [
                .begins(CreditsReserved.self, .reserved),
                .begins(CreditGraceUsed.self, .grace),
                .step(CreditsCharged.self, from: .reserved, .grace, to: .charged),
                .step(CreditsReleased.self, from: .reserved, .grace, to: .released),
            ])
    }
}

extension Account.CreditsGranted {
    /// Type and month of the grant, such as `monthly/2026-02`; there is one grant for each.
    var key: String { "\(type)/\(month)" }
}
