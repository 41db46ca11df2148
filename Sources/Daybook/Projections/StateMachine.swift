/// The states of a projection's entities, and the event kinds that lead from one state to another.
///
/// Tools compare a log with the machine to find transitions that are not declared, and declared
/// transitions that never happened.
public struct StateMachine: Sendable {
    /// A transition from one state to another, or to the same state.
    package struct Transition: Record, Hashable, Comparable {
        /// The state before the event; `StateMachine.beginning` before an entity's first event.
        public var from: String
        /// The event kind without its version: `launch.app-launched`.
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

    /// The name for the state of an entity before its first event.
    public static let beginning = "–"

    /// The name of the projection.
    public let projection: String
    /// The path of the field, within the projection's state, that holds the entity's current state.
    public let field: String
    /// The path of the field that counts illegal events; `nil` if no field counts them.
    ///
    /// If the projection's fold counts illegal events, its count decides whether a transition is
    /// legal, because the fold sees all fields of the state and not only `field`.
    public let illegalCountField: String?
    /// The declared transitions; the only legal ones, unless `illegalCountField` decides.
    package let legalTransitions: Set<Transition>

    /// Declares the transitions of a projection's entities.
    ///
    /// - Parameters:
    ///   - field: the path of the field that holds the state of the machine.
    ///   - steps: in each step, any of the events leads from any of the states `from` to any of the
    ///     states `to`; if `to` is empty, the state does not change. The events are event kinds
    ///     without their version.
    ///   - unexpected: the path of the field that counts illegal events; `nil` if no field does.
    public init(
        _ projection: String, field: String,
        _ steps: [(from: [String], events: [String], to: [String])], unexpected: String? = nil
    ) {
        self.projection = projection
        self.field = field
        illegalCountField = unexpected
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
        legalTransitions = legal
    }
}
