import Daybook
import DaybookLog
import Foundation

/// Whole commands of `replay` over many babies' year, each in a process of its own.
struct BabyRows {
    let logs: Logs
    let babies: Int
    let commands: Commands
    /// Entries of a baby's day.
    static let entriesPerDay = 27
    private static let firstDay = 20_089  // 2025-01-01

    func measure() throws -> [Row] {
        try commands.check()
        let log = try path()
        let entries = babies * 365 * Self.entriesPerDay
        let baby = "baby-\(babies / 2)"
        let report = { (arguments: [String]) -> Commands.Run in
            try commands.run(["report"] + arguments + ["--log", log, "--json"])
        }
        return [
            try imported(),
            try commands.timed(
                "babies", "a baby's day of \(entries) entries", "≤ 10"
            ) {
                try report(["daily", "--baby", baby, "--date", "2025-07-02"])
            },
            try commands.timed(
                "babies", "a baby's month", "≤ 30"
            ) {
                try report(["monthly", "--baby", baby, "--month", "2025-07"])
            },
            try commands.timed(
                "babies", "a baby's next feeding, over its whole year", "–"
            ) {
                try report(
                    ["next-feeding", "--baby", baby, "--now", "2025-07-02T12:00:00Z"])
            },
            try allBabies(log, entries),
        ]
    }

    private func allBabies(_ log: String, _ entries: Int) throws -> Row {
        var peak = 0.0
        let times = try Measure.alone(3) {
            let run = try commands.run(
                ["report", "daily", "--all", "--date", "2025-07-02", "--log", log, "--json"])
            peak = run.peakMiB
            return run.seconds
        }
        return Row(
            name: "babies", work: "all babies' day in one pass, peak \(Row.number(peak)) MiB",
            unit: "entries/s", own: Row.Figure(perSecondOf: entries, times), reach: "≥ 8 M")
    }

    /// A file as large as a real one, each row decided, conditioned, chained and durable.
    private func imported() throws -> Row {
        let rows = 2_800
        let file = "\(logs.folder)/baby-connect.csv"
        var text = "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,"
        text += "Notes,Caregiver\n"
        for row in 0..<rows {
            let day = row / 15 % 28 + 1
            let hour = row % 12 + 1
            let time =
                "\(row / 420 % 12 + 1)/\(day)/20 \(hour):1\(row % 6) \(row % 2 == 0 ? "A" : "P")M"
            text +=
                row % 3 == 0
                ? "\(time),,,Bottle,\(row % 8 + 1),Formula,,,A\n"
                : "\(time),\(time),0,\(row % 3 == 1 ? "Sleep" : "Nursing"),,,,,U\n"
        }
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        var peak = 0.0
        let times = try Measure.alone(5) {
            try logs.fresh { log in
                let run = try commands.run([
                    "import", "--format", "babyconnect", "--log", log, "--baby", "b", "--zone",
                    "America/Los_Angeles", file,
                ])
                peak = run.peakMiB
                return run.seconds
            }
        }
        return Row(
            name: "babies",
            work: "import of a file of \(rows) rows, peak \(Row.number(peak)) MiB", unit: "ms",
            own: Row.Figure(nsOf: 1_000_000, times), reach: "≤ 2 k")
    }

    /// The log, made once: day by day, so that every baby's entries lie all over the file.
    private func path() throws -> String {
        let path = "\(logs.folder)/babies-\(babies).daybook"
        if FileManager.default.fileExists(atPath: path) { return path }
        let log = try EventLog(path: path, access: .create)
        var known: [NewEvent] = []
        for baby in 0..<babies {
            known.append(
                try ModelEvents.event(
                    "household.baby-profile-changed.v1", at: Instant(microseconds: 0),
                    [
                        "babyId": .text("baby-\(baby)"),
                        "zone": .text(["Asia/Seoul", "America/Los_Angeles"][baby % 2]),
                    ]))
        }
        _ = try log.append(AppendRequest(known))
        for day in 0..<365 {
            var requests: [AppendRequest] = []
            for baby in 0..<babies {
                requests.append(AppendRequest(try Self.entries(of: baby, on: day)))
            }
            _ = try log.append(requests)
        }
        try log.reindex()
        return path
    }

    private static func entries(of baby: Int, on day: Int) throws -> [NewEvent] {
        let midnight = Int64(firstDay + day) * 86_400_000_000
        let kinds = [
            "sleep", "formula", "pee", "sleep", "breastfeed", "pee", "poo", "sleep", "formula",
        ]
        return try (0..<entriesPerDay).map { number in
            let kind = kinds[number % kinds.count]
            let start = midnight + Int64(number) * 3_200_000_000 + Int64(baby % 60) * 60_000_000
            let (ended, value): (Tree.Content, KeyValuePairs<String, Tree.Content>) =
                switch kind {
                case "sleep": (.integer(start + 3_000_000_000), [:])
                case "formula": (.null, ["amountUl": .integer(120_000)])
                default: (.null, ["count": .integer(1)])
                }
            var entry = try ModelEvents.event(
                "baby-care.entry-recorded.v1", at: Instant(microseconds: start),
                [
                    "entryId": .text("e\(baby)-\(day)-\(number)"),
                    "babyId": .text("baby-\(baby)"), "kind": .text(kind),
                    "state": .text("closed"), "startedUs": .integer(start), "endedUs": ended,
                    "value": ModelEvents.tree(value).content, "source": .text("manual"),
                    "entryMode": .text("manual_form"),
                ])
            entry.zone = "Asia/Seoul"
            entry.offsetS = 32_400
            return entry
        }
    }
}
