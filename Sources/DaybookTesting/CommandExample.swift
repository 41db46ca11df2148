public import Daybook
public import Testing

/// An example of a decision: after the given events, a command is accepted or refused as expected.
public struct CommandExample<Model: Projection>: Sendable, CustomTestStringConvertible
where Model.Event: DecidedEvents {
    /// An expected outcome of a command.
    public enum Expected: Equatable, Sendable {
        /// The command is accepted and decides these events; none if there is nothing to do.
        case events([Model.Event])
        /// The command is refused with this code, and with this message if one is given.
        case refused(_ code: String, _ message: String? = nil)
    }

    /// The sentence that describes the example in test results.
    public let testDescription: String
    /// Decides the command; if `foldsOnlyNewest`, folds only the newest event of each query item
    /// in `newest`.
    private let decide: @Sendable (_ foldsOnlyNewest: Bool) -> Expected
    private let expected: Expected

    /// Creates an example, with a sentence for test results.
    ///
    /// `history` has the events before the command, in order. All are at the time `now`.
    public init(
        _ sentence: String, given history: [Model.Event] = [],
        when command: some Command<Model>, then expected: Expected,
        now: Instant = .epoch
    ) {
        testDescription = sentence
        self.expected = expected
        decide = { foldsOnlyNewest in
            let actual = Self.decide(command, history, now, foldingOnlyNewest: foldsOnlyNewest)
            guard case .refused(_, nil) = expected, case .refused(let code, _) = actual else {
                return actual
            }
            return .refused(code)
        }
    }

    /// Folds the events that the command's query matches, decides, and compares the outcome.
    ///
    /// It does so a second time with only the newest event of each query item in `newest`.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) {
        for foldsOnlyNewest in [false, true] {
            #expect(
                decide(foldsOnlyNewest) == expected, "\(testDescription)",
                sourceLocation: sourceLocation)
        }
    }

    /// Folds the events that the command needs, and returns its outcome on them.
    private static func decide(
        _ command: some Command<Model>, _ history: [Model.Event], _ now: Instant,
        foldingOnlyNewest foldsOnlyNewest: Bool
    ) -> Expected {
        var state = Model.State.blank
        var query = command.query
        var newest = foldsOnlyNewest ? command.newest(knowing: state) : []
        let events = history.map(\.payload).map { (type(of: $0).kind, $0.tags) }
        while true {
            state = .blank
            for place in query.indices(among: events, newestOf: newest) {
                let envelope = Envelope(
                    position: Position(UInt64(place) + 1), occurredAt: now, recordedAt: now)
                Model.evolve(&state, with: history[place], envelope)
            }
            let wider = query.union(command.query(knowing: state))
            let fewer = newest.intersection(command.newest(knowing: state))
            if wider == query, fewer == newest { break }
            (query, newest) = (wider, fewer)
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
