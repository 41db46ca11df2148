package import Daybook

extension Running {
    /// The fold of a runner's history, including the personal texts: name and image URL.
    package enum RunnerCard: Projection {
        package typealias Event = Running.Event

        package struct State: PlainRecord {
            /// Profile, totals and runs, without personal texts.
            package var runner = RunnerState()
            /// Newest name; `nil` if none is recorded, or if it is erased or cannot be read.
            package var name: String?
            /// Newest image URL; `nil` if none is recorded, or if it is erased or cannot be read.
            package var imageUrl: String?
            var hasImage = false
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("runner", &runner, "name", &name, "imageUrl", &imageUrl)
                try field("hasImage", &hasImage)
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
