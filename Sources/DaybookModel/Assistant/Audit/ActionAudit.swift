import Daybook

extension Assistant {
    /// The audit of actions, which finds actions that name an entry that no event records.
    ///
    /// It reads the actions first, so that without any it reads no entry.
    struct ActionAudit: Audit {
        static let description = AuditDescription(
            "assistant-entries",
            [AuditRule("A2", "An action names an entry that no event records")],
            kindsReadAhead: kinds
        ) { ActionAudit($0) }

        /// An action's statement that it recorded an entry.
        private struct Claim {
            /// Log position of the action's event.
            var position: Int64
            var device: String
            var entryId: String
        }

        private var claims: [Claim] = []
        /// Ids of entries in `claims` that no event has recorded so far.
        private var missingIds: Set<String> = []
        private var findings: EntityFindings
        private let actions = KindReader<Assistant.Event>()
        private let care = KindReader<BabyCare.Event>()
        init(_ context: AuditContext) { findings = EntityFindings("device", context) }
        func ignores(_ kind: EventKind) -> Bool { missingIds.isEmpty || care.ignores(kind) }

        mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
            switch try actions.read(event) {
            case .actionReceived(let action): addClaim(action.entryId, action.device, event)
            case .actionTaken(let taken): addClaim(taken.entryId, taken.device, event)
            case nil: break
            }
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard !missingIds.isEmpty, let id = try care.read(event)?.entryId else { return }
            missingIds.remove(id)
        }

        /// Adds the statement of an action to `claims`; does nothing if `entryId` is `nil`.
        private mutating func addClaim(
            _ entryId: String?, _ device: String, _ event: RecordedEvent
        ) {
            guard let entryId else { return }
            let position = Int64(clamping: event.position.rawValue)
            claims.append(Claim(position: position, device: device, entryId: entryId))
            missingIds.insert(entryId)
        }

        mutating func finish() -> AuditResult {
            for claim in claims where missingIds.contains(claim.entryId) {
                findings.add(
                    "A2", claim.position, claim.device, expected: "entry '\(claim.entryId)'",
                    found: "none")
            }
            return AuditResult(findings: findings.found)
        }
    }
}
