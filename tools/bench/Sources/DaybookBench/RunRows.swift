import Daybook
import DaybookLog
import DaybookModel
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
        let path = "\(logs.folder)/track.daybook"
        if !FileManager.default.fileExists(atPath: path) {
            let log = try EventLog(path: path, access: .create)
            var points: [Running.TrackPoint] = []
            for index in 0..<Int64(count) {
                points.append(
                    Running.TrackPoint {
                        $0.time = Instant(microseconds: Self.firstMonday + index * 1_000_000)
                        $0.latE9 = 37_566_500_000 + index * 20_000 % 900_000_000
                        $0.lonE9 = 126_978_000_000 + index * 17_000 % 900_000_000
                        $0.eleMm = 20_000 + index % 1_000
                    })
            }
            let body = Running.ImportTrack {
                $0.runId = "long"
                $0.userId = "u"
                $0.segments = [
                    Running.TrackSegment {
                        $0.points = points
                    }
                ]
            }
            let events = try body.decide(Running.State.blank, now: .epoch)
            _ = try log.append(
                AppendRequest(
                    events.map { $0.payload.event(in: CommandContext(now: .epoch)) }))
            try log.reindex()
        }
        let log = try EventLog(path: path, access: .read)
        let times = try Measure.alone(5) {
            try Measure.seconds {
                var run = Running.Run.blank
                let query = Query(
                    Query.Item(kinds: Running.runKinds, tags: [Running.tag("long")]))
                try log.reader(query).fold(Running.RunView.self, into: &run)
                guard run.pointCount == count else {
                    throw Failed(description: "points are missing")
                }
            }
        }
        return Row(
            name: "runs", work: "a track of \(count) points folded: distance, times, splits",
            unit: "points/s", own: Row.Figure(perSecondOf: count, times), reach: "–")
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
                    var run = Running.RunCompleted.blank
                    run.runId = "run-\(week)-\(number)"
                    run.userId = "runner-\((number * 7_919 + week * 31) % runners)"
                    run.started = Instant(microseconds: ended - 1_800_000_000)
                    run.ended = Instant(microseconds: ended)
                    run.wallMs = 1_800_000
                    run.activeMs = 1_800_000
                    run.distanceMm = Int64(bits >> 40) + 1_000_000
                    run.kcal = 300
                    events.append(NewEvent(run, occurredAt: Instant(microseconds: ended)))
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
