public import Daybook
import DaybookInput

/// Runs scenarios with a virtual clock, a scripted network and a log in memory.
///
/// Equal scenarios produce equal events, because nothing reads a real clock.
public struct ScenarioRunner: Sendable {
    private let catalogue: Catalogue
    private let zones: ZoneSource?
    /// Maximum number of steps that all flows of one scenario may take.
    private let stepLimit: Int

    /// Creates a runner for the events, commands and flows of a catalogue.
    ///
    /// - Parameters:
    ///   - zones: the tz database, with which reports count civil days; `nil` if none is available.
    ///   - stepLimit: the maximum number of steps that all flows of one scenario may take; a
    ///     scenario that needs more fails as an endless loop.
    public init(catalogue: Catalogue, zones: ZoneSource? = nil, stepLimit: Int = 100_000) {
        self.catalogue = catalogue
        self.zones = zones
        self.stepLimit = stepLimit
    }

    /// Runs every variant of a scenario file, and returns one result for each.
    public func run(_ file: ScenarioFile) throws(InputError) -> [ScenarioResult] {
        var results: [ScenarioResult] = []
        for scenario in file.scenarios { results.append(try run(scenario)) }
        return results
    }

    /// Runs one scenario, and returns its result.
    ///
    /// - Throws: `InputError` if a step or a scripted answer does not fit the command, event or
    ///   flow that receives it.
    public func run(_ scenario: Scenario) throws(InputError) -> ScenarioResult {
        var simulation = ScenarioSimulation(scenario, catalogue, zones: zones, stepLimit: stepLimit)
        var givenHead = Position.origin
        do throws(ScenarioStop) {
            for step in scenario.given { try perform(step, 0, in: &simulation) }
            try simulation.settle()
            givenHead = simulation.head
            try simulation.advance(to: scenario.clock)
            for (index, step) in scenario.when.enumerated() {
                try perform(step, index + 1, in: &simulation)
            }
            try simulation.settle()
        } catch {
            if case .input(let error) = error { throw error }
        }
        let verifier = ScenarioVerifier(
            simulation: simulation, givenHead: givenHead, catalogue: catalogue, zones: zones)
        return ScenarioResult(
            scenario: scenario, failures: verifier.failures(), events: verifier.recordedEvents(),
            givenHead: givenHead)
    }

    /// Advances the clock to the time of a step, and performs the step.
    private func perform(
        _ step: Scenario.Step, _ number: Int, in simulation: inout ScenarioSimulation
    ) throws(ScenarioStop) {
        if let at = step.at {
            if at.instant > simulation.now {
                try simulation.advance(to: at.instant)
            } else if at.instant < simulation.now {
                guard case .event = step.action else {
                    throw .input(
                        InputError(
                            "the time of the step is before the time of the previous step; "
                                + "only an event may go back in time",
                            file: step.file ?? simulation.scenario.file, line: step.line,
                            field: "\(step.path).at"))
                }
            }
        }
        try performAction(step, number, [:], in: &simulation)
        try simulation.advance(to: simulation.now)
    }

    /// Performs the action of a step as many times as the step states.
    ///
    /// - Parameter number: the number of the step in `when`, from 1; 0 in `given`.
    private func performAction(
        _ step: Scenario.Step, _ number: Int, _ values: [String: Tree],
        in simulation: inout ScenarioSimulation
    ) throws(ScenarioStop) {
        let origin = StepOrigin(
            path: step.path, line: step.line, file: step.file, name: step.name, number: number,
            offsetS: step.at?.offsetS, metadata: step.metadata)
        if let reason = step.metadata.unstorableReason {
            throw unstorableError(reason, "", origin, simulation)
        }
        for index in 1...step.repetitions {
            var values = values
            if step.repetitions > 1 || values["i"] == nil { values["i"] = .plain(index) }
            switch step.action {
            case .parallel(let steps):
                for step in steps { try performAction(step, number, values, in: &simulation) }
            case .input(let flow, let name, let tree):
                let tree = try filledValue(tree, "with", values, origin, simulation)
                try simulation.giveInput(tree, as: name, to: flow, origin)
            case .command(let command, let tree):
                let tree = try filledValue(tree, "with", values, origin, simulation)
                let decision = try namingFile(origin, simulation) { () throws(InputError) in
                    try command.read(
                        tree, "\(origin.path).with",
                        InputRules.standard.lookingUpZones(in: zones), simulation.context(origin))
                }
                _ = try simulation.decide(command.name, decision, origin)
            case .event(let description, let tree):
                let tree = try filledValue(tree, "data", values, origin, simulation)
                // Given events are history, to which the limits of fields do not apply; a log must
                // still be able to store them.
                let rules = InputRules.standard.lookingUpZones(in: zones)
                var event = try namingFile(origin, simulation) { () throws(InputError) in
                    try description.read(
                        tree, "\(origin.path).data", number == 0 ? rules.ofHistory : rules)
                }
                let context = simulation.context(origin)
                event.occurredAt = step.at?.instant ?? context.now
                event.zone = context.zone
                event.offsetS = context.offsetS
                if let reason = event.unstorableReason {
                    throw unstorableError(reason, ".data", origin, simulation)
                }
                simulation.append([event], origin)
            case .wait(let microseconds):
                try simulation.advance(to: simulation.now.advanced(byMicroseconds: microseconds))
            case .restart: simulation.restart()
            case .nothing: break
            }
        }
    }

    /// Returns the error for a step whose values a log cannot store.
    private func unstorableError(
        _ reason: String, _ part: String, _ origin: StepOrigin, _ simulation: ScenarioSimulation
    ) -> ScenarioStop {
        .input(
            InputError(
                reason, file: origin.file ?? simulation.scenario.file, line: origin.line,
                field: origin.path + part))
    }

    /// Returns the value of a step's key, with the placeholders replaced by `values`.
    private func filledValue(
        _ tree: Tree, _ key: String, _ values: [String: Tree], _ origin: StepOrigin,
        _ simulation: ScenarioSimulation
    ) throws(ScenarioStop) -> Tree {
        try namingFile(origin, simulation) { () throws(InputError) in
            try Placeholders(values, keepsRunTimeNames: false).fill(tree, "\(origin.path).\(key)")
        }
    }

    /// Calls `body`; adds the path of the file that contains the step to an error that names no
    /// file.
    private func namingFile<Value>(
        _ origin: StepOrigin, _ simulation: ScenarioSimulation,
        _ body: () throws(InputError) -> Value
    ) throws(ScenarioStop) -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw .input(
                error.file == nil ? error.inFile(origin.file ?? simulation.scenario.file) : error)
        }
    }
}
