public import Daybook

/// The outcome of running a scenario.
public struct ScenarioResult: Sendable {
    /// The scenario that was run.
    public var scenario: Scenario
    /// Failed steps and checks; empty if the scenario passed.
    public var failures: [ScenarioFailure]
    /// All events of the log; those of `given` come first.
    public var events: [ScenarioEvent]
    /// Position of the last event of `given`; 0 if there is none.
    public var givenHead: Position

    /// True if there are no failures.
    public var passed: Bool { failures.isEmpty }
}

/// A failed step or check of a scenario.
public struct ScenarioFailure: Hashable, Sendable {
    /// Path and description of the failed step or check, such as `then[2].state splash l1`.
    public var place: String
    /// Line in the scenario file.
    public var line: Int
    /// Path of the field that differs; empty for the whole value.
    public var field: String
    /// The expected value as JSON, or a phrase that describes it.
    public var expected: String
    /// The actual value as JSON, or a phrase that describes it.
    public var actual: String
    /// Position of the last event before the failure.
    public var through: Position
    /// The edit of the file that makes the check pass; `nil` if none is known. `--update` makes it.
    var edit: Edit?

    /// A change of the text of a scenario file.
    enum Edit: Hashable, Sendable {
        /// Replaces a value, which follows a key or a dash.
        case value(line: Int, key: String?, old: Tree, new: Tree.Content)
        /// Replaces the list of expected events by event kinds.
        case events(line: Int, new: [String])
    }
}

/// An event that a scenario recorded, with its payload as JSON.
public struct ScenarioEvent: Hashable, Sendable {
    /// The event as the log has it.
    public var recorded: RecordedEvent
    /// Payload as a JSON object.
    public var data: String
    /// Descriptions of the fields of the payload.
    var fields: [FieldDescription]

    /// The payload as JSON, with moments as RFC 3339 texts instead of integers.
    var written: String {
        do throws(InputError) {
            return try JSONParser.parse(data.utf8).writingMoments(of: fields).json
        } catch {
            return data
        }
    }
}
