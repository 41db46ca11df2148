public import CivilTime
public import EventSourcing

/// Runs scenarios on a virtual clock, against a scripted network and a log in memory.
///
/// Equal scenarios give equal events: nothing reads a real clock.
public struct ScenarioRunner: Sendable {
    private let catalogue: Catalogue
    private let zones: ZoneSource?
    private let stepLimit: Int

    /// - Parameters:
    ///   - zones: what reports count civil days with.
    ///   - stepLimit: how many steps of flows a scenario may take before it counts as one that
    ///     never comes to rest.
    public init(catalogue: Catalogue, zones: ZoneSource? = nil, stepLimit: Int = 100_000) {
        self.catalogue = catalogue
        self.zones = zones
        self.stepLimit = stepLimit
    }

    /// Every variant of a file.
    public func run(_ file: ScenarioFile) throws(InputError) -> [ScenarioResult] {
        var results: [ScenarioResult] = []
        for scenario in file.scenarios { results.append(try run(scenario)) }
        return results
    }

    /// - Throws: where a step or an answer does not fit what it is given to.
    public func run(_ scenario: Scenario) throws(InputError) -> ScenarioResult {
        var world = World(scenario, catalogue, stepLimit: stepLimit)
        var givenHead = Position.origin
        do throws(Stop) {
            for step in scenario.given { try perform(step, 0, in: &world) }
            try world.settle()
            givenHead = world.head
            try world.advance(to: scenario.clock)
            for (index, step) in scenario.when.enumerated() {
                try perform(step, index + 1, in: &world)
            }
            try world.settle()
        } catch {
            if case .input(let error) = error { throw error }
        }
        let judge = Judge(
            world: world, givenHead: givenHead, catalogue: catalogue, zones: zones)
        return ScenarioResult(
            scenario: scenario, failures: judge.failures(), events: judge.recorded(),
            givenHead: givenHead)
    }

    private func perform(
        _ step: Scenario.Step, _ number: Int, in world: inout World
    ) throws(Stop) {
        if let at = step.at {
            if at.instant > world.now {
                try world.advance(to: at.instant)
            } else if at.instant < world.now {
                guard case .event = step.action else {
                    throw .input(
                        InputError(
                            "lies before the step in front of it; only an event may be late",
                            file: step.file ?? world.scenario.file, line: step.line,
                            field: "\(step.path).at"))
                }
            }
        }
        try act(step, number, [:], in: &world)
        try world.advance(to: world.now)
    }

    private func act(
        _ step: Scenario.Step, _ number: Int, _ values: [String: Tree], in world: inout World
    ) throws(Stop) {
        let origin = StepOrigin(
            path: step.path, line: step.line, file: step.file, name: step.name, number: number,
            offsetS: step.at?.offsetS, metadata: step.metadata)
        for index in 1...step.repetitions {
            var values = values
            if step.repetitions > 1 || values["i"] == nil { values["i"] = .plain(index) }
            switch step.action {
            case .parallel(let steps):
                for step in steps { try act(step, number, values, in: &world) }
            case .input(let flow, let name, let tree):
                let tree = try filled(tree, "with", values, origin, world)
                try world.give(tree, as: name, to: flow, origin)
            case .command(let command, let tree):
                let tree = try filled(tree, "with", values, origin, world)
                let decision = try reading(origin, world) { () throws(InputError) in
                    try command.read(
                        tree, "\(origin.path).with", .standard, world.context(origin))
                }
                _ = try world.decide(command.name, decision, origin)
            case .event(let description, let tree):
                let tree = try filled(tree, "data", values, origin, world)
                // Given events are history, which no limit refuses.
                let rules = number == 0 ? InputRules.standard.ofHistory : .standard
                var event = try reading(origin, world) { () throws(InputError) in
                    try description.read(tree, "\(origin.path).data", rules)
                }
                let context = world.context(origin)
                event.occurredAt = step.at?.instant ?? context.now
                event.zone = context.zone
                event.offsetS = context.offsetS
                world.append([event], origin)
            case .wait(let microseconds):
                try world.advance(to: world.now.advanced(byMicroseconds: microseconds))
            case .restart: world.restart()
            case .nothing: break
            }
        }
    }

    private func filled(
        _ tree: Tree, _ key: String, _ values: [String: Tree], _ origin: StepOrigin,
        _ world: World
    ) throws(Stop) -> Tree {
        try reading(origin, world) { () throws(InputError) in
            try Placeholders(values, keepsLate: false).fill(tree, "\(origin.path).\(key)")
        }
    }

    private func reading<Value>(
        _ origin: StepOrigin, _ world: World, _ body: () throws(InputError) -> Value
    ) throws(Stop) -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw .input(
                error.file == nil ? error.inFile(origin.file ?? world.scenario.file) : error)
        }
    }
}
