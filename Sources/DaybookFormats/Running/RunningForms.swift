import Daybook
import DaybookModel

/// Registers renderers that turn the reports on runs and rankings into text or JSON.
enum RunningForms: FileFormats {
    /// Renderers, one for each pair of a report and a form.
    static let renderers = [
        ReportRenderer(Running.HomeReport.self, .text) { (home) throws(ReportError) in
            .lines(HomeText.lines(home.answers[0]))
        },
        ReportRenderer(Running.RunnerReport.self, .text) { (runner) throws(ReportError) in
            .lines(RunnerText.lines(runner.answers[0]))
        },
        ReportRenderer(Running.RunnerReport.self, "source", isShape: true) { (runner, _) in
            .json(JSONWriter.text(SourceRunner(runner.answers[0])))
        },
        ReportRenderer(Running.RunTrack.self, .text) { (track) throws(ReportError) in
            .lines(TrackText.lines(track.answers[0]))
        },
        ReportRenderer(Running.RankingReport.self, .text) { ranking, runners in
            try table(ranking, isClosed: false, runners)
        },
        ReportRenderer(Running.RankingReport.self, "closed") { ranking, runners in
            try table(ranking, isClosed: true, runners)
        },
        ReportRenderer(Running.RankingReport.self, "source", isShape: true) { ranking, runners in
            try sourceJSON(ranking, isClosed: false, runners)
        },
        ReportRenderer(Running.RankingReport.self, "closed-source", isShape: true) {
            ranking, runners in
            try sourceJSON(ranking, isClosed: true, runners)
        },
    ]

    /// Maximum number of rows of a table if the report sets no maximum.
    private static let defaultRowCount: Int64 = 20

    /// Returns rankings as text tables.
    ///
    /// - Parameter isClosed: true for the rows recorded when the week was closed, false for rows
    ///   computed from all runs known now.
    private static func table(
        _ ranking: AnsweredReport<Running.RankingReport>, isClosed: Bool,
        _ runners: any EntityStates
    ) throws -> ReportPage {
        var lines: [String] = []
        for (report, answer) in zip(ranking.reports, ranking.answers) {
            let top = max(0, Int(clamping: report.top ?? defaultRowCount))
            let rows = try rows(of: answer, isClosed: isClosed).prefix(top)
            let cards = try runnerCards(of: rows, runners)
            if !lines.isEmpty { lines.append("") }
            lines += RankingText.lines(
                answer, Array(rows), isClosed: isClosed, names: cards.compactMapValues(\.name))
        }
        return .lines(lines)
    }

    /// Returns a ranking as JSON of the running app's server.
    private static func sourceJSON(
        _ ranking: AnsweredReport<Running.RankingReport>, isClosed: Bool,
        _ runners: any EntityStates
    ) throws -> ReportPage {
        let rows = try rows(of: ranking.answers[0], isClosed: isClosed)
        return .json(JSONWriter.text(SourceRanking(rows, try runnerCards(of: rows[...], runners))))
    }

    /// Returns the rows of a ranking, live or as recorded when the week was closed; throws an error
    /// if `isClosed` is true and the week is not closed.
    private static func rows(
        of answer: Running.RankingAnswer, isClosed: Bool
    ) throws(ReportError) -> [Running.RankingRow] {
        guard isClosed else { return answer.rows }
        guard let closed = answer.closed else {
            throw .unanswerable(
                "the week \(answer.week) in \(answer.zone) is not closed, so that it has no final "
                    + "ranking")
        }
        return closed.rows
    }

    /// Returns the name, image and totals of each runner in the rows, by user id.
    private static func runnerCards(
        of rows: ArraySlice<Running.RankingRow>, _ runners: any EntityStates
    ) throws -> [String: Running.RunnerCard.State] {
        let tags = rows.map { Running.userTag($0.userId) }
        let states = try runners.states(Running.RunnerCard.self, of: tags)
        return Dictionary(
            rows.map { ($0.userId, states[Running.userTag($0.userId)] ?? .blank) },
            uniquingKeysWith: { first, _ in first })
    }
}
