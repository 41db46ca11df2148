import Daybook
import DaybookInvestigation
import DaybookLog

/// Printer of the events in an entity's history, each with its author and its changes.
struct HistoryPrinter {
    let log: EventLog
    let catalogue: Catalogue

    init(_ reading: ProjectionReading) { (log, catalogue) = (reading.log, reading.catalogue) }

    /// Returns what people read first about an event: its sentence, its time and who caused it.
    func summary(_ event: RecordedEvent) throws(LogError) -> EventHeadline {
        try EventHeadline(event, try log.commits.at(event.position), in: catalogue) {
            (field) throws(LogError) in try log.people.text(at: event.position, field: field)
        }
    }

    /// Returns the first line about an event: its position, time, sentence and author.
    func headline(_ event: RecordedEvent) throws(LogError) -> StyledText {
        let summary = try summary(event)
        return StyledText("\(event.position)", .reference) + "  \(summary.time)  "
            + StyledText(summary.text, .heading)
    }

    /// Returns the line that shows the path of a changed field, with its values before and after.
    ///
    /// - Parameter isFirst: true for a change by an entity's first event, with no value before.
    static func line(_ change: FieldChange, isFirst: Bool = false) -> StyledText {
        if isFirst, let value = change.after {
            return "    \(change.path): "
                + StyledText(readable(value, isMoment: change.isMoment), .added)
        }
        let sides = [change.before, change.after].map { value in
            value.map { readable($0, isMoment: change.isMoment) } ?? "–"
        }
        return "    \(change.path): " + StyledText(sides[0], .removed) + " → "
            + StyledText(sides[1], .added)
    }

    static func lines(_ changes: [FieldChange], isFirst: Bool = false) -> [StyledText] {
        changes.withoutEmptied.withWholeElements.map { line($0, isFirst: isFirst) }
    }

    func answer(_ event: RecordedEvent) throws(LogError) -> CommittedEvent {
        CommittedEvent(
            event: EventPart(event), commit: CommitPart(try log.commits.at(event.position)))
    }
}

extension FieldChange {
    /// Returns `side`, the value before or after the change, for an answer in JSON.
    func answer(_ side: String?) -> JSONText? {
        side.map { DaybookTool.answer($0, at: path, isMoment: isMoment) }
    }
}

/// Returns the value of a field for an answer in JSON. A point in time is an RFC 3339 text, unless
/// a name in the path ends in `Us`.
private func answer(_ value: String, at path: String, isMoment: Bool) -> JSONText {
    let names = path.split(separator: ".").map { $0.prefix { $0 != "[" } }
    guard isMoment, !names.contains(where: { $0.hasSuffix("Us") }),
        let time = Int64(value).flatMap({ JSONWriter.time($0) })
    else { return JSONText(value) }
    return JSONText(JSONWriter.text(time))
}

extension FlatFields.Leaf {
    var answer: JSONText { DaybookTool.answer(value, at: path, isMoment: isMoment) }

    /// The value for people: a point in time as RFC 3339, any other value as JSON.
    package var readable: String { DaybookTool.readable(value, isMoment: isMoment) }
}

private func readable(_ value: String, isMoment: Bool) -> String {
    // Only times with a year of four digits are written as times.
    guard isMoment, let microseconds = Int64(value), Limit.time.values.contains(microseconds)
    else { return value }
    return Timestamp.text(Instant(microseconds: microseconds))
}
