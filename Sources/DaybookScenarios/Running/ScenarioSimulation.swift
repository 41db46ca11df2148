import Daybook

/// The state of a running scenario: log, clock, flows and network.
struct ScenarioSimulation {
    let catalogue: Catalogue
    let scenario: Scenario
    let zones: ZoneSource?
    let stepLimit: Int
    private(set) var events: [RecordedEvent] = []
    /// Personal texts by the position of their event.
    private(set) var personal: [Position: [String]] = [:]
    private(set) var refusals: [Refusal] = []
    private(set) var commits: [Commit] = []
    /// Failures of steps, in addition to the failures of checks.
    private(set) var troubles: [Trouble] = []
    private(set) var now: Instant
    private var recordedAt: Instant
    private var flows: [String: any AnyFlow] = [:]
    private var network: Network
    private var pending = PendingAnswers()
    private var stepCount = 0

    /// A refused command, and the step that caused it.
    struct Refusal: Sendable {
        var step: StepOrigin
        var command: String
        var reason: Daybook.Refusal
        var after: Position
    }

    struct Commit: Sendable {
        var first: Position
        var last: Position
        var metadata: CommitMetadata
    }

    struct Trouble: Error, Sendable {
        var step: StepOrigin
        var expected: String
        var actual: String
    }

    init(
        _ scenario: Scenario, _ catalogue: Catalogue, zones: ZoneSource?, stepLimit: Int
    ) {
        self.scenario = scenario
        self.catalogue = catalogue
        self.zones = zones
        self.stepLimit = stepLimit
        network = scenario.network
        let first = scenario.given.first?.at?.instant ?? scenario.clock
        now = min(first, scenario.clock)
        recordedAt = now
    }

    var head: Position { Position(UInt64(events.count)) }

    // MARK: Time

    /// Advances the clock to `time`, and delivers the answers that are due by then.
    mutating func advance(to time: Instant) throws(Stop) {
        while let due = pending.next, due <= time {
            now = max(now, due)
            try deliver(pending.removeFirst())
        }
        now = max(now, time)
    }

    /// Delivers all answers, and advances the clock to the last of them.
    mutating func settle() throws(Stop) {
        while let due = pending.next { try advance(to: due) }
    }

    private mutating func deliver(_ answer: PendingAnswers.Answer) throws(Stop) {
        guard let tree = answer.rule.answer else { return }
        try count(answer.origin, asking: answer.effect)
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

    /// Discards the flows and the pending answers, as a restart of the app does. The log stays.
    mutating func restart() {
        flows = [:]
        pending.removeAll()
    }

    mutating func give(
        _ tree: Tree, as input: String, to flowName: String, _ origin: StepOrigin
    ) throws(Stop) {
        var flow = flow(flowName)
        let steps: [FlowStep]
        do throws(InputError) {
            steps = try flow.give(
                input, tree, field: "\(origin.path).with", .standard, at: now)
        } catch {
            throw .input(error.inFile(origin.file ?? scenario.file))
        }
        flows[flowName] = flow
        try carryOut(steps, of: flowName, origin)
    }

    mutating func decide(
        _ name: String, _ decision: any PendingDecision, _ origin: StepOrigin
    ) throws(Stop) -> Outcome {
        let outcome: Outcome
        do throws(FoldError) {
            outcome = try self.outcome(of: decision)
        } catch {
            troubles.append(
                Trouble(step: origin, expected: "\(name) is decided", actual: "\(error)"))
            throw .halted
        }
        switch outcome {
        case .events(let decided): append(decided, origin)
        case .refused(let reason):
            refusals.append(
                Refusal(step: origin, command: name, reason: reason, after: head))
        }
        return outcome
    }

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
            if !event.personal.isEmpty { personal[position] = event.personal.map(\.text) }
            events.append(
                RecordedEvent(
                    envelope: Envelope(
                        position: position, occurredAt: event.occurredAt,
                        recordedAt: recordedAt, offsetS: event.offsetS),
                    kind: event.kind, tags: event.tags, zone: event.zone,
                    payload: event.payload))
        }
        commits.append(Commit(first: first, last: head, metadata: origin.metadata))
    }

    func context(_ origin: StepOrigin) -> CommandContext {
        CommandContext(
            now: now, zone: scenario.zone, namedOffsetS: origin.offsetS ?? scenario.offsetS,
            zones: zones)
    }

    // MARK: Flows

    private func flow(_ name: String) -> any AnyFlow {
        guard let flow = flows[name] ?? catalogue.flows[name]?.make(scenario.rules) else {
            preconditionFailure("flow names are checked before they are used")
        }
        return flow
    }

    /// Performs steps in order; the steps that they cause follow the remaining steps.
    private mutating func carryOut(
        _ steps: [FlowStep], of flow: String, _ origin: StepOrigin
    ) throws(Stop) {
        var queue = steps.map { (flow: flow, step: $0) }
        var next = 0
        while next < queue.count {
            let (flowName, step) = queue[next]
            next += 1
            try count(origin, asking: nil)
            switch step {
            case .command(let name, let make):
                let outcome = try decide(name, make(context(origin)), origin)
                var flow = self.flow(flowName)
                let more = flow.decided(outcome, of: name, at: now)
                flows[flowName] = flow
                queue += more.map { (flow: flowName, step: $0) }
            case .effect(let effect):
                try ask(effect, for: flowName, origin)
            case .input(let target, let name, let tree):
                guard catalogue.flows[target] != nil else {
                    troubles.append(
                        Trouble(
                            step: origin, expected: "a flow named '\(target)'", actual: "none"))
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

    private mutating func ask(
        _ effect: Effect, for flow: String, _ origin: StepOrigin
    ) throws(Stop) {
        guard let rule = network.consumeRule(for: effect, .standard) else {
            troubles.append(
                Trouble(
                    step: origin, expected: "a scripted answer in 'network.\(effect.name)'",
                    actual: "none for id '\(effect.id)', detail '\(effect.detail)'"))
            throw .halted
        }
        let due = now.advanced(byMicroseconds: rule.delayMs * 1_000)
        pending.add(
            PendingAnswers.Answer(
                due: due, flow: flow, effect: effect, rule: rule, origin: origin))
    }

    private mutating func count(_ origin: StepOrigin, asking effect: Effect?) throws(Stop) {
        stepCount += 1
        guard stepCount > stepLimit else { return }
        let last = effect.map { "; the last answer was to \($0.name) '\($0.id)'" } ?? ""
        troubles.append(
            Trouble(
                step: origin, expected: "flows finish within \(stepLimit) steps",
                actual: "they do not finish\(last)"))
        throw .halted
    }
}

/// The reason why a scenario stops early.
enum Stop: Error {
    /// The scenario cannot be run as it is written.
    case input(InputError)
    /// The scenario cannot continue; the last of `troubles` describes the failure.
    case halted
}

/// The step that caused an event or failure, directly or through answers of the network.
struct StepOrigin: Sendable {
    var path: String
    var line: Int
    var file: String?
    var name: String?
    /// Number of the step, from 1 in `when`; 0 in `given`.
    var number: Int
    var offsetS: Int32?
    var metadata: CommitMetadata
}
