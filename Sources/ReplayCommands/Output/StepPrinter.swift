import CivilTime
import EventSourcing
import EventStorage

/// Prints what an event did: itself, who, and what changed.
struct StepPrinter {
    let log: EventLog

    /// ` by ann on phone-1`, as far as the commit says so.
    func who(_ event: RecordedEvent) throws(LogError) -> String {
        let commit = try log.commit(at: event.position)
        return [
            ("by", commit.map { $0.isActorErased ? "erased" : $0.metadata.actor } ?? ""),
            ("on", commit?.metadata.device ?? ""),
        ]
        .filter { !$0.1.isEmpty }.map { " \($0) \($1)" }.joined()
    }

    func headline(_ event: RecordedEvent) throws(LogError) -> String {
        let who = try who(event)
        return "\(event.position)  \(Timestamp.text(event.envelope.occurredAt))  \(event.kind)"
            + (who.isEmpty ? "" : " " + who)
    }

    static func line(_ change: FieldChange) -> String {
        let sides = [change.before, change.after].map { value in
            value.map { readable($0, isMoment: change.isMoment) } ?? "–"
        }
        return "    \(change.path): \(sides[0]) → \(sides[1])"
    }

    /// The changes of one event.
    static func lines(_ changes: [FieldChange]) -> [String] {
        changes.withoutEmptied.map { line($0) }
    }

    /// Members that describe an event and its commit.
    func members(_ event: RecordedEvent, _ writer: inout JSONWriter) throws(LogError) {
        let commit = try log.commit(at: event.position)
        writer.member("position", Int64(clamping: event.position.rawValue))
        writer.member("kind", event.kind.name)
        writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
        writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
        writer.member("commit", commit.map { Int64(clamping: $0.first.rawValue) })
        writer.member("actor", commit.flatMap { $0.isActorErased ? nil : $0.metadata.actor })
        writer.member("device", commit?.metadata.device)
    }

    /// An object whose members may have to be looked up.
    func json(
        _ body: (inout JSONWriter) throws(LogError) -> Void
    ) throws(LogError) -> String {
        var writer = JSONWriter()
        try writer.object(body)
        return writer.text
    }

    static func changes(_ changes: [FieldChange], _ writer: inout JSONWriter) {
        writer.name("changes")
        writer.array { writer in
            for change in changes {
                writer.object { writer in
                    writer.member("field", change.path)
                    writer.name("before")
                    writer.raw(change.before ?? "null")
                    writer.name("after")
                    writer.raw(change.after ?? "null")
                }
            }
        }
    }
}

extension FlatFields.Leaf {
    /// The value for people: a moment as a time, everything else as JSON.
    package var readable: String { ReplayCommands.readable(value, isMoment: isMoment) }
}

private func readable(_ value: String, isMoment: Bool) -> String {
    // Times have four digits of a year.
    guard isMoment, let microseconds = Int64(value), Limit.time.values.contains(microseconds)
    else { return value }
    return Timestamp.text(Instant(microseconds: microseconds))
}
