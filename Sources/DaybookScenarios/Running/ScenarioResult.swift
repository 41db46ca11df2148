public import Daybook

/// The outcome of running a scenario.
public struct ScenarioResult: Sendable {
    /// The scenario that was run.
    public var scenario: Scenario
    /// Failures of steps and checks; empty if the scenario passed.
    public var failures: [ScenarioFailure]
    /// All events of the log, the given events first.
    public var events: [ScenarioEvent]
    /// Position of the last given event.
    public var givenHead: Position

    /// True if there are no failures.
    public var passed: Bool { failures.isEmpty }
}

/// A failed step or check of a scenario.
public struct ScenarioFailure: Hashable, Sendable {
    /// Path and description of the step or check: `then[2].state splash l1`.
    public var place: String
    /// Line in the scenario file.
    public var line: Int
    /// Path of the differing field; empty for the whole value.
    public var field: String
    /// The expected value, or a phrase that describes it.
    public var expected: String
    /// The actual value, or a phrase that describes it.
    public var actual: String
    /// Position of the last event before the failure.
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

/// An event of a run, with its payload as JSON.
public struct ScenarioEvent: Hashable, Sendable {
    /// The event as recorded.
    public var recorded: RecordedEvent
    /// Payload as a JSON object.
    public var data: String
    /// Descriptions of the payload's fields.
    var fields: [FieldDescription]

    /// Payload as JSON, with moments written as times.
    var written: String {
        do throws(InputError) {
            return try JSONParser.parse(data.utf8).writingMoments(of: fields).json
        } catch {
            return data
        }
    }
}
