/// An audit that finds events which are illegal in the current status of their entity.
///
/// An entity is identified by a tag. Renamings are not followed: a new id is a different entity.
struct LifecycleAudit<Model: Projection, Status: StoredEnum>: Audit {
    /// The life cycle, which lists the legal transitions between statuses.
    let lifecycle: Lifecycle<Status>
    /// The noun of the tags that name the entities, such as `copy` in `copy:7`.
    let noun: String
    /// Returns an entity's status from its state; the life cycle restricts the status's changes.
    let status: @Sendable (Model.State) -> Status?
    /// The only rule of the audit: an event must be legal in the status of its entity.
    let rule: AuditRule
    /// Tag of the only entity to audit; `nil` for all.
    let onlyEntity: Tag?
    private let reader = KindReader<Model.Event>()
    fileprivate var states: [Tag: Model.State] = [:]
    fileprivate var findings: [Finding] = []

    func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

    mutating func check(_ event: RecordedEvent) throws(FoldError) {
        guard event.tags.contains(where: { $0.noun == noun }), let known = try reader.read(event)
        else { return }
        for entity in event.tags where entity.noun == noun {
            let before = states[entity].flatMap(status)
            if !lifecycle.allows(event.kind, in: before) { addFinding(event, entity, before) }
            Model.evolve(&states[entity, default: .blank], with: known, event.envelope)
        }
    }

    /// Adds a finding for an illegal event; does nothing if the event lacks the tag `onlyEntity`.
    private mutating func addFinding(_ event: RecordedEvent, _ entity: Tag, _ state: Status?) {
        guard onlyEntity.map(event.tags.contains) ?? true else { return }
        let legal = lifecycle.states(before: event.kind).map { $0?.name ?? StateMachine.beginning }
        findings.append(
            Finding(
                rule: rule.code, position: Int64(clamping: event.position.rawValue),
                entity: entity.text,
                expected: legal.isEmpty
                    ? "no \(event.kind.stem)"
                    : "\(event.kind.stem) in \(legal.joined(separator: " or "))",
                found: state?.name ?? StateMachine.beginning))
    }

    mutating func finish() -> AuditResult { AuditResult(findings: findings) }
}

extension AuditDescription {
    /// Describes an audit that compares every entity of a projection with a life cycle.
    ///
    ///     AuditDescription(
    ///         "copies", "L1", Copies.lifecycle, of: Copies.self, noun: "copy") { $0.status }
    ///
    /// - Parameters:
    ///   - code: the code of the audit's only rule.
    ///   - noun: the noun of the tags that name the entities, such as `copy` in `copy:7`.
    ///   - fileID: the module and file of the declaration; by default those of the call.
    ///   - line: the line of the declaration.
    ///   - status: returns an entity's status, which the life cycle restricts, from its state.
    public init<Model: Projection, Status: StoredEnum>(
        _ name: String, _ code: String, _ lifecycle: Lifecycle<Status>, of model: Model.Type,
        noun: String, fileID: String = #fileID, line: Int = #line,
        _ status: @escaping @Sendable (Model.State) -> Status
    ) {
        self.init(
            name, code, lifecycle, of: model, noun: noun, fileID: fileID, line: line
        ) { Optional(status($0)) }
    }

    /// Describes an audit of entities whose status is `nil` before their first event.
    ///
    /// The first event then changes the status, so `blame` and `history` show it.
    public init<Model: Projection, Status: StoredEnum>(
        _ name: String, _ code: String, _ lifecycle: Lifecycle<Status>, of model: Model.Type,
        noun: String, fileID: String = #fileID, line: Int = #line,
        _ status: @escaping @Sendable (Model.State) -> Status?
    ) {
        let rule = AuditRule(
            code,
            "An event occurs in a state in which the life cycle of its \(noun) does not allow it",
            fileID: fileID, line: line)
        self.init(name, [rule]) { context in
            LifecycleAudit<Model, Status>(
                lifecycle: lifecycle, noun: noun, status: status, rule: rule,
                onlyEntity: context.only)
        }
    }
}
