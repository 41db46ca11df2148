/// Which states a projection's entities go through, and by which events.
///
/// What a log shows is held against it: transitions that are not declared, and declared ones that
/// never happened.
public struct StateMachine: Sendable {
    /// One step, also one that stays where it is.
    public struct Transition: Hashable, Comparable, Sendable {
        /// `StateMachine.beginning` before the first event.
        public var from: String
        /// A kind without its version: `launch.app-launched`.
        public var event: String
        public var to: String

        public init(from: String, event: String, to: String) {
            self.from = from
            self.event = event
            self.to = to
        }

        public static func < (a: Transition, b: Transition) -> Bool {
            (a.from, a.event, a.to) < (b.from, b.event, b.to)
        }
    }

    /// What stands for an entity of which nothing was told yet.
    public static let beginning = "–"

    /// Of the projection.
    public let projection: String
    /// Which field of its state it is about.
    public let field: String
    public let legal: Set<Transition>

    /// - Parameter steps: each says from where, by which kinds without version, and to where; one
    ///   without a place to go stays where it is.
    public init(
        _ projection: String, field: String,
        _ steps: [(from: [String], events: [String], to: [String])]
    ) {
        self.projection = projection
        self.field = field
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
