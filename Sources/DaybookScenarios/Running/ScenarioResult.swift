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
public struct ScenarioFailure: Equatable, Sendable {
    /// Path and description of the failed step or check, such as `then[2].state splash l1`.
    public var place: String
    /// Line of the failed step or check in the scenario file.
    public var line: Int
    /// Path of the field that differs; empty if the failure concerns the whole step or check.
    public var field: String
    /// The expected value as JSON, or a phrase that describes it.
    public var expected: String
    /// The actual value as JSON, or a phrase that describes it.
    public var actual: String
    /// Position of the last event before the failure.
    public var through: Position
    /// The place and field with the expected and the actual value, in one line.
    public var sentence: String {
        "\(place)\(field.isEmpty ? "" : " \(field)"): expected \(expected), actual \(actual)"
    }
    /// The edit of the scenario file that makes the check pass, for `--update`; `nil` if none is
    /// known.
    var edit: Edit?

    /// A change of the text of a scenario file.
    enum Edit: Equatable, Sendable {
        /// Replaces the value of `key` on a line; a value without a key (`nil`) is not replaced.
        case value(line: Int, key: String?, old: Tree, new: Tree.Content)
        /// Replaces the list of expected events that begins on a line by event kinds.
        case events(line: Int, new: [String])
    }
}

/// An event that a scenario recorded, with its payload as JSON.
public struct ScenarioEvent: Equatable, Sendable {
    /// The event as it is in the log.
    public var recorded: RecordedEvent
    /// Payload as a JSON object.
    public var payloadJSON: String
    /// Descriptions of the payload's fields, which show which integers are points in time.
    var fields: [FieldDescription]

    /// The payload as JSON, with points in time as RFC 3339 texts instead of integers.
    var readablePayload: String {
        do throws(InputError) {
            return try JSONParser.parse(payloadJSON.utf8).writingMoments(of: fields).json
        } catch {
            return payloadJSON
        }
    }
}
