import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `list`, which lists the entities of a log, or the nouns of its tags.
struct ListCommand: ToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the entities of a log: babies, runs, devices, …",
            discussion: """
                Each entity is listed with the number of its events and the times of the first and \
                the last one. The noun is the part of a tag before the colon, in singular or \
                plural, or the name of a projection. Without a noun, every noun of the log is \
                listed with the number of its entities.

                One person may have several nouns: 'list baby' counts the events of the baby's \
                profile too, which the list of nouns shows under 'profile'.
                """)
    }

    @Argument(
        help: .text("Noun of the entities; without it, the nouns are listed.", "noun"),
        completion: Completions.nouns)
    var noun: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: "Form of the list.")
    var format = Form.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    @Flag(help: "In CSV, leave ids unescaped that a spreadsheet would run as a formula.")
    var raw = false

    private var form: Form { json ? .json : format }

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case csv
    }

    func validate() throws {
        guard !json || format != .csv else {
            throw ValidationError("Give only one of --json and --format csv.")
        }
        guard !raw || form == .csv else { throw ValidationError("--raw requires --format csv.") }
    }

    func run() throws {
        let catalogue = catalogue()
        try moment.answer(try log.open(.read), catalogue) { reading in
            try KeptStates.summary.announce(for: reading.log)
            guard let noun else { return show(try nounCounts(reading)) }
            let filter = try entityFilter(noun, reading)
            let entities = try entities(filter, reading)
            if entities.isEmpty {
                StandardError.message("no \(noun) up to position \(reading.through)")
            }
            show(entities)
        }
    }

    /// Condition on the entities to list: the noun of their tags, and their event kinds.
    private struct EntityFilter {
        var noun: String
        /// Kinds that are counted, empty for all; an entity without such events is not listed.
        var kinds: Set<EventKind> = []
    }

    /// Returns the filter for a noun, its plural, or the name of a projection.
    private func entityFilter(_ name: String, _ reading: ProjectionReading) throws -> EntityFilter {
        let nouns = try KnownNames(reading.log, reading.catalogue).nouns()
        let projections = reading.catalogue.projections
        if nouns.contains(name) { return EntityFilter(noun: name) }
        if let noun = nouns.first(where: { $0.plural == name }) { return EntityFilter(noun: noun) }
        if let found = projections.values.sorted(by: { $0.name < $1.name })
            .first(where: { $0.name == name || $0.name.plural == name })
        {
            return EntityFilter(noun: found.noun, kinds: found.kinds)
        }
        let known = Array(nouns) + nouns.map(\.plural) + projections.keys
        // An actor or device that recorded a commit is not an entity.
        let hint =
            ["actor", "actors", "author", "authors"].contains(name)
            ? "; 'log --json' shows who recorded each commit."
            : NearestNames.hint(for: name, in: known)
        throw ValidationError(
            "There is no kind of entity '\(name)'\(hint) The kinds are: "
                + "\(nouns.sorted().joined(separator: ", ")).")
    }

    /// Returns the entities, each under its newest id.
    private func entities(
        _ filter: EntityFilter, _ reading: ProjectionReading
    ) throws -> [TaggedEntity] {
        // A person may have several nouns.
        let people = reading.catalogue.people.nouns
        let nouns = Set([filter.noun]).union(people.filter { $0.value == filter.noun }.keys)
        let found = try nouns.sorted().flatMap {
            try reading.log.contents.entities(
                of: $0, kinds: filter.kinds, through: reading.through,
                validThrough: reading.entities.validThrough)
        }
        let identities = try identities(of: filter.noun, reading)
        // Without further nouns and ids, each tag is an entity, and the tags are sorted.
        if nouns.count == 1, identities.isEmpty { return found }
        let groups = Dictionary(grouping: found) {
            identities.newest(filter.noun, String($0.tag.id))
        }
        return try groups.compactMap { id, members in
            guard var entity = members.first else { return nil }
            guard members.count > 1 || entity.tag.id != id || entity.tag.noun != filter.noun
            else { return entity }
            // An event with two tags of the same entity counts once.
            let items = members.map { Query.Item(kinds: filter.kinds, tags: [$0.tag]) }
            let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
            entity.eventCount = 0
            if let query = Query(items: items) {
                let window = ReadWindow(through: reading.through)
                try reading.log.reader(query, window).forEachInPlace { event in
                    entity.eventCount += event.envelope.occurredAt <= latest ? 1 : 0
                    return true
                }
            }
            entity.tag = Daybook.Tag(stored: "\(filter.noun):\(id)")
            entity.first = members.map(\.first).min() ?? entity.first
            entity.last = members.map(\.last).max() ?? entity.last
            return entity
        }.sorted { $0.tag < $1.tag }
    }

    private func identities(of noun: String, _ reading: ProjectionReading) throws -> Identities {
        let kinds = Set(reading.catalogue.renamingKinds(of: noun).map(\.kind))
        guard try reading.log.contents.hasAny(of: kinds),
            let query = Query(items: kinds.map { Query.Item(kinds: [$0]) })
        else { return Identities() }
        return try Identities(try reading.entities.events(matching: query), in: reading.catalogue)
    }

    /// Returns the numbers of entities and events of each noun in the log.
    private func nounCounts(_ reading: ProjectionReading) throws -> [NounCount] {
        var counts: [String: NounCount] = [:]
        let entities = try reading.log.contents.entities(
            of: nil, through: reading.through, validThrough: reading.entities.validThrough)
        for entity in entities {
            let noun = String(entity.tag.noun)
            var count =
                counts[noun] ?? NounCount(noun: noun, firstAt: entity.first, lastAt: entity.last)
            count.entityCount += 1
            count.eventCount += entity.eventCount
            count.firstAt = min(count.firstAt, entity.first)
            count.lastAt = max(count.lastAt, entity.last)
            counts[noun] = count
        }
        return counts.values.sorted { $0.noun < $1.noun }
    }

    private struct NounCount {
        var noun: String
        var entityCount = 0
        var eventCount = 0
        var firstAt: Instant
        var lastAt: Instant
    }

    private func show(_ entities: [TaggedEntity]) {
        show(entities.lazy.map { ListAnswer($0) }) {
            var table = Table(.leading, .trailing, .leading, .leading, margin: "")
            for entity in entities {
                table.add(
                    String(entity.tag.id), entity.eventCount.counted("event"),
                    Timestamp.text(entity.first), Timestamp.text(entity.last))
            }
            return table
        }
    }

    private func show(_ nouns: [NounCount]) {
        let answers = nouns.map { count in
            NounAnswer(
                noun: count.noun, entityCount: Int64(count.entityCount),
                eventCount: Int64(count.eventCount), firstAt: count.firstAt, lastAt: count.lastAt)
        }
        show(answers) {
            var table = Table(.leading, .trailing, .trailing, .leading, .leading, margin: "")
            for count in nouns {
                table.add(
                    count.noun, count.entityCount.counted("entity", "entities"),
                    count.eventCount.counted("event"), Timestamp.text(count.firstAt),
                    Timestamp.text(count.lastAt))
            }
            return table
        }
    }

    /// Prints answers as JSON or CSV, or the table for people.
    private func show<Row: Answer>(_ answers: some Sequence<Row>, _ makeTable: () -> Table) {
        switch form {
        case .text: Output.lines(makeTable().lines)
        case .json: for answer in answers { Output.answer(answer) }
        case .csv:
            Output.text(CSVWriter.text([AnswerTable.header(of: Row.self)], isRaw: raw))
            for answer in answers {
                Output.text(CSVWriter.text([AnswerTable.row(of: answer)], isRaw: raw))
            }
        }
    }

    static var examples: [String] { ["list", "list \(ExampleNames.current.noun.plural)"] }

    static var answers: [any Answer.Type] { [ListAnswer.self, NounAnswer.self] }

    var isPaged: Bool { true }
}

