public import CivilTime
public import EventSourcing
public import Testing

/// One sentence about a command: after these events, it gives these events or is refused.
public struct CommandExample<Model: Projection>: Sendable, CustomTestStringConvertible
where Model.Event: DecidedEvents {
    /// The events of an accepted command, or the code of its refusal and, where given, its message.
    public enum Expected: Hashable, Sendable {
        case events([Model.Event])
        case refused(_ code: String, _ message: String? = nil)
    }

    public let testDescription: String
    private let decide: @Sendable () -> Expected
    private let expected: Expected

    public init(
        _ sentence: String, given history: [Model.Event] = [],
        when command: some Command<Model>, then expected: Expected,
        now: Instant = .epoch
    ) {
        testDescription = sentence
        self.expected = expected
        decide = {
            let actual = Self.decide(command, history, now)
            guard case .refused(_, nil) = expected, case .refused(let code, _) = actual else {
                return actual
            }
            return .refused(code)
        }
    }

    /// Folds the history as the query of the command finds it, decides, and compares.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(decide() == expected, "\(testDescription)", sourceLocation: sourceLocation)
    }

    private static func decide(
        _ command: some Command<Model>, _ history: [Model.Event], _ now: Instant
    ) -> Expected {
        var state = Model.State.blank
        var query = command.query
        while true {
            state = .blank
            for (index, event) in history.enumerated() {
                let payload = event.payload
                guard query.matches(kind: type(of: payload).kind, tags: payload.tags) else {
                    continue
                }
                let envelope = Envelope(
                    position: Position(UInt64(index) + 1), occurredAt: now, recordedAt: now)
                Model.evolve(&state, with: event, envelope)
            }
            let wider = query.union(command.query(knowing: state))
            if wider == query { break }
            query = wider
        }
        do throws(Refusal) {
            let events = try command.decide(state, now: now)
            for event in events {
                _ = try event.payload.decidedEvent(in: CommandContext(now: now))
            }
            return .events(events)
        } catch {
            return .refused(error.code, error.message)
        }
    }
}
