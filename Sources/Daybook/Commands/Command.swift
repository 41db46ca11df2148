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
    /// The projection whose state it decides on.
    associatedtype Model: Projection where Model.Event: DecidedEvents

    /// Area and imperative: `launch.check-version`.
    static var name: String { get }

    /// The events that the decision depends on, and that nothing may be added to before it is
    /// appended.
    var query: Query { get }

    /// The same, once some of those events are folded: an entry tells its baby, the baby its
    /// household. It may only grow, and is read again until it no longer does.
    func query(knowing state: Model.State) -> Query

    /// The items of the query of which the newest event is enough, given those folded so far; it may
    /// only lose items. A reader may leave older events of theirs out, and need not.
    ///
    /// For a decision on the last of many, such as the device's launch before this one.
    func newest(knowing state: Model.State) -> Set<Query.Item>

    /// Decides without I/O, clock or chance. No events means there was nothing to do, so that
    /// sending the same command twice is safe.
    ///
    /// - Parameter now: when the command was given, by the device's clock.
    func decide(_ state: Model.State, now: Instant) throws(Refusal) -> [Model.Event]

    /// The same for a rule about local time, which asks the context for zones; without one it is
    /// `decide(_:now:)`.
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

    /// The events of the model that carry one of these tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }
}

/// The reason why a command is refused.
public struct Refusal: Error, Hashable, Sendable {
    /// A stable word for programs: `alreadyChecked`.
    public var code: String
    /// A sentence for people.
    public var message: String

    /// The event that stands against it, where one does.
    public var position: Position?

    public init(_ code: String, _ message: String, position: Position? = nil) {
        self.code = code
        self.message = message
        self.position = position
    }
}

extension Refusal {
    /// A case of the event set is missing from its `kinds`.
    static func unlistedKind(_ kind: EventKind, _ command: String) -> Refusal {
        Refusal(
            "unlistedKind",
            "'\(command)' gives \(kind), which is missing from the kinds of its model's events")
    }
}

/// A command that waits for the events it depends on: the state so far and the command.
public struct PendingCommand<Body: Command>: PendingDecision {
    /// The command that is decided.
    public let command: Body
    /// The circumstances in which the command was given.
    public let context: CommandContext
    private var state = Body.Model.State.blank
    private let reader = KindReader<Body.Model.Event>()

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
            for payload in try command.decide(state, in: context).map(\.payload) {
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
