public import Daybook

/// The outcome of running a scenario.
public struct ScenarioResult: Sendable {
    public var scenario: Scenario
    /// Empty where everything held.
    public var failures: [ScenarioFailure]
    /// The whole log, the given events first.
    public var events: [ScenarioEvent]
    /// The last event that was given.
    public var givenHead: Position

    public var passed: Bool { failures.isEmpty }
}

/// One thing that did not hold.
public struct ScenarioFailure: Hashable, Sendable {
    /// The step or check: `then[2].state splash l1`.
    public var place: String
    public var line: Int
    /// Path of the differing field; empty for the whole value.
    public var field: String
    public var expected: String
    public var actual: String
    /// The last of the events that led there.
    public var through: Position
    /// Edit that `--update` would make to the file.
    var edit: Edit?

    enum Edit: Hashable, Sendable {
        /// The scalar after a key or a dash.
        case value(line: Int, key: String?, old: Tree, new: Tree.Content)
        /// The whole list of expected events.
        case events(line: Int, new: [String])
    }
}

/// An event of a run, as people and programs read it.
public struct ScenarioEvent: Hashable, Sendable {
    public var recorded: RecordedEvent
    /// The payload, a JSON object.
    public var data: String
    /// Fields of the kind.
    var fields: [FieldDescription]

    /// The payload with moments as times.
    var written: String {
        do throws(InputError) {
            return try JSONParser.parse(data.utf8).writingMoments(of: fields).json
        } catch {
            return data
        }
    }
}
