public import Daybook
import DaybookLog

/// A search for the smallest part of a history that still has a property.
public struct HistoryShrinking: Sendable {
    /// The smallest part of a history that was found.
    public struct ShrunkHistory: Sendable {
        /// The events of the smallest part, in the order of the log.
        public var events: [RecordedEvent]
        public var originalEventCount: Int
        /// Number of parts that were tested.
        public var probeCount: Int
    }

    private let reading: ProjectionReading

    public init(in reading: ProjectionReading) { self.reading = reading }

    /// Shrinks the history of one entity to the smallest part that still has a property.
    ///
    /// - Parameters:
    ///   - key: any id of the entity.
    ///   - machine: a state machine that every tested part must obey: it may have only declared
    ///     transitions. `nil` allows any part.
    ///   - hasProperty: returns `true` if the entity with the given newest id has the property
    ///     after the given events.
    /// - Returns: the newest id of the entity, and the smallest part of its events.
    /// - Throws: `QuestionError.unanswered` if the property is missing with all events or present
    ///   without any event, or if the history itself has undeclared transitions.
    public func smallest(
        of projection: ProjectionDescription, _ key: String, keepingTo machine: StateMachine? = nil,
        _ rules: RuleSet = .standard, showing hasProperty: (String, [RecordedEvent]) throws -> Bool
    ) throws -> (key: String, shrunk: ShrunkHistory) {
        let (newest, events) = try reading.entity(of: projection, key)
        guard try hasProperty(newest, events) else {
            throw QuestionError.unanswered(
                "the condition is not true after the last event, so that there is nothing to shrink"
            )
        }
        let isDeclared = { (part: [RecordedEvent]) throws -> Bool in
            guard let machine else { return true }
            var matrix = TransitionMatrix(machine, of: projection, rules: rules)
            for event in part { try matrix.apply(event.view, newest) }
            return matrix.illegalTransitions.isEmpty
        }
        guard try isDeclared(events) else {
            throw QuestionError.unanswered(
                "the history itself has transitions that the state machine does not declare, so "
                    + "that it cannot be shrunk to a part with only declared transitions")
        }
        let (smallest, probeCount) = try Shrinking.smallest(events) { part in
            try isDeclared(part) && hasProperty(newest, part)
        }
        guard !smallest.isEmpty else {
            throw QuestionError.unanswered(
                "the condition is true even without any event, so that there is nothing to shrink")
        }
        return (
            newest,
            ShrunkHistory(
                events: smallest, originalEventCount: events.count, probeCount: probeCount)
        )
    }

    /// Shrinks the history to the smallest part after which a command is still refused.
    ///
    /// - Returns: the refusal, and the smallest part after which the refusal has the same code.
    /// - Throws: `QuestionError.unanswered` if the command is not refused.
    package func smallest(
        refusing decision: any PendingDecision
    ) throws -> (refused: Daybook.Refusal, shrunk: ShrunkHistory) {
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
        let (smallest, probeCount) = try Shrinking.smallest(events) { part in
            let again = try outcome(of: decision) { query in
                part.filter { query.matches(kind: $0.kind, tags: $0.tags) }
            }
            guard case .refused(let found) = again else { return false }
            return found.code == refused.code
        }
        return (
            refused,
            ShrunkHistory(
                events: smallest, originalEventCount: events.count, probeCount: probeCount)
        )
    }

    /// Decides a command on the events that `events` returns for each of the command's queries.
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
