import Daybook
import DaybookLog

/// The folded states of entities, numbered from 0 in the order of their first events.
///
/// All questions that fold several entities keep the states here; what a question needs beside the
/// state of an entity is the entity's note.
struct EntityFolds<Note: Sendable>: Sendable {
    /// An entity whose events are folded.
    struct Entity: Sendable {
        /// State after the events so far.
        var fold: Fold
        var note: Note
    }

    /// State before any event, with which each entity begins.
    let blank: Fold
    var entities: [Entity] = []
    /// Number of each entity, by its newest id.
    private(set) var numbers: [String: Int] = [:]

    init(of projection: ProjectionDescription, _ rules: RuleSet) { blank = projection.fold(rules) }

    /// Adds an entity before its first event; returns its number.
    mutating func add(_ key: String, _ note: Note) -> Int {
        let number = entities.count
        numbers[key] = number
        entities.append(Entity(fold: blank.blank, note: note))
        return number
    }

    /// Returns the number of an entity, which is added with a note if it is unknown.
    ///
    /// The id is hashed once, because each event of a walk looks one up.
    mutating func number(of key: String, _ note: @autoclosure () -> Note) -> Int {
        let next = entities.count
        // Passed as `inout`, a missing number is stored by the same look-up.
        func stored(_ number: inout Int) -> Int { number }
        let number = stored(&numbers[key, default: next])
        guard number == next else { return number }
        entities.append(Entity(fold: blank.blank, note: note()))
        return next
    }

    /// Forgets the ids to free their memory; no event can be folded afterwards.
    mutating func removeKeys() { numbers = [:] }
}

extension EntityFolds<Void> {
    /// Returns the number of an entity, which is added if it is unknown.
    mutating func number(of key: String) -> Int { number(of: key, ()) }
}

extension EntityReader {
    /// Calls `body` for each event of a walk and each entity that the event is about.
    func fold(
        _ events: WalkEvents, after: Position = .origin, through end: Position? = nil,
        _ body: (borrowing EventView, String) throws(FoldError) -> Void
    ) throws(LogError) {
        try forEach(of: events, after: after, through: end) { (event, key) throws(LogError) in
            try folding { () throws(FoldError) in try body(event, key) }
            return true
        }
    }
}

extension EntityWalk {
    /// Calls `body` for each of the events, in newest versions, and each entity that it is about.
    static func forEach(
        of projection: ProjectionDescription, in events: [RecordedEvent],
        _ identities: Identities, _ body: (RecordedEvent, String) throws(FoldError) -> Void
    ) throws(FoldError) {
        var walk = EntityWalk(of: projection, identities)
        if walk.needsReadAhead { events.forEach { walk.readAhead($0) } }
        for event in events where projection.kinds.contains(event.kind) {
            for key in walk.keys(of: event) { try body(event, key) }
        }
    }
}
