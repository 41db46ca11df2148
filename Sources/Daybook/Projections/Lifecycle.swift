/// The states of an entity, and the kinds of events that lead from one state to another.
///
/// The same declaration guards decisions (`allows`), and lets a tool find the illegal steps of a
/// history and draw its matrix of transitions:
///
///     static let lifecycle = Lifecycle<Status>("copy", field: "status", [
///         .begins(CopyAdded.self, .available),
///         .step(CopyBorrowed.self, from: .available, to: .lent),
///         .step(CopyReturned.self, from: .lent, to: .available),
///         .stays(DueDateMoved.self, in: .lent),
///     ])
public struct Lifecycle<State: StoredEnum>: Sendable {
    /// The states after each legal event, by its kind and the state before it.
    private let legal: [Edge: Set<State>]
    /// The name of the projection.
    private let projection: String
    /// The field of the projection's state that holds the state of the life cycle.
    private let field: String
    /// The declared steps.
    private let steps: [Step]
    /// The field that counts illegal events; `nil` if there is none.
    private let unexpected: String?

    /// A kind of event, and the state before it.
    private struct Edge: Hashable {
        /// The kind of the event.
        var kind: EventKind
        /// The state before the event; `nil` before the first event.
        var from: State?
    }

    /// A kind of event, the states in which it is legal, and the states to which it leads.
    public struct Step: Sendable {
        /// The kind of the event.
        let kind: EventKind
        /// States in which the event is legal; `nil` is before the first event.
        let from: [State?]
        /// States to which the event leads; empty if it does not change the state.
        let to: [State]

        init(_ kind: EventKind, from: [State?], to: [State]) {
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// Declares a kind that is an entity's first event and leads to one of some states.
        public static func begins(_ payload: (some EventPayload).Type, _ to: State...) -> Step {
            Step(payload.kind, from: [nil], to: to)
        }

        /// Declares a kind that leads from any state in `from` to a state in `to`.
        ///
        /// `nil` in `from` means before the first event.
        public static func step(
            _ payload: (some EventPayload).Type, from: State?..., to: State...
        ) -> Step {
            Step(payload.kind, from: from, to: to)
        }

        /// Declares a kind that is legal in some states and does not change them.
        public static func stays(_ payload: (some EventPayload).Type, in states: State...) -> Step {
            Step(payload.kind, from: states, to: [])
        }
    }

    /// Declares the life cycle of a projection's entities.
    ///
    /// - Parameters:
    ///   - projection: the name of the projection.
    ///   - field: the field of the projection's state that holds the state of the life cycle.
    ///   - unexpected: the field that counts illegal events; `nil` if there is none.
    public init(
        _ projection: String, field: String, _ steps: [Step], unexpected: String? = nil
    ) {
        var legal: [Edge: Set<State>] = [:]
        for step in steps {
            for from in step.from {
                let to = step.to.isEmpty ? [from].compactMap(\.self) : step.to
                legal[Edge(kind: step.kind, from: from), default: []].formUnion(to)
            }
        }
        self.legal = legal
        self.projection = projection
        self.field = field
        self.steps = steps
        self.unexpected = unexpected
    }

    /// The life cycle as a table of transitions, for tools.
    ///
    /// It is created at each access, because decisions do not need the names of the states.
    public var machine: StateMachine {
        StateMachine(
            projection, field: field,
            steps.map { step in
                (
                    step.from.map { $0?.name ?? StateMachine.beginning },
                    [step.kind.stem.description],
                    step.to.map(\.name)
                )
            }, unexpected: unexpected)
    }

    /// True if an event of this kind is legal in a state; `nil` is before the first event.
    public func allows(_ payload: (some EventPayload).Type, in state: State?) -> Bool {
        allows(payload.kind, in: state)
    }

    /// True if an event of this kind is legal in a state; `nil` is before the first event.
    func allows(_ kind: EventKind, in state: State?) -> Bool {
        legal[Edge(kind: kind, from: state)] != nil
    }

    /// Returns the states in which a kind is legal; `nil` is before the first event.
    func states(before kind: EventKind) -> [State?] {
        ([nil] + State.allCases.map(Optional.some)).filter { allows(kind, in: $0) }
    }

    /// True if an event of this kind may lead from one state to another.
    public func allows(
        _ payload: (some EventPayload).Type, from state: State?, to next: State
    ) -> Bool {
        legal[Edge(kind: payload.kind, from: state)]?.contains(next) ?? false
    }
}
