import Daybook
import DaybookScenarios

/// A tiny area for tests: lamps that are switched on over a network.
enum Lamp: Area, Projection {
    static let name = "lamp"
    static let rules: [RuleSet] = ["source"]
    static let commands = [CommandDescription(Switch.self)]
    static let projections = [
        ProjectionDescription("light", noun: "lamp", "Whether it is on", Lamp.self)
    ]
    static let flows = [FlowDescription("lamp", LampFlow.self)]

    struct Switched: EventPayload {
        static let kind: EventKind = "lamp.switched.v1"
        var lamp = ""
        var on = false
        var note: PersonalText?
        var at = Instant.epoch
        var tags: [Tag] { [Tag("lamp", lamp)] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lamp", &lamp)
            try field("on", &on)
            try field("note", &note)
            try field("at", &at)
        }
    }

    enum Event: DecidedEvents {
        case switched(Switched)
        static let kinds = [StoredKind(switched)]
    }

    struct State: Record {
        var on = false
        var switches: Int64 = 0
        var last: Instant?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("on", &on)
            try field("switches", &switches)
            try field("last", &last)
        }
    }

    struct Switch: Command {
        typealias Model = Lamp
        static let name = "lamp.switch"
        var lamp = ""
        var on = false
        var note: PersonalText?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lamp", &lamp)
            try field("on", &on)
            try field("note", &note)
        }

        var query: Query { events(of: Tag("lamp", lamp)) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.on != on else { throw Refusal("already", "it is so already") }
            return [.switched(Switched(lamp: lamp, on: on, note: note, at: now))]
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .switched(let body):
            state.on = body.on
            state.switches += 1
            state.last = envelope.occurredAt
        }
    }
}

/// Asks the network before it switches. Answered `again`, it asks once more.
struct LampFlow: Flow {
    private var asked: Set<String> = []

    init(rules: RuleSet) {}

    /// Only the lamp of the hall has an answer of its own.
    static let network = "switch: [{id: hall, delayMs: 100, answer: {again: false}}]"

    static let inputs: [FlowInput<LampFlow>] = [
        FlowInput("press") { (flow, body: Press, _) in
            flow.asked.insert(body.lamp)
            return [.effect(Effect("switch", id: body.lamp, detail: "on"))]
        }
    ]

    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        let reply = try TreeReader.read(Reply.self, from: answer, rules: input)
        guard asked.contains(effect.id) else { return [] }
        if reply.again { return [.effect(effect)] }
        return [.command(Lamp.Switch(lamp: effect.id, on: true))]
    }

    struct Press: Record {
        var lamp = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lamp", &lamp)
        }
    }

    struct Reply: Record {
        var again = false

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("again", &again)
        }
    }
}

/// The results of a scenario about lamps; its title is added.
func lampResults(_ yaml: String, stepLimit: Int = 1_000) throws -> [ScenarioResult] {
    let catalogue = try Catalogue([Lamp.self])
    return try ScenarioRunner(catalogue: catalogue, stepLimit: stepLimit)
        .run(try lampFile(yaml))
}

func lampFile(_ yaml: String, files: [String: String] = [:]) throws -> ScenarioFile {
    try ScenarioFile.parse(
        "scenario: Lamps\n" + yaml, path: "lamps.yaml", catalogue: try Catalogue([Lamp.self])
    ) { (path) throws(InputError) in
        guard let text = files[path] else { throw InputError("there is no file '\(path)'") }
        return text
    }
}
