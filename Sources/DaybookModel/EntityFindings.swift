import Daybook

/// Audit findings about the entities of one kind, such as devices.
///
/// If an audit asks about a single entity, findings about other entities are dropped.
struct EntityFindings: Sendable {
    /// Prefix of the entities' tags, such as `device` in `device:phone-1`.
    private let tagPrefix: StaticString
    /// Tag of the only entity whose findings are kept; `nil` to keep those of all entities.
    private let onlyTag: Tag?
    /// Findings so far, in the order in which they were added.
    private(set) var found: [Finding] = []

    /// Creates an empty list for the audit with the settings `context`.
    init(_ tagPrefix: StaticString, _ context: AuditContext) {
        self.tagPrefix = tagPrefix
        onlyTag = context.only
    }

    /// Adds a finding about the entity with this id, if the audit includes that entity.
    mutating func add(
        _ rule: String, _ position: Int64, _ id: String, expected: String, found text: String
    ) {
        let entity = Tag(tagPrefix, id)
        guard onlyTag == nil || onlyTag == entity else { return }
        found.append(
            Finding(
                rule: rule, position: position, entity: entity.text, expected: expected,
                found: text))
    }
}
