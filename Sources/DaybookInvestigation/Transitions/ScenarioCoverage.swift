public import Daybook
public import DaybookScenarios

/// Counts the kinds of events and the declared transitions that scenarios cover.
public struct ScenarioCoverage: Sendable {
    /// A set of event kinds or transitions to cover, and its missing elements.
    public struct Part: Sendable {
        /// `kinds`, or the name of a state machine such as `run.state`.
        public var name: String
        /// Number of covered elements.
        public var covered: Int
        /// Names of the kinds, or texts of the transitions, that no scenario covers.
        public var missing: [String]

        /// Number of elements to cover.
        public var total: Int { covered + missing.count }
        /// Covered elements in percent, rounded down, so that 100 means all.
        public var percent: Int { total == 0 ? 100 : covered * 100 / total }
    }

    /// The catalogue with the kinds and the state machines.
    private let catalogue: Catalogue
    /// Kinds of events that occurred in scenarios.
    private var kinds: Set<EventKind> = []
    /// Declared transitions that occurred, by projection.
    private var coveredTransitions: [String: Set<StateMachine.Transition>] = [:]
    /// Transitions that occurred without being declared, by projection.
    private var undeclaredTransitions: [String: Set<StateMachine.Transition>] = [:]

    /// Creates the coverage of no scenario.
    public init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    /// Adds the events and transitions of a scenario that was run.
    public mutating func add(_ result: ScenarioResult) throws(FoldError) {
        kinds.formUnion(result.events.map(\.recorded.kind))
        let events = try result.events.map { (event) throws(FoldError) in
            try catalogue.upcast(event.recorded)
        }
        let identities = try Identities(events, in: catalogue)
        for (name, machine) in catalogue.machines {
            guard let projection = catalogue.projections[name] else { continue }
            var matrix = TransitionMatrix(machine, of: projection, rules: .standard)
            var walk = EntityWalk(of: projection, identities)
            if walk.needsReadAhead { events.forEach { walk.readAhead($0) } }
            for event in events where projection.kinds.contains(event.kind) {
                for key in walk.keys(of: event) { try matrix.apply(event.view, key) }
            }
            for count in matrix.transitions where count.count > 0 {
                if count.isLegal {
                    coveredTransitions[name, default: []].insert(count.transition)
                } else {
                    undeclaredTransitions[name, default: []].insert(count.transition)
                }
            }
        }
    }

    /// Coverage of the event kinds, then of each state machine.
    public var parts: [Part] {
        let all = Set(catalogue.events.keys).subtracting(Catalogue.kindsOfTheLog)
        let missing = all.subtracting(kinds).map(\.name).sorted()
        var parts = [Part(name: "kinds", covered: all.count - missing.count, missing: missing)]
        for (name, machine) in catalogue.machines.sorted(by: { $0.key < $1.key }) {
            let covered = machine.legal.intersection(coveredTransitions[name] ?? [])
            parts.append(
                Part(
                    name: "\(name).\(machine.field)", covered: covered.count,
                    missing: machine.legal.subtracting(covered).sorted().map {
                        "\($0.from) \($0.event) \($0.to)"
                    }))
        }
        return parts
    }

    /// Transitions that occurred in scenarios, but that no state machine declares.
    public var undeclared: [String] {
        undeclaredTransitions.flatMap { name, transitions in
            transitions.map { "\(name): \($0.from) \($0.event) \($0.to)" }
        }.sorted()
    }
}
