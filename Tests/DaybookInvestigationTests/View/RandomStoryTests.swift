import Daybook
import DaybookInput
import DaybookLog
import TestSupport
import Testing

@testable import DaybookInvestigation
@testable import DaybookModel

/// Stories of random facts of Daybook's areas, compared with the states and writers of the log.
@Suite struct RandomStoryTests {
    private static let catalogue = Result { try Catalogue(Catalog.areas) }

    /// A log of random facts.
    private struct FactLog {
        let folder: TemporaryFolder
        let log: EventLog
        let catalogue: Catalogue
        var sampler: SchemaSampler

        init(seed: UInt64, count: Int) throws {
            catalogue = try RandomStoryTests.catalogue.get()
            folder = try TemporaryFolder()
            log = try EventLog(path: folder.path("log"), access: .create)
            sampler = SchemaSampler(seed: seed, calm: [8, 40, 400][Int(seed % 3)])
            let areas = ["baby-care household", "running", "session launch", "chat", ""]
            let area = areas[Int(seed) % areas.count].split(separator: " ")
            let kinds = catalogue.events.values.filter { event in
                !Catalogue.kindsOfTheLog.contains(event.kind)
                    && (area.isEmpty || area.contains { event.kind.name.hasPrefix("\($0).") })
            }.sorted { $0.kind < $1.kind }
            var appended = 0
            while appended < count {
                let description = sampler.pick(kinds)
                let tree = sampler.tree(of: description.fields)
                var event = try description.read(tree, "", InputRules.standard.ofHistory)
                event.tags = event.tags.filter(\.isValid)
                event.occurredAt = Instant(microseconds: sampler.moment())
                guard event.unstorableReason == nil else { continue }
                var request = AppendRequest([event])
                if appended > 0, sampler.below(5) == 0 {
                    request.metadata.causation = Position(UInt64(1 + sampler.below(appended)))
                }
                _ = try log.append(request)
                appended += 1
            }
        }

        func reading(at position: Int64? = nil) throws -> ProjectionReading {
            let moment = position.map { Moment(.position(UInt64($0))) } ?? Moment()
            return try ProjectionReading(log, catalogue, as: moment)
        }
    }

    @Test(
        "Every state at every row is that of the log",
        arguments: Cases.sample(1...56 as ClosedRange<UInt64>))
    func states(seed: UInt64) throws {
        var facts = try FactLog(seed: seed, count: 80)
        let projections = facts.catalogue.projections.values.sorted { $0.name < $1.name }
        let privacy: ExportPrivacy = facts.sampler.below(2) == 0 ? .texts : .ids
        let values = ShownValues(privacy, of: facts.log, facts.catalogue) { _ in false }
        let reading = try facts.reading()
        for projection in projections {
            guard let keys = try facts.log.contents.ids(of: projection.noun, atMost: 100),
                !keys.isEmpty
            else { continue }
            let key = facts.sampler.pick(keys.sorted())
            var options = StoryOptions(
                .entities(projection, keys: [key]), values, digest: { _ in 0 })
            options.from = Position(UInt64(1 + facts.sampler.below(40)))
            guard let story = try? Story(options, in: reading) else { continue }
            let read = try ReadStory(story)
            for (row, position) in read.positions.enumerated()
            where row == read.positions.count - 1 || facts.sampler.below(6) == 0 {
                try compare(read, row, try facts.reading(at: position), reading, values, seed)
            }
            try compareWriters(read, projection, key, reading, seed)
        }
    }

    /// Compares the states of all entities of a story at a row with those of the log.
    private func compare(
        _ story: ReadStory, _ row: Int, _ reading: ProjectionReading, _ end: ProjectionReading,
        _ values: ShownValues, _ seed: UInt64
    ) throws {
        for (index, entity) in try ReadStory.list(story.tree["entities"]).enumerated() {
            guard let name = entity["projection"] else { continue }
            let projection = try #require(
                reading.catalogue.projections[try ReadStory.text(name)])
            let key = try ReadStory.text(entity["key"])
            // A story knows the entity's ids of its end, as the history does.
            let walk = try end.entities.walk(of: projection, key)
            let state = try end.entities.state(
                along: walk, .standard, through: reading.through)
            let expected = state.isEmpty ? nil : Tree.fields(state.fold.leaves(values.redaction))
            let found = try story.state(index, at: row)
            #expect(
                found == expected,
                "seed \(seed), \(projection.name) \(key) at position \(story.positions[row])")
        }
    }

    /// Compares the writers of an entity's fields with those that blame names.
    private func compareWriters(
        _ story: ReadStory, _ projection: ProjectionDescription, _ key: String,
        _ reading: ProjectionReading, _ seed: UInt64
    ) throws {
        let walk = try reading.entities.walk(of: projection, key)
        guard let entity = try story.entity(projection.name, walk.key ?? key) else { return }
        let blame = try Blame(of: projection, key, .standard, in: reading)
        let rows = Set(story.positions)
        // A story begins with a blank state, whose empty lists the first event fills. Blame may know
        // that nothing was there before it, or an event that changed nothing.
        let begin = try story.firstRow(of: entity).map { story.positions[$0] }
        var expected: [String: [Int64]] = [:]
        for writing in blame.writings {
            let position = Int64(writing.event.position.rawValue)
            guard rows.contains(position), writing.change.after != nil || position != begin
            else { continue }
            expected[writing.change.path, default: []].append(position)
        }
        var found: [String: [Int64]] = [:]
        for change in story.changes where change.entity == entity && change.writer == 0 {
            let position = story.positions[change.row]
            guard change.value != nil || position != begin else { continue }
            found[change.path, default: []].append(position)
        }
        #expect(found == expected, "seed \(seed), \(projection.name) \(key)")
    }

    @Test(
        "No place in a story depends on the ids' order or on the number of runs", arguments: [3, 4])
    func equalStories(seed: UInt64) throws {
        let facts = try FactLog(seed: seed, count: 60)
        let values = ShownValues(.pseudonyms, of: facts.log, facts.catalogue) { _ in false }
        let options = StoryOptions(.events, values, digest: { _ in 0 })
        let first = try ReadStory(options, in: try facts.reading())
        #expect(try ReadStory(options, in: try facts.reading()).json == first.json)
    }
}
