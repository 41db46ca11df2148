package import Daybook
import DaybookLog

/// One side of a comparison of reports: computes the answer from all events of a log, or from some.
public struct ReportEvidence: Sendable {
    private let reading: ProjectionReading
    /// Returns the report of a period, before it has read any event.
    private let prepare: @Sendable (String) throws -> any PendingReport

    package init(
        in reading: ProjectionReading,
        preparing prepare: @escaping @Sendable (String) throws -> any PendingReport
    ) {
        self.reading = reading
        self.prepare = prepare
    }

    fileprivate var logID: String { reading.log.id }

    /// Returns the report of a period before it has read any event, and all events that it reads.
    fileprivate func reportWithEvents(of period: String) throws -> ReportWithEvents {
        let blank = try prepare(period)
        var report = blank
        try reading.gather(&report)
        let query = report.firstQuery.union(report.query)
        return ReportWithEvents(
            blankReport: blank, events: try reading.events(query), grouping: query.entities)
    }

    /// A report before it has read any event, and all events that it reads.
    fileprivate struct ReportWithEvents {
        var blankReport: any PendingReport
        /// All events that the report reads, in their newest schema versions.
        var events: [RecordedEvent]
        /// The type of entity by which the events are grouped; `nil` for their first tags.
        var grouping: ReportQuery.Entities?
    }

    /// Returns the answer computed from some of the events; `nil` if the report has no answer.
    fileprivate func leaves(
        of blank: any PendingReport, from events: [RecordedEvent]
    ) throws -> [FlatFields.Leaf]? {
        var report = blank
        try feed(events, to: &report)
        guard case .success(let content)? = report.answers().first?.result else { return nil }
        return content.leaves
    }

    /// Feeds a report the given events, except for those that the report does not read.
    private func feed(
        _ events: [RecordedEvent], to report: inout some PendingReport
    ) throws(LogError) {
        try report.gather { (query, report) throws(LogError) in
            for event in query.events(among: events) { try reading.feed(event, to: &report) }
        }
    }
}

/// A search for the entities that make two answers of a report differ.
///
/// Each entity in turn is left out on both sides. An entity is a cause if its absence removes a
/// difference. If a number's difference is the sum of the contributions of the entities, each
/// entity with a contribution other than 0 is a cause.
public struct ReportCauses: Sendable {
    /// An entity that makes the answers differ, with its events.
    public struct Cause: Sendable {
        /// Tag of the entity, such as `entry:e1`; for an event without tags, the event kind.
        public var entity: String
        /// Position and kind, as text, of each event that the report reads.
        ///
        /// If two logs are compared, the text also says which log has the event.
        public var eventLabels: [String]
        /// Paths of the fields that differ because of the entity.
        public var fields: [String]
    }

    private let sides: [ReportEvidence]
    private let comparison: ReportComparison

    public init(
        of first: ReportEvidence, and second: ReportEvidence, in comparison: ReportComparison
    ) {
        sides = [first, second]
        self.comparison = comparison
    }

    /// Returns the causes, those of most fields first; empty if an answer cannot be computed.
    public func causes(of divergence: ReportComparison.Divergence) throws -> [Cause] {
        let evidence = try sides.map { try $0.reportWithEvents(of: divergence.period) }
        var events = evidence.map(\.events)
        let blankReports = evidence.map(\.blankReport)
        guard let answers = try answers(blankReports, events) else { return [] }
        let areOfOneLog = Set(sides.map(\.logID)).count == 1
        let entities = Entity.all(of: evidence, areOfOneLog: areOfOneLog)
        let relevant = try relevantEntities(entities[...], blankReports, events, answers)
        let irrelevant = entities.filter { !relevant.contains($0) }
        events = events.without(irrelevant)
        var contributions: [(entity: Entity, differences: [String: Difference])] = []
        for entity in relevant {
            // An entity without which there is no answer is its basis and not a cause.
            guard let answers = try self.answers(blankReports, events.without([entity])) else {
                continue
            }
            contributions.append((entity, differences(answers[0], answers[1])))
        }
        var fields = Array(repeating: [String](), count: contributions.count)
        for change in divergence.changes {
            for cause in Self.causes(of: change, among: contributions.map(\.differences)) {
                fields[cause].append(change.path)
            }
        }
        return contributions.indices.filter { !fields[$0].isEmpty }
            .sorted { (fields[$1].count, $0) < (fields[$0].count, $1) }
            .map { place in
                let entity = contributions[place].entity
                return Cause(
                    entity: entity.name, eventLabels: entity.eventLabels, fields: fields[place])
            }
    }

