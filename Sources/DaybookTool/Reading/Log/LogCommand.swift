import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLMDB
import DaybookLibC
import DaybookLog

/// The command `log`, which lists events.
struct LogCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "log",
            abstract: "List events by time, position, kind, tag or commit, one per line.",
            discussion: """
                Each line shows the time of the event by its device's clock, what the event means, \
                and who caused it; --ids adds its kind and tags, and --payload all its values. \
                --from and --to select by the devices' clocks and sort events by the time at which \
                they happened; otherwise events are in the order of the log. A day without a zone \
                is a day in --zone, else in the zone of the entity that --tag names, else in UTC.
                """)
    }

    @Argument(help: .text("Only the event at this position.", "position"))
    var position: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: .text(
            "Only events from this day or time on: 2026-03-03, yesterday, '2026-03-03 14:00'.",
            "time"))
    var from: String?

    @Option(help: .text("Only events up to this time, or to the end of this day.", "time"))
    var to: String?

    @Option(help: .text("Only events with this tag; may be repeated, and all must match.", "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only events that match one of the items in a JSON file; '-' is standard input.",
            discussion: """
                The file holds a list like [{"kinds": ["launch.app-launched"], "tags": \
                ["device:d1"]}]; an item may omit kinds or tags.
                """, valueName: "file"),
        completion: .file(extensions: ["json"]))
    var query: String?

    @Flag(
        help: "With --json: end with a line that has the last position that was read, and its head."
    )
    var through = false

    @Option(
        help: .text(
            "Only events after this position, or after this head, which the log must contain.",
            "position[:chain]"))
    var after: ReadStart?

    @Flag(
        help:
            "With --json: the last event of each commit, if it is listed, has the head of the commit."
    )
    var chain = false

    @Option(help: .text("Only the events of the commit that contains this position.", "position"))
    var commit: UInt64?

    @Option(name: [.customShort("n"), .long], help: .text("At most this many events.", "count"))
    var limit: Int?

    @Flag(help: "Newest first.")
    var reverse = false

    @Flag(help: "Continue with events as they are appended, by any process, until interrupted.")
    var follow = false

    @Flag(
        help: "With --follow: if the log ends before the position of --after, wait for its events.")
    var awaitPosition = false

    @Flag(help: "Show the kind and the tags of each event.")
    var ids = false

    @Flag(help: "Show the whole payload of each event on a separate line.")
    var payload = false

    @OptionGroup(title: "Condition") var conditions: EventFilterOptions

    private var hasWindow: Bool { from != nil || to != nil }

    func validate() throws {
        if position != nil {
            guard !follow, !hasWindow, after == nil, commit == nil, limit == nil else {
                throw ValidationError(
                    "A position cannot be combined with --follow, --from, --to, --after, --commit or "
                        + "--limit.")
            }
        }
        if follow, reverse || moment.at != nil || commit != nil || limit != nil || hasWindow {
            throw ValidationError(
                "--follow cannot be combined with --reverse, --at, --commit, --limit, --from or "
                    + "--to.")
        }
        if awaitPosition, !follow || after?.head != nil || after == nil {
            throw ValidationError("--await-position requires --follow and --after with a position.")
        }
        if query != nil, !conditions.kind.isEmpty || !tag.isEmpty {
            throw ValidationError("--query cannot be combined with --kind or --tag.")
        }
        if through {
            guard output.json else { throw ValidationError("--through requires --json.") }
            if follow || reverse || hasWindow || limit != nil || commit != nil || position != nil
                || moment.validAt != nil
            {
                throw ValidationError(
                    "--through cannot be combined with --follow, --reverse, --from, --to, "
                        + "--limit, --commit, --valid-at or a position.")
            }
        }
        if chain, !output.json { throw ValidationError("--chain requires --json.") }
        if let limit, limit < 0 {
            throw ValidationError("--limit: expected a number of at least 0, found \(limit).")
        }
    }

    func run() throws {
        // Checked here and not in `validate`, so that an unknown option is reported first.
        guard position.map({ UInt64($0) ?? 0 > 0 }) ?? true else {
            let word = position ?? ""
            let isTag = Daybook.Tag(identifier(word)) != nil
            throw ValidationError(
                "Expected a position, found '\(word)'; "
                    + (isTag ? "'--tag \(word)' lists its events." : "set the log with --log."))
        }
        let catalogue = catalogue()
        let expected = "noun:id, such as launch:l1"
        let tags = try tag.map { try Daybook.Tag(of: "--tag", $0, expected: expected) }
        let zone = try moment.zones.zone.map { try ZoneOptions.zone($0, try moment.zones.source()) }
        let log = try log.open(.read)
        var printer = EventPrinter(
            log: log, catalogue: catalogue, json: output.json, zone: zone, ids: ids,
            payload: payload, chain: chain)
        try mappingLogErrors {
            try KnownNames(log, catalogue).check(nounsOf: tags, "--tag")
            let query =
                try query.map { try Self.query(in: $0, KnownNames(log, catalogue)) }
                ?? (tags.isEmpty ? .all : Query(Query.Item(tags: tags)))
            var filter = try conditions.filter(query, log, catalogue)
            try moment.setZoneIfNeeded(ofEntity: tags.first, in: log)
            if CommandTime.needsZone(from, to) {
                try CommandTime.setZone(
                    ofEntity: tags.first, in: log, tzdata: moment.zones.tzdata)
            }
            filter.from = try from.map { try CommandTime.instant($0, "--from", .start) }
            filter.through = try to.map { try CommandTime.instant($0, "--to", .end) }
            if let first = filter.from, let last = filter.through, last < first {
                throw ValidationError("--to is before --from.")
            }
            if let latest = try moment.validThrough() {
                filter.through = min(filter.through ?? latest, latest)
            }
            let range = try range(log)
            printer.widestPosition = range.through
            try list(EventListing(filter, printer, catalogue), range)
        }
    }

    private static func query(in path: String, _ names: KnownNames) throws -> Query {
        do {
            let query = try QueryInput.read(
                try JSONParser.parse(try InputFile.bytes(of: path), line: 1), field: "query",
                known: try names.allEventKinds())
            try names.check(nounsOf: query.items?.flatMap(\.tags) ?? [], "--query")
            return query
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(path == "-" ? "standard input" : path))")
        }
    }

    /// Prints the events of a range of positions and, with `--follow`, those appended later.
    private func list(
        _ listing: EventListing, _ range: (after: Position, through: Position)
    ) throws {
        let log = listing.printer.log
        var range = range
        let end = try mappingLogErrors {
            follow ? try LogEnd(of: log) : nil
        }
        try after?.check(in: log, follows: follow, waits: awaitPosition)
        var count =
            hasWindow
            ? try printAsHappened(listing, range) : try printInOrder(listing, range)
        while let end {
            Output.flush()
            Output.endWithoutReader()
            let head = try mappingLogErrors {
                try end.position(waitingAtMost: .milliseconds(100))
            }
            guard head > range.through else { continue }
            range = (max(range.through, after?.position ?? .origin), head)
            count += try printInOrder(listing, range)
        }
        if through {
            // With --at, the last position may lie within a commit.
            let head = try log.commits.at(range.through)?.head
            let isEnd = head?.position == range.through
            Output.answer(
                LogEndAnswer(through: range.through, head: isEnd ? head.map { "\($0)" } : nil))
        } else if count == 0, limit != 0 {
            try printEmptyMessage(range.through, log)
        }
    }

    /// Prints a message about an empty answer, with the conditions that no event met.
    private func printEmptyMessage(_ through: Position, _ log: EventLog) throws {
        var text = "no event"
        text += conditions.clause(tags: tag)
        switch (from, to) {
        case (let from?, let to?): text += " happened from \(from) to \(to)"
        case (let from?, nil): text += " happened since \(from)"
        case (nil, let to?): text += " happened until \(to)"
        case (nil, nil): break
        }
        if let after {
            text += (from ?? to == nil ? "" : ",") + " after position \(after.position)"
        }
        if let validAt = moment.validAt {
            text += " among the events that had happened by \(validAt)"
        }
        text += "; the log \(moment.at == nil ? "ends" : "ended then") at position \(through)"
        if tag.count == 1, let tag = Daybook.Tag(tag[0]) {
            text += try EntityWords.hint(forKey: String(tag.id), of: String(tag.noun), in: log)
        }
        StandardError.message(text)
    }

    /// Returns the range of positions to list, without `after` and with `through`.
    private func range(_ log: EventLog) throws -> (after: Position, through: Position) {
        let through = try moment.through(log)
        if let position = position.flatMap({ UInt64($0) }) {
            guard position <= through.rawValue else {
                throw Failure(
                    .usage, "there is no position \(position): the log ends at position \(through)")
            }
            return (Position(position - 1), Position(position))
        }
        guard let commit else { return (after?.position ?? .origin, through) }
        guard let found = try log.commits.at(Position(commit)) else {
            throw Failure(.usage, "--commit \(commit): the log has no event at this position")
        }
        return (Position(found.first.rawValue - 1), found.last)
    }

    private func window(_ range: (after: Position, through: Position)) -> ReadWindow {
        ReadWindow(after: range.after, through: range.through, reverse ? .descending : .ascending)
    }

    /// Prints events in the order of the log, and returns their number.
    private func printInOrder(
        _ listing: EventListing, _ range: (after: Position, through: Position)
    ) throws(LogError) -> Int {
        guard limit ?? 1 > 0 else { return 0 }
        return try listing.print(window(range), limit: limit)
    }

    /// Prints events in the order of the time at which they happened, then of their positions, and
    /// returns their number.
    private func printAsHappened(
        _ listing: EventListing, _ range: (after: Position, through: Position)
    ) throws(LogError) -> Int {
        var found = try listing.times(in: ReadWindow(after: range.after, through: range.through))
        found.sort { ($0.moment, $0.position) < ($1.moment, $1.position) }
        if reverse { found.reverse() }
        let shown = found.prefix(limit ?? .max).map(\.position)
        let windows = ReadWindow.windows(of: shown, atMost: EventListing.stride)
        // A thread takes a few hundred windows, which may hold one event each.
        return try EventListing(EventFilter(), listing.printer, catalogue())
            .printGroups(windows.divided(by: 256), limit: .max)
    }
}
