public import EventSourcing
import EventStorage

extension ProjectionReading: EntityStates {
    /// More entities than these are read in one scan.
    private static let scanLimit = 2_000

    public func states<Target: Projection>(
        _ projection: Target.Type, of tags: [Tag]
    ) throws -> [Tag: Target.State] {
        let asked = Set(tags)
        var states: [Tag: Target.State] = [:]
        for tag in asked { states[tag] = .blank }
        guard asked.count <= Self.scanLimit else {
            try fold(projection, Query(Query.Item(kinds: Target.kinds)), asked, into: &states)
            return states
        }
        for tag in asked.sorted() {
            try fold(projection, .any(of: Target.kinds, tag), [tag], into: &states)
        }
        return states
    }

    /// Folds each event of a query into the states of those entities that it is about.
    private func fold<Target: Projection>(
        _ projection: Target.Type, _ query: Query, _ asked: Set<Tag>,
        into states: inout [Tag: Target.State]
    ) throws(LogError) {
        let reader = KindReader<Target.Event>()
        try log.reader(query, ReadWindow(through: through)).forEach { (event) throws(LogError) in
            if let end = entities.validThrough, event.envelope.occurredAt > end { return true }
            let tags = event.tags.filter(asked.contains)
            guard !tags.isEmpty else { return true }
            let newest = try folding { () throws(FoldError) in try catalogue.upcast(event) }
            let texts = try personalTexts(of: newest)
            try folding { () throws(FoldError) in
                guard let known = try reader.read(newest, filling: texts) else { return }
                for tag in tags {
                    Target.evolve(&states[tag, default: .blank], with: known, newest.envelope)
                }
            }
            return true
        }
    }
}
