import Daybook
import DaybookLog

/// The past of some entities as one JSON object, from which a page shows any moment.
///
/// The object has columns instead of an object for each event, and states as changes of fields, so
/// that 100,000 events take a few megabytes. Equal logs give equal stories.
package final class Story {
    let options: StoryOptions
    let reading: ProjectionReading
    let selection: StorySelection
    let events: StoryEvents
    let names: StoryEvents.Names
    let findings: StoryFindings
    /// The clocks of the zones in which times are shown.
    let clocks: StoryClocks
    let fields: StoryFields
    let blanks: [String: [(path: Int32, value: Int32)]]
    let changes: StoryChanges
    /// The entities, those of the subject first.
    let entities: [StoryEntity]
    /// Row from which each entity exists; -1 for never.
    let firstRows: [Int32]
    /// The reports that have an answer, with the row from which they have one.
    let reports: [(choice: StoryOptions.ReportChoice, firstRow: Int32)]
    let alternatives: [StoryAlternative]
    let steps: StorySteps
    let pictures: StoryPictures
    /// Sentences about what is left out.
    let omissions: [String]
    let leavesOutReports: Bool

    /// Largest length of a story, in bytes; the page around it is small.
    package static let sizeLimit = StorySize.limit
    /// The error for a page above the limit, which says what to narrow.
    package static var tooLarge: QuestionError { StorySize.error }

    package var eventCount: Int { selection.positions.count }

    /// Reads and folds everything that the story shows.
    ///
    /// - Throws: `QuestionError` if there is no such entity, if the options do not fit the log, or
    ///   if the story is too large.
    package init(_ options: StoryOptions, in reading: ProjectionReading) throws {
        self.options = options
        self.reading = reading
        try StorySample.check(options, in: reading)
        let selection = try StorySelection(options, in: reading)
        try Self.check(selection, options, in: reading)
        self.selection = selection
        let events = try StoryEvents(selection, options, in: reading)
        let rows = StoryRows(positions: selection.positions)
        var folding = StoryFolding(rows, besides: events.byteCount, in: reading, options.values)
        var changes = StoryChanges()
        let found = selection.entities
        let first = try folding.fold(found, Array(found.indices), options.rules, into: &changes)
        folding.otherByteCount += changes.leastByteCount
        let kept = changes.removeUnchanged(of: found.count, but: selection.ownEntityCount)
        folding.steps.keep(kept)
        let steps = folding.steps
        let recorded = kept.map { found[$0] }
        var names = events.names
        let made = try Self.alternatives(recorded, options, &names, &folding, in: reading)
        alternatives = made.alternatives
        let entities = recorded + made.entities
        self.entities = entities
        firstRows = kept.map { first[$0] ?? -1 } + made.entities.map { _ in -1 }
        clocks = try StoryClocks(selection, events, options.zones, in: reading)
        let suggested = try StoryReports(selection, options, in: reading)
        var reports: [(choice: StoryOptions.ReportChoice, firstRow: Int32)] = []
        for (index, choice) in suggested.choices.enumerated() {
            let entity = Int32(truncatingIfNeeded: entities.count + reports.count)
            do {
                let row = try folding.fold(choice, options, entity: entity, into: &changes)
                if let row { reports.append((choice, row)) }
            } catch let error as QuestionError {
                // A suggested report may have no answer; a chosen one must not be left out.
                if index < options.reports.count { throw error }
            }
        }
        self.reports = reports
        leavesOutReports = suggested.leavesOutReports
        findings = try StoryFindings(selection, entities, rows, options, in: reading)
        (self.events, self.names, self.changes, self.steps) = (events, names, changes, steps)
        (fields, blanks, pictures) = (folding.fields, folding.blanks, folding.pictures)
        var omissions = findings.omissions + pictures.omissions
        if events.leavesOutPayloads {
            omissions.append("The events' payloads are too large together; 'log' shows them.")
        }
        if selection.leavesOutEntities {
            omissions.append(
                "The events change too many entities of other projections to show them too.")
        }
        if suggested.leavesOutReports {
            omissions.append("Reports of some days are left out; --report adds one.")
        }
        self.omissions = omissions
    }

    /// Throws an error if the story would be empty.
    private static func check(
        _ selection: StorySelection, _ options: StoryOptions, in reading: ProjectionReading
    ) throws {
        guard selection.positions.isEmpty else { return }
        switch options.subject {
        case .entities(let projection, let keys) where options.alteration == nil:
            // Names the first entity without events.
            for key in keys { _ = try reading.entity(of: projection, key) }
        default: break
        }
        throw QuestionError.unanswered(
            "the log has no such event up to position \(reading.through)")
    }

    /// Folds the histories beside the recorded one; returns them and the entities only they have.
    private static func alternatives(
        _ entities: [StoryEntity], _ options: StoryOptions, _ names: inout StoryEvents.Names,
        _ folding: inout StoryFolding, in reading: ProjectionReading
    ) throws -> (alternatives: [StoryAlternative], entities: [StoryEntity]) {
        var alternatives: [StoryAlternative] = []
        var others: [StoryEntity] = []
        if let rules = options.otherRules {
            alternatives.append(try StoryAlternative(rules, of: entities, &folding))
        }
        if let alteration = options.alteration,
            case .entities(let projection, let keys) = options.subject
        {
            var altered: [(index: Int, entity: HistoryChanges.Entity)] = []
            for key in keys {
                for entity in try alteration.changes.entities(of: projection, key) {
                    let known = entities.firstIndex {
                        $0.projection.name == projection.name && $0.key == entity.recordedKey
                    }
                    if let known {
                        altered.append((known, entity))
                    } else {
                        altered.append((entities.count + others.count, entity))
                        others.append(StoryEntity(projection: projection, key: entity.key))
                    }
                }
            }
            alternatives.append(
                try StoryAlternative(
                    alteration, of: altered, options.rules, options, &names, &folding, in: reading))
        }
        return (alternatives, others)
    }
}

