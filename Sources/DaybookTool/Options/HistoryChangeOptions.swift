import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// Options that change a log's history hypothetically.
struct HistoryChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Leave out the event at this position; may be repeated.", valueName: "position"))
    var skip: [UInt64] = []

    @Option(
        help: ArgumentHelp(
            "Set a field of an event; may be repeated.", valueName: "position:field=value"))
    var edit: [String] = []

    /// Events to move, each as `POSITION:POSITION`: the position of the event, and the position
    /// after which the event then comes.
    @Option(
        help: ArgumentHelp(
            "Move an event to after a position; may be repeated.", valueName: "position:position"))
    var move: [String] = []

    /// Path of a file of events and commands to insert; `nil` inserts nothing.
    @Option(
        help: ArgumentHelp(
            "File of events and commands to insert; '-' is standard input.", valueName: "file"),
        completion: .file())
    var insert: String?

    /// True if a change is given.
    var isGiven: Bool { !skip.isEmpty || !edit.isEmpty || !move.isEmpty || insert != nil }

    /// Returns a reader of the lines to insert.
    static func reader(_ catalogue: Catalogue) -> AppendLineReader {
        AppendLineReader(
            catalogue, rules: .standard.ofHistory, zones: { ZoneOptions.machineDatabase })
    }

    /// Makes the changes.
    ///
    /// - Returns: a message for each inserted command that would be refused.
    func apply(
        to changes: inout HistoryChanges, _ reading: ProjectionReading
    ) throws -> [String] {
        for position in skip {
            try QuestionError.namingOption("--skip", "\(position)") {
                try changes.skip(position)
            }
        }
        for text in edit { try apply(edit: text, to: &changes, reading) }
        for text in move { try apply(move: text, to: &changes) }
        let reader = Self.reader(reading.catalogue)
        return try insert.map { try apply(insertsOf: $0, reader, to: &changes) } ?? []
    }

    /// Sets a field of an event, as a value of `--edit` says: `5:distanceMm=1000`.
    private func apply(
        edit text: String, to changes: inout HistoryChanges, _ reading: ProjectionReading
    ) throws {
        guard let colon = text.firstIndex(of: ":"), let position = UInt64(text[..<colon]),
            let equals = text[colon...].firstIndex(of: "="),
            equals > text.index(after: colon)
        else {
            throw ValidationError(
                "--edit: expected POSITION:FIELD=VALUE like 5:distanceMm=1000, found '\(text)'.")
        }
        let field = String(text[text.index(after: colon)..<equals])
        let value = String(text[text.index(after: equals)...])
        try QuestionError.namingOption("--edit", text) {
            let time = { () throws in
                if CommandTime.needsZone(value) {
                    let event = try reading.event(at: position)
                    try CommandTime.setZone(ofEntity: event.tags.first, in: reading.log)
                }
                return try CommandTime.instant(value, "--edit \(text[..<equals])")
            }
            if field == "occurredAt" {
                try changes.edit(position, occurredAt: try time())
            } else if case .text(let text) = value.asTree.content, !WrittenTime.isExact(text),
                try isMoment(field, of: position, reading)
            {
                let moment = Tree(.integer(try time().microseconds), line: 1)
                try changes.edit(position, field, to: moment)
            } else {
                try changes.edit(position, field, to: value.asTree)
            }
        }
    }

    /// True if the event at a position has a field with this name that holds a point in time.
    private func isMoment(
        _ field: String, of position: UInt64, _ reading: ProjectionReading
    ) throws -> Bool {
        let kind = try reading.event(at: position).kind
        let fields = reading.catalogue.events[kind]?.fields ?? []
        return fields.contains { $0.name == field && $0.isMoment }
    }

    /// Moves an event, as a value of `--move` says: `5:2` moves event 5 to after position 2.
    private func apply(move text: String, to changes: inout HistoryChanges) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = UInt64(parts[0]), let after = UInt64(parts[1]) else {
            throw ValidationError(
                "--move: expected POSITION:POSITION like 5:2, found '\(text)'.")
        }
        try QuestionError.namingOption("--move", text) { try changes.move(from, after: after) }
    }

    /// Inserts the lines of a file into the altered history.
    ///
    /// - Returns: a message for each command that would be refused.
    private func apply(
        insertsOf path: String, _ reader: AppendLineReader, to changes: inout HistoryChanges
    ) throws -> [String] {
        let name = path == "-" ? "standard input" : path
        var refusals: [String] = []
        try reader.forEachLine(of: path) { line, _ in
            let place = "\(name):\(line.number)"
            let refused = try QuestionError.namingOption("\(place): \"after\"", "") {
                try changes.insert(line)
            }
            if let refused {
                refusals.append(
                    "\(place): would be refused: \(refused.message) (\(refused.code))")
            }
        }
        return refusals
    }
}
