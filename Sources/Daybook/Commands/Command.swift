/// A request to an area: its fields, the events it depends on, and its rule.
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

    /// Area and imperative: `launch.check-version`.
    static var name: String { get }

    /// The query of the events that the decision depends on.
    ///
    /// The decided events are appended only if no matching event was appended in the meantime.
    var query: Query { get }

    /// Returns the query, given the state after the events found so far; by default `query`.
    ///
    /// Events may lead to further events: an entry names its baby, and the baby its household. With
    /// more events in the state, the query may only grow. The events are read again until the query
    /// no longer grows.
    func query(knowing state: Model.State) -> Query

    /// Returns the items of the query whose newest event is sufficient; by default none.
    ///
    /// For decisions on the last of many events, such as the previous launch of a device. A reader
    /// may skip the older events of these items, but need not. With more events in the state, the
    /// set may only lose items.
    func newest(knowing state: Model.State) -> Set<Query.Item>

    /// Decides the command on a state, without I/O, clock or randomness.
    ///
    /// - Parameter now: the time of the command, by the device's clock.
    /// - Returns: the events to append; none if there is nothing to do, so that sending a command
    ///   twice is safe.
    /// - Throws: the reason why the command is refused.
    func decide(_ state: Model.State, now: Instant) throws(Refusal) -> [Model.Event]

    /// Decides the command in a context with time zones; by default calls `decide(_:now:)`.
    ///
    /// Commands with a rule about local time implement this method.
    func decide(_ state: Model.State, in context: CommandContext) throws(Refusal) -> [Model.Event]
}

extension Command {
    /// Calls `decide(_:now:)`, by default.
    public func decide(
        _ state: Model.State, in context: CommandContext
    ) throws(Refusal) -> [Model.Event] {
        try decide(state, now: context.now)
    }

    /// Returns `query`, by default.
    public func query(knowing state: Model.State) -> Query { query }

    /// Returns no items, by default.
    public func newest(knowing state: Model.State) -> Set<Query.Item> { [] }

    /// Returns the query of the model's events that have at least one of the tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }
}

/// The reason why a command is refused.
public struct Refusal: Error, Hashable, Sendable {
    /// A stable code for programs: `alreadyChecked`.
    public var code: String
    /// A sentence for people.
    public var message: String

    /// Position of the event that contradicts the command; `nil` if there is none.
    public var position: Position?

    public init(_ code: String, _ message: String, position: Position? = nil) {
        self.code = code
        self.message = message
        self.position = position
    }
}

extension Refusal {
    /// The refusal of a command that gives a kind missing from the `kinds` of its event set.
    static func unlistedKind(_ kind: EventKind, _ command: String) -> Refusal {
        Refusal(
            "unlistedKind",
            "'\(command)' gives \(kind), which is missing from the kinds of its model's events")
    }
}

/// A command, and the state folded from the events fed so far.
package struct PendingCommand<Body: Command>: PendingDecision {
    /// The command that is decided.
    public let command: Body
    /// The time and origin of the command.
    public let context: CommandContext
    private var state = Body.Model.State.blank
    private let reader = KindReader<Body.Model.Event>.shared()

    /// Creates a decision that has folded no events.
    public init(_ command: Body, context: CommandContext) {
        self.command = command
        self.context = context
    }

    public var query: Query { command.query(knowing: state) }

    public var newest: Set<Query.Item> { command.newest(knowing: state) }

    public mutating func restart() {
        state = Body.Model.State.blank
    }

    public var commandType: ObjectIdentifier? { ObjectIdentifier(Body.self) }

    public mutating func resume(from folded: FoldedModel) -> Bool {
        guard let folded = folded as? FoldedState<Body.Model> else { return false }
        swap(&state, &folded.state)
        return true
    }

    public mutating func leave() -> FoldedModel? {
        let folded = FoldedState<Body.Model>()
        swap(&state, &folded.state)
        return folded
    }

    public mutating func fold(_ event: borrowing EventView) throws(FoldError) {
        guard let known = try reader.read(event) else { return }
        Body.Model.evolve(&state, with: known, event.envelope)
    }

    public func outcome() -> Outcome {
        do throws(Refusal) {
            let asked = command.query(knowing: .blank)
            if let reason = asked.malformedTag { throw Refusal(Refusal.invalidTag, reason) }
            var events: [NewEvent] = []
            for event in try command.decide(state, in: context) {
                let payload = event.payload
                let kind = type(of: payload).kind
                guard reader.reads(kind) else { throw .unlistedKind(kind, Body.name) }
                events.append(try payload.decidedEvent(in: context))
            }
            return .events(events)
        } catch {
            return .refused(error)
        }
    }
}
