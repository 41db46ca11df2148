public import CivilTime
public import EventSourcing
public import Testing

/// One sentence about a decider: after these events, this command gives these events or says no.
public struct Example<Target: Decider>: Sendable, CustomTestStringConvertible {
    public let sentence: String
    private let history: [Target.Event]
    private let command: Target.Command
    private let expected: Result<[Target.Event], Target.Refusal>
    private let now: Instant

    public init(
        _ sentence: String, given history: [Target.Event] = [], when command: Target.Command,
        then expected: Result<[Target.Event], Target.Refusal>,
        now: Instant = Instant(microseconds: 0)
    ) {
        self.sentence = sentence
        self.history = history
        self.command = command
        self.expected = expected
        self.now = now
    }

    public var testDescription: String { sentence }

    /// Folds the history as the query of the command finds it, decides, and compares.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) {
        var state = Target.State.blank
        var query = Target.query(for: command)
        for _ in 0..<8 {
            state = Target.State.blank
            for (index, event) in history.enumerated()
            where query.matches(kind: type(of: event.payload).kind, tags: event.payload.tags) {
                let envelope = Envelope(
                    position: Position(UInt64(index) + 1), occurredAt: now, recordedAt: now)
                Target.evolve(&state, with: event, envelope)
            }
            let wider = Target.query(for: command, knowing: state)
            if wider == query { break }
            query = wider
        }
        let actual: Result<[Target.Event], Target.Refusal>
        do throws(Target.Refusal) {
            actual = .success(try Target.decide(command, in: state, now: now))
        } catch {
            actual = .failure(error)
        }
        #expect(actual == expected, "\(sentence)", sourceLocation: sourceLocation)
    }
}
