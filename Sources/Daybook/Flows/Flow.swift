/// A use case that talks to a network, as a pure state machine.
///
/// For each input, the flow returns commands to decide and effects to carry out. The program that
/// runs the flow passes their results back to it, so that an ordinary test can simulate a slow,
/// lost or repeated answer.
public protocol Flow: Sendable {
    /// Creates the flow in its initial state, under a rule set.
    init(rules: RuleSet)

    /// The inputs that a user or a scenario may send to the flow.
    static var inputs: [FlowInput<Self>] { get }

    /// The answers, as YAML, that a scenario by default gives to the flow's requests (its effects).
    ///
    /// They have the form of `network` in a scenario file, whose own answers are tried first.
    static var network: String { get }

    /// Receives the answer to an effect that this flow requested, and returns the next steps.
    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Receives the outcome of a command that this flow requested, and returns the next steps.
    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep]
}

extension Flow {
    /// Empty, by default: a scenario must state the answer to every effect.
    public static var network: String { "" }

    /// Returns no steps, by default.
    public mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] { [] }
}

/// An action that a flow requests from the program that runs it.
public enum FlowStep: Sendable {
    /// A request to decide the command, and to append its events.
    case command(any Command)
    /// A request to carry out the effect, and to pass its answer back to this flow.
    case effect(Effect)
    /// An input for another flow: the launch asks the session whether a user is signed in.
    case sendInput(toFlow: String, name: String, value: Tree)
}

/// An action outside the program, mostly a request to a server.
public struct Effect: Hashable, Sendable {
    /// Name of the action, such as `config` or `refresh`.
    public var name: String
    /// Id that distinguishes concurrent effects of one name, such as the id of a launch.
    public var id: String
    /// Content of the request; a scenario may choose the answer by it.
    public var detail: String

    public init(_ name: String, id: String, detail: String = "") {
        self.name = name
        self.id = id
        self.detail = detail
    }
}

/// An input that a flow accepts.
public struct FlowInput<Target: Flow>: Sendable {
    /// The name of the input.
    public let name: String
    /// Fields of the input, in order.
    package var fields: [FieldDescription] { makeFields() }
    private let makeFields: @Sendable () -> [FieldDescription]
    /// Reads the input's fields from a `Tree`, passes them to the flow, and returns its steps.
    ///
    /// The `String` is the path of the `Tree`, for errors, and the `Instant` the present time.
    public let give:
        @Sendable (inout Target, Tree, String, InputRules, Instant) throws(InputError) -> [FlowStep]

    /// Declares an input with a record's fields; `handle` changes the flow and returns its steps.
    public init<Body: Record>(
        _ name: String, _ handle: @escaping @Sendable (inout Target, Body, Instant) -> [FlowStep]
    ) {
        self.name = name
        makeFields = { FieldDescription.fields(of: Body.self) }
        give = { (flow, tree, path, rules, now) throws(InputError) in
            handle(&flow, try TreeReader.read(from: tree, field: path, rules: rules), now)
        }
    }
}

/// The description of a flow type, with which programs and scenarios run it by its name.
public struct FlowDescription: Sendable {
    /// The name of the flow.
    public let name: String
    /// The fields of each input, by the input's name.
    package var inputs: [String: [FieldDescription]] { makeInputs() }
    private let makeInputs: @Sendable () -> [String: [FieldDescription]]
    /// Default answers to the flow's effects in scenarios, as YAML; empty if there are none.
    public let network: String
    /// Creates the flow in its initial state, under a rule set.
    package let make: @Sendable (RuleSet) -> any AnyFlow

    /// Describes a flow type.
    public init<Target: Flow>(_ name: String, _ flow: Target.Type) {
        self.name = name
        makeInputs = {
            Dictionary(
                Target.inputs.map { ($0.name, $0.fields) },
                uniquingKeysWith: { first, _ in first })
        }
        network = Target.network
        make = { RunningFlow<Target>(flow: Target(rules: $0)) }
    }
}

/// A running flow of any type.
package protocol AnyFlow: Sendable {
    /// Sends the flow an input by name, and returns its steps; `field` is the path, for errors.
    mutating func give(
        _ input: String, _ tree: Tree, field: String, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Passes the answer to an effect to the flow, and returns the flow's steps.
    mutating func answer(
        to effect: Effect, with answer: Tree, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep]

    /// Passes a command's outcome to the flow that requested the command; returns the flow's steps.
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
                "expected the name of an input of the flow (one of \(names)), found '\(input)'",
                line: tree.line, field: field)
        }
        return try known.give(&flow, tree, field, rules, now)
    }

    mutating func answer(
        to effect: Effect, with answer: Tree, _ rules: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        try flow.answer(to: effect, with: answer, rules, at: now)
    }

    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep] {
        flow.decided(outcome, of: command, at: now)
    }
}

extension Outcome {
    /// Returns the decided events of the reader's event set, in order; none after a refusal.
    public func events<Event: EventSet>(_ reader: KindReader<Event>) -> [Event] {
        guard case .events(let decided) = self else { return [] }
        return decided.compactMap { event in
            do throws(CorruptPayload) {
                return try unsafe reader.storedKinds[event.kind]?.read(event.payload.contents.bytes)
            } catch {
                preconditionFailure("an event that was just decided cannot be read: \(error)")
            }
        }
    }
}
