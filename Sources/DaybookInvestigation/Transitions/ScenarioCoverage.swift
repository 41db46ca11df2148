public import Daybook
public import DaybookScenarios

/// Counts the event kinds and the declared transitions of state machines that scenarios cover.
public struct ScenarioCoverage: Sendable {
    /// The coverage of the event kinds, or of the transitions of one state machine.
    public struct Part: Sendable {
        /// The word `kinds` for the event kinds, or the name of a state machine such as
        /// `run.state`.
        public var name: String
        public var coveredCount: Int
        public var uncovered: [String]

        public var totalCount: Int { coveredCount + uncovered.count }
        /// Covered share in percent, rounded down, so that 100 means all.
        public var percent: Int { totalCount == 0 ? 100 : coveredCount * 100 / totalCount }
    }

    private let catalogue: Catalogue
    /// Event kinds that occurred in scenarios.
    private var kinds: Set<EventKind> = []
    /// Legal transitions that occurred, by projection.
    private var coveredByProjection: [String: Set<StateMachine.Transition>] = [:]
    /// Transitions that occurred without being legal, by projection.
    private var undeclaredByProjection: [String: Set<StateMachine.Transition>] = [:]

    public init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Marks as covered the event kinds and transitions that occurred when a scenario was run.
    public mutating func add(_ result: ScenarioResult) throws(FoldError) {
        kinds.formUnion(result.events.map(\.recorded.kind))
        let events = try result.events.map { (event) throws(FoldError) in
            try catalogue.upcast(event.recorded)
        }
        let identities = try Identities(events, in: catalogue)
        for (name, machine) in catalogue.machines {
            guard let projection = catalogue.projections[name] else { continue }
            var matrix = TransitionMatrix(machine, of: projection, rules: .standard)
            try EntityWalk.forEach(of: projection, in: events, identities) {
                (event, key) throws(FoldError) in try matrix.apply(event.view, key)
            }
            for count in matrix.transitions where count.count > 0 {
                if count.isLegal {
                    coveredByProjection[name, default: []].insert(count.transition)
                } else {
                    undeclaredByProjection[name, default: []].insert(count.transition)
                }
            }
        }
    }

    /// Coverage of the event kinds, then of each state machine.
    public var parts: [Part] {
        let all = Set(catalogue.events.keys).subtracting(Catalogue.kindsOfTheLog)
        let uncovered = all.subtracting(kinds).map(\.name).sorted()
        var parts = [
            Part(name: "kinds", coveredCount: all.count - uncovered.count, uncovered: uncovered)
        ]
        for (name, machine) in catalogue.machines.sorted(by: { $0.key < $1.key }) {
            let covered = machine.legalTransitions.intersection(coveredByProjection[name] ?? [])
            parts.append(
                Part(
                    name: "\(name).\(machine.field)", coveredCount: covered.count,
                    uncovered: machine.legalTransitions.subtracting(covered).sorted().map {
                        "\($0.from) \($0.event) \($0.to)"
                    }))
        }
        return parts
    }

    /// Transitions that occurred in scenarios, but that no state machine declares.
    public var undeclaredTransitions: [String] {
        undeclaredByProjection.flatMap { name, transitions in
            transitions.map { "\(name): \($0.from) \($0.event) \($0.to)" }
        }.sorted()
    }
}
