import Daybook
import DaybookLog

/// Prints what an event did: itself, who, and what changed.
struct StepPrinter {
    let log: EventLog

    /// ` by ann on phone-1`, as far as the commit says so.
    func who(_ event: RecordedEvent) throws(LogError) -> String {
        let commit = try log.commits.at(event.position)
        return [
            ("by", commit.map { $0.isActorErased ? "erased" : $0.metadata.actor } ?? ""),
            ("on", commit?.metadata.device ?? ""),
        ]
        .filter { !$0.1.isEmpty }.map { " \($0) \($1)" }.joined()
    }

    func headline(_ event: RecordedEvent) throws(LogError) -> StyledText {
        let who = try who(event)
        return StyledText("\(event.position)", .reference)
            + "  \(Timestamp.text(event.envelope.occurredAt))  "
            + StyledText("\(event.kind)", .heading) + (who.isEmpty ? "" : " " + who)
    }

    /// - Parameter isFirst: `true` for a change by an entity's first event, before which there was
    ///   nothing.
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

    /// The changes of one event.
    static func lines(_ changes: [FieldChange], isFirst: Bool = false) -> [StyledText] {
        changes.withoutEmptied.withWholeElements.map { line($0, isFirst: isFirst) }
    }

    /// Members that describe an event and its commit.
    func members(_ event: RecordedEvent, _ writer: inout JSONWriter) throws(LogError) {
        let commit = try log.commits.at(event.position)
        writer.member("position", Int64(clamping: event.position.rawValue))
        writer.member("kind", event.kind.name)
        writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
        writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
        writer.member("commit", commit.map { Int64(clamping: $0.first.rawValue) })
        if let commit { Self.author(of: commit, &writer) }
    }

    /// The actor and the device of a commit, each where it is known; an erased actor is `null`.
    static func author(of commit: RecordedCommit, _ writer: inout JSONWriter) {
        let (actor, device) = (commit.metadata.actor, commit.metadata.device)
        if commit.isActorErased {
            writer.member("actor", String?.none)
        } else if !actor.isEmpty {
            writer.member("actor", actor)
        }
        if !device.isEmpty { writer.member("device", device) }
    }

    /// An object whose members may have to be looked up.
    func json(
        _ body: (inout JSONWriter) throws(LogError) -> Void
    ) throws(LogError) -> String {
        var writer = JSONWriter()
        try writer.object(body)
        return writer.text
    }

    /// - Parameter isFirst: `true` for an entity's first event, before which there was nothing.
    static func changes(
        _ changes: [FieldChange], _ writer: inout JSONWriter, isFirst: Bool = false
    ) {
        writer.name("changes")
        writer.array { writer in
            for change in changes {
                writer.object { writer in
                    writer.member("field", change.path)
                    if isFirst {
                        side("after", change.after, of: change, &writer)
                    } else {
                        sides(change, &writer)
                    }
                }
            }
        }
    }
}

extension StepPrinter {
    /// The members `before` and `after` of a change.
    static func sides(_ change: FieldChange, _ writer: inout JSONWriter) {
        side("before", change.before, of: change, &writer)
        side("after", change.after, of: change, &writer)
    }

    private static func side(
        _ name: String, _ value: String?, of change: FieldChange, _ writer: inout JSONWriter
    ) {
        writer.name(name)
        writer.raw(
            value.map { answer($0, at: change.path, isMoment: change.isMoment) } ?? "null")
    }
}

/// A value as answers have it: a moment as an RFC 3339 text, unless its name says microseconds.
private func answer(_ value: String, at path: String, isMoment: Bool) -> String {
    let names = path.split(separator: ".").map { $0.prefix { $0 != "[" } }
    guard isMoment, !names.contains(where: { $0.hasSuffix("Us") }),
        let time = Int64(value).flatMap({ JSONWriter.time($0) })
    else { return value }
    return JSONWriter.text(time)
}

extension FlatFields.Leaf {
    /// The value for programs.
    var answer: String { DaybookTool.answer(value, at: path, isMoment: isMoment) }

    /// The value for people: a moment as a time, everything else as JSON.
    package var readable: String { DaybookTool.readable(value, isMoment: isMoment) }
}

private func readable(_ value: String, isMoment: Bool) -> String {
    // Times have four digits of a year.
    guard isMoment, let microseconds = Int64(value), Limit.time.values.contains(microseconds)
    else { return value }
    return Timestamp.text(Instant(microseconds: microseconds))
}
