import Daybook

extension Assistant {
    /// The audit of actions, which finds actions that name an entry that no event records.
    struct ActionAudit: Audit {
        static let description = AuditDescription(
            "assistant-entries", [AuditRule("A2", "An action names an entry that no event records")]
        ) { ActionAudit($0) }

        /// An action's statement that it recorded an entry.
        private struct Claim {
            /// Log position of the action's event.
            var position: Int64
            var device: String
            var entryId: String
        }

        /// Statements of actions, to be compared with the recorded entries at the end.
        private var claims: [Claim] = []
        /// Ids of entries that events record; repeated for an entry of several events.
        private var recordedEntryIds: [String] = []
        private var findings: EntityFindings
        private let actions = KindReader<Assistant.Event>()
        private let care = KindReader<BabyCare.Event>()
        init(_ context: AuditContext) { findings = EntityFindings("device", context) }
        func ignores(_ kind: EventKind) -> Bool { actions.ignores(kind) && care.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            if let known = try care.read(event) {
                if let id = known.entryId { recordedEntryIds.append(id) }
                return
            }
            switch try actions.read(event) {
            case .actionReceived(let action): addClaim(action.entryId, action.device, event)
            case .actionTaken(let taken): addClaim(taken.entryId, taken.device, event)
            case nil: break
            }
        }

        /// Adds the statement of an action to `claims`; does nothing if `entryId` is `nil`.
        private mutating func addClaim(
            _ entryId: String?, _ device: String, _ event: RecordedEvent
        ) {
            guard let entryId else { return }
            let position = Int64(clamping: event.position.rawValue)
            claims.append(Claim(position: position, device: device, entryId: entryId))
        }

        mutating func finish() -> AuditResult {
            var missingIds = Set(claims.map(\.entryId))
            missingIds.subtract(recordedEntryIds)
            for claim in claims where missingIds.contains(claim.entryId) {
                findings.add(
                    "A2", claim.position, claim.device, expected: "entry '\(claim.entryId)'",
                    found: "none")
            }
            return AuditResult(findings: findings.found)
        }
    }
}
