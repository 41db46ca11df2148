public import Daybook
import DaybookLog
import DaybookScenarios

/// A search for the smallest part of a history that still has a property.
public struct HistoryShrinking: Sendable {
    /// The smallest part of a history that was found.
    public struct Shrunk: Sendable {
        /// The events of the part, in the order of the log.
        public var events: [RecordedEvent]
        /// Number of events of the whole history.
        public var total: Int
        /// Number of histories that were tested.
        public var probes: Int
    }

    /// The log, read as of one moment.
    private let reading: ProjectionReading

    /// Creates a search in a log.
    public init(in reading: ProjectionReading) {
        self.reading = reading
    }

    /// Shrinks the history of one entity.
    ///
    /// - Parameters:
    ///   - key: any id of the entity.
    ///   - machine: a state machine; each tested part must have only its declared transitions.
    ///     `nil` allows any part.
    ///   - shows: returns `true` if the entity with this newest id has the property after some of
    ///     its events.
    /// - Returns: the newest id of the entity, and the smallest part of its events.
    /// - Throws: `QuestionError.unanswered` if the property is missing with all events or present
    ///   without any event, or if the history itself has undeclared transitions.
    public func smallest(
        of projection: ProjectionDescription, _ key: String,
        keepingTo machine: StateMachine? = nil, _ rules: RuleSet = .standard,
        showing shows: (String, [RecordedEvent]) throws -> Bool
    ) throws -> (key: String, shrunk: Shrunk) {
        let (newest, events) = try reading.entity(of: projection, key)
        guard try shows(newest, events) else {
            throw QuestionError.unanswered(
                "the condition is not true at the end, so that there is nothing to shrink")
        }
        let isDeclared = { (part: [RecordedEvent]) throws -> Bool in
            guard let machine else { return true }
            var matrix = TransitionMatrix(machine, of: projection, rules: rules)
            for event in part { try matrix.apply(event.view, newest) }
            return matrix.illegal.isEmpty
        }
        guard try isDeclared(events) else {
            throw QuestionError.unanswered(
                "the entity's history has undeclared transitions")
        }
        let (smallest, probes) = try Shrinking.smallest(events) { part in
            try isDeclared(part) && shows(newest, part)
        }
        guard !smallest.isEmpty else {
            throw QuestionError.unanswered("the condition is true without any event")
        }
        return (newest, Shrunk(events: smallest, total: events.count, probes: probes))
    }

    /// Shrinks the history after which a command is refused.
    ///
    /// - Returns: the refusal, and the smallest part after which the refusal has the same code.
    /// - Throws: `QuestionError.unanswered` if the command is not refused.
    public func smallest(
        refusing decision: any PendingDecision
    ) throws -> (refused: Daybook.Refusal, shrunk: Shrunk) {
        var needed: [Position: RecordedEvent] = [:]
        let first = try outcome(of: decision) { query in
            let events = try reading.entities.events(matching: query)
            for event in events { needed[event.position] = event }
            return events
        }
        guard case .refused(let refused) = first else {
            throw QuestionError.unanswered(
                "the command is not refused, so that there is nothing to shrink")
        }
        let events = needed.values.sorted { $0.position < $1.position }
        let (smallest, probes) = try Shrinking.smallest(events) { part in
            let again = try outcome(of: decision) { query in
                part.filter { query.matches(kind: $0.kind, tags: $0.tags) }
            }
            guard case .refused(let found) = again else { return false }
            return found.code == refused.code
        }
        return (refused, Shrunk(events: smallest, total: events.count, probes: probes))
    }

    /// Decides a command on the events that `events` returns for its queries.
    private func outcome(
        of decision: some PendingDecision, _ events: (Query) throws -> [RecordedEvent]
    ) throws -> Outcome {
        var decision = decision
        _ = try decision.gather { (query, decision) throws in
            for event in try events(query) { try decision.fold(event) }
        }
        return decision.outcome()
    }
}
