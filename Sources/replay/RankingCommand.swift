import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import ReplayCommands

struct RankingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ranking",
        abstract: "Rank a week's runners, live and as the week was closed.",
        discussion: """
            A score is what a runner ran in the week, in whole metres; a run belongs to the week \
            it starts in. Equal scores share a rank. Ranks are compared with the week before, as \
            it was closed, else live. With --close the ranking is made final; what comes later \
            changes the live one only, and is listed.
            """)

    @Option(help: ArgumentHelp("The week, like 2026-W08.", valueName: "week"))
    var week: String

    @Option(
        help: ArgumentHelp(
            "IANA zone, or an offset like +09:00, whose Monday begins the week.",
            valueName: "zone"))
    var zone = Running.rankingZone

    @Option(help: ArgumentHelp("The compiled tz database to use.", valueName: "folder"))
    var tzdata = ZoneOptions.standardFolder

    @Option(
        help: ArgumentHelp("How many rows; 20 in a table, else all, by default.", valueName: "n"))
    var top: Int?

    @Option(help: "Whose JSON: standard, or source for the API of the shared specification.")
    var shape = Shape.standard

    @Flag(help: "Show the ranking as the week was closed, in a table or the source's JSON.")
    var closed = false

    @Flag(help: "Close the week.")
    var close = false

    @Flag(help: "With --close: close it once more, over what came late.")
    var again = false

    @Option(help: ArgumentHelp("The user who closes it.", valueName: "user"), transform: identifier)
    var by: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    enum Shape: String, ExpressibleByArgument, CaseIterable {
        case standard
        case source
    }

    func validate() throws {
        guard CivilDate.week(text: week) != nil else {
            throw ValidationError("--week: expected a week like 2026-W08, found '\(week)'.")
        }
        if let top, top < 1 { throw ValidationError("--top: expected a number from 1 up.") }
        guard !close || moment.at == nil && moment.validAt == nil else {
            throw ValidationError("A week is closed by what is known now, without --at.")
        }
        guard close || !again else { throw ValidationError("--again goes with --close.") }
        guard !closed || !output.json || shape == .source else {
            throw ValidationError("JSON has both rankings; --closed chooses for a table.")
        }
    }

    func run() throws {
        let source = try ZoneOptions.source(tzdata)
        let zone = try ZoneOptions.zone(zone, source)
        guard let day = CivilDate.week(text: week) else { return }
        let week = Running.RankingWeek(day, in: zone)
        let log = try log.open(close ? .write : .read)
        if close {
            try closeWeek(week, zone, tzdata: source.version, log)
            Output.note(outcome: "\(week.name) is closed")
        }
        let reading = try RunReading(log, moment)
        let isTable = !output.json && shape == .standard
        let answer = try mappingLogErrors {
            try reading.ranking(
                week, zone, tzdata: source.version,
                top: top ?? (isTable ? 20 : .max), knownAt: try moment.knownAt(log))
        }
        if closed, answer.closed == nil {
            throw Failure(
                .finding,
                "\(week.name) is not closed in \(zone.name) at position \(reading.through)")
        }
        let rows = closed ? answer.closed?.rows ?? [] : answer.rows
        if shape == .source {
            let cards = try mappingLogErrors { try reading.cards(of: rows.map(\.userId)) }
            Output.json(Self.sourceJSON(rows, cards))
        } else if output.json {
            Output.json(JSONWriter.text(answer))
        } else {
            let names = try mappingLogErrors { try reading.names(of: rows.map(\.userId)) }
            Output.lines(RankingTable.lines(answer, rows, isClosed: closed, names: names))
        }
    }

    private func closeWeek(
        _ week: Running.RankingWeek, _ zone: Zone, tzdata: String, _ log: EventLog
    ) throws {
        let body = Running.CloseWeek {
            $0.week = week.name
            $0.zone = zone.name
            $0.tzdata = tzdata
            $0.start = week.start
            $0.end = week.end
            $0.again = again
        }
        let now = EventLog.systemTime()
        try decideOrFail(
            PendingCommand(
                body,
                context: CommandContext(
                    now: now, zone: zone.name, offsetS: Int32(zone.offsetS(at: now)))),
            on: log, by: by, try catalogue())
    }

    /// The answer of S0's `GET /api/ranking/weekly`, distances in kilometres with one decimal.
    private static func sourceJSON(
        _ rows: [Running.RankingRow], _ cards: [String: RunReading.Card]
    ) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("rankings")
            writer.array { writer in
                for row in rows {
                    let card = cards[row.userId] ?? RunReading.Card()
                    writer.object { writer in
                        writer.member("rank", row.rank)
                        writer.name("user")
                        writer.object { writer in
                            writer.member("id", row.userId)
                            writer.member("name", card.name ?? Running.defaultName)
                            writer.member("profileImageUrl", card.imageUrl)
                            writer.member("totalDistance", Running.kilometres(card.totalDistanceMm))
                            writer.member("totalRuns", card.totalRuns)
                        }
                        writer.member(
                            "score", Running.kilometres(Int64(clamping: Int128(row.scoreM) * 1_000))
                        )
                        writer.member("change", row.change)
                    }
                }
            }
        }
        return writer.text
    }
}

