public import Daybook

/// A story to run as a test: the events before it, its steps, and the checks of the result.
public struct Scenario: Sendable {
    /// The sentence that names the story.
    public var title: String
    /// Label of the table row and the rule set; empty if the file has only one scenario.
    public var variant: String
    /// Source of the story, such as a document; empty if it is not stated.
    public var source: String
    /// Names of the rules or requirements that the story shows.
    public var holds: [String]
    /// Path of the file, as the user named it.
    public var file: String
    /// Line of the scenario in the file.
    public var line: Int
    /// The rule set under which the scenario runs.
    public var rules: RuleSet
    /// Time at which the steps of `when` begin.
    public var clock: Instant
    /// UTC offset in seconds that the time in `clock` states; `nil` to use the offset of the zone.
    public var offsetS: Int32?
    /// IANA name of the device's time zone.
    public var zone: String
    /// The simulated network with the scripted answers.
    var network: Network
    /// Steps that happen before the story begins.
    var given: [Step]
    /// Steps of the story itself.
    var when: [Step]
    var then: [Check]

    /// The title, followed by the variant if there is one.
    public var name: String { variant.isEmpty ? title : "\(title) [\(variant)]" }
}

extension Scenario {
    /// A step of a scenario.
    struct Step: Sendable {
        /// The action of a step, with the values that the scenario states for it.
        enum Action: Sendable {
            case input(flow: String, name: String, Tree)
            /// Decides a command, and appends its events.
            case command(CommandDescription, Tree)
            case event(EventDescription, Tree)
            /// Advances the clock by a time span.
            case wait(microseconds: Int64)
            /// Restarts the app, which discards flows and pending answers.
            case restart
            /// Performs several steps before any answer arrives.
            case parallel([Step])
            /// Does nothing, except that the clock advances to the time of the step.
            case nothing
        }

        var action: Action
        /// Path of the step in the file: `when[2]`.
        var path: String
        var line: Int
        /// The file with recorded events that contains the step; `nil` for the scenario file
        /// itself.
        var file: String?
        /// Name by which a check refers to the step.
        var name: String?
        /// Time of the step, and its UTC offset in seconds if it states one; `nil` for the present
        /// time.
        var at: (instant: Instant, offsetS: Int32?)?
        /// Number of times that the step is performed.
        var repetitions: Int64 = 1
        /// The actor and the device of the step's commit.
        var metadata = CommitMetadata()
    }

    /// A check of the result.
    struct Check: Sendable {
        /// The content of a check, with the values that the scenario expects.
        enum Body: Sendable {
            /// Exactly these events were recorded by `when`.
            case events([ExpectedEvent], Tree)
            /// Events of these kinds were recorded this many times by `when`.
            case count([(kinds: Set<EventKind>, name: String, count: Int64, Tree)])
            /// The command of a step was refused with an error code.
            case refused(step: String, code: String, Tree)
            /// The state of an entity has these fields.
            case state(ProjectionDescription, key: String, Moment?, Tree)
            /// A report with these arguments has these fields.
            case report(ReportDescription, with: Tree, Moment?, Tree)
            /// The audits report a finding of a rule for an entity; if the entity is `nil`, no
            /// finding of the rule.
            case finding(rule: String, entity: String?, Moment?)
        }

        /// The last position or time whose events a check takes into account.
        enum Moment: Sendable {
            /// The check sees only the events up to this position.
            case position(Position)
            /// The check sees only the events recorded up to this time.
            case time(Instant)
        }

        var body: Body
        /// Path of the check in the file: `then[2]`.
        var path: String
        var line: Int
    }

    /// An event that a check expects.
    struct ExpectedEvent: Sendable {
        /// The event kinds that the name matches: one schema version, or all versions.
        var kinds: Set<EventKind>
        /// The name of the event kind, as the scenario states it.
        var name: String
        /// Fields that the payload must have; `nil` to compare only the event kind.
        var data: Tree?
        var line: Int
        /// Path of the expected event in the file: `then[0].events[2]`.
        var path: String
    }
}