extension Story {
    /// Writes the JSON object part by part; a part never ends within a text.
    package func write(to output: ([UInt8]) throws -> Void) throws {
        try output(Array(("{\"daybookStory\":1," + (try header())).utf8))
        try write(
            [
                ("kinds", names.kinds.column), ("zones", names.zones.column),
                ("clocks", clocks.column), ("tags", names.tags.column),
                ("actors", names.actors.column),
                ("devices", names.devices.column), ("correlations", names.correlations.column),
            ], to: output)
        try write(object: "events", events.columns, to: output)
        try write(object: "commits", events.commitColumns, to: output)
        let machines = usedMachines
        try write(object: "steps", steps.columns(rowCount: eventCount), to: output)
        try write(
            [
                ("entities", entityColumn()), ("projections", projectionColumn(machines)),
                ("paths", fields.paths.column), ("values", fields.values.column),
            ], to: output)
        try write(object: "changes", changes.columns(rowCount: eventCount), to: output)
        let drawn = pictures.columns
        try write(
            [
                ("machines", machineColumn(machines)), ("findings", findings.findings),
                ("late", findings.late), ("pictures", drawn.pictures), ("svgs", drawn.svgs),
            ], to: output)
        try output(Array("\"alternatives\":[".utf8))
        for (index, alternative) in alternatives.enumerated() {
            if index > 0 { try output([UInt8(ascii: ",")]) }
            try write(alternative, to: output)
        }
        try output(Array("],".utf8))
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("payloads", events.leavesOutPayloads)
            writer.member("reports", leavesOutReports)
            writer.member("findings", !findings.omissions.isEmpty)
            writer.member("entities", selection.leavesOutEntities)
            writer.member("why", omissions)
        }
        try output(Array("\"omitted\":".utf8) + writer.bytes + Array("}\n".utf8))
    }

    /// Writes members that are lists, each with a comma after it.
    private func write(
        _ columns: [(name: String, column: StoryColumn)], to output: ([UInt8]) throws -> Void
    ) throws {
        for (name, column) in columns {
            try output(Array("\"\(name)\":[".utf8))
            try output(column.bytes)
            try output(Array("],".utf8))
        }
    }

    /// Writes a member that is an object of lists, with a comma after it.
    private func write(
        object name: String, _ columns: [(name: String, column: StoryColumn)],
        to output: ([UInt8]) throws -> Void, isLast: Bool = false
    ) throws {
        try output(Array("\"\(name)\":{".utf8))
        for (index, (name, column)) in columns.enumerated() {
            try output(Array("\(index > 0 ? "," : "")\"\(name)\":[".utf8))
            try output(column.bytes)
            try output([UInt8(ascii: "]")])
        }
        try output(Array((isLast ? "}" : "},").utf8))
    }

    private func write(
        _ alternative: StoryAlternative, to output: ([UInt8]) throws -> Void
    ) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("kind", alternative.kind)
            writer.member("title", alternative.title)
            writer.member("command", options.labels.command)
            writer.member("rules", alternative.rules?.name)
            writer.member("entities", alternative.entities.map { Int64($0) })
            writer.member("first", alternative.firstRows.map { Int64($0) })
        }
        try output(Array(writer.bytes.dropLast()) + [UInt8(ascii: ",")])
        try write(alternative.alteredRows, to: output)
        if !alternative.added.isEmpty { try write(object: "added", alternative.added, to: output) }
        try write(
            object: "changes", alternative.changes.columns(rowCount: eventCount), to: output,
            isLast: true)
        try output([UInt8(ascii: "}")])
    }
}
