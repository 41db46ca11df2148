/// The states an entity goes through, and the kinds of events that lead from one to the next.
///
/// Declared once, it guards the decisions (`allows`), and a tool finds with it the illegal steps
/// of a history, and draws the matrix of its transitions:
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

    /// One kind of event, the states it is legal in, and those it leads to.
    public struct Step: Sendable {
        let kind: EventKind
        let from: [State?]
        /// Empty where it stays in the state it is in.
        let to: [State]

        init(_ kind: EventKind, from: [State?], to: [State]) {
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// The kind is an entity's first event.
        public static func begins(_ payload: (some EventPayload).Type, _ to: State...) -> Step {
            Step(payload.kind, from: [nil], to: to)
        }

        /// The kind leads from any of some states to one of others; `nil` is before the first.
        public static func step(
            _ payload: (some EventPayload).Type, from: State?..., to: State...
        ) -> Step {
            Step(payload.kind, from: from, to: to)
        }

        /// The kind is legal in some states and leaves them.
        public static func stays(_ payload: (some EventPayload).Type, in states: State...) -> Step {
            Step(payload.kind, from: states, to: [])
        }
    }

    /// - Parameters:
    ///   - projection: whose entities live it.
    ///   - field: the field of the projection's state that holds the state.
    ///   - unexpected: the field that counts the events that did not fit, where states have one.
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

    /// The life cycle as tools see it, made each time: decisions never ask for the names of states.
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

    /// True where an event of this kind is legal in a state; `nil` is before the first event.
    public func allows(_ payload: (some EventPayload).Type, in state: State?) -> Bool {
        allows(payload.kind, in: state)
    }

    func allows(_ kind: EventKind, in state: State?) -> Bool {
        legal[Edge(kind: kind, from: state)] != nil
    }

    /// The states that an event of this kind is legal in, `nil` for before the first event.
    func states(before kind: EventKind) -> [State?] {
        ([nil] + State.allCases.map(Optional.some)).filter { allows(kind, in: $0) }
    }

    /// True where an event of this kind may lead from one state to another.
    public func allows(
        _ payload: (some EventPayload).Type, from state: State?, to next: State
    ) -> Bool {
        legal[Edge(kind: payload.kind, from: state)]?.contains(next) ?? false
    }
}
