package import Daybook
import DaybookLog
import DaybookScenarios

/// The events that a report of one period was made from, on one side of a comparison.
public struct ReportEvidence: Sendable {
    private let reading: ProjectionReading
    private let prepare: @Sendable (String) throws -> any PendingReport

    /// - Parameter prepare: the report of one period, before it has read anything.
    package init(
        in reading: ProjectionReading,
        preparing prepare: @escaping @Sendable (String) throws -> any PendingReport
    ) {
        self.reading = reading
        self.prepare = prepare
    }

    fileprivate var logID: String { reading.log.id }

    fileprivate func gathered(_ period: String) throws -> Gathered {
        let blank = try prepare(period)
        var report = blank
        try reading.gather(&report)
        let query = report.firstQuery.union(report.query)
        return Gathered(
            blank: blank, events: try reading.events(query), entities: query.entities)
    }

    /// A report before it has read anything, and all that it reads.
    fileprivate struct Gathered {
        var blank: any PendingReport
        var events: [RecordedEvent]
        var entities: ReportQuery.Entities?
    }

    /// The answer from some of the events; `nil` where they have none.
    fileprivate func leaves(
        of blank: any PendingReport, from events: [RecordedEvent]
    ) throws -> [FlatFields.Leaf]? {
        var report = blank
        try feed(events, to: &report)
        guard case .success(let content)? = report.answers().first?.result else { return nil }
        return content.leaves
    }

    private func feed(
        _ events: [RecordedEvent], to report: inout some PendingReport
    ) throws(LogError) {
        try report.gather { (query, report) throws(LogError) in
            for event in query.events(among: events) { try reading.feed(event, to: &report) }
        }
    }
}

/// Finds the entities that make two answers of a report differ.
///
/// Each entity is left out on both sides in turn. It is a cause where a number that every entity
/// adds to differs by less without it, or where another difference goes away.
public struct ReportCauses: Sendable {
    /// An entity with those of its events that the report reads.
    public struct Cause: Sendable {
        /// `entry:e1`; the kind of the event where it is about no entity.
        public var entity: String
        /// Position and kind of each; where two logs are compared, with which of them it is in.
        public var events: [String]
        /// Paths of the fields that it makes differ.
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

    /// The causes of a difference, those of most fields first.
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
            // What the answer cannot do without is its basis and no cause.
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

    /// The entities without which one of the answers is another one.
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

    private func differences(
        _ first: [FlatFields.Leaf], _ second: [FlatFields.Leaf]
    ) -> [String: Difference] {
        Dictionary(
            comparison.changes(first, second).map { ($0.path, Difference($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The entities, by number, without which a field would differ otherwise.
    private static func causes(
        of change: FieldChange, among without: [[String: Difference]]
    ) -> [Int] {
        let whole = Difference(change)
        let gone = without.indices.filter { without[$0][change.path] == nil }
        guard let delta = whole.delta else { return gone }
        let parts = without.map { delta &- ($0[change.path].map { $0.delta ?? delta } ?? 0) }
        // A mean or a maximum is no sum of parts.
        guard parts.reduce(0, &+) == delta else { return gone }
        return parts.indices.filter { parts[$0] != 0 }
    }

    /// A field's difference without one of the entities.
    private struct Difference {
        /// `nil` for anything but numbers; nothing counts as 0.
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

    /// Events that are left out together.
    fileprivate struct Entity: Equatable {
        var name: String
        /// Those of each side: two logs have other events at the same positions.
        var positions: [Set<Position>]
        var events: [String] = []

        /// The entities of both sides, by their first event.
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
    /// The events of each side but for those of some entities.
    fileprivate func without(_ entities: some Sequence<ReportCauses.Entity>) -> [[RecordedEvent]] {
        enumerated().map { side, events in
            let gone = entities.reduce(into: Set()) { $0.formUnion($1.positions[side]) }
            return events.filter { !gone.contains($0.position) }
        }
    }
}
