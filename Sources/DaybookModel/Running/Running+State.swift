public import Daybook

extension Running {
    /// The runs and runners that a decision depends on.
    public struct State: Record {
        public var runs: [String: Run] = [:]
        public var runners: [String: Runner] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runs", &runs, "runners", &runners)
        }

        /// Returns the run with this id; refuses an unknown run.
        func run(_ runId: String) throws(Refusal) -> Run {
            guard let run = runs[runId], !run.runId.isEmpty else { throw .runNotFound(runId) }
            return run
        }
    }

    /// A runner's profile.
    public struct Runner: Record {
        /// True once a profile was recorded.
        public var isKnown = false
        public var weightG: Int64?
        public var zone: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isKnown", &isKnown, "weightG", &weightG, "zone", &zone)
        }

        mutating func apply(_ changed: RunnerProfileChanged) {
            isKnown = true
            weightG = changed.weightG ?? weightG
            zone = changed.zone ?? zone
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        if case .runnerProfileChanged(let changed) = event {
            state.runners[changed.userId, default: Runner()].apply(changed)
        }
        guard let runId = event.runId else { return }
        state.runs[runId, default: Run()].apply(event)
    }

    /// A command about one run, which depends on that run's events.
    public protocol RunCommand: Command where Model == Running {
        var runId: String { get }
    }

    /// Returns the query item for all events of a run.
    static func runItem(_ runId: String) -> Query.Item {
        Query.Item(kinds: runKinds, tags: [tag(runId)])
    }

    /// Returns the query item for the changes of a runner's profile.
    static func profileItem(_ userId: String) -> Query.Item {
        Query.Item(kinds: [RunnerProfileChanged.kind], tags: [userTag(userId)])
    }

    /// Returns a query for the events of a runner's profile.
    public static func profileQuery(_ userId: String) -> Query { Query(profileItem(userId)) }
}

extension Running.RunCommand {
    public var query: Query { Query(Running.runItem(runId)) }
}
