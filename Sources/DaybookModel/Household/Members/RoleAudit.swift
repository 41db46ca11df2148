public import Daybook

extension Household {
    /// The audit of role changes by the rules of the command, which directly appended events skip.
    public struct RoleAudit: Audit {
        /// Rules that the audit checks.
        static let rules = [
            AuditRule("H1", "A role was changed by a user who was not allowed to"),
            AuditRule("H2", "A household was left without an owner"),
        ]

        /// Tag of the only entity to report about; `nil` for all.
        private let onlyTag: Tag?
        /// Roles by newest id of the household, then by user.
        private var households: [String: [String: Role]] = [:]
        /// Newer id of each replaced household id.
        private var replaced: [String: String] = [:]
        private var findings: [Finding] = []
        private let reader = KindReader<Event>()

        public init(_ context: AuditContext) {
            onlyTag = context.only
        }

        public func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        public mutating func check(_ event: RecordedEvent) throws(FoldError) {
            try check(event, actor: "")
        }

        public mutating func check(_ event: RecordedEvent, actor: String) throws(FoldError) {
            switch try reader.read(event) {
            case .memberRoleChanged(let changed): checkChange(changed, actor, event)
            case .idReplaced(let ids) where ids.kind == .household:
                guard replaced.replace(ids.localId, by: ids.remoteId) else { return }
                let members = households.removeValue(forKey: ids.localId) ?? [:]
                households[replaced.newest(ids.remoteId), default: [:]]
                    .merge(members) { newer, _ in newer }
            default: break
            }
        }

        /// Checks a change by its author, or by the commit's actor if the change names no author.
        ///
        /// The actor `system` may make any change. A change by an erased author is not checked.
        private mutating func checkChange(
            _ changed: MemberRoleChanged, _ actor: String, _ event: RecordedEvent
        ) {
            let household = replaced.newest(changed.householdId)
            let members = households[household] ?? [:]
            defer { households[household, default: [:]].apply(changed) }
            guard members[changed.userId] ?? .none != changed.role else { return }
            if changed.by != nil || actor != "system" {
                var judged = changed
                judged.by = changed.by ?? (actor.isEmpty ? nil : Author(actor))
                do throws(Refusal) {
                    try judged.checkMayChange(members)
                } catch {
                    let author = judged.by?.name
                    let role = author.flatMap { members[$0]?.name } ?? "not a member"
                    addFinding("H1", event, household, error, "\(author ?? "no user"), \(role)")
                }
            }
            do throws(Refusal) {
                try changed.checkOwnerRemains(members)
            } catch {
                addFinding("H2", event, household, error, "\(changed.userId), \(changed.role.name)")
            }
        }

        /// Adds a finding whose expectation follows from the refusal, unless it is filtered out.
        private mutating func addFinding(
            _ rule: String, _ event: RecordedEvent, _ household: String, _ refusal: Refusal,
            _ found: String
        ) {
            if let onlyTag, !event.tags.contains(where: { $0.id == onlyTag.id }) { return }
            let expected =
                switch refusal.code {
                case "lastOwner": "an owner who stays"
                case "accessDenied": "a member"
                default: "a role that allows it"
                }
            findings.append(
                Finding(
                    rule: rule, position: Int64(clamping: event.position.rawValue),
                    entity: "household:\(household)", expected: expected, found: found))
        }

        public mutating func finish() -> AuditResult { AuditResult(findings: findings) }
    }
}