/// A ranking as a table for people.
enum RankingTable {
    /// - Parameter rows: the live ones of the answer, or the closed ones.
    static func lines(
        _ answer: Running.RankingAnswer, _ rows: [Running.RankingRow], isClosed: Bool,
        names: [String: String]
    ) -> [String] {
        let kind = isClosed ? "as it was closed" : "live"
        var lines = [
            "Week \(answer.week) in \(answer.zone), \(kind), tzdata \(answer.tzdata), "
                + "at position \(answer.position)"
        ]
        if rows.isEmpty { lines.append("nobody ran") } else { lines.append(header) }
        for row in rows { lines.append(line(row, names)) }
        let runners = isClosed ? answer.closed?.runners ?? 0 : answer.runners
        let more = runners - Int64(rows.count)
        if more > 0 { lines.append("… and \(more) more; --top shows them") }
        if let closed = answer.closed {
            let when = Timestamp.text(closed.closed)
            lines.append(
                "closed at position \(closed.position), \(when), with \(closed.runners) runners")
            for change in closed.late { lines.append(line(change)) }
            if closed.late.isEmpty { lines.append("  nothing came late") }
        }
        return lines
    }

    private static let header =
        "\(padded("rank", 6))  \(padded("move", 5))  \(padded("distance", 13))  runner"

    private static func line(_ row: Running.RankingRow, _ names: [String: String]) -> String {
        let name = names[row.userId].map { "\($0) (\(row.userId))" } ?? row.userId
        let move: String
        switch row.change {
        case .none: move = row.isNew ? "new" : "–"
        case .up: move = "▲\((row.previousRank ?? row.rank) &- row.rank)"
        case .down: move = "▼\(row.rank &- (row.previousRank ?? row.rank))"
        }
        return "\(padded("\(row.rank)", 6))  \(padded(move, 5))  "
            + "\(padded(kilometres(row.scoreM), 10)) km  \(name)"
    }

    private static func line(_ change: Running.LateChange) -> String {
        let then = change.closedScoreM.map { "\(kilometres($0)) km" } ?? "nothing"
        let now = change.scoreM.map { "\(kilometres($0)) km" } ?? "nothing"
        let ranks =
            "rank \(change.closedRank.map(String.init) ?? "–") "
            + "→ \(change.rank.map(String.init) ?? "–")"
        return "  late: \(change.userId) had \(then), has \(now), \(ranks)"
    }

    /// Whole metres as kilometres.
    private static func kilometres(_ metres: Int64) -> String {
        let rest = String(metres.magnitude % 1_000)
        return "\(metres < 0 ? "-" : "")\(metres.magnitude / 1_000)."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
