import Daybook

extension Account {
    /// Finds errors in subscriptions and credits that were recorded without a command's checks.
    struct AccountAudit: Audit {
        static let description = AuditDescription(
            "account",
            [
                AuditRule("W1", "Credits were charged for an answer that failed"),
                AuditRule("W2", "Credits were charged or released that were not reserved"),
                AuditRule("W3", "A recorded balance differs from the changes before it"),
                AuditRule("W4", "The credits of a month were granted twice"),
                AuditRule("W5", "A charge is not one credit per started 1,000 tokens"),
                AuditRule(
                    "W6", "A subscription changed in a way that its life cycle does not allow"),
                AuditRule("W7", "A plan was checked out by a user who was not allowed to"),
            ]
        ) { AccountAudit($0) }

        /// The events that the audit reads: changes of credits and plans, and failed answers.
        private enum AuditedEvent: EventSet {
            case account(Event), answerFailed(Chat.AnswerFailed)
            static let kinds = Event.kinds.map { $0.widened(account) } + [StoredKind(answerFailed)]
        }

        /// Log position at which each failed AI request first failed, by request id.
        private var failurePositions: [String: Int64] = [:]
        /// Ids of the requests whose credits were charged or released.
        private var settledRequestIds: Set<String> = []
        /// Households by newest id.
        private var households: [String: AuditedHousehold] = [:]
        /// Newer ids of households, by the ids that they replaced.
        private var newerIds: [String: String] = [:]
        /// Findings about wallets of credits.
        private var walletFindings: EntityFindings
        /// Findings about subscriptions of households.
        private var householdFindings: EntityFindings
        private let reader = KindReader<AuditedEvent>()

        init(_ context: AuditContext) {
            walletFindings = EntityFindings("wallet", context)
            householdFindings = EntityFindings("household", context)
        }

        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            let position = Int64(clamping: event.position.rawValue)
            switch try reader.read(event) {
            case .answerFailed(let answer):
                noteFailure(of: answer.requestId, position)
            case .account(let known): apply(known, position)
            case nil: break
            }
        }

        /// Records the first log position at which a request failed.
        private mutating func noteFailure(of requestId: String, _ position: Int64) {
            failurePositions[requestId] = failurePositions[requestId] ?? position
        }

        /// The user and household that own a wallet of credits; the household has its newest id.
        private struct WalletOwner {
            var userId: String
            var householdId: String
            var key: String { walletKey(userId, householdId) }
        }

        /// Returns the owner of a wallet, under the newest id of the household.
        private func owner(_ userId: String, _ householdId: String) -> WalletOwner {
            WalletOwner(userId: userId, householdId: newerIds.newest(householdId))
        }

        /// Returns the wallet of an owner; `nil` if none is recorded.
        private func wallet(of owner: WalletOwner) -> Wallet.State? {
            households[owner.householdId]?.wallets[owner.userId]
        }

        private mutating func apply(_ known: Event, _ position: Int64) {
            switch known {
            case .creditsGranted(let granted):
                let owner = owner(granted.userId, granted.householdId)
                if wallet(of: owner)?.granted[granted.key] != nil {
                    walletFindings.add(
                        "W4", position, owner.key, expected: "\(granted.key) once", found: "again")
                }
                change(owner, .creditsGranted(granted), position, granted.balanceAfter)
            case .creditsReserved(let reserved):
                change(
                    owner(reserved.userId, reserved.householdId), .creditsReserved(reserved),
                    position, reserved.balanceAfter)
            case .creditGraceUsed(let used):
                change(owner(used.userId, used.householdId), .creditGraceUsed(used), position, nil)
            case .creditsCharged(let charged): apply(charged, position)
            case .creditsReleased(let released):
                let owner = owner(released.userId, released.householdId)
                settle(owner, released.requestId, position, "released")
                change(owner, .creditsReleased(released), position, released.balanceAfter)
                noteFailure(of: released.requestId, position)
            case .subscriptionChanged(let changed): apply(changed, position)
            case .memberRoleChanged(let changed):
                households[newerIds.newest(changed.householdId), default: AuditedHousehold()]
                    .apply(changed)
            case .idReplaced(let ids): apply(ids)
            case .settingsChanged: break
            }
        }

