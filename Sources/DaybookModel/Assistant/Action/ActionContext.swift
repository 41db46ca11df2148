public import Daybook

extension Assistant {
    /// The projection of a device's last action and a baby's entries, for decisions that need both.
    public enum ActionContext: Projection {
        /// Events of the assistant and of baby care.
        public enum Event: DecidedEvents {
            case assistant(Assistant.Event), care(BabyCare.Event)

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

        /// The last action of a device, and the entries of a baby.
        public struct State: Record {
            /// Last action of the device.
            public var lastAction = Assistant.State()
            /// Entries, household members and voice clips of the baby.
            public var care = BabyCare.State()
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("device", &lastAction, "care", &care)
            }
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .assistant(let event): Assistant.evolve(&state.lastAction, with: event, envelope)
            case .care(let event): BabyCare.evolve(&state.care, with: event, envelope)
            }
        }
    }
}
