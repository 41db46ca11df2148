public import Daybook
import DaybookLog
import DaybookScenarios

/// Leaves events of a history out while something is still to be seen.
public struct HistoryShrinking: Sendable {
    /// The fewest events found.
    public struct Shrunk: Sendable {
        public var events: [RecordedEvent]
        /// How many events there were.
        public var of: Int
        /// How many histories were tried.
        public var probes: Int
    }

    private let reading: ProjectionReading

    public init(in reading: ProjectionReading) {
        self.reading = reading
    }

    /// Shrinks the history of one entity.
    ///
    /// - Parameters:
    ///   - key: any id of the entity.
    ///   - machine: whose declared transitions every part keeps to; `nil` for any parts.
    ///   - shows: whether a part of its events still shows it, for its newest id.
    /// - Returns: its newest id, and what is left of its events.
    /// - Throws: `QuestionError.unanswered` where all events do not show it, or none do, or where the
    ///   history has undeclared transitions itself.
    public func smallest(
        of projection: ProjectionDescription, _ key: String,
        keepingTo machine: StateMachine? = nil, _ rules: RuleSet = .standard,
        showing shows: (String, [RecordedEvent]) throws -> Bool
    ) throws -> (key: String, shrunk: Shrunk) {
        let (newest, events) = try reading.entity(of: projection, key)
        guard try shows(newest, events) else {
            throw QuestionError.unanswered(
                "it is not so at the end, so that there is nothing to shrink")
        }
        let isDeclared = { (part: [RecordedEvent]) throws -> Bool in
            guard let machine else { return true }
            var matrix = TransitionMatrix(machine, of: projection, rules: rules)
            for event in part { try matrix.take(event.view, newest) }
            return matrix.illegal.isEmpty
        }
        guard try isDeclared(events) else {
            throw QuestionError.unanswered(
                "its history goes through transitions that are not declared")
        }
        let (smallest, probes) = try Shrinking.smallest(events) { part in
            try isDeclared(part) && shows(newest, part)
        }
        guard !smallest.isEmpty else {
            throw QuestionError.unanswered("it is so without any event")
        }
        return (newest, Shrunk(events: smallest, of: events.count, probes: probes))
    }

    /// Shrinks the history that a command is refused after.
    ///
    /// - Returns: the refusal, and the events after which its code is still the same.
    /// - Throws: `QuestionError.unanswered` for a command that is not refused.
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
        return (refused, Shrunk(events: smallest, of: events.count, probes: probes))
    }

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
