import Daybook
import DaybookModel

/// Formats a weekly ranking of runners as a text table.
enum RankingText {
    static func lines(
        _ answer: Running.RankingAnswer, _ rows: [Running.RankingRow], isClosed: Bool,
        names: [String: String]
    ) -> [String] {
        let kind = isClosed ? "as closed" : "live"
        var lines = [
            "Week \(answer.week) in \(answer.zone), \(kind), tzdata \(answer.tzdata), "
                + "at position \(answer.position)"
        ]
        if rows.isEmpty { lines.append("no runs") } else { lines.append(header) }
        for row in rows { lines.append(line(row, names)) }
        let runners = isClosed ? answer.closed?.runnerCount ?? 0 : answer.runnerCount
        let more = runners - Int64(rows.count)
        if more > 0 { lines.append("… and \(more) more; --top shows them") }
        if let closed = answer.closed {
            let when = Timestamp.text(closed.closed)
            lines.append(
                "closed at position \(closed.position), \(when), with \(closed.runnerCount) runners"
            )
            for change in closed.late { lines.append(line(change)) }
            if closed.late.isEmpty { lines.append("  nothing came late") }
        }
        return lines
    }

    /// Line with the headings of the table's columns.
    private static let header =
        "\(rightAligned("rank", 6))  \(rightAligned("move", 5))  \(rightAligned("distance", 13))  runner"

    /// Returns the line of one runner: rank, change of rank, distance and name.
    private static func line(_ row: Running.RankingRow, _ names: [String: String]) -> String {
        let name = names[row.userId].map { "\($0) (\(row.userId))" } ?? row.userId
        let move: String
        switch row.change {
        case .none: move = row.isNew ? "new" : "–"
        case .up: move = "▲\((row.previousRank ?? row.rank) &- row.rank)"
        case .down: move = "▼\(row.rank &- (row.previousRank ?? row.rank))"
        }
        return "\(rightAligned("\(row.rank)", 6))  \(rightAligned(move, 5))  "
            + "\(rightAligned(Thousandths.text(row.scoreM), 10)) km  \(name)"
    }

    /// Returns the line of a runner whose distance changed after the week was closed.
    private static func line(_ change: Running.LateChange) -> String {
        let then = change.closedScoreM.map { "\(Thousandths.text($0)) km" } ?? "nothing"
        let now = change.scoreM.map { "\(Thousandths.text($0)) km" } ?? "nothing"
        let ranks =
            "rank \(change.closedRank.map(String.init) ?? "–") "
            + "→ \(change.rank.map(String.init) ?? "–")"
        return "  late: \(change.userId) had \(then), has \(now), \(ranks)"
    }

    /// Returns the text with spaces before it, so that it is at least `width` characters wide.
    private static func rightAligned(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// A ranking in the JSON of the running app's server: `GET /api/ranking/weekly`.
///
/// Distances are kilometres with one decimal.
struct SourceRanking: Record {
    var rankings: [Row] = []

    /// One runner's rank, distance and change of rank.
    struct Row: Record {
        /// Rank in the week, from 1; runners with the same distance share a rank.
        var rank: Int64 = 0
        var user = SourceRunner()
        /// Distance that the runner covered in the week, in kilometres with one decimal.
        var score = Tenths.blank
        /// Direction in which the rank changed since the previous week.
        var change = Running.RankChange.none
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("rank", &rank, "user", &user, "score", &score, "change", &change)
        }
    }

    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("rankings", &rankings)
    }
}

extension SourceRanking {
    /// Creates the JSON from the rows of a ranking.
    init(_ rows: [Running.RankingRow], _ cards: [String: Running.RunnerCard.State]) {
        rankings = rows.map { row in
            Row(
                rank: row.rank, user: SourceRunner(row.userId, cards[row.userId] ?? .blank),
                score: Running.kilometres(Int64(clamping: Int128(row.scoreM) * 1_000)),
                change: row.change)
        }
    }
}

/// Formats whole thousandths as decimal text, such as millimetres as metres.
enum Thousandths {
    /// Returns a number of thousandths as text with three decimals: `1.500` for 1500.
    static func text(_ value: Int64) -> String {
        let rest = String(value.magnitude % 1_000)
        return "\(value < 0 ? "-" : "")\(value.magnitude / 1_000)."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
