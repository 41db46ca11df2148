public import Daybook
import DaybookLog
import DaybookScenarios

/// The events that wrote the fields of one entity, or of a report.
public struct Blame: Sendable {
    /// A change, and the event that made it.
    public struct Writing: Sendable {
        public var event: RecordedEvent
        public var change: FieldChange
        /// `true` where the event is the entity's first one.
        public var isFirst: Bool
    }

    /// The newest id of the entity; empty for a report.
    public let key: String
    /// All changes, in the order of the log.
    public let writings: [Writing]
    /// The fields of the last state or answer.
    public let leaves: [FlatFields.Leaf]
    private let name: String
    private let fields: [FieldDescription]

    /// - Parameter key: any id of the entity.
    /// - Throws: `QuestionError.unknownEntity` for an entity without events.
    public init(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws {
        (name, fields) = (projection.name, projection.fields)
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

    /// Asks a report again after each event that may touch it, with the present of the whole
    /// reading.
    ///
    /// - Parameters:
    ///   - arguments: an object of what the report is asked with, for one period.
    ///   - context: of the reading.
    /// - Throws: `QuestionError.invalid` for wrong arguments, `unanswered` for a report that has no
    ///   answer.
    public init(
        of report: ReportDescription, _ arguments: Tree, _ context: ReportContext,
        in reading: ProjectionReading
    ) throws {
        (key, name, fields) = ("", report.name, report.fields)
        var pending: any PendingReport
        do throws(InputError) {
            pending = try report.prepare(arguments, rules: .standard, context)
        } catch {
            throw QuestionError.invalid("\(error)")
        }
        let lists = KeyedLists(report.fields)
        var writings: [Writing] = []
        var leaves: [FlatFields.Leaf] = []
        try reading.forEachAnswer(of: &pending) { event, next in
            writings += FieldChange.between(leaves, next, lists)
                .filter { !report.basisFields.contains($0.path) }
                .map { Writing(event: event, change: $0, isFirst: leaves.isEmpty) }
            leaves = next
        }
        if let unknown = pending.unknown { throw QuestionError.unanswered(unknown) }
        if case .failure(let error)? = pending.answers().first?.result {
            throw try QuestionError(error)
        }
        self.writings = writings
        self.leaves = leaves
    }

    /// All writings of a field and of those within it, the last one first.
    ///
    /// - Throws: `invalid` for a field that the projection does not have, `unanswered` for one that
    ///   no event wrote.
    public func writings(of field: String) throws(QuestionError) -> [Writing] {
        let isWithin = { (path: String) in
            path == field || path.hasPrefix(field + ".") || path.hasPrefix(field + "[")
        }
        let found = writings.filter { isWithin($0.change.path) }
        guard found.isEmpty else { return found.reversed() }
        guard leaves.contains(where: { isWithin($0.path) }) else {
            let unknown = UnknownField(field, in: fields)
            let hint = unknown.hint.isEmpty ? "." : unknown.hint
            throw .invalid("\(name) has no field '\(field)'; \(unknown.known)\(hint)")
        }
        throw .unanswered("no event wrote '\(field)': it is as it began")
    }

    /// The fields of the last state that an event wrote, each with its last writing.
    public var lastWritings: [(leaf: FlatFields.Leaf, writing: Writing)] {
        var last: [String: Writing] = [:]
        for writing in writings { last[writing.change.path] = writing }
        return leaves.compactMap { leaf in last[leaf.path].map { (leaf, $0) } }
    }
}

extension ProjectionReading {
    /// Gives the answer of a report after each event that may touch it, for the first period asked
    /// for.
    ///
    /// - Parameter report: holds everything afterwards.
    fileprivate func forEachAnswer(
        of report: inout some PendingReport,
        _ body: (RecordedEvent, [FlatFields.Leaf]) throws -> Void
    ) throws {
        try gather(&report)
        // What it reads, and which times it is about, is known from all of them.
        let query = report.firstQuery.union(report.query)
        let stretch = report.stretch
        report.restart()
        for event in try events(query) {
            try feed(event, to: &report)
            if let stretch, try !report.mayTouch(stretch, event) { continue }
            guard report.unknown == nil,
                case .success(let content)? = report.answers().first?.result
            else { continue }
            try body(event, content.leaves)
        }
    }
}
