import Daybook
import DaybookModel

/// A runner's name, totals and header as lines of text.
enum RunnerText {
    static func lines(_ runner: Running.RunnerAnswer) -> [String] {
        [
            "\(runner.userId), \(runner.name ?? "without a name")"
                + (runner.profileImageUrl.map { ", \($0)" } ?? ""),
            "  in all  \(runner.totalDistanceKm.text) km in \(runner.totalRuns.counted("run")), "
                + runner.totalTimeFormatted,
            header(runner.header),
        ]
    }

    /// Returns a line like `the app shows  "안녕하세요", "러너", a circle with "U"`.
    static func header(_ header: Running.Header) -> String {
        let name = header.displayName.map { ", \"\($0)\"" } ?? ""
        let picture =
            header.imageUrl != nil
            ? ", the image" : header.initial.map { ", a circle with \"\($0)\"" } ?? ""
        return "  the app shows  \"\(header.greeting)\"\(name)\(picture)"
    }
}

/// A runner as the answer of S0's `GET /api/users/{id}`, in kilometres with one decimal.
enum RunnerJSON {
    static func source(_ runner: Running.RunnerAnswer) -> String {
        var writer = JSONWriter()
        write(
            runner.userId, runner.name, runner.profileImageUrl, runner.totalDistanceMm,
            runner.totalRuns, to: &writer)
        return writer.text
    }

    static func write(
        _ userId: String, _ name: String?, _ imageUrl: String?, _ distanceMm: Int64,
        _ runs: Int64, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("id", userId)
            writer.member("name", name ?? Running.defaultName)
            writer.member("profileImageUrl", imageUrl)
            writer.member("totalDistance", Running.kilometres(distanceMm))
            writer.member("totalRuns", runs)
        }
    }
}
