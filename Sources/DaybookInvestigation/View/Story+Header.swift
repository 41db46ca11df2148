import Daybook
import DaybookLog

extension Story {
    /// Returns the members that say what the story is about, as JSON with a comma at the end.
    func header() throws(LogError) -> String {
        let (values, labels) = (options.values, options.labels)
        var writer = JSONWriter()
        let head = try reading.log.commits.at(reading.through)?.head
        writer.object { writer in
            writer.member("title", options.title)
            writer.object("subject") { writeSubject(to: &$0) }
            writer.member("command", labels.command)
            writer.member("logOption", labels.logOption)
            writer.member("program", labels.program)
            writer.object("log") { writer in
                writer.member("id", reading.log.id)
                writer.member("head", "\(head ?? .origin)")
                writer.member("events", Int64(clamping: reading.through.rawValue))
            }
            writer.member("version", labels.version)
            writer.member("rules", options.rules.name)
            writer.member("tzdata", options.zones?.version)
            writer.name("zone")
            if let zone = clocks.zone { writer.value(zone) } else { writer.null() }
            writer.member("texts", values.showsTexts)
            writer.member("pseudonyms", values.redaction?.replacesIDs ?? false)
        }
        return writer.text.dropFirst().dropLast() + ","
    }

    private func writeSubject(to writer: inout JSONWriter) {
        var projection: String?
        var key: String?
        var tag: String?
        switch options.subject {
        case .entities(let description, let keys):
            projection = description.name
            key = keys.first.map(options.values.id)
        case .projection(let description): projection = description.name
        case .tag(let found): tag = options.values.tag(found)
        case .events: break
        }
        writer.member("kind", options.kind)
        writer.member("projection", projection)
        writer.member("key", key)
        writer.member("tag", tag)
        writer.member("from", Int64(clamping: options.from.rawValue))
        let through = min(options.through ?? reading.through, reading.through)
        writer.member("to", Int64(clamping: through.rawValue))
    }

    /// The entities and reports, as objects in the order of their indices.
    func entityColumn() -> StoryColumn {
        var column = StoryColumn()
        for (entity, firstRow) in zip(entities, firstRows) {
            column.append { writer in
                writer.member("projection", entity.projection.name)
                writer.member("key", options.values.id(entity.key))
                writer.member("first", Int64(firstRow))
            }
        }
        for (choice, firstRow) in reports {
            let words = choice.words(options.values.id)
            column.append { writer in
                writer.member("report", choice.report.name)
                writer.member("key", words.joined(separator: " "))
                writer.member("with", words)
                writer.member("first", Int64(firstRow))
            }
        }
        return column
    }

    /// Names of the projections that have a state machine, in the order of the machines.
    var usedMachines: [String] {
        let names = Set(entities.map(\.projection.name))
        return names.filter { reading.catalogue.machines[$0] != nil }
            .sorted { $0.precedesByBytes($1) }
    }

    /// The projections of the story's entities, as objects.
    func projectionColumn(_ machines: [String]) -> StoryColumn {
        var column = StoryColumn()
        let used = Set(entities.map(\.projection.name))
        for (name, blank) in blanks.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            guard let projection = reading.catalogue.projections[name], used.contains(name) else {
                continue
            }
            let machine = machines.firstIndex(of: name)
            column.append { writer in
                writer.member("name", name)
                writer.member("summary", projection.summary)
                writer.member("noun", projection.noun)
                writer.member(
                    "stateField", machine.flatMap { _ in reading.catalogue.machines[name]?.field })
                writer.member("machine", machine.map { Int64($0) })
                writer.object("blank") { writer in
                    writer.member("path", blank.map { Int64($0.path) })
                    writer.member("value", blank.map { Int64($0.value) })
                }
            }
        }
        return column
    }

    /// The state machines, as objects.
    func machineColumn(_ names: [String]) -> StoryColumn {
        var column = StoryColumn()
        for name in names {
            guard let machine = reading.catalogue.machines[name] else { continue }
            let transitions = machine.legalTransitions.sorted()
            let states = Set(transitions.flatMap { [$0.from, $0.to] })
                .subtracting([StateMachine.beginning]).sorted { $0.precedesByBytes($1) }
            column.append { writer in
                writer.member("projection", name)
                writer.member("field", machine.field)
                writer.member("states", states)
                writer.member("initial", StateMachine.beginning)
                writer.member("transitions", transitions)
            }
        }
        return column
    }
}
