public import Daybook
import DaybookInput
import DaybookLog

/// Finds the events that wrote the fields of one entity, or of a report's answer.
public struct Blame: Sendable {
    /// A change of a field, and the event that made it.
    public struct Writing: Sendable {
        public var event: RecordedEvent
        /// The field and its values before and after the event.
        package var change: FieldChange
        /// True if the event is the entity's first, or the first with an answer of the report.
        public var isFirst: Bool
    }

    /// The newest id of the entity; empty for a report.
    public let key: String
    /// All changes, in the order of the log.
    public let writings: [Writing]
    /// Paths and values of the fields in the last state or answer.
    package let leaves: [FlatFields.Leaf]
    private let name: String
    /// Returns the fields of the projection or report, for errors.
    private let fields: @Sendable () -> [FieldDescription]

    /// Finds the events that wrote the fields of an entity.
    ///
    /// - Parameter key: any id of the entity.
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events.
    public init(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws {
        (name, fields) = (projection.name, { projection.fields })
        var timeline = Timeline(of: projection, rules: rules)
        var writings: [Writing] = []
        let entity = try reading.entity(of: projection, key)
        for event in entity.events {
            let step = try timeline.advance(with: event)
            writings += step.changes.map {
                Writing(event: event, change: $0, isFirst: step.isFirst)
            }
        }
        self.key = entity.key
        self.writings = writings
        leaves = timeline.leaves
    }

    /// Computes a report again after each event that may affect its answer, always as of the time
    /// of `context`.
    ///
    /// - Parameter arguments: arguments of the report for one period, as an object.
    /// - Throws: `QuestionError.invalid` for wrong arguments, `unanswered` without an answer.
    public init(
        of report: ReportDescription, _ arguments: Tree, _ context: ReportContext,
        in reading: ProjectionReading
    ) throws {
        (key, name, fields) = ("", report.name, { report.fields })
        var pending: any PendingReport
        do throws(InputError) {
            pending = try report.prepare(arguments, rules: .standard, context)
        } catch { throw QuestionError.invalid("\(error)") }
        let lists = KeyedLists(report.fields)
        var writings: [Writing] = []
        var leaves: [FlatFields.Leaf] = []
        try reading.forEachAnswer(of: &pending) { event, content in
            let next = content.leaves
            writings += FieldChange.between(leaves, next, lists)
                .filter { !report.basisFields.contains($0.path) }
                .map { Writing(event: event, change: $0, isFirst: leaves.isEmpty) }
            leaves = next
        }
        if let unknown = pending.unknownEntityMessage { throw QuestionError.unanswered(unknown) }
        switch pending.answers().first?.result {
        case .failure(let error): throw try QuestionError(error)
        // Without events, the answer has fields that none wrote.
        case .success(let content): if leaves.isEmpty { leaves = content.leaves }
        case nil: break
        }
        self.writings = writings
        self.leaves = leaves
    }

    /// Returns all changes of a field and of the fields within it, the last change first.
    ///
    /// - Throws: `invalid` if there is no such field, `unanswered` if no event wrote the field.
    public func writings(of field: String) throws(QuestionError) -> [Writing] {
        let isWithin = { (path: String) in
            path == field || path.hasPrefix(field + ".") || path.hasPrefix(field + "[")
        }
        let found = writings.filter { isWithin($0.change.path) }
        guard found.isEmpty else { return found.reversed() }
        guard leaves.contains(where: { isWithin($0.path) }) else {
            let unknown = UnknownField(field, in: fields())
            let hint = unknown.hint.isEmpty ? "." : unknown.hint
            throw .invalid("\(name) has no field '\(field)'; \(unknown.knownClause)\(hint)")
        }
        throw .unanswered("no event wrote the field '\(field)', which still has its initial value")
    }

    /// Each field that an event wrote, with its last value and its last change.
    package var lastWritings: [(leaf: FlatFields.Leaf, writing: Writing)] {
        var last: [String: Writing] = [:]
        for writing in writings { last[writing.change.path] = writing }
        return leaves.compactMap { leaf in last[leaf.path].map { (leaf, $0) } }
    }
}

extension ProjectionReading {
    /// Passes the answer of a report to `body` after each event that may affect the answer.
    ///
    /// Only the first requested period is used. All answers are as of the time of the reading.
    ///
    /// - Parameter report: the report to compute; at the end, it has been fed all its events.
    func forEachAnswer(
        of report: inout some PendingReport,
        _ body: (RecordedEvent, ReportAnswer.Content) throws -> Void
    ) throws {
        try feedAgain(&report, before: { _, _ in }) { event, mayAffect, report in
            if mayAffect, let content = report.content { try body(event, content) }
        }
    }

    /// Feeds a report all its events in order; `after` learns whether each may affect the answer.
    func feedAgain<Pending: PendingReport>(
        _ report: inout Pending, before: (RecordedEvent, inout Pending) throws -> Void,
        after: (RecordedEvent, Bool, inout Pending) throws -> Void
    ) throws {
        try gather(&report)
        // The report's query and time stretch depend on the events, which are read before.
        let query = report.firstQuery.union(report.query)
        let stretch = report.stretch
        report.restart()
        for event in try events(query) {
            try before(event, &report)
            try feed(event, to: &report)
            let mayAffect = try stretch.map { try report.mayTouch($0, event) } ?? true
            try after(event, mayAffect, &report)
        }
    }
}

extension PendingReport {
    /// The answer for the first requested period; `nil` if there is none yet.
    var content: ReportAnswer.Content? {
        guard unknownEntityMessage == nil, case .success(let content)? = answers().first?.result
        else { return nil }
        return content
    }
}
