/// A use case that talks to a network, as a pure state machine.
///
/// An input gives commands to decide and effects to carry out. Whoever runs the flow feeds the
/// answers back as inputs, so that a slow, lost or repeated answer is an ordinary test.
public protocol Flow: Sendable {
    init(rules: RuleSet)

    /// Names of the inputs a person or a scenario may give, and their fields.
    static var inputs: [FlowInput<Self>] { get }

    /// The answers that scenarios get to its effects unless they script others, in the form of
    /// their `network`; empty for none.
    static var network: String { get }

    /// Receives the answer to an effect that this flow requested.
    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Receives the outcome of a command that this flow issued: its events, or its refusal.
    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep]
}

extension Flow {
    public static var network: String { "" }

    public mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] { [] }
}

/// An action that a flow requests; several are carried out in order.
public enum FlowStep: Sendable {
    /// Decide this and record its events.
    case command(name: String, @Sendable (CommandContext) -> any PendingDecision)
    /// Do this outside, and feed the answer back.
    case effect(Effect)
    /// Hand this to another flow: the launch asks the session whether someone is signed in.
    case input(flow: String, name: String, Tree)

    /// A command to decide.
    public static func command(_ command: some Command) -> FlowStep {
        .command(name: type(of: command).name) { PendingCommand(command, context: $0) }
    }
}

/// An action outside the program, mostly a request to a server.
public struct Effect: Hashable, Sendable {
    /// Kind of request to the network: `config`, `refresh`, `request`.
    public var name: String
    /// Id of one request among several under way: that of a launch, of a request.
    public var id: String
    /// Content of the request, by which a script may choose its answer.
    public var detail: String

    public init(_ name: String, id: String, detail: String = "") {
        self.name = name
        self.id = id
        self.detail = detail
    }
}

/// One input of a flow.
public struct FlowInput<Target: Flow>: Sendable {
    /// The name of the input.
    public let name: String
    /// Fields of the input, in order.
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    /// Reads the input from JSON and gives it to the flow.
    public let give:
        @Sendable (inout Target, Tree, String, InputRules, Instant) throws(InputError) -> [FlowStep]

    public init<Body: Record>(
        _ name: String, _ handle: @escaping @Sendable (inout Target, Body, Instant) -> [FlowStep]
    ) {
        self.name = name
        fieldsOf = { FieldDescription.fields(of: Body.self) }
        give = { (flow, tree, path, rules, now) throws(InputError) in
            handle(&flow, try TreeReader.read(from: tree, field: path, rules: rules), now)
        }
    }
}

/// One flow, as tools see it.
public struct FlowDescription: Sendable {
    /// The name of the flow.
    public let name: String
    /// The fields of its inputs, by their names.
    public var inputs: [String: [FieldDescription]] { inputsOf() }
    private let inputsOf: @Sendable () -> [String: [FieldDescription]]
    /// The answers that scenarios get unless they script others, in YAML.
    public let network: String
    /// Begins the flow under a rule set.
    public let make: @Sendable (RuleSet) -> any AnyFlow

    public init<Target: Flow>(_ name: String, _ flow: Target.Type) {
        self.name = name
        inputsOf = {
            Dictionary(
                Target.inputs.map { ($0.name, $0.fields) },
                uniquingKeysWith: { first, _ in first })
        }
        network = Target.network
        make = { RunningFlow<Target>(flow: Target(rules: $0)) }
    }
}

/// A flow under way, whatever its type.
public protocol AnyFlow: Sendable {
    /// Gives the flow an input by name.
    mutating func give(
        _ input: String, _ tree: Tree, field: String, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Gives the flow the answer to an effect.
    mutating func answer(
        to effect: Effect, with answer: Tree, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Gives the flow the outcome of a command that it issued.
    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep]
}

private struct RunningFlow<Target: Flow>: AnyFlow {
    var flow: Target

    mutating func give(
        _ input: String, _ tree: Tree, field: String, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard let known = Target.inputs.first(where: { $0.name == input }) else {
            let names = Target.inputs.map(\.name).joined(separator: ", ")
            throw InputError(
                "expected an input of the flow (\(names)), found \(input)", line: tree.line,
                field: field)
        }
        return try known.give(&flow, tree, field, rules, now)
    }

    mutating func answer(
        to effect: Effect, with answer: Tree, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        try flow.answer(to: effect, with: answer, rules, at: now)
    }

    mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] {
        flow.decided(outcome, of: command, at: now)
    }
}

extension Outcome {
    /// The decided events of a set, in order; none where the command was refused.
    public func events<Event: EventSet>(_ reader: KindReader<Event>) -> [Event] {
        guard case .events(let decided) = self else { return [] }
        return decided.compactMap { event in
            do throws(CorruptPayload) {
                return try unsafe reader.readers[event.kind]?.read(event.payload.contents.bytes)
            } catch {
                preconditionFailure("an event that was just decided cannot be read: \(error)")
            }
        }
    }
}
