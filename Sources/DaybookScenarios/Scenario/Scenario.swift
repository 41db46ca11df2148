public import Daybook

/// A story to run: the events before it, its steps, and the checks of the result.
public struct Scenario: Sendable {
    /// The title sentence.
    public var title: String
    /// Table row and rule set of this variant; empty if the file has only one scenario.
    public var variant: String
    /// The origin of the story, such as a document; empty if it is not stated.
    public var source: String
    /// Path of the file, as the user named it.
    public var file: String
    /// Line of the scenario in the file.
    public var line: Int
    /// Rule set that the scenario runs with.
    public var rules: RuleSet
    /// Time at which the steps of `when` begin.
    public var clock: Instant
    /// UTC offset of the clock in seconds, as written; `nil` for the offset of the zone.
    public var offsetS: Int32?
    /// IANA name of the device's time zone.
    public var zone: String
    var network: Network
    var given: [Step]
    var when: [Step]
    var then: [Check]

    /// The title, with the variant if there is one.
    public var name: String { variant.isEmpty ? title : "\(title) [\(variant)]" }
}

extension Scenario {
    /// A step of a scenario.
    struct Step: Sendable {
        enum Action: Sendable {
            /// An input of a flow.
            case input(flow: String, name: String, Tree)
            case command(CommandDescription, Tree)
            case event(EventDescription, Tree)
            case wait(microseconds: Int64)
            /// A restart of the app, which discards flows and pending answers.
            case restart
            /// Several steps that all happen before any answer arrives.
            case parallel([Step])
            /// No action; the step only advances the clock.
            case nothing
        }

        var action: Action
        /// Path in the file: `when[2]`.
        var path: String
        var line: Int
        /// The recorded file that contains the step; `nil` for the scenario file itself.
        var file: String?
        /// Name by which a check refers to the step.
        var name: String?
        var at: (instant: Instant, offsetS: Int32?)?
        var repetitions: Int64 = 1
        var metadata = CommitMetadata()
    }

    /// A check of the result.
    struct Check: Sendable {
        enum Body: Sendable {
            case events([ExpectedEvent], Tree)
            case count([(kinds: Set<EventKind>, name: String, count: Int64, Tree)])
            case refused(step: String, code: String, Tree)
            case state(ProjectionDescription, key: String, Moment?, Tree)
            case report(ReportDescription, with: Tree, Moment?, Tree)
            /// A finding of the audits; without an entity, the rule must have no findings.
            case finding(rule: String, entity: String?, Moment?)
        }

        enum Moment: Sendable {
            case position(Position)
            case time(Instant)
        }

        var body: Body
        var path: String
        var line: Int
    }

    struct ExpectedEvent: Sendable {
        /// The kinds that the name matches: a single kind, or all versions of a kind.
        var kinds: Set<EventKind>
        var name: String
        /// Fields that the payload must have; other fields are not compared.
        var data: Tree?
        var line: Int
        var path: String
    }
}
