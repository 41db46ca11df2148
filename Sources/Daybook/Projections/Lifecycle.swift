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
    private let legal: [Edge: Set<State>]
    private let projection: String
    private let field: String
    private let steps: [Step]
    private let unexpected: String?

    private struct Edge: Hashable {
        var kind: EventKind
        /// `nil` before the first event.
        var from: State?
    }

    /// A kind of event, the states in which it is legal, and the states to which it leads.
    public struct Step: Sendable {
        let kind: EventKind
        /// States in which the event is legal; `nil` is before the first event.
        let from: [State?]
        /// Empty if the event does not change the state.
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

    /// The life cycle as tools see it.
    ///
    /// It is made at each call, because decisions do not need the names of the states.
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
