public import Daybook

extension Running {
    /// The fold of a runner's history with the runner's personal texts.
    public enum RunnerCard: Projection {
        public typealias Event = Running.Event

        public struct State: Record {
            public var runner = RunnerState()
            /// Newest name; `nil` if it is erased or personal texts are not readable.
            public var name: String?
            public var imageUrl: String?
            /// True once an image was recorded.
            public var hasImage = false
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("runner", &runner, "name", &name, "imageUrl", &imageUrl)
                try field("hasImage", &hasImage)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            RunnerView.evolve(&state.runner, with: event, envelope)
            guard case .runnerProfileChanged(let changed) = event else { return }
            if let name = changed.name { state.name = name.text }
            if let imageUrl = changed.imageUrl {
                state.imageUrl = imageUrl.text
                state.hasImage = true
            }
        }
    }
}
