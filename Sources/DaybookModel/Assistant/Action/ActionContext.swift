import Daybook

extension Assistant {
    /// The projection of a device's last action and a baby's entries, for decisions that need both.
    enum ActionContext: Projection {
        enum Event: DecidedEvents {
            case assistant(Assistant.Event), care(BabyCare.Event)

            static let kinds: [StoredKind<Event>] =
                Assistant.Event.kinds.map { $0.widened(assistant) }
                + BabyCare.Event.kinds.map { $0.widened(care) }

            var payload: any EventPayload {
                switch self {
                case .assistant(let event): event.payload
                case .care(let event): event.payload
                }
            }
        }

        struct State: PlainRecord {
            var lastAction = Assistant.State()
            /// Entries, household members and voice clips of the baby.
            var care = BabyCare.State()
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("device", &lastAction, "care", &care)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .assistant(let event): Assistant.evolve(&state.lastAction, with: event, envelope)
            case .care(let event): BabyCare.evolve(&state.care, with: event, envelope)
            }
        }
    }
}
