import Daybook

@testable import DaybookModel

/// Runs the session flow against a scripted network on a virtual clock.
struct SessionNetwork {
    private(set) var log = SessionLog()
    private(set) var effects: [Effect] = []
    private(set) var refusals: [String] = []
    /// Inputs that the flow gave to others: `household.sync`.
    private(set) var handed: [String] = []
    private(set) var now = Instant(microseconds: 0)

    private var flow: any AnyFlow
    private var recorded: [RecordedEvent] = []
    private var pending: [(due: Instant, effect: Effect, answer: Tree)] = []
    /// The answer, and how many milliseconds it takes; counts earlier asks of the same effect.
    private let script: @Sendable (Effect, Int) -> (answer: Tree, ms: Int64)

    init(
        _ rules: Rules = .standard,
        script: @escaping @Sendable (Effect, Int) -> (answer: Tree, ms: Int64)
    ) {
        flow = FlowDescription("session", SessionFlow.self).make(rules.ruleSet)
        self.script = script
    }

    static func tree(_ json: String) throws(InputError) -> Tree {
        try JSONParser.parse(json.utf8)
    }

    /// Events that are in the log already, which the flow has not seen.
    mutating func given(_ events: [Device.Event]) {
        for event in events { record(event) }
    }

    mutating func give(_ input: String, _ json: String) throws {
        run(
            try flow.give(
                input, try Self.tree(json), field: "", SessionSample.input, at: now))
    }

    /// Answers what is due up to `ms` on the clock; everything unless it is said.
    mutating func play(until ms: Int64 = .max) throws {
        while let index = pending.indices.min(by: { pending[$0].due < pending[$1].due }),
            pending[index].due.microseconds / 1_000 <= ms
        {
            let next = pending.remove(at: index)
            now = max(now, next.due)
            run(try flow.answer(to: next.effect, with: next.answer, SessionSample.input, at: now))
        }
    }

    private mutating func run(_ steps: [FlowStep]) {
        for step in steps {
            switch step {
            case .command(let command):
                var decision = command.pending(in: CommandContext(now: now))
                let outcome = Self.outcome(of: &decision, recorded)
                switch outcome {
                case .events(let events): events.forEach { store($0) }
                case .refused(let refused): refusals.append(refused.code)
                }
                run(flow.decided(outcome, of: type(of: command).name, at: now))
            case .effect(let effect):
                let asked = effects.count { $0.name == effect.name && $0.id == effect.id }
                effects.append(effect)
                let (answer, ms) = script(effect, asked)
                pending.append((now.advanced(byMicroseconds: ms * 1_000), effect, answer))
            case .sendInput(let flow, let name, _): handed.append("\(flow).\(name)")
            }
        }
    }

    private static func outcome(
        of decision: inout some PendingDecision, _ recorded: [RecordedEvent]
    ) -> Outcome {
        do throws(FoldError) {
            _ = try decision.gather { (query, decision) throws(FoldError) in
                for event in recorded where query.matches(kind: event.kind, tags: event.tags) {
                    try decision.fold(event)
                }
            }
            return decision.outcome()
        } catch {
            return .refused(Refusal("unreadable", "\(error)"))
        }
    }

    private mutating func record(_ event: Device.Event) {
        store(event.payload.event(in: CommandContext(now: now)))
    }

    private mutating func store(_ event: NewEvent) {
        let position = Position(UInt64(recorded.count) + 1)
        let envelope = Envelope(
            position: position, occurredAt: event.occurredAt, recordedAt: now)
        let stored = RecordedEvent(
            envelope: envelope, kind: event.kind, tags: event.tags, zone: event.zone,
            payload: event.payload)
        recorded.append(stored)
        do throws(FoldError) {
            if let known = try KindReader<Device.Event>().read(stored) {
                log.append([known], at: event.occurredAt)
            }
        } catch {
            refusals.append("\(error)")
        }
    }

    func asks(_ name: String) -> Int { effects.count { $0.name == name } }
}
