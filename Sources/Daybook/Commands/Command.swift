/// A request to an area: its fields, the query of the events to decide on, and the decision.
///
///     public struct Borrow: Command {
///         public typealias Model = Loans
///         public static let name = "lending.borrow"
///         public var copy = ""
///         // … fields
///         public var query: Query { .any(of: Loans.kinds, Tag("copy", copy)) }
///         public func decide(
///             _ loans: Loans.State, now: Instant
///         ) throws(Refusal) -> [Event] { … }
///     }
public protocol Command<Model>: Record {
    /// The projection whose state the command decides on.
    associatedtype Model: Projection where Model.Event: DecidedEvents

    /// The name of the command, an area and an imperative: `launch.check-version`.
    static var name: String { get }

    /// The query of the events that the decision depends on.
    ///
    /// The decided events are appended only if no matching event was appended in the meantime.
    var query: Query { get }

    /// Returns the query, given the state after the events found so far; by default `query`.
    ///
    /// An event may refer to further events: an entry names a baby, and the baby a household. With
    /// more events in the state, the query may only grow. The events are read again until the query
    /// no longer grows.
    func query(knowing state: Model.State) -> Query

    /// Returns the query items of which only the newest matching event is needed; by default none.
    ///
    /// This is for decisions on the last of many events, such as the previous launch of a device. A
    /// reader may skip the older events of these items, but need not. With more events in the
    /// state, the set may only lose items.
    func newest(knowing state: Model.State) -> Set<Query.Item>

    /// Decides the command on a state, without I/O, clock or randomness.
    ///
    /// - Parameter now: the time of the command, by the device's clock.
    /// - Returns: the events to append; none if there is nothing to do, as when a command is sent
    ///   a second time.
    /// - Throws: the reason why the command is refused.
    func decide(_ state: Model.State, now: Instant) throws(Refusal) -> [Model.Event]

    /// Decides the command in a context with time zones; by default calls `decide(_:now:)`.
    ///
    /// Commands with a rule about local time implement this method.
    func decide(_ state: Model.State, in context: CommandContext) throws(Refusal) -> [Model.Event]
}

extension Command {
    public func decide(
        _ state: Model.State, in context: CommandContext
    ) throws(Refusal) -> [Model.Event] {
        try decide(state, now: context.now)
    }

    public func query(knowing state: Model.State) -> Query { query }

    public func newest(knowing state: Model.State) -> Set<Query.Item> { [] }

    /// Returns the query of the model's events that have at least one of the tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }
}

/// The reason why a command is refused.
public struct Refusal: Error, Hashable, Sendable {
    /// A stable code by which programs recognise the reason: `alreadyChecked`.
    public var code: String
    /// The reason as a sentence for people.
    public var message: String
    /// Position of the event that contradicts the command; `nil` if there is none.
    public var position: Position?

    public init(_ code: String, _ message: String, position: Position? = nil) {
        self.code = code
        self.message = message
        self.position = position
    }

    /// Returns the refusal of a command that decides an event which its model cannot read.
    static func unlistedKind(_ kind: EventKind, _ command: String) -> Refusal {
        Refusal(
            "unlistedKind",
            "the command '\(command)' decides an event of the kind \(kind), which is missing "
                + "from the event set of the command's model")
    }
}

/// A command that is not yet decided, with the state folded from the events fed to it so far.
package struct PendingCommand<Body: Command>: PendingDecision {
    /// The command to decide.
    public let command: Body
    /// The time and the time zone of the command.
    public let context: CommandContext
    /// The state folded from the events so far.
    private var state = Body.Model.State.blank
    /// True if `state` is blank, because no event was folded.
    private var isBlank = true
    /// The query of the command as long as no event is known.
    private let blankQuery: Query
    private let reader = KindReader<Body.Model.Event>.shared()

    /// Creates a decision that has folded no events.
    public init(_ command: Body, context: CommandContext) {
        self.command = command
        self.context = context
        blankQuery = command.query(knowing: .blank)
    }

    public var query: Query { isBlank ? blankQuery : command.query(knowing: state) }
    public var newest: Set<Query.Item> { command.newest(knowing: state) }

    public mutating func restart() {
        state = Body.Model.State.blank
        isBlank = true
    }

    public var commandType: ObjectIdentifier? { ObjectIdentifier(Body.self) }

    public mutating func resume(from folded: FoldedModel) -> Bool {
        guard let folded = folded as? FoldedState<Body.Model> else { return false }
        swap(&state, &folded.state)
        isBlank = false
        return true
    }

    public mutating func takeState() -> FoldedModel? {
        let folded = FoldedState<Body.Model>()
        swap(&state, &folded.state)
        isBlank = true
        return folded
    }

    public mutating func fold(_ event: borrowing EventView) throws(FoldError) {
        guard let known = try reader.read(event) else { return }
        isBlank = false
        Body.Model.evolve(&state, with: known, event.envelope)
    }

    public func outcome() -> Outcome {
        do throws(Refusal) {
            if let reason = blankQuery.malformedTagReason {
                throw Refusal(Refusal.invalidTag, reason)
            }
            let decided = try command.decide(state, in: context)
            var events: [NewEvent] = []
            events.reserveCapacity(decided.count)
            // By index, because a copy of an event counts a reference to each of its texts.
            for index in decided.indices {
                let payload = decided[index].payload
                let kind = type(of: payload).kind
                guard let layout = reader.layouts.value[kind] else {
                    throw .unlistedKind(kind, Body.name)
                }
                events.append(try payload.decidedEvent(in: context, layout.value))
            }
            return .events(events)
        } catch {
            return .refused(error)
        }
    }
}

extension Command {
    /// Returns the command prepared for its decision, which is made later.
    package func pending(in context: CommandContext) -> any PendingDecision {
        PendingCommand(self, context: context)
    }
}
