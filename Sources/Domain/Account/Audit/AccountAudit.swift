public import EventSourcing

extension Account {
    /// Finds faults in recorded facts about subscriptions and credits, which no command judged.
    public struct AccountAudit: Audit {
        static let description = AuditDescription(
            "account",
            [
                AuditRule("W1", "Credits were charged for an answer that failed"),
                AuditRule("W2", "Credits were charged or released that were not reserved"),
                AuditRule("W3", "A balance is not that of the changes before it"),
                AuditRule("W4", "The credits of a month were granted twice"),
                AuditRule("W5", "A charge is not one credit for each thousand tokens begun"),
                AuditRule("W6", "A subscription went to a status that its life does not allow"),
                AuditRule("W7", "A plan was checked out by a user who was not allowed to"),
            ]
        ) { AccountAudit($0) }

        /// An event that has something to say of credits or a plan.
        private enum Known: EventSet {
            case account(Event)
            case answerFailed(Chat.AnswerFailed)

            static let kinds =
                Event.kinds.map { $0.widened(account) } + [StoredKind(answerFailed)]
        }

        private var wallets: [String: Wallet.State] = [:]
        /// Positions where a request failed, by request.
        private var failed: [String: Int64] = [:]
        private var settled: Set<String> = []
        private var households: [String: State] = [:]
        private var replaced: [String: String] = [:]
        private var found: EntityFindings
        private var foundHouseholds: EntityFindings
        private let reader = KindReader<Known>()

        public init(_ context: AuditContext) {
            found = EntityFindings("wallet", context)
            foundHouseholds = EntityFindings("household", context)
        }

        public mutating func take(_ event: RecordedEvent) throws(FoldError) {
            let position = Int64(clamping: event.position.rawValue)
            switch try reader.read(event) {
            case .answerFailed(let answer):
                failed[answer.requestId] = failed[answer.requestId] ?? position
            case .account(let known): take(known, position, event.envelope)
            case nil: break
            }
        }

        private mutating func take(_ known: Event, _ position: Int64, _ envelope: Envelope) {
            switch known {
            case .creditsGranted(let granted):
                let wallet = walletKey(granted.userId, granted.householdId)
                if wallets[wallet]?.granted[granted.key] != nil {
                    found.add(
                        "W4", position, wallet, expected: "\(granted.key) once", found: "again")
                }
                change(wallet, .creditsGranted(granted), position, granted.balanceAfter)
            case .creditsReserved(let reserved):
                change(
                    walletKey(reserved.userId, reserved.householdId), .creditsReserved(reserved),
                    position, reserved.balanceAfter)
            case .creditGraceUsed(let used):
                change(
                    walletKey(used.userId, used.householdId), .creditGraceUsed(used), position, nil)
            case .creditsCharged(let charged): take(charged, position)
            case .creditsReleased(let released):
                let wallet = walletKey(released.userId, released.householdId)
                settle(wallet, released.requestId, position, "released")
                change(wallet, .creditsReleased(released), position, released.balanceAfter)
                failed[released.requestId] = failed[released.requestId] ?? position
            case .subscriptionChanged(let changed): take(changed, position)
            case .memberRoleChanged(let changed):
                households[replaced.newest(changed.householdId), default: State()]
                    .members.apply(changed)
            case .idReplaced(let ids): take(ids)
            case .settingsChanged: break
            }
        }

        private mutating func take(_ charged: CreditsCharged, _ position: Int64) {
            let wallet = walletKey(charged.userId, charged.householdId)
            let isGrace = wallets[wallet]?.graceDays[charged.requestId] != nil
            if let before = failed[charged.requestId] {
                found.add(
                    "W1", position, wallet,
                    expected: "nothing for '\(charged.requestId)', which failed at \(before)",
                    found: "\(charged.amount) for \(charged.totalTokens) tokens")
            } else {
                settle(wallet, charged.requestId, position, "charged")
            }
            let cost = isGrace ? 0 : Wallet.cost(ofTokens: charged.totalTokens)
            if cost != charged.amount {
                found.add(
                    "W5", position, wallet, expected: "\(cost)", found: "\(charged.amount)")
            }
            change(wallet, .creditsCharged(charged), position, charged.balanceAfter)
        }

        /// Notes the end of a request that was not under way.
        private mutating func settle(
            _ wallet: String, _ requestId: String, _ position: Int64, _ end: String
        ) {
            let isReserved = wallets[wallet]?.reserved[requestId] != nil
            guard !settled.insert(requestId).inserted || !isReserved else { return }
            found.add(
                "W2", position, wallet, expected: "'\(requestId)' reserved", found: end)
        }

        private mutating func change(
            _ wallet: String, _ event: Wallet.Event, _ position: Int64, _ balanceAfter: Int64?
        ) {
            wallets[wallet, default: .blank].apply(event)
            guard let balanceAfter, let balance = wallets[wallet]?.balance, balance != balanceAfter
            else { return }
            found.add(
                "W3", position, wallet, expected: "\(balance)", found: "\(balanceAfter)")
        }

        private mutating func take(_ changed: SubscriptionChanged, _ position: Int64) {
            let household = replaced.newest(changed.householdId)
            var state = households.removeValue(forKey: household) ?? State()
            defer { households[household] = state }
            if !state.subscription.allows(changed.status) {
                foundHouseholds.add(
                    "W6", position, household,
                    expected: "a step from \(state.subscription.status.name)",
                    found: changed.status.name)
            }
            if let userId = changed.by?.name {
                let role = state.members[userId] ?? .none
                if !role.mayManage {
                    foundHouseholds.add(
                        "W7", position, household, expected: "an owner or a parent",
                        found: "\(userId), \(role == .none ? "no member" : role.name)")
                }
            }
            state.subscription.apply(changed)
        }

        private mutating func take(_ ids: Household.IdReplaced) {
            guard ids.kind == .household, replaced.replace(ids.localId, by: ids.remoteId),
                let state = households.removeValue(forKey: ids.localId)
            else { return }
            households[replaced.newest(ids.remoteId)] = state
        }

        public mutating func finish() -> AuditResult {
            AuditResult(findings: found.found + foundHouseholds.found)
        }
    }
}
