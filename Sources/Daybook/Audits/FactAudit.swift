/// An audit that finds values outside limits and wrong authors in the events (facts) of all areas.
struct FactAudit: Audit {
    /// The two rules of this audit: on the limits of fields, and on the authors of events.
    static let rules = [
        AuditRule("F1", "A value lies outside the limits of its field"),
        AuditRule("F2", "The actor of a commit is not the user whom its event names in 'by'"),
    ]

    private let events: [EventKind: EventDescription]
    /// The descriptions of the kinds met so far.
    private var metKinds: [EventKind: MetKind] = [:]
    /// The kind that was looked up last.
    private var lastKind: MetKind?
    /// Tag of the only entity to audit; `nil` for all.
    private let onlyEntity: Tag?
    private var findings: [Finding] = []

    /// Returns the description by which tools run this audit on events of the given kinds.
    static func description(of events: [EventKind: EventDescription]) -> AuditDescription {
        AuditDescription("facts", rules, kindsNeedingActor: kindsWithAuthor(events)) {
            FactAudit(of: events, onlyEntity: $0.only)
        }
    }

    private init(of events: [EventKind: EventDescription], onlyEntity: Tag?) {
        self.events = events
        self.onlyEntity = onlyEntity
    }

    /// Returns the kinds of events with a field `by`, which names the event's author.
    private static func kindsWithAuthor(_ events: [EventKind: EventDescription]) -> Set<EventKind> {
        Set(events.values.filter { $0.fields.contains { $0.name == "by" } }.map(\.kind))
    }

    /// The description of a kind. A class, because a description is large to copy.
    private final class MetKind: Sendable {
        let kind: EventKind
        let description: EventDescription

        init(_ description: EventDescription) {
            kind = description.kind
            self.description = description
        }
    }

    /// Returns the description of a kind, `nil` if the areas lack it.
    private mutating func metKind(_ kind: EventKind) -> MetKind? {
        if let lastKind, lastKind.kind == kind { return lastKind }
        guard let met = metKinds[kind] ?? events[kind].map(MetKind.init) else { return nil }
        metKinds[kind] = met
        lastKind = met
        return met
    }

    mutating func check(_ event: RecordedEvent) throws(FoldError) { try check(event, actor: "") }

    mutating func check(_ event: RecordedEvent, actor: String) throws(FoldError) {
        guard covers(event), let kind = metKind(event.kind) else { return }
        do throws(CorruptPayload) {
            let payload = unsafe event.payload.contents.bytes
            let checked = try kind.description.outOfLimitsAndAuthor(payload)
            for value in checked.outOfLimits {
                addFinding("F1", event, "\(value.field): \(value.expected)", value.found)
            }
            // `system` is the log, a server or an import, which act for other users.
            // An erased author is not known, so it cannot be compared.
            guard !actor.isEmpty, actor != "system", let author = checked.author, author != actor
            else { return }
            addFinding("F2", event, "by: \(actor)", author)
        } catch {
            throw .corrupt(event.position, event.kind, error)
        }
    }

    /// True if an event has a tag with the id of the audited entity, like a baby and its profile,
    /// whatever noun precedes the id.
    private func covers(_ event: RecordedEvent) -> Bool {
        guard let onlyEntity else { return true }
        return event.tags.contains { $0.id == onlyEntity.id }
    }

    private mutating func addFinding(
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
