package import Daybook
package import DaybookLog

/// The subject of a story, and everything besides the log that the story depends on.
package struct StoryOptions: Sendable {
    /// The events and entities that a story is about.
    package enum Subject: Sendable {
        /// Entities of a projection, by any of their ids.
        case entities(ProjectionDescription, keys: [String])
        case projection(ProjectionDescription)
        /// The events with a tag, or with another id of the same entity.
        case tag(Tag)
        case events
    }

    /// A report whose answers the story keeps.
    package struct ReportChoice: Sendable {
        package var report: ReportDescription
        /// Arguments of the report, as an object.
        package var arguments: Tree

        package init(_ report: ReportDescription, _ arguments: Tree) {
            self.report = report
            self.arguments = arguments
        }
    }

    /// A hypothetical history that the story shows beside the recorded one.
    package struct Alteration: Sendable {
        package var changes: HistoryChanges
        /// The changes as text: `without 17`.
        package var title: String

        package init(_ changes: HistoryChanges, title: String) {
            self.changes = changes
            self.title = title
        }
    }

    package var subject: Subject
    /// First position of the story's events.
    package var from = Position(1)
    /// Last position of the story's events; `nil` for the last position that is read.
    package var through: Position?
    /// Conditions on the story's events, apart from its subject; their query is not used.
    package var conditions = EventFilter()
    /// The conditions as the end of a clause, as the story shows them: ` by kim`.
    package var conditionClause = ""
    package var rules = RuleSet.standard
    /// Rule set that states are folded with for a comparison; `nil` for none.
    package var otherRules: RuleSet?
    package var alteration: Alteration?
    /// Reports whose answers the story keeps, besides those that the subject suggests.
    package var reports: [ReportChoice] = []
    package var zones: ZoneSource?
    /// Time as of which reports are computed, by the log's clock.
    package var knownAt = Instant(microseconds: 0)
    /// Computes the digest of a text in the form in which events contain digests.
    package var digest: @Sendable (String) -> UInt64
    package var values: ShownValues
    package var labels: Labels

    /// Texts of the header and the footer of the page.
    package struct Labels: Sendable {
        package var program = ""
        package var version = ""
        /// The command that makes the page, without the log's folder.
        package var command = ""
        /// The option that names the log in further commands; empty for none.
        package var logOption = ""

        package init() {}
    }

    package init(
        _ subject: Subject, _ values: ShownValues, digest: @escaping @Sendable (String) -> UInt64
    ) {
        self.subject = subject
        self.values = values
        self.digest = digest
        labels = Labels()
    }

    /// The title of the story, as plain text.
    var title: String {
        var title =
            switch subject {
            case .entities(let projection, let keys):
                "\(projection.name) " + keys.map(values.id).joined(separator: ", ")
            case .projection(let projection): "all of \(projection.name)"
            case .tag(let tag): values.tag(tag)
            case .events: "events"
            }
        if from > Position(1) || through != nil {
            title += " from position \(from)" + (through.map { " to \($0)" } ?? "")
        }
        title += conditionClause
        if let otherRules { title += ", \(rules) and \(otherRules) rules" }
        if let alteration { title += ", what if \(alteration.title)" }
        return title
    }

    /// The kind of the story: `entity`, `projection`, `tag`, `range`, `comparison` or `what-if`.
    var kind: String {
        if alteration != nil { return "what-if" }
        if otherRules != nil { return "comparison" }
        switch subject {
        case .entities: return "entity"
        case .projection: return "projection"
        case .tag: return "tag"
        case .events: return "range"
        }
    }
}
