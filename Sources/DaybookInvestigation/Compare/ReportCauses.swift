package import Daybook
import DaybookLog
import DaybookScenarios

/// One side of a comparison of reports: the events that its report reads.
public struct ReportEvidence: Sendable {
    /// The log, read as of one moment.
    private let reading: ProjectionReading
    /// Returns the report of a period, before it has read any event.
    private let prepare: @Sendable (String) throws -> any PendingReport

    /// Creates the evidence of one side.
    ///
    /// - Parameter prepare: returns the report of a period, before it has read any event.
    package init(
        in reading: ProjectionReading,
        preparing prepare: @escaping @Sendable (String) throws -> any PendingReport
    ) {
        self.reading = reading
        self.prepare = prepare
    }

    /// Identity of the log.
    fileprivate var logID: String { reading.log.id }

    /// Returns the report of a period with all events that it reads.
    fileprivate func gathered(_ period: String) throws -> Gathered {
        let blank = try prepare(period)
        var report = blank
        try reading.gather(&report)
        let query = report.firstQuery.union(report.query)
        return Gathered(
            blank: blank, events: try reading.events(query), entities: query.entities)
    }

    /// A report before it has read any event, and all events that it reads.
    fileprivate struct Gathered {
        /// The report before it has read any event.
        var blank: any PendingReport
        /// All events that the report reads, in their newest schema versions.
        var events: [RecordedEvent]
        /// The kind of entity by which events are grouped; `nil` if the report names none.
        var entities: ReportQuery.Entities?
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

    /// Feeds a report those of the events that it reads.
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
/// difference, or if it accounts for a part of a number's difference that is the sum of such parts.
public struct ReportCauses: Sendable {
    /// An entity that makes the answers differ, with its events.
    public struct Cause: Sendable {
        /// Tag of the entity, such as `entry:e1`; the kind of an event without tags.
        public var entity: String
        /// Position and kind of each event that the report reads.
        ///
        /// If two logs are compared, each text also says which log has the event.
        public var events: [String]
        /// Paths of the fields that differ because of the entity.
        public var fields: [String]
    }

    /// The two sides.
    private let sides: [ReportEvidence]
    /// The comparison whose differences are explained.
    private let comparison: ReportComparison

    /// Creates a search for the causes of a comparison's differences.
    public init(
        of first: ReportEvidence, and second: ReportEvidence, in comparison: ReportComparison
    ) {
        sides = [first, second]
        self.comparison = comparison
    }

    /// Returns the causes of a difference; causes that affect the most fields come first.
    ///
    /// Empty if one of the answers cannot be computed.
    public func causes(of divergence: ReportComparison.Divergence) throws -> [Cause] {
        let evidence = try sides.map { try $0.gathered(divergence.period) }
        var events = evidence.map(\.events)
        let blanks = evidence.map(\.blank)
        guard let answers = try answers(blanks, events) else { return [] }
        let areOfOneLog = Set(sides.map(\.logID)).count == 1
        let entities = Entity.all(of: evidence, areOfOneLog: areOfOneLog)
        let relevant = try relevant(entities[...], blanks, events, answers)
        let irrelevant = entities.filter { !relevant.contains($0) }
        events = events.without(irrelevant)
        var contributions: [(entity: Entity, differences: [String: Difference])] = []
        for entity in relevant {
            // If the report has no answer without the entity, the entity is its basis and not a
            // cause.
            guard let answers = try self.answers(blanks, events.without([entity])) else { continue }
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
                return Cause(entity: entity.name, events: entity.events, fields: fields[place])
            }
    }

    /// Returns the entities whose absence changes one of the answers, by halving the list.
    ///
    /// - Parameter whole: the answers with all entities.
    private func relevant(
        _ entities: ArraySlice<Entity>, _ blanks: [any PendingReport],
        _ events: [[RecordedEvent]],
        _ whole: [[FlatFields.Leaf]]
    ) throws -> [Entity] {
        guard !entities.isEmpty else { return [] }
        if try answers(blanks, events.without(entities)) == whole { return [] }
        guard entities.count > 1 else { return Array(entities) }
        let middle = entities.startIndex + entities.count / 2
        return try relevant(entities[..<middle], blanks, events, whole)
            + relevant(entities[middle...], blanks, events, whole)
    }

    /// Returns the answers of both sides from some events; `nil` if a side has no answer.
    private func answers(
        _ blanks: [any PendingReport], _ events: [[RecordedEvent]]
    ) throws -> [[FlatFields.Leaf]]? {
        var answers: [[FlatFields.Leaf]] = []
        for place in sides.indices {
            guard let leaves = try sides[place].leaves(of: blanks[place], from: events[place])
            else { return nil }
            answers.append(leaves)
        }
        return answers
    }

    /// Returns the differences between two answers, by path.
    private func differences(
        _ first: [FlatFields.Leaf], _ second: [FlatFields.Leaf]
    ) -> [String: Difference] {
        Dictionary(
            comparison.changes(first, second).map { ($0.path, Difference($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the indices of the entities that contribute to the difference of a field.
    ///
    /// - Parameter without: for each entity, the differences that remain without it.
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

    /// The difference of a field between the two answers.
    private struct Difference {
        /// Second value minus first value; a missing value counts as 0.
        ///
        /// `nil` if a value is not a number.
        let delta: Int64?

        /// Computes the difference of a changed field.
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

    /// Events about one entity, which are left out together.
    fileprivate struct Entity: Equatable {
        /// Tag of the entity, such as `entry:e1`; the kind of an event without tags.
        var name: String
        /// Positions of the events on each side, because two logs have different events at a
        /// position.
        var positions: [Set<Position>]
        /// Position and kind of each event, and its log if two logs are compared.
        var events: [String] = []

        /// Returns the entities of both sides, in the order of their first events.
        static func all(
            of evidence: [ReportEvidence.Gathered], areOfOneLog: Bool
        ) -> [Entity] {
            var all: [Entity] = []
            var known: [String: Int] = [:]
            for (side, gathered) in evidence.enumerated() {
                let log = areOfOneLog ? "" : side == 0 ? " in the first log" : " in the second log"
                for event in gathered.events {
                    let tag = gathered.entities.flatMap { $0.tags(event).first } ?? event.tags.first
                    let name = tag?.text ?? event.kind.name
                    let place = known[name] ?? all.count
                    if place == all.count {
                        known[name] = place
                        all.append(
                            Entity(
                                name: name,
                                positions: Array(repeating: [], count: evidence.count)))
                    }
                    guard all[place].positions[side].insert(event.position).inserted else {
                        continue
                    }
                    let text = "\(event.position) \(event.kind)\(log)"
                    if !all[place].events.contains(text) { all[place].events.append(text) }
                }
            }
            return all
        }
    }
}

extension [[RecordedEvent]] {
    /// Returns the events of each side without the events of some entities.
    fileprivate func without(_ entities: some Sequence<ReportCauses.Entity>) -> [[RecordedEvent]] {
        enumerated().map { side, events in
            let gone = entities.reduce(into: Set()) { $0.formUnion($1.positions[side]) }
            return events.filter { !gone.contains($0.position) }
        }
    }
}
