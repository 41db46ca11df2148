import Daybook
import DaybookLog
import Foundation

/// Tracks folded, and weeks of many runners ranked.
struct RunRows {
    let logs: Logs
    /// Each has a run in every one of ten weeks.
    let runners: Int
    let commands: Commands
    private static let weeks = 10
    private static let firstMonday: Int64 = 20_451 * 86_400_000_000  // 2025-12-29

    func measure() throws -> [Row] {
        try commands.check()
        let log = try rankings()
        let ranking = { (arguments: [String]) -> Commands.Run in
            try commands.run(["ranking", "--week", "2026-W06", "--log", log, "--json"] + arguments)
        }
        let runs = runners * Self.weeks
        var generator = Mixer(state: 1)
        return [
            try pointsFolded(),
            try commands.timed(
                "runs", "a week of \(runners) runners ranked, all rows", "–", repeats: 3
            ) { try ranking([]) },
            try commands.timed("runs", "its first 100 rows, of \(runs) runs", "–", repeats: 3) {
                try ranking(["--top", "100"])
            },
            try commands.timed("runs", "the same at a random past position", "–", repeats: 9) {
                let position = generator.next() % UInt64(runs) + 1
                return try ranking(["--top", "100", "--at", "\(position)"])
            },
            try imported(),
        ]
    }

    /// A run of a million points, folded in place.
    private func pointsFolded() throws -> Row {
        let count = 1_000_000
        let log = try EventLog(path: try track(count), access: .read)
        guard let projection = ModelEvents.catalogue.projections["run"] else {
            throw Failed(description: "the model has no projection 'run'")
        }
        var run = projection.fold(.standard)
        let times = try Measure.alone(5) {
            try Measure.seconds {
                run = projection.fold(.standard)
                try log.reader(projection.query(key: nil)).forEach { (event) throws(LogError) in
                    do throws(FoldError) {
                        try run.apply(event)
                    } catch {
                        throw .fold(error)
                    }
                    return true
                }
            }
        }
        guard try Tree(json: run.json.utf8)["points"]?.content == .integer(Int64(count)) else {
            throw Failed(description: "points are missing")
        }
        return Row(
            name: "runs", work: "a track of \(count) points folded: distance, times, splits",
            unit: "points/s", own: Row.Figure(perSecondOf: count, times), reach: "–")
    }

    /// The log of one run with a point a second, imported once.
    private func track(_ count: Int) throws -> String {
        let path = "\(logs.folder)/imported-track.daybook"
        if FileManager.default.fileExists(atPath: path) { return path }
        var text = "<gpx version=\"1.1\"><trk><trkseg>\n"
        for index in 0..<Int64(count) {
            let time = Instant(microseconds: Self.firstMonday + index * 1_000_000)
            let lat = Self.degrees(37_566_500_000 + index * 20_000 % 900_000_000)
            let lon = Self.degrees(126_978_000_000 + index * 17_000 % 900_000_000)
            text += "<trkpt lat=\"\(lat)\" lon=\"\(lon)\">"
            text += "<ele>20.\(Self.digits(index % 1_000, 3))</ele>"
            text += "<time>\(Timestamp.text(time))</time></trkpt>\n"
        }
        text += "</trkseg></trk></gpx>\n"
        let file = "\(logs.folder)/long-track.gpx"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        defer { unlink(file) }
        _ = try commands.run(
            ["import", "--format", "gpx", "--user", "u", "--log", path, file])
        try EventLog(path: path, access: .create).reindex()
        return path
    }

    /// Degrees with nine decimals, from billionths of a degree.
    private static func degrees(_ billionths: Int64) -> String {
        "\(billionths / 1_000_000_000).\(digits(billionths % 1_000_000_000, 9))"
    }

    /// A number with so many digits.
    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: count - text.count) + text
    }

    /// A file of an hour and a half at a point a second, taken over.
    private func imported() throws -> Row {
        let count = 5_400
        var text = "<gpx version=\"1.1\"><trk><trkseg>\n"
        for index in 0..<count {
            let second = index % 60
            let minute = index / 60 % 60
            text +=
                "<trkpt lat=\"\(37.5 + Double(index) * 0.00002)\" lon=\"126.978\"><ele>20.5</ele>"
            text += "<time>2026-02-20T1\(index / 3_600):\(minute < 10 ? "0" : "")\(minute):"
            text += "\(second < 10 ? "0" : "")\(second)Z</time></trkpt>\n"
        }
        text += "</trkseg></trk></gpx>\n"
        let file = "\(logs.folder)/track.gpx"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try commands.timed("runs", "import of a track of \(count) points", "–") {
            var run = Commands.Run(seconds: 0, peakMiB: 0)
            try logs.fresh { log in
                run = try commands.run(
                    ["import", "--format", "gpx", "--user", "u", "--log", log, file])
                return run.seconds
            }
            return run
        }
    }

    /// The log of the rankings, made once: runs of a week in the order they ended.
    private func rankings() throws -> String {
        let path = "\(logs.folder)/runs-\(runners).daybook"
        if FileManager.default.fileExists(atPath: path) { return path }
        let log = try EventLog(path: path, access: .create)
        var generator = Mixer(state: 7)
        for week in 0..<Self.weeks {
            let monday = Self.firstMonday + Int64(week) * 7 * 86_400_000_000
            for first in stride(from: 0, to: runners, by: 10_000) {
                var events: [NewEvent] = []
                for number in first..<min(runners, first + 10_000) {
                    let bits = generator.next()
                    let ended = monday + Int64(number) * (6 * 86_400_000_000 / Int64(runners))
                    events.append(
                        try ModelEvents.event(
                            "running.run-completed.v1", at: Instant(microseconds: ended),
                            [
                                "runId": .text("run-\(week)-\(number)"),
                                "userId": .text(
                                    "runner-\((number * 7_919 + week * 31) % runners)"),
                                "startedUs": .integer(ended - 1_800_000_000),
                                "endedUs": .integer(ended), "wallMs": .integer(1_800_000),
                                "activeMs": .integer(1_800_000),
                                "distanceMm": .integer(Int64(bits >> 40) + 1_000_000),
                                "kcal": .integer(300), "rules": .text("standard"),
                            ]))
                }
                _ = try log.append(AppendRequest(events))
            }
        }
        try log.reindex()
        return path
    }
}

/// The same numbers on every run (SplitMix64).
struct Mixer {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
