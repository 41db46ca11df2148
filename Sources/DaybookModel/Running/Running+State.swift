package import Daybook

extension Running {
    /// The runs and runners that a decision depends on.
    package struct State: PlainRecord {
        package var runs: [String: Run] = [:]
        /// Profiles by user id.
        package var runners: [String: Runner] = [:]
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runs", &runs, "runners", &runners)
        }

        /// Returns the run with this id; throws `runNotFound` if there is none.
        func run(_ runId: String) throws(Refusal) -> Run {
            guard let run = runs[runId], !run.runId.isEmpty else { throw .runNotFound(runId) }
            return run
        }
    }

    /// A runner's profile.
    package struct Runner: PlainRecord {
        package var isKnown = false
        package var weightG: Int64?
        package var zone: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isKnown", &isKnown, "weightG", &weightG, "zone", &zone)
        }

        /// Updates the profile; fields that the event leaves out keep their values.
        mutating func apply(_ changed: RunnerProfileChanged) {
            isKnown = true
            weightG = changed.weightG ?? weightG
            zone = changed.zone ?? zone
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        if case .runnerProfileChanged(let changed) = event {
            state.runners[changed.userId, default: Runner()].apply(changed)
        }
        guard let runId = event.runId else { return }
        state.runs[runId, default: Run()].apply(event)
    }

    /// A command on one run, decided from the events of that run.
    package protocol RunCommand: Command where Model == Running {
        var runId: String { get }
    }

    static func runItem(_ runId: String) -> Query.Item {
        Query.Item(kinds: runKinds, tags: [tag(runId)])
    }

    static func profileItem(_ userId: String) -> Query.Item {
        Query.Item(kinds: [RunnerProfileChanged.kind], tags: [userTag(userId)])
    }

    /// Returns a query for the profile changes of one runner.
    static func profileQuery(_ userId: String) -> Query { Query(profileItem(userId)) }
}

extension Running.RunCommand {
    package var query: Query { Query(Running.runItem(runId)) }
}
