/// The states of an entity's life cycle, and the event kinds that lead from one state to another.
///
/// Commands use it to decide whether an event is legal (`allows`). Tools use it to find the illegal
/// events of a history, and to draw a matrix of the transitions:
///
///     static let lifecycle = Lifecycle<Status>("copy", field: "status", [
///         .begins(CopyAdded.self, .available),
///         .step(CopyBorrowed.self, from: .available, to: .lent),
///         .step(CopyReturned.self, from: .lent, to: .available),
///         .stays(DueDateMoved.self, in: .lent),
///     ])
public struct Lifecycle<State: StoredEnum>: Sendable {
    /// The possible states after a legal event, by the event's kind and the state before it.
    private let nextStates: [KindAndState: Set<State>]
    /// The name of the projection whose entities have the life cycle.
    private let projection: String
    /// The field of the projection's state that holds the state of the life cycle.
    private let field: String
    /// The declared event kinds, each with the states before and after such an event.
    private let steps: [Step]
    /// The field of the projection's state that counts illegal events; `nil` if none does.
    private let illegalCountField: String?

    /// An event kind, together with a state before an event of the kind.
    private struct KindAndState: Hashable {
        /// The event kind.
        var kind: EventKind
        /// The state before the event; `nil` if the event is the entity's first event.
        var from: State?
    }

    /// An event kind, with the states in which it is legal and the states to which it leads.
    public struct Step: Sendable {
        /// The event kind.
        let kind: EventKind
        /// The states in which the event is legal; `nil` is the state before the first event.
        let from: [State?]
        /// The states to which the event may lead; empty if it does not change the state.
        let to: [State]

        init(_ kind: EventKind, from: [State?], to: [State]) {
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// Declares the kind of an entity's first event, which leads to one of the states `to`.
        public static func begins(_ payload: (some EventPayload).Type, _ to: State...) -> Step {
            Step(payload.kind, from: [nil], to: to)
        }

        /// Declares an event kind that leads from any state in `from` to one of the states in `to`.
        ///
        /// `nil` in `from` is the state before an entity's first event.
        public static func step(
            _ payload: (some EventPayload).Type, from: State?..., to: State...
        ) -> Step {
            Step(payload.kind, from: from, to: to)
        }

        /// Declares an event kind that is legal in the given states and does not change the state.
        public static func stays(_ payload: (some EventPayload).Type, in states: State...) -> Step {
            Step(payload.kind, from: states, to: [])
        }
    }

    /// Declares the life cycle of a projection's entities.
    ///
    /// - Parameters:
    ///   - projection: the name of the projection.
    ///   - field: the field of the projection's state that holds the state of the life cycle.
    ///   - steps: the steps that the life cycle allows.
    ///   - unexpected: the field of the projection's state that counts illegal events; `nil` if no
    ///     field does.
    public init(
        _ projection: String, field: String, _ steps: [Step], unexpected: String? = nil
    ) {
        var nextStates: [KindAndState: Set<State>] = [:]
        for step in steps {
            for from in step.from {
                let to = step.to.isEmpty ? [from].compactMap(\.self) : step.to
                nextStates[KindAndState(kind: step.kind, from: from), default: []].formUnion(to)
            }
        }
        self.nextStates = nextStates
        self.projection = projection
        self.field = field
        self.steps = steps
        illegalCountField = unexpected
    }

    /// The life cycle as a table of transitions with the names of the states, for tools.
    ///
    /// The table is created at each access, because commands do not need it.
    public var machine: StateMachine {
        StateMachine(
            projection, field: field,
            steps.map { step in
                (
                    step.from.map { $0?.name ?? StateMachine.beginning },
                    [step.kind.stem.description],
                    step.to.map(\.name)
                )
            }, unexpected: illegalCountField)
    }

    /// True if an event with this payload type is legal in a state.
    ///
    /// - Parameter state: the state before the event; `nil` before the entity's first event.
    public func allows(_ payload: (some EventPayload).Type, in state: State?) -> Bool {
        allows(payload.kind, in: state)
    }

    /// True if an event of this kind is legal in a state; the state before any event is `nil`.
    func allows(_ kind: EventKind, in state: State?) -> Bool {
        nextStates[KindAndState(kind: kind, from: state)] != nil
    }

    /// Returns the states in which events of a kind are legal; the state before any event is `nil`.
    func states(before kind: EventKind) -> [State?] {
        ([nil] + State.allCases.map(Optional.some)).filter { allows(kind, in: $0) }
    }

    /// True if an event with this payload type may lead from `state` to `next`.
    ///
    /// - Parameter state: the state before the event; `nil` before the entity's first event.
    public func allows(
        _ payload: (some EventPayload).Type, from state: State?, to next: State
    ) -> Bool {
        nextStates[KindAndState(kind: payload.kind, from: state)]?.contains(next) ?? false
    }
}