        /// Checks a charge by rules W1 (failed answer), W2 (reserved), W3 (balance) and W5 (price).
        private mutating func apply(_ charged: CreditsCharged, _ position: Int64) {
            let owner = owner(charged.userId, charged.householdId)
            let isGrace = wallet(of: owner)?.graceDays[charged.requestId] != nil
            if let before = failurePositions[charged.requestId] {
                walletFindings.add(
                    "W1", position, owner.key,
                    expected: "nothing for '\(charged.requestId)', which failed at \(before)",
                    found: "\(charged.amount) for \(charged.totalTokens) tokens")
            } else {
                settle(owner, charged.requestId, position, "charged")
            }
            let cost = isGrace ? 0 : Wallet.cost(ofTokens: charged.totalTokens)
            if cost != charged.amount {
                walletFindings.add(
                    "W5", position, owner.key, expected: "\(cost)", found: "\(charged.amount)")
            }
            change(owner, .creditsCharged(charged), position, charged.balanceAfter)
        }

        /// Marks a request as charged or released. Adds a finding by rule W2 if its credits were
        /// not reserved, or were charged or released before.
        private mutating func settle(
            _ owner: WalletOwner, _ requestId: String, _ position: Int64, _ end: String
        ) {
            let isReserved = wallet(of: owner)?.reserved[requestId] != nil
            guard !settledRequestIds.insert(requestId).inserted || !isReserved else { return }
            walletFindings.add(
                "W2", position, owner.key, expected: "'\(requestId)' reserved", found: end)
        }

        /// Applies an event to a wallet; adds a finding by rule W3 if its recorded balance differs.
        private mutating func change(
            _ owner: WalletOwner, _ event: Wallet.Event, _ position: Int64, _ balanceAfter: Int64?
        ) {
            let balance = households[owner.householdId, default: AuditedHousehold()]
                .apply(event, of: owner.userId)
            guard let balanceAfter, balance != balanceAfter else { return }
            walletFindings.add(
                "W3", position, owner.key, expected: "\(balance)", found: "\(balanceAfter)")
        }

        /// Checks a change of a subscription by rules W6 (allowed change of status) and W7
        /// (permission of the user).
        private mutating func apply(_ changed: SubscriptionChanged, _ position: Int64) {
            let household = newerIds.newest(changed.householdId)
            let known = households[household] ?? AuditedHousehold()
            if !known.subscription.allows(changed.status) {
                householdFindings.add(
                    "W6", position, household,
                    expected: "a step from \(known.subscription.status.name)",
                    found: changed.status.name)
            }
            if let userId = changed.by?.name {
                let role = known.members[userId] ?? .none
                if !role.mayManage {
                    householdFindings.add(
                        "W7", position, household, expected: "an owner or a parent",
                        found: "\(userId), \(role == .none ? "not a member" : role.name)")
                }
            }
            households[household, default: AuditedHousehold()].apply(changed, at: position)
        }

        /// Moves the data of a household from its former id to the id that replaced it.
        private mutating func apply(_ ids: Household.IdReplaced) {
            guard ids.kind == .household, newerIds.replace(ids.localId, by: ids.remoteId),
                let former = households.removeValue(forKey: ids.localId)
            else { return }
            let newest = newerIds.newest(ids.remoteId)
            guard var household = households.removeValue(forKey: newest) else {
                households[newest] = former
                return
            }
            household.merge(former)
            households[newest] = household
        }

        mutating func finish() -> AuditResult {
            AuditResult(findings: walletFindings.found + householdFindings.found)
        }
    }
}