struct ListAnswer: Answer {
    static let name = "list"
    static let summary = "An entity."

    /// Noun of the entity: the part of its tag before the colon.
    var noun = ""
    /// Id of the entity: the part of its tag after the colon.
    var id = ""
    /// Number of the entity's events; for the name of a projection, only of the projection's kinds.
    var eventCount: Int64 = 0
    var firstAt = Instant.epoch
    var lastAt = Instant.epoch

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("noun", &noun, "id", &id, "events", &eventCount)
        try field("firstAt", &firstAt, "lastAt", &lastAt)
    }
}

struct NounAnswer: Answer {
    static let name = "list.nouns"
    static let summary = "A noun of the log, if the command line gives no noun."

    var noun = ""
    var entityCount: Int64 = 0
    var eventCount: Int64 = 0
    var firstAt = Instant.epoch
    var lastAt = Instant.epoch

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("noun", &noun, "entities", &entityCount, "events", &eventCount)
        try field("firstAt", &firstAt, "lastAt", &lastAt)
    }
}

extension ListAnswer {
    init(_ entity: TaggedEntity) {
        self.init(
            noun: String(entity.tag.noun), id: String(entity.tag.id),
            eventCount: Int64(entity.eventCount), firstAt: entity.first, lastAt: entity.last)
    }
}

extension String {
    /// Plural of an English noun: `babies`, `watches`, `runs`.
    var plural: String {
        let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
        if hasSuffix("y"), let before = dropLast().last, !vowels.contains(before) {
            return dropLast() + "ies"
        }
        let hisses = ["s", "x", "z", "ch", "sh"].contains { hasSuffix($0) }
        return self + (hisses ? "es" : "s")
    }
}
