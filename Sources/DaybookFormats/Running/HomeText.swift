import Daybook
import DaybookModel

/// Formats the report on a runner's home screen as lines of text.
enum HomeText {
    /// Returns the lines of the report: names, week, totals, and one line for each run.
    static func lines(_ home: Running.Home) -> [String] {
        let weekly = home.weekly
        var lines = [
            "\(home.userId), shown as \(home.displayName ?? home.userId), week \(weekly.week) in "
                + home.zone,
            RunnerText.header(home.header),
            "  this week  \(weekly.distanceKm.text) km in \(duration(weekly.activeMs)), "
                + "\(weekly.kcal) kcal, \(runs(weekly.runCount))",
            "  in all     \(home.totalDistanceKm.text) km in \(runs(home.totalRuns))",
        ]
        if let title = home.emptyTitle, let subtitle = home.emptySubtitle {
            lines.append("  no runs: the app shows \"\(title)\", \"\(subtitle)\"")
        }
        for run in home.history {
            let start = run.started.map { Timestamp.text($0) }
            let pace = run.avgPaceMsPerKm.map { "\(duration($0)) /km" } ?? "no pace"
            lines.append(
                "  \(start ?? "no time")  \(Running.kilometres(run.distanceMm).text) km  "
                    + "\(duration(run.activeMs))  \(pace)  \(run.runId)")
        }
        return lines
    }

    /// Returns a counted noun: `1 run`, `3 runs`.
    private static func runs(_ count: Int64) -> String { count == 1 ? "1 run" : "\(count) runs" }

    /// Returns milliseconds as text in the clock format of the app, such as `1:04:05`.
    static func duration(_ milliseconds: Int64) -> String { Running.clockText(milliseconds) }
}
