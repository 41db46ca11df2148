import Daybook
import DaybookInput

/// A running scenario: its log in memory, virtual clock, flows and scripted network.
struct ScenarioSimulation {
    let catalogue: Catalogue
    let scenario: Scenario
    let zones: ZoneSource?
    /// Maximum number of steps that all flows together may take.
    let stepLimit: Int
    /// All events of the log, in order.
    private(set) var events: [RecordedEvent] = []
    /// Personal texts, such as names, by the position of the event to which they belong.
    private(set) var personalTexts: [Position: [String]] = [:]
    /// The refused commands, in order.
    private(set) var refusals: [Refusal] = []
    /// The commits of the log, in order.
    private(set) var commits: [Commit] = []
    /// The steps that failed; failed checks are not included.
    private(set) var stepFailures: [StepFailure] = []
    /// The present time of the virtual clock.
    private(set) var now: Instant
    /// Time at which the last event was recorded; it never decreases from event to event.
    private var recordedAt: Instant
    /// The state of each flow that has begun, by name.
    private var flows: [String: any AnyFlow] = [:]
    /// The scripted answers that are still available.
    private var network: Network
    /// Scripted answers that are scheduled, but have not arrived yet.
    private var pendingAnswers = PendingAnswers()
    /// Number of steps that flows have taken so far.
    private var stepCount = 0

    /// A refused command, with the step of the scenario that caused it.
    struct Refusal: Sendable {
        var step: StepOrigin
        var command: String
        var reason: Daybook.Refusal
        /// Position of the last event of the log before the refusal.
        var head: Position
    }

    /// The positions of the events that were appended together, as one commit.
    struct Commit: Sendable {
        var first: Position
        var last: Position
        /// The actor and the device of the step that caused the commit.
        var metadata: CommitMetadata
    }

    /// A step that could not be carried out, for example because its command could not be decided.
    struct StepFailure: Error, Sendable {
        var step: StepOrigin
        /// A phrase for the expected outcome.
        var expected: String
        /// A phrase for the actual outcome.
        var actual: String
    }

    init(_ scenario: Scenario, _ catalogue: Catalogue, zones: ZoneSource?, stepLimit: Int) {
        self.scenario = scenario
        self.catalogue = catalogue
        self.zones = zones
        self.stepLimit = stepLimit
        network = scenario.network
        let first = scenario.given.first?.at?.instant ?? scenario.clock
        now = min(first, scenario.clock)
        recordedAt = now
    }

    /// Position of the last event of the log; 0 if the log is empty.
    var head: Position { Position(UInt64(events.count)) }

    // MARK: Time

    /// Advances the clock to `time`, and delivers the answers that are due by then.
    mutating func advance(to time: Instant) throws(ScenarioStop) {
        while let due = pendingAnswers.nextDue, due <= time {
            now = max(now, due)
            try deliver(pendingAnswers.removeFirst())
        }
        now = max(now, time)
    }

    /// Delivers all pending answers, and advances the clock to the arrival of the last.
    mutating func settle() throws(ScenarioStop) {
        while let due = pendingAnswers.nextDue { try advance(to: due) }
    }

    /// Passes an answer to the flow that waits for it, and carries out the steps that the flow then
    /// takes.
    private mutating func deliver(_ answer: PendingAnswers.Answer) throws(ScenarioStop) {
        guard let tree = answer.rule.answer else { return }
        try countStep(answer.origin, answering: answer.effect)
        var flow = flow(answer.flow)
        let steps: [FlowStep]
        do throws(InputError) {
            let nowMs = now.microseconds / 1_000
            let filled = try answer.rule.answer(to: answer.effect, nowMs: nowMs, tree)
            steps = try flow.answer(to: answer.effect, with: filled, .standard, at: now)
        } catch {
            var error = error
            let field = "network.\(answer.effect.name)"
            if !error.field.hasPrefix(field) {
                error.field = error.field.isEmpty ? field : "\(field): \(error.field)"
            }
            throw .input(error.file == nil ? error.inFile(scenario.file) : error)
        }
        flows[answer.flow] = flow
        try carryOut(steps, of: answer.flow, answer.origin)
    }

    // MARK: Steps

    /// Discards the flows and the pending answers, as a restart of the app does. The log is kept.
    mutating func restart() {
        flows = [:]
        pendingAnswers.removeAll()
    }

    /// Passes an input to a flow, and carries out the steps that the flow then takes.
    mutating func giveInput(
        _ tree: Tree, as input: String, to flowName: String, _ origin: StepOrigin
    ) throws(ScenarioStop) {
        var flow = flow(flowName)
        let steps: [FlowStep]
        do throws(InputError) {
            steps = try flow.give(input, tree, field: "\(origin.path).with", .standard, at: now)
        } catch {
            throw .input(error.inFile(origin.file ?? scenario.file))
        }
        flows[flowName] = flow
        try carryOut(steps, of: flowName, origin)
    }

    /// Decides a command from the events in the log. Appends the resulting events, or adds the
    /// refusal to `refusals`.
    mutating func decide(
        _ name: String, _ decision: any PendingDecision, _ origin: StepOrigin
    ) throws(ScenarioStop) -> Outcome {
        let outcome: Outcome
        do throws(FoldError) {
            outcome = try self.outcome(of: decision)
        } catch {
            stepFailures.append(
                StepFailure(
                    step: origin, expected: "the command \(name) is decided", actual: "\(error)"))
            throw .halted
        }
        switch outcome {
        case .events(let decided): append(decided, origin)
        case .refused(let reason):
            refusals.append(Refusal(step: origin, command: name, reason: reason, head: head))
        }
        return outcome
    }

