import Daybook

/// Findings about the entities of one noun, or only about the entity that the audit names.
struct EntityFindings: Sendable {
    private let noun: StaticString
    /// Tag of the only entity whose findings are kept; `nil` for all.
    private let only: Tag?
    private(set) var found: [Finding] = []

    init(_ noun: StaticString, _ context: AuditContext) {
        self.noun = noun
        only = context.only
    }

    mutating func add(
        _ rule: String, _ position: Int64, _ id: String, expected: String, found text: String
    ) {
        let entity = Tag(noun, id)
        guard only == nil || only == entity else { return }
        found.append(
            Finding(
                rule: rule, position: position, entity: entity.text, expected: expected,
                found: text))
    }
}
