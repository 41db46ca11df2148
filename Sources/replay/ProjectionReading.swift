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

/// Reads of a log what projections need, as of a moment on either clock.
struct ProjectionReading {
    let log: EventLog
    let catalogue: Catalogue
    /// The last position to read.
    let through: Position
    /// The end of valid time; `nil` for none.
    let validThrough: Instant?
    private let moment: MomentOptions

    init(_ log: EventLog, _ moment: MomentOptions, _ catalogue: Catalogue) throws {
        self.log = log
        self.catalogue = catalogue
        self.moment = moment
        through = try moment.through(log)
        validThrough = try moment.validThrough()
    }

    /// The events of one entity, or of all, in their newest layouts.
    func events(
        of projection: ProjectionDescription, _ key: String?
    ) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try forEach(of: projection, key) { (event) throws(LogError) in
            events.append(event)
            return true
        }
        return events
    }

    /// What is said of a key that is in no event.
    func nothing(of noun: String, _ key: String) -> Failure {
        Failure(
            .finding,
            "no event of \(noun) '\(key)' up to position \(through)" + moment.hint(through))
    }

    /// Shows the same one by one, until `body` returns `false`.
    func forEach(
        of projection: ProjectionDescription, _ key: String?, after: Position = .origin,
        through end: Position? = nil, _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        let end = min(end ?? through, through)
        try log.read(projection.query(key: key), after: after, through: end) {
            (event) throws(LogError) in
            if let validThrough, event.envelope.occurredAt > validThrough { return true }
            let newest = try folding { () throws(FoldError) in
                try catalogue.upcast(event)
            }
            return try body(newest)
        }
    }
}

/// Prints what an event did: itself, who, and what changed.
struct StepPrinter {
    let log: EventLog

    /// ` by ann on phone-1`, as far as the commit says so.
    func who(_ event: RecordedEvent) throws(LogError) -> String {
        let commit = try log.commit(at: event.position)
        return [("by", commit?.metadata.actor ?? ""), ("on", commit?.metadata.device ?? "")]
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
        writer.member("position", Int64(event.position.rawValue))
        writer.member("kind", event.kind.name)
        writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
        writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
        writer.member("commit", commit.map { Int64($0.first.rawValue) })
        writer.member("actor", commit?.metadata.actor)
        writer.member("device", commit?.metadata.device)
    }

    /// An object whose members may have to be looked up.
    func json(
        _ body: (inout JSONWriter) throws(LogError) -> Void
    ) throws(LogError) -> String {
        var writer = JSONWriter()
        var failure: LogError?
        writer.object { writer in
            do throws(LogError) {
                try body(&writer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
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
