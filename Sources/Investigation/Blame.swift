public import EventSourcing
import EventStorage
import Playback

/// The events that wrote the fields of one entity.
public struct Blame: Sendable {
    /// A change, and the event that made it.
    public struct Writing: Sendable {
        public var event: RecordedEvent
        public var change: FieldChange
        /// `true` where the event is the entity's first one.
        public var isFirst: Bool
    }

    /// The newest id of the entity.
    public let key: String
    /// All changes, in the order of the log.
    public let writings: [Writing]
    /// The fields of the entity's last state.
    public let leaves: [FlatFields.Leaf]
    private let projection: ProjectionDescription

    /// - Parameter key: any id of the entity.
    /// - Throws: `QuestionError.unknownEntity` for an entity without events.
    public init(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws {
        self.projection = projection
        var timeline = Timeline(of: projection, rules: rules)
        var writings: [Writing] = []
        let entity = try reading.entity(of: projection, key)
        for event in entity.events {
            let step = try timeline.advance(with: event)
            writings += step.changes.map {
                Writing(event: event, change: $0, isFirst: step.isFirst)
            }
        }
        self.key = entity.key
        self.writings = writings
        leaves = timeline.leaves
    }

    /// All writings of a field and of those within it, the last one first.
    ///
    /// - Throws: `invalid` for a field that the projection does not have, `unanswered` for one that
    ///   no event wrote.
    public func writings(of field: String) throws(QuestionError) -> [Writing] {
        let isWithin = { (path: String) in
            path == field || path.hasPrefix(field + ".") || path.hasPrefix(field + "[")
        }
        let found = writings.filter { isWithin($0.change.path) }
        guard found.isEmpty else { return found.reversed() }
        guard leaves.contains(where: { isWithin($0.path) }) else {
            let known = projection.fields.map(\.name).joined(separator: ", ")
            throw .invalid("\(projection.name) has no field '\(field)'; it has \(known).")
        }
        throw .unanswered("no event wrote '\(field)': it is as it began")
    }

    /// The fields of the last state that an event wrote, each with its last writing.
    public var lastWritings: [(leaf: FlatFields.Leaf, writing: Writing)] {
        var last: [String: Writing] = [:]
        for writing in writings { last[writing.change.path] = writing }
        return leaves.compactMap { leaf in last[leaf.path].map { (leaf, $0) } }
    }
}
