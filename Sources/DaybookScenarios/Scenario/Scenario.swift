public import Daybook

/// One story to run: what is known before, what happens, and what must come of it.
public struct Scenario: Sendable {
    /// The title sentence.
    public var title: String
    /// Row of the table and rule set, if the file has several; otherwise empty.
    public var variant: String
    /// Where the story comes from.
    public var source: String
    /// The file as the user named it.
    public var file: String
    public var line: Int
    public var rules: RuleSet
    public var clock: Instant
    /// Seconds east of UTC, as the clock is written; `nil` for those of the zone.
    public var offsetS: Int32?
    /// IANA name.
    public var zone: String
    var network: Network
    var given: [Step]
    var when: [Step]
    var then: [Check]

    /// The title with the variant.
    public var name: String { variant.isEmpty ? title : "\(title) [\(variant)]" }
}

extension Scenario {
    /// Something that happens.
    struct Step: Sendable {
        enum Action: Sendable {
            /// An input of a flow.
            case input(flow: String, name: String, Tree)
            case command(CommandDescription, Tree)
            case event(EventDescription, Tree)
            case wait(microseconds: Int64)
            /// The app is killed and started again: flows and answers under way are gone.
            case restart
            /// All of them before any answer.
            case parallel([Step])
            /// Only the time of the step counts.
            case nothing
        }

        var action: Action
        /// Path in the file: `when[2]`.
        var path: String
        var line: Int
        /// The recorded file it comes from, where it is not the scenario itself.
        var file: String?
        /// A name that a check can refer to.
        var name: String?
        var at: (instant: Instant, offsetS: Int32?)?
        var repetitions: Int64 = 1
        var metadata = CommitMetadata()
    }

    /// Something that must hold.
    struct Check: Sendable {
        enum Body: Sendable {
            case events([ExpectedEvent], Tree)
            case count([(kinds: Set<EventKind>, name: String, count: Int64, Tree)])
            case refused(step: String, code: String, Tree)
            case state(ProjectionDescription, key: String, Moment?, Tree)
            case report(ReportDescription, with: Tree, Moment?, Tree)
            /// A finding of the audit; without an entity none of the rule.
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
        /// The kinds that the name fits: one, or those of every version.
        var kinds: Set<EventKind>
        var name: String
        /// Values that the payload must have; other fields are not compared.
        var data: Tree?
        var line: Int
        var path: String
    }
}
