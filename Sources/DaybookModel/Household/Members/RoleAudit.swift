import Daybook

extension Household {
    /// The audit of role changes.
    ///
    /// It applies the rules of `MemberRoleChanged`, which directly appended events skip.
    struct RoleAudit: Audit {
        static let rules = [
            AuditRule("H1", "A role was changed by a user who was not allowed to"),
            AuditRule("H2", "A household was left without an owner"),
        ]

        /// Tag of the only entity to report about; `nil` to report about all entities.
        private let onlyTag: Tag?
        private var roster = Roster()
        private var findings: [Finding] = []
        private let reader = KindReader<Event>()
        init(_ context: AuditContext) { onlyTag = context.only }
        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            try check(event, actor: "")
        }

        mutating func check(_ event: RecordedEvent, actor: String) throws(FoldError) {
            switch try reader.read(event) {
            case .memberRoleChanged(let changed): checkChange(changed, actor, event)
            case .idReplaced(let ids): roster.apply(ids)
            default: break
            }
        }

        /// Checks whether the author of a role change may make it, and whether an owner remains. If
        /// the change names no author, the actor of the commit is checked in its place; the actor
        /// `system` may make any change. An erased author is not checked.
        private mutating func checkChange(
            _ changed: MemberRoleChanged, _ actor: String, _ event: RecordedEvent
        ) {
            let household = roster.newestId(of: changed.householdId)
            let members = roster.members(of: household)
            defer { roster.apply(changed) }
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

        /// Adds a finding about a role change for which the command would have given `refusal`;
        /// does nothing if the audit is limited to another entity.
        private mutating func addFinding(
            _ rule: String, _ event: RecordedEvent, _ household: String, _ refusal: Refusal,
            _ found: String
        ) {
            if let onlyTag, !event.tags.contains(where: { $0.id == onlyTag.id }) { return }
            let expected =
                switch refusal.code {
                case "lastOwner": "at least one remaining owner"
                case "accessDenied": "a member"
                default: "a role that allows it"
                }
            findings.append(
                Finding(
                    rule: rule, position: Int64(clamping: event.position.rawValue),
                    entity: "household:\(household)", expected: expected, found: found))
        }

        mutating func finish() -> AuditResult { AuditResult(findings: findings) }
    }
}
