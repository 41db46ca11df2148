public import Daybook

extension Assistant {
    /// The actions of a device and the care entries they become, for decisions that depend on both.
    public enum Desk: Projection {
        public enum Event: DecidedEvents {
            case assistant(Assistant.Event)
            case care(BabyCare.Event)

            public static let kinds: [StoredKind<Event>] =
                Assistant.Event.kinds.map { $0.widened(assistant) }
                + BabyCare.Event.kinds.map { $0.widened(care) }

            public var payload: any EventPayload {
                switch self {
                case .assistant(let event): event.payload
                case .care(let event): event.payload
                }
            }
        }

        public struct State: Record {
            public var device = Assistant.State()
            public var care = BabyCare.State()
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("device", &device, "care", &care)
            }
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .assistant(let event): Assistant.evolve(&state.device, with: event, envelope)
            case .care(let event): BabyCare.evolve(&state.care, with: event, envelope)
            }
        }
    }
}
