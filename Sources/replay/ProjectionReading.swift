import CivilTime
import EventSourcing
import EventStorage

/// What a fold finds wrong is wrong with the log that it reads.
func folding<Value>(_ body: () throws(FoldError) -> Value) throws(LogError) -> Value {
    do throws(FoldError) {
        return try body()
    } catch {
        throw .fold(error)
    }
}

/// A log read as of the moment that a command was asked for.
struct ProjectionReading {
    let entities: EntityReader
    private let moment: MomentOptions

    var log: EventLog { entities.log }
    var catalogue: Catalogue { entities.catalogue }
    /// The last position to read.
    var through: Position { entities.through }

    init(_ log: EventLog, _ moment: MomentOptions, _ catalogue: Catalogue) throws {
        self.moment = moment
        entities = try EntityReader(
            log, catalogue, through: moment.through(log), validThrough: moment.validThrough())
    }

    /// The newest id of an entity, and its events.
    ///
    /// - Throws: what is said where there are none.
    func entity(
        of projection: ProjectionDescription, _ key: String
    ) throws -> (key: String, events: [RecordedEvent]) {
        let walk = try entities.walk(of: projection, key)
        let events = try entities.events(along: walk)
        guard !events.isEmpty else { throw nothing(of: projection.noun, key) }
        return (walk.key ?? key, events)
    }

    /// What is said of a key that is in no event.
    func nothing(of noun: String, _ key: String) -> Failure {
        Failure(
            .finding,
            "no event of \(noun) '\(key)' up to position \(through)" + moment.hint(through))
    }
}

extension ProjectionOptions {
    /// Opens a log and answers a question about the projection, as of a moment.
    ///
    /// - Parameter key: of the entity that is asked for; refused where no event can have it.
    func answering(
        _ key: String?, _ log: LogOptions, _ moment: MomentOptions,
        _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        let catalogue = try catalogue()
        let description = try description(in: catalogue)
        try check(key, of: description)
        let log = try log.open(.read)
        try replay.answering {
            try body(try ProjectionReading(log, moment, catalogue), description)
        }
    }
}

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
        let (before, after) = (change.before ?? "–", change.after ?? "–")
        return "    \(change.path): \(readable(before, change.path)) → "
            + readable(after, change.path)
    }

    /// The members that tell an event and its commit.
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