    /// Returns the outcome of a command, which is decided from the events in the log.
    private func outcome(of decision: some PendingDecision) throws(FoldError) -> Outcome {
        var decision = decision
        _ = try decision.gather { (query, decision) throws(FoldError) in
            for event in events where query.matches(kind: event.kind, tags: event.tags) {
                try decision.fold(try catalogue.upcast(event))
            }
        }
        return decision.outcome()
    }

    mutating func append(_ new: [NewEvent], _ origin: StepOrigin) {
        guard !new.isEmpty else { return }
        recordedAt = max(recordedAt, now)
        let first = head.next
        for event in new {
            let position = head.next
            if !event.personal.isEmpty { personalTexts[position] = event.personal.map(\.text) }
            events.append(
                RecordedEvent(
                    envelope: Envelope(
                        position: position, occurredAt: event.occurredAt,
                        recordedAt: recordedAt, offsetS: event.offsetS),
                    kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload))
        }
        commits.append(Commit(first: first, last: head, metadata: origin.metadata))
    }

    /// Returns the context in which a step's command is decided: the time, the zone and the offset.
    func context(_ origin: StepOrigin) -> CommandContext {
        CommandContext(
            now: now, zone: scenario.zone, namedOffsetS: origin.offsetS ?? scenario.offsetS,
            zones: zones)
    }

    // MARK: Flows

    /// Returns the state of a flow, or its initial state if it has not begun.
    private func flow(_ name: String) -> any AnyFlow {
        guard let flow = flows[name] ?? catalogue.flows[name]?.make(scenario.rules) else {
            preconditionFailure("flow names are checked before they are used")
        }
        return flow
    }

    /// Carries out steps of a flow in order; the steps that these cause are carried out after them.
    private mutating func carryOut(
        _ steps: [FlowStep], of flow: String, _ origin: StepOrigin
    ) throws(ScenarioStop) {
        var queue = steps.map { (flow: flow, step: $0) }
        var next = 0
        while next < queue.count {
            let (flowName, step) = queue[next]
            next += 1
            try countStep(origin, answering: nil)
            switch step {
            case .command(let command):
                let name = type(of: command).name
                let outcome = try decide(name, command.pending(in: context(origin)), origin)
                var flow = self.flow(flowName)
                let more = flow.decided(outcome, of: name, at: now)
                flows[flowName] = flow
                queue += more.map { (flow: flowName, step: $0) }
            case .effect(let effect):
                try requestAnswer(effect, for: flowName, origin)
            case .sendInput(let target, let name, let tree):
                guard catalogue.flows[target] != nil else {
                    stepFailures.append(
                        StepFailure(
                            step: origin, expected: "a flow named '\(target)'",
                            actual: "no such flow"))
                    throw .halted
                }
                var flow = self.flow(target)
                do throws(InputError) {
                    let more = try flow.give(
                        name, tree, field: "\(target).\(name)", .standard, at: now)
                    flows[target] = flow
                    queue += more.map { (flow: target, step: $0) }
                } catch {
                    throw .input(error.inFile(scenario.file))
                }
            }
        }
    }

    /// Schedules the scripted answer to an effect; stops the scenario if the network has no answer
    /// to the effect.
    private mutating func requestAnswer(
        _ effect: Effect, for flow: String, _ origin: StepOrigin
    ) throws(ScenarioStop) {
        guard let rule = network.consumeRule(for: effect, .standard) else {
            stepFailures.append(
                StepFailure(
                    step: origin, expected: "a scripted answer in 'network.\(effect.name)'",
                    actual: "no answer for id '\(effect.id)', detail '\(effect.detail)'"))
            throw .halted
        }
        let due = now.advanced(byMicroseconds: rule.delayMs * 1_000)
        pendingAnswers.add(
            PendingAnswers.Answer(due: due, flow: flow, effect: effect, rule: rule, origin: origin))
    }

    /// Counts a step of a flow; stops the scenario if more than `stepLimit` steps have been taken.
    private mutating func countStep(
        _ origin: StepOrigin, answering effect: Effect?
    ) throws(ScenarioStop) {
        stepCount += 1
        guard stepCount > stepLimit else { return }
        let last = effect.map { "; the last answer was to \($0.name) '\($0.id)'" } ?? ""
        stepFailures.append(
            StepFailure(
                step: origin, expected: "flows finish within \(stepLimit) steps",
                actual: "the flows do not finish\(last)"))
        throw .halted
    }
}

/// The reason why a running scenario stops early.
enum ScenarioStop: Error {
    /// The scenario cannot be run as it is written.
    case input(InputError)
    /// The scenario cannot continue; the last of `stepFailures` describes the reason.
    case halted
}

/// The step of a scenario that caused an event, a refusal or a failure.
///
/// The step may have caused them indirectly, through an answer that arrived later.
struct StepOrigin: Sendable {
    /// Path of the step in the file, such as `when[2]`.
    var path: String
    var line: Int
    /// The file with recorded events that contains the step; `nil` for the scenario file itself.
    var file: String?
    /// Name by which a check refers to the step.
    var name: String?
    /// Number of the step, from 1 in `when`; 0 in `given`.
    var number: Int
    /// UTC offset of the step's time in seconds; `nil` if the step states none.
    var offsetS: Int32?
    /// The actor and the device of the step's commit.
    var metadata: CommitMetadata
}
