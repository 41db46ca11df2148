import Daybook

extension Assistant {
    /// The audit of actions, which finds actions that name an entry that no event records.
    struct ActionAudit: Audit {
        static let description = AuditDescription(
            "assistant-entries",
            [AuditRule("A2", "An action names an entry that no event records")],
            kindsReadAhead: Set(Assistant.Event.kinds.map(\.kind))
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
        private var recordedEntryIds: Set<String> = []
        /// True once an action that names an entry was read ahead.
        private var hasClaims = false
        private var findings: EntityFindings
        private let reader = KindReader<ActionContext.Event>()
        init(_ context: AuditContext) { findings = EntityFindings("device", context) }

        /// True also for the events of entries if no action names an entry: there is nothing to
        /// look up, and the audit of babies finds the events that cannot be read.
        func ignores(_ kind: EventKind) -> Bool {
            reader.ignores(kind) || !needs(kind)
        }

        private func needs(_ kind: EventKind) -> Bool {
            hasClaims || Self.description.kindsReadAhead.contains(kind)
        }

        mutating func readAhead(_ event: RecordedEvent) {
            do throws(FoldError) {
                switch try reader.read(event) {
                case .assistant(.actionReceived(let action))?:
                    hasClaims = hasClaims || action.entryId != nil
                case .assistant(.actionTaken(let taken))?:
                    hasClaims = hasClaims || taken.entryId != nil
                case .care?, nil: break
                }
            } catch {
                // `check` throws the error once the events before this one were checked.
                return
            }
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard needs(event.kind), let known = try reader.read(event) else { return }
            switch known {
            case .assistant(.actionReceived(let action)):
                addClaim(action.entryId, action.device, event)
            case .assistant(.actionTaken(let taken)): addClaim(taken.entryId, taken.device, event)
            case .care(let care): if let id = care.entryId { recordedEntryIds.insert(id) }
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
            for claim in claims where !recordedEntryIds.contains(claim.entryId) {
                findings.add(
                    "A2", claim.position, claim.device, expected: "entry '\(claim.entryId)'",
                    found: "none")
            }
            return AuditResult(findings: findings.found)
        }
    }
}
