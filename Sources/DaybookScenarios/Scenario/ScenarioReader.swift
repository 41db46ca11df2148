import Daybook

/// Converts the syntax tree of a scenario file to steps and checks.
struct ScenarioReader {
    let file: String
    let catalogue: Catalogue
    /// Returns the text of a file with recorded events, given its path relative to the scenario's
    /// folder.
    let readRecordedFile: (String) throws(InputError) -> String
    /// The start of the scenario's clock, to which times such as `+2s` refer.
    var clock = Instant(microseconds: 0)

    /// The default start of the clock, 2025-01-21T14:53:54.567Z: the time of the mock tokens of
    /// source S0 (`docs/sources.md`).
    private static let defaultClock = Instant(microseconds: 1_737_471_234_567_000)

    /// Reads a whole scenario, to be run under one rule set.
    ///
    /// - Parameter variant: the label of the table row and the rule set; empty if the file has only
    ///   one scenario.
    mutating func scenario(
        _ tree: Tree, _ variant: String, _ rules: RuleSet
    ) throws(InputError) -> Scenario {
        let section = try Section(tree, "", keys: ScenarioFormat.scenario)
        var scenario = Scenario(
            title: try section.requiredText("scenario"), variant: variant,
            source: try section.text("source") ?? "", holds: try words(section, "holds"),
            file: file, line: tree.line, rules: rules, clock: Self.defaultClock,
            zone: try section.text("zone") ?? "UTC",
            network: try Network.withDefaultAnswers(
                of: catalogue.flows.values.sorted { $0.name < $1.name }), given: [], when: [],
            then: [])
        if let clock = tree["clock"] {
            let start = try TimeText.moment(clock, "clock", after: Self.defaultClock)
            scenario.clock = start.instant
            scenario.offsetS = start.offsetS
        }
        clock = scenario.clock
        if let network = tree["network"] {
            scenario.network = try Network(network, "network", before: scenario.network)
        }
        scenario.given = try steps(section, "given")
        scenario.when = try steps(section, "when")
        for (tree, path) in try section.list("then") { scenario.then.append(try check(tree, path)) }
        guard !scenario.then.isEmpty else {
            throw InputError(
                "the list of checks is missing or empty: a scenario without checks always passes",
                line: tree["then"]?.line ?? tree.line, field: "then")
        }
        try checkSteps(scenario)
        try checkRules(scenario)
        return scenario
    }

    /// Returns a list of texts without spaces; throws if the value is anything else.
    private func words(_ section: Section, _ key: String) throws(InputError) -> [String] {
        try section.list(key).map { (tree, path) throws(InputError) -> String in
            let word = try tree.text(path)
            guard !word.isEmpty, !word.contains(where: \.isWhitespace) else {
                throw .expected("a word", tree, path)
            }
            return word
        }
    }

    /// Throws if a check needs a state of a projection that does not support the scenario's rule
    /// set.
    private func checkRules(_ scenario: Scenario) throws(InputError) {
        for check in scenario.then {
            guard case .state(let projection, _, _, _) = check.body,
                let refusal = projection.refusal(of: scenario.rules)
            else { continue }
            throw InputError(refusal, line: check.line, field: "\(check.path).state.of")
        }
    }

    /// Throws if a check of a refusal refers to a step that `when` does not have.
    private func checkSteps(_ scenario: Scenario) throws(InputError) {
        var known = Set(scenario.when.indices.map { "\($0 + 1)" })
        for step in scenario.when { known.formUnion(step.names) }
        for check in scenario.then {
            guard case .refused(let step, _, let tree) = check.body, !known.contains(step) else {
                continue
            }
            throw .expected(
                "the number of a step of 'when' from 1 to \(scenario.when.count), or its name",
                tree["step"] ?? tree, "\(check.path).refused.step")
        }
    }

    /// Returns the description of an event kind; throws if the catalogue does not have the kind.
    func description(
        ofKind name: String, _ tree: Tree, _ field: String
    ) throws(InputError) -> EventDescription {
        if let kind = EventKind(name), let description = catalogue.events[kind] {
            return description
        }
        throw unknownNameError(
            "kind of event", tree, field, among: catalogue.events.keys.map(\.name))
    }

    /// Returns the event kinds with a name: one for `launch.app-launched.v1`, all versions for
    /// `launch.app-launched`. Throws if there are none.
    func kinds(
        named name: String, _ tree: Tree, _ field: String
    ) throws(InputError) -> Set<EventKind> {
        let kinds = catalogue.events.keys.filter { $0.name == name || $0.stem == name }
        guard !kinds.isEmpty else {
            throw unknownNameError(
                "kind of event", tree, field, among: catalogue.events.keys.map(\.name))
        }
        return Set(kinds)
    }

    /// Returns the error for an unknown name; the message lists the names of the same area, or else
    /// all names.
    func unknownNameError(
        _ noun: String, _ tree: Tree, _ field: String, among names: [String]
    ) -> InputError {
        let text: String = if case .text(let text) = tree.content { text } else { tree.plain ?? "" }
        let near = names.filter { $0.prefix { $0 != "." } == text.prefix { $0 != "." } }
        let expected = (near.isEmpty ? names : near).sorted().joined(separator: ", ")
        return InputError(
            "there is no \(noun) \"\(text)\"; expected \(expected)", line: tree.line, field: field)
    }
}

extension Scenario.Step {
    /// The name of the step and the names of its parallel steps, as far as they have names.
    fileprivate var names: [String] {
        var names = name.map { [$0] } ?? []
        if case .parallel(let steps) = action { names += steps.flatMap(\.names) }
        return names
    }
}
