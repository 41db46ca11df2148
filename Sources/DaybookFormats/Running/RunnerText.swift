import Daybook
import DaybookModel

/// Formats the report on a runner as lines of text.
enum RunnerText {
    /// Returns the lines of the report: name, totals and the header that the app shows.
    static func lines(_ runner: Running.RunnerAnswer) -> [String] {
        [
            "\(runner.userId), \(runner.name ?? "without a name")"
                + (runner.profileImageUrl.map { ", \($0)" } ?? ""),
            "  in all  \(runner.totalDistanceKm.text) km in \(runner.totalRuns.counted("run")), "
                + runner.totalTimeFormatted,
            header(runner.header),
        ]
    }

    /// Returns a line about the header: `the app shows  "안녕하세요", "러너", a circle with "U"`.
    static func header(_ header: Running.Header) -> String {
        let name = header.displayName.map { ", \"\($0)\"" } ?? ""
        let picture =
            header.imageUrl != nil
            ? ", the image" : header.initial.map { ", a circle with \"\($0)\"" } ?? ""
        return "  the app shows  \"\(header.greeting)\"\(name)\(picture)"
    }
}

/// A runner in the JSON of the running app's server: `GET /api/users/{id}`.
///
/// Distances are kilometres with one decimal.
struct SourceRunner: Record {
    var id = ""
    /// Displayed name; the app's default for a runner without a name.
    var name = ""
    /// Address of the profile image; `nil` for none.
    var profileImageUrl: String?
    /// Distance of all runs, in kilometres with one decimal.
    var totalDistance = Tenths.blank
    var totalRuns: Int64 = 0
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("id", &id, "name", &name, "profileImageUrl", &profileImageUrl)
        try field("totalDistance", &totalDistance, "totalRuns", &totalRuns)
    }
}

extension SourceRunner {
    /// Creates the JSON from the answer of the report on one runner.
    init(_ runner: Running.RunnerAnswer) {
        self.init(
            id: runner.userId, name: runner.name ?? Running.defaultName,
            profileImageUrl: runner.profileImageUrl,
            totalDistance: Running.kilometres(runner.totalDistanceMm), totalRuns: runner.totalRuns)
    }

    /// Creates the JSON from the id of a runner, and from the runner's name, image and totals.
    init(_ id: String, _ card: Running.RunnerCard.State) {
        self.init(
            id: id, name: card.name ?? Running.defaultName, profileImageUrl: card.imageUrl,
            totalDistance: Running.kilometres(card.runner.totalDistanceMm),
            totalRuns: card.runner.totalRuns)
    }
}
