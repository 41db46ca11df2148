/// The states of a projection's entities and the events that lead from one to another.
///
/// A log is compared with the machine to find undeclared transitions, and declared transitions that
/// never happened.
public struct StateMachine: Sendable {
    /// A transition, possibly to the same state.
    public struct Transition: Record, Comparable {
        /// The state before the event; `StateMachine.beginning` before an entity's first event.
        public var from: String
        /// The kind of the event without its version: `launch.app-launched`.
        public var event: String
        /// The state after the event.
        public var to: String

        public init(from: String, event: String, to: String) {
            self.from = from
            self.event = event
            self.to = to
        }

        public static func < (a: Transition, b: Transition) -> Bool {
            (a.from, a.event, a.to) < (b.from, b.event, b.to)
        }

        public static var blank: Self { Self(from: "", event: "", to: "") }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("from", &from, "event", &event, "to", &to)
        }
    }

    /// State of an entity before its first event.
    public static let beginning = "–"

    /// Name of the projection.
    public let projection: String
    /// Path of the field that holds the state.
    public let field: String
    /// Path of the field that counts illegal events; `nil` if the state has no such field.
    ///
    /// The fold sees all fields of the state, not only `field`. If it counts illegal events itself,
    /// its count decides, under every rule set, whether a transition is legal.
    public let unexpected: String?
    /// The declared transitions.
    public let legal: Set<Transition>

    /// Declares the transitions of a projection's entities.
    ///
    /// - Parameters:
    ///   - steps: for each step the states before, the kinds without their version, and the states
    ///     after; without states after, the state does not change.
    ///   - unexpected: path of the field that counts illegal events; `nil` if there is none.
    public init(
        _ projection: String, field: String,
        _ steps: [(from: [String], events: [String], to: [String])], unexpected: String? = nil
    ) {
        self.projection = projection
        self.field = field
        self.unexpected = unexpected
        var legal: Set<Transition> = []
        for step in steps {
            for from in step.from {
                for event in step.events {
                    for to in step.to {
                        legal.insert(Transition(from: from, event: event, to: to))
                    }
                    if step.to.isEmpty {
                        legal.insert(Transition(from: from, event: event, to: from))
                    }
                }
            }
        }
        self.legal = legal
    }
}