    /// Returns the entities whose absence changes an answer, found by halving the list.
    private func relevantEntities(
        _ entities: ArraySlice<Entity>, _ blankReports: [any PendingReport],
        _ events: [[RecordedEvent]], _ whole: [[FlatFields.Leaf]]
    ) throws -> [Entity] {
        guard !entities.isEmpty else { return [] }
        if try answers(blankReports, events.without(entities)) == whole { return [] }
        guard entities.count > 1 else { return Array(entities) }
        let middle = entities.startIndex + entities.count / 2
        return try relevantEntities(entities[..<middle], blankReports, events, whole)
            + relevantEntities(entities[middle...], blankReports, events, whole)
    }

    /// Returns the answers of both sides, computed from the given events of each side; `nil` if a
    /// side has no answer.
    private func answers(
        _ blankReports: [any PendingReport], _ events: [[RecordedEvent]]
    ) throws -> [[FlatFields.Leaf]]? {
        var answers: [[FlatFields.Leaf]] = []
        for place in sides.indices {
            guard let leaves = try sides[place].leaves(of: blankReports[place], from: events[place])
            else { return nil }
            answers.append(leaves)
        }
        return answers
    }

    /// Returns the differences between two answers, by the path of the field.
    private func differences(
        _ first: [FlatFields.Leaf], _ second: [FlatFields.Leaf]
    ) -> [String: Difference] {
        Dictionary(
            comparison.changes(first, second).map { ($0.path, Difference($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the indices of the entities that contribute to the difference of a field; `without`
    /// has the differences that remain without each entity, by path.
    private static func causes(
        of change: FieldChange, among without: [[String: Difference]]
    ) -> [Int] {
        let whole = Difference(change)
        let gone = without.indices.filter { without[$0][change.path] == nil }
        guard let delta = whole.delta else { return gone }
        let parts = without.map { delta &- ($0[change.path].map { $0.delta ?? delta } ?? 0) }
        // A mean or a maximum is not a sum of parts.
        guard parts.reduce(0, &+) == delta else { return gone }
        return parts.indices.filter { parts[$0] != 0 }
    }

    /// The difference of a field between the two answers, as a number where possible.
    private struct Difference {
        /// Second value minus first value; a missing value counts as 0. `nil` if one of the values
        /// is present but not an integer.
        let delta: Int64?

        init(_ change: FieldChange) {
            let numbers = [change.before, change.after].map { json in
                json == nil || json == "null" ? 0 : json.flatMap { Int64($0) }
            }
            guard let before = numbers[0], let after = numbers[1] else {
                delta = nil
                return
            }
            delta = after.subtractingReportingOverflow(before).partialValue
        }
    }

    /// An entity of which all events are left out together.
    fileprivate struct Entity: Equatable {
        var name: String
        /// Positions of the events on each side, which may differ at the same position.
        var positions: [Set<Position>]
        /// Position and kind of each event as text, and its log if two logs are compared.
        var eventLabels: [String] = []

        /// Returns the entities in the order of their first events; those that only the second
        /// side has come last.
        static func all(
            of evidence: [ReportEvidence.ReportWithEvents], areOfOneLog: Bool
        ) -> [Entity] {
            var all: [Entity] = []
            var known: [String: Int] = [:]
            for (side, gathered) in evidence.enumerated() {
                let log = areOfOneLog ? "" : side == 0 ? " in the first log" : " in the second log"
                for event in gathered.events {
                    let tag = gathered.grouping.flatMap { $0.tags(event).first } ?? event.tags.first
                    let name = tag?.text ?? event.kind.name
                    let place = known[name] ?? all.count
                    if place == all.count {
                        known[name] = place
                        all.append(
                            Entity(
                                name: name, positions: Array(repeating: [], count: evidence.count)))
                    }
                    guard all[place].positions[side].insert(event.position).inserted else {
                        continue
                    }
                    let text = "\(event.position) \(event.kind)\(log)"
                    if !all[place].eventLabels.contains(text) {
                        all[place].eventLabels.append(text)
                    }
                }
            }
            return all
        }
    }
}

extension [[RecordedEvent]] {
    /// Returns each side's events without the events of the given entities.
    fileprivate func without(_ entities: some Sequence<ReportCauses.Entity>) -> [[RecordedEvent]] {
        enumerated().map { side, events in
            let gone = entities.reduce(into: Set()) { $0.formUnion($1.positions[side]) }
            return events.filter { !gone.contains($0.position) }
        }
    }
}
