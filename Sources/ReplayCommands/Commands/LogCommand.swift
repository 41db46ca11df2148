import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import LMDB
import LibC

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List events by position, time, kind, tag or commit.")

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Only events of this kind. May be given again.", valueName: "kind"))
    var kind: [String] = []

    @Option(
        help: ArgumentHelp("Only events with all these tags. May be given again.", valueName: "tag")
    )
    var tag: [String] = []

    @Option(help: ArgumentHelp("Only events behind this position.", valueName: "position"))
    var after: UInt64 = 0

    @Option(
        help: ArgumentHelp(
            "Only the events of the commit that holds this position.",
            valueName: "position"))
    var commit: UInt64?

    @Option(help: ArgumentHelp("At most this many events.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Newest first.")
    var reverse = false

    @Flag(help: "Go on with events as they are appended, by any process, until interrupted.")
    var follow = false

    func validate() throws {
        if follow, reverse || moment.at != nil || commit != nil || limit != nil {
            throw ValidationError(
                "--follow goes with neither --reverse, --at, --commit nor --limit.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit is a count, not \(limit).") }
    }

    func run() throws {
        let query = try query()
        let printer = EventPrinter(
            log: try log.open(.read), catalogue: try catalogue(), json: output.json)
        try mappingLogErrors {
            var range = try range(printer.log)
            let validThrough = try moment.validThrough()
            try list(query, range, validThrough, printer)
            while follow {
                Output.flush()
                Output.endWithoutReader()
                usleep(100_000)
                let head = try printer.log.head()
                guard head > range.through else { continue }
                range = (range.through, head)
                try list(query, range, validThrough, printer)
            }
        }
    }

    private func query() throws -> Query {
        let kinds = try kind.map { name in
            guard let kind = EventKind(name) else {
                throw ValidationError(
                    "--kind: expected a name like launch.app-launched.v1, found '\(name)'.")
            }
            return kind
        }
        let tags = try tag.map { text in
            guard let tag = Tag(text) else {
                throw ValidationError("--tag: expected noun:id like launch:l1, found '\(text)'.")
            }
            return tag
        }
        guard !kinds.isEmpty || !tags.isEmpty else { return .all }
        return Query(Query.Item(kinds: Set(kinds), tags: Set(tags)))
    }

    private func range(_ log: EventLog) throws -> (after: Position, through: Position) {
        let through = try moment.through(log)
        guard let commit else { return (Position(after), through) }
        guard let found = try log.commit(at: Position(commit)) else {
            throw Failure(.usage, "--commit \(commit): the log has no event there")
        }
        return (Position(found.first.rawValue - 1), found.last)
    }

    private func list(
        _ query: Query, _ range: (after: Position, through: Position), _ validThrough: Instant?,
        _ printer: EventPrinter
    ) throws(LogError) {
        var left = limit ?? .max
        guard left > 0 else { return }
        let window = ReadWindow(
            after: range.after, through: range.through, reverse ? .descending : .ascending)
        try printer.log.reader(query, window).forEach { (event) throws(LogError) in
            if let validThrough, event.envelope.occurredAt > validThrough { return true }
            // A query means all layouts of a kind; here one is asked for by its name.
            guard kind.isEmpty || kind.contains(event.kind.name) else { return true }
            try printer.print(event)
            left -= 1
            return left > 0
        }
    }
}

/// Prints events with what their commits say.
final class EventPrinter {
    let log: EventLog
    private let catalogue: Catalogue
    private let json: Bool
    private var commit: RecordedCommit?

    init(log: EventLog, catalogue: Catalogue, json: Bool) {
        self.log = log
        self.catalogue = catalogue
        self.json = json
    }

    func print(_ event: RecordedEvent) throws(LogError) {
        let commit = try commit(of: event.position)
        if json {
            Output.json(try line(event, commit))
        } else {
            Output.lines(try lines(event, commit))
        }
    }

    /// The payload as JSON; `nil` for a kind the program does not know.
    private func payload(_ event: RecordedEvent) throws(LogError) -> String? {
        guard let known = catalogue.events[event.kind] else { return nil }
        var failure: LogError?
        let text: String
        do throws(CorruptPayload) {
            text = try known.json(event.payload) { field in
                do throws(LogError) {
                    return try log.personalText(at: event.position, field: field)
                } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            throw .fold(.corrupt(event.position, event.kind, error))
        }
        if let failure { throw failure }
        return text
    }

    private func commit(of position: Position) throws(LogError) -> RecordedCommit? {
        if let commit, commit.first <= position, position <= commit.last { return commit }
        commit = try log.commit(at: position)
        return commit
    }

    private func line(
        _ event: RecordedEvent, _ commit: RecordedCommit?
    ) throws(LogError) -> String {
        let payload = try payload(event)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("position", Int64(clamping: event.position.rawValue))
            writer.member("kind", event.kind.name)
            writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
            writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
            writer.member("zone", event.zone)
            writer.member("offsetS", Int64(event.envelope.offsetS))
            writer.member("tags", event.tags.map(\.text))
            writer.member("commit", commit.map { Int64(clamping: $0.first.rawValue) })
            writer.member(
                "actor", commit.flatMap { $0.isActorErased ? nil : $0.metadata.actor })
            writer.member("device", commit?.metadata.device)
            writer.member("correlation", commit?.metadata.correlation)
            writer.member(
                "causation", commit?.metadata.causation.map { Int64(clamping: $0.rawValue) })
            let key = commit?.keyDigest ?? []
            writer.member(
                "keyDigest", key.allSatisfy { $0 == 0 } ? nil : Hexadecimal.text(key))
            if let payload {
                writer.name("payload")
                writer.raw(payload)
            } else {
                writer.member("payloadHex", Hexadecimal.text(event.payload))
            }
        }
        return writer.text
    }

    private func lines(
        _ event: RecordedEvent, _ commit: RecordedCommit?
    ) throws(LogError) -> [String] {
        let actor = commit?.metadata.actor ?? ""
        let isErased = commit?.isActorErased ?? false
        let who = isErased ? "  by somebody erased" : actor.isEmpty ? "" : "  by \(actor)"
        let payload = try payload(event) ?? "(a kind this program does not know)"
        return [
            "\(event.position)  \(Timestamp.text(event.envelope.occurredAt))  \(event.kind)\(who)",
            "    \(payload)",
        ]
    }
}
