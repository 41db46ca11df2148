/// Finds in events of any kind what no area has to know: values outside the limits of their
/// fields, and events whose author is another than the actor of their commit.
struct FactAudit: Audit {
    static let rules = [
        AuditRule("F1", "A value lies outside the limits of its field"),
        AuditRule("F2", "The actor of a commit is another user than its event names in 'by'"),
    ]

    private let events: [EventKind: EventDescription]
    private let only: Tag?
    private var findings: [Finding] = []

    init(_ events: [EventKind: EventDescription], _ context: AuditContext) {
        self.events = events
        only = context.only
    }

    static func description(of events: [EventKind: EventDescription]) -> AuditDescription {
        AuditDescription("facts", rules, actors: withAuthor(events)) { FactAudit(events, $0) }
    }

    /// Kinds with the field of an author.
    private static func withAuthor(_ events: [EventKind: EventDescription]) -> Set<EventKind> {
        Set(events.values.filter { $0.fields.contains { $0.name == "by" } }.map(\.kind))
    }

    mutating func take(_ event: RecordedEvent) throws(FoldError) {
        try take(event, actor: "")
    }

    mutating func take(_ event: RecordedEvent, actor: String) throws(FoldError) {
        guard let description = events[event.kind], covers(event) else { return }
        do throws(CorruptPayload) {
            let payload = unsafe event.payload.contents.bytes
            for value in try description.outOfLimits(payload) {
                note("F1", event, "\(value.field): \(value.expected)", value.found)
            }
            // The log itself, a server or an import acts for others; who is erased is not known.
            guard !actor.isEmpty, actor != "system",
                let author = try description.author(payload), author != actor
            else { return }
            note("F2", event, "by: \(actor)", author)
        } catch {
            throw .corrupt(event.position, event.kind, error)
        }
    }

    /// A profile's events carry the id of their baby under another noun.
    private func covers(_ event: RecordedEvent) -> Bool {
        guard let only else { return true }
        return event.tags.contains { $0.id == only.id }
    }

    private mutating func note(
        _ rule: String, _ event: RecordedEvent, _ expected: String, _ found: String
    ) {
        findings.append(
            Finding(
                rule: rule, position: Int64(clamping: event.position.rawValue),
                entity: event.tags.first?.text ?? event.kind.name, expected: expected,
                found: found))
    }

    mutating func finish() -> AuditResult { AuditResult(findings: findings) }
}
