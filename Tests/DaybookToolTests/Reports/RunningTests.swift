import Foundation
import TestSupport
import Testing

// Holds: s1-run-history, s1-run-places, s1-map, s1-import-once
/// Runs and rankings, as people use them.
@Suite struct RunningCommandTests {
    private static let track = """
        <gpx version="1.1"><trk><name>Han River</name><trkseg>
        <trkpt lat="37.5665" lon="126.978"><ele>20</ele><time>2026-02-20T10:00:00Z</time></trkpt>
        <trkpt lat="37.5755" lon="126.978"><ele>25</ele><time>2026-02-20T10:05:00Z</time></trkpt>
        <trkpt lat="100" lon="0"><time>2026-02-20T10:06:00Z</time></trkpt>
        <trkpt lat="37.5845" lon="126.978"><ele>22</ele><time>2026-02-20T10:10:00Z</time></trkpt>
        <trkpt lat="37.5935" lon="126.978"><ele>24</ele><time>2026-02-20T10:15:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    private func load(
        _ log: ScratchLog, _ text: String = RunningCommandTests.track, _ more: String...
    ) throws -> ReplayProcess.Answer {
        let file = try log.file("track.gpx", text)
        return try ReplayProcess.run(
            ["import", "--format", "gpx", "--user", "u", "--json", "--log", log.path] + more
                + [file])
    }

    @Test("A track is imported once")
    func aTrackIsTakenOverOnce() throws {
        let log = try ScratchLog()
        let first = try load(log)
        first.ends(1)
        first.says("track.gpx:4: point 3: latLon: impossible coordinates")
        let object = try #require(try first.objects().first)
        expect(object["rows"] as? Int, equals: 5)
        expect(object["accepted"] as? Int, equals: 4)
        let run = try #require(object["run"] as? String)
        let events = try log.replay("stat", "--json").objects().first?["events"] as? Int
        let again = try #require(try load(log).objects().first)
        expect(again["accepted"] as? Int, equals: 0)
        expect(again["duplicates"] as? Int, equals: 4)
        expect(again["run"] as? String, equals: run)
        // The same track in another file is the same track.
        let other = Self.track.replacingOccurrences(of: "<gpx version=\"1.1\">", with: "<gpx>\n\n")
        try expect(load(log, other).objects().first?["duplicates"] as? Int, equals: 4)
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: events)
        let state = try #require(
            try log.replay("state", "run", run, "--json").objects().first?["state"]
                as? [String: Any])
        expect(state["distanceMm"] as? Int, equals: 2_001_512)
        expect(state["segments"] as? Int, equals: 2)
        expect(state["activeMs"] as? Int, equals: 600_000)
        expect(state["wallMs"] as? Int, equals: 900_000)
        expect(state["splitsMs"] as? [Int], equals: [299_773, 299_773])
        #expect(state["tracking"] == nil)
        try log.replay("audit").ends(0)
        try log.replay("verify").ends(0)
    }

    @Test("Other limits recalculate the same track")
    func otherLimitsAreAnotherQuestionAboutTheSameTrack() throws {
        let log = try ScratchLog()
        _ = try load(log)
        let other = try load(log, Self.track, "--max-speed", "12.5")
        other.ends(1)
        other.says("was imported before as run 'gpx-")
        try load(log, Self.track, "--max-speed", "fast").ends(2)
    }

    @Test("Limits leave points out and name the reason")
    func limitsLeavePointsOutWithTheirReason() throws {
        let log = try ScratchLog()
        let answer = try load(log, Self.track, "--max-speed", "1")
        let rejected = try #require(
            try answer.objects().first?["rejected"] as? [[String: Any]])
        expect(rejected.compactMap { $0["code"] as? String }, equals: ["jump", "latLon", "jump"])
    }

    @Test(
        "Unreadable input creates no log and names the place of the fault",
        arguments: [
            ("<gpx><trk><trkseg><trkpt lat='0' lon='0'>\n</trk></gpx>", ":2: mismatched tag"),
            ("<gpx><wpt lat='0' lon='0'/></gpx>", "the file has no track point (waypoints: 1)"),
            ("<!DOCTYPE g [<!ENTITY a 'b'>]><gpx/>", ":1: the document declares entities"),
            ("lat,lon\n", ":1: syntax error"),
        ])
    func unreadable(_ text: String, _ message: String) throws {
        let log = try ScratchLog()
        let answer = try load(log, text)
        answer.ends(2)
        #expect(answer.out.isEmpty)
        answer.says(message)
        answer.says("nothing was imported")
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    @Test("A track of impossible places is refused")
    func aTrackOfImpossiblePlacesIsRefused() throws {
        let log = try ScratchLog()
        let answer = try load(
            log, "<gpx><trk><trkseg><trkpt lat='100' lon='0'/></trkseg></trk></gpx>")
        answer.ends(1)
        answer.says("emptyTrack")
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 0)
    }

    @Test("An exported run is imported as itself")
    func anExportedRunComesBackAsItself() throws {
        let log = try ScratchLog()
        let run = try #require(try load(log).objects().first?["run"] as? String)
        let exported = try log.replay("export", "--format", "gpx", "--run", run)
        exported.ends(0)
        exported.shows("<name>Han River</name>")
        expect(exported.out.components(separatedBy: "<trkseg>").count, equals: 3)
        let back = try load(log, exported.out)
        back.ends(0)
        try expect(back.objects().first?["duplicates"] as? Int, equals: 4)
        let folder = log.folder.path
        _ = try log.replay("export", "--format", "gpx", "--run", run, "--output", folder)
        try expect(
            String(contentsOfFile: "\(folder)/\(run).gpx", encoding: .utf8), equals: exported.out)
        try log.replay("export", "--format", "gpx", "--run", "none").ends(1)
        try log.replay("export", "--format", "gpx", "--baby", "b").ends(2)
        try log.replay("export", "--format", "babyai-csv", "--run", run).ends(2)
    }

    /// A live run with one place that is known badly, and a pause.
    static let live = """
        {"command": "running.start", "at": "2026-02-20T10:00:00Z", "data": {"runId": "live", "userId": "u"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:05:00Z", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:00:00Z", "lat": 37.5, "lon": 127, "eleM": 20.5}, {"tUs": "2026-02-20T10:02:00Z", "lat": 37.502, "lon": 127}, {"tUs": "2026-02-20T10:03:00Z", "lat": 37.9, "lon": 127, "accM": 80}]}}
        {"command": "running.pause", "at": "2026-02-20T10:05:00Z", "data": {"runId": "live"}}
        {"command": "running.resume", "at": "2026-02-20T10:10:00Z", "data": {"runId": "live"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:10:00Z", "lat": 37.503, "lon": 127}, {"tUs": "2026-02-20T10:12:00Z", "lat": 37.505, "lon": 127}]}}
        {"command": "running.stop", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live"}}
        {"command": "running.cancel", "at": "2026-02-20T10:16:00Z", "data": {"runId": "live", "reason": "by bus"}}
        {"command": "running.restore", "at": "2026-02-20T10:17:00Z", "data": {"runId": "live"}}

        """

    @Test("A live run is recognised when its export is imported")
    func aLiveRunIsKnownWhenItsExportComesBack() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.live).ends(0)
        let exported = try log.replay("export", "--format", "gpx", "--run", "live").out
        let back = try #require(try load(log, exported).objects().first)
        expect(back["run"] as? String, equals: "live")
        expect(back["duplicates"] as? Int, equals: 4)
        // Another runner's is another run.
        let file = try log.file("other.gpx", exported)
        let other = try log.replay("import", "--format", "gpx", "--user", "v", "--json", file)
        try expect(other.objects().first?["accepted"] as? Int, equals: 4)
        try log.replay("audit").ends(0)
    }

    @Test("A track report lists the points left out and the reasons")
    func aTrackReportTellsWhatWasLeftOutAndWhy() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.live)
        let report = try log.replay("report", "track", "--run", "live")
        expect(
            report.out,
            equals: """
                run live, completed: 444.780 m in 2 segments
                  by the source's rules unknown: those rules count the rejected places, or have no automatic pauses
                  time       0:15:00 in all, 0:10:00 without pauses, time in motion unknown: the places are over 30 s apart or without times
                  pace       0:22:28 /km
                  speed      2.7 km/h on average, 6.7 km/h in the fastest step
                  segment 0  222.390 m, 2 points, 2026-02-20T10:00:00Z to 2026-02-20T10:02:00Z
                  pause      111.195 m not counted
                  segment 1  222.390 m, 2 points, 2026-02-20T10:10:00Z to 2026-02-20T10:12:00Z
                left out
                  position 2, point 3: accuracy: less accurate than the limit (at most 50.000 m off), 2026-02-20T10:03:00Z, 37.9, 127, known within 80.000 m

                """)
        let object = try #require(
            try log.replay("report", "track", "--run", "live", "--json").objects().first)
        #expect((object["leftOut"] as? [[String: Any]])?.first?["reason"] as? String == "accuracy")
        let before = try #require(
            try log.replay("report", "track", "--run", "live", "--at", "3", "--json").objects()
                .first)
        #expect((before["segments"] as? [Any])?.count == 1)
        try log.replay("report", "track", "--run", "none").ends(1)
        // A history says why somebody did something.
        #expect(
            try log.replay("history", "run", "live").out.contains("    because reason \"by bus\"\n")
        )
    }

    @Test("A mistyped id does not look like an empty history")
    func anIdThatIsMistypedIsNoCleanHistory() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.live)
        try log.replay("audit", "--run", "live").ends(0)
        try log.replay("audit", "--user", "u").ends(0)
        let answer = try log.replay("audit", "--run", "liev")
        answer.ends(1)
        answer.says("no event of run 'liev'")
        let early = try log.replay("state", "run", "live", "--at", "2026-02-20T10:16:00Z")
        early.says("use --valid-at to go by the devices' clocks")
    }

    @Test("A run is drawn")
    func aRunIsDrawn() throws {
        let log = try ScratchLog()
        let run = try #require(try load(log).objects().first?["run"] as? String)
        let picture = try log.replay("state", "run", run, "--format", "svg").out
        #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(picture.hasSuffix("</svg>\n"))
        #expect(picture.contains("Han River"))
        #expect(picture.contains("2.00 km · 10:00 running · 15:00 in all · 4:59 a kilometre"))
        #expect(picture.contains("Elevation, metres"))

        try expect(log.replay("state", "run", run, "--format", "svg").out, equals: picture)
        try log.replay("state", "run", "--format", "svg").ends(2)
        try log.replay("state", "runner", "u", "--format", "svg").ends(2)
        try log.replay("state", "run", run, "--format", "svg", "--rules", "source").ends(2)
        try log.replay("state", "run", "none", "--format", "svg").ends(1)
    }

    @Test("Home shows the week and the history")
    func homeShowsTheWeekAndTheHistory() throws {
        let log = try ScratchLog()
        _ = try load(log)
        let now = ["--now", "2026-02-21T00:00:00Z"]
        let answer = try ReplayProcess.run(
            ["report", "home", "--user", "u", "--json", "--log", log.path] + now)
        let home = try #require(try answer.objects().first)
        expect(home["displayName"] as? String, equals: "러너")
        #expect((home["weekly"] as? [String: Any])?["distanceKm"] as? Double == 2.0)
        #expect((home["history"] as? [Any])?.count == 1)
        try log.replay(
            "append",
            input: #"{"command": "running.change-profile", "data": {"userId": "u", "name": "Kim"}}"#
                + "\n")
        let text = try ReplayProcess.run(
            ["report", "home", "--user", "u", "--log", log.path] + now)
        #expect(text.out.hasPrefix("u, shown as Kim, week 2026-W08 in Asia/Seoul\n"))
        try log.replay("report", "home", "--user", "nobody").ends(1)
    }
}

// Holds: s0-user, s0-ranking-item, s0-get-ranking, s0-mock-score, s0-week-bounds
/// `replay ranking`.
@Suite struct RankingCommandTests {
    /// S0's mock: names, runs of the week in metres, and how often.
    private static let mock: [(name: String, metres: Int, runs: Int)] = [
        ("김러너", 156_500, 42), ("박조깅", 142_300, 38), ("이마라톤", 128_700, 35),
        ("최달리기", 115_200, 30), ("정스프린트", 98_400, 28),
    ]

    /// The week before, with a sixth runner; the runs of the mock's; and the names.
    private static func facts() -> String {
        var lines: [String] = []
        let rows = ["1", "3", "2", "x", "5", "4"].enumerated().map { rank, user in
            #"{"userId": "\#(user)", "rank": \#(rank + 1), "scoreM": \#(90_000 - rank), "achievedUs": 0}"#
        }
        lines.append(
            #"{"event": "running.ranking-week-closed.v1", "at": "2026-02-16T00:00:00Z", "data": {"week": "2026-W07", "zone": "Asia/Seoul", "tzdata": "t", "startUs": "2026-02-08T15:00:00Z", "endUs": "2026-02-15T15:00:00Z", "position": 0, "rows": [\#(rows.joined(separator: ", "))]}}"#
        )
        for (index, runner) in mock.enumerated() {
            let user = "\(index + 1)"
            lines.append(
                #"{"command": "running.change-profile", "data": {"userId": "\#(user)", "name": "\#(runner.name)"}}"#
            )
            let each = runner.metres / runner.runs
            for number in 0..<runner.runs {
                let metres = number == 0 ? runner.metres - each * (runner.runs - 1) : each
                lines.append(completed(user, "\(user)-\(number)", metres))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func completed(
        _ user: String, _ run: String, _ metres: Int, at time: String = "2026-02-20T00:00:00Z"
    ) -> String {
        #"{"event": "running.run-completed.v1", "at": "\#(time)", "data": {"runId": "\#(run)", "userId": "\#(user)", "startedUs": "\#(time)", "endedUs": "\#(time)", "wallMs": 1, "activeMs": 1, "distanceMm": \#(metres)000, "kcal": 0}}"#
    }

    @Test("The ranking equals the specification's example in every field")
    func theMockOfTheSpecificationFieldByField() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.facts()).ends(0)
        let answer = try log.replay("ranking", "--week", "2026-W08", "--json", "--shape", "source")
        // As the specification prints it.
        let expected = """
            {"rankings": [
            {"rank": 1, "user": {"id": "1", "name": "김러너", "profileImageUrl": null, "totalDistance": 156.5, "totalRuns": 42}, "score": 156.5, "change": "NONE"},
            {"rank": 2, "user": {"id": "2", "name": "박조깅", "profileImageUrl": null, "totalDistance": 142.3, "totalRuns": 38}, "score": 142.3, "change": "UP"},
            {"rank": 3, "user": {"id": "3", "name": "이마라톤", "profileImageUrl": null, "totalDistance": 128.7, "totalRuns": 35}, "score": 128.7, "change": "DOWN"},
            {"rank": 4, "user": {"id": "4", "name": "최달리기", "profileImageUrl": null, "totalDistance": 115.2, "totalRuns": 30}, "score": 115.2, "change": "UP"},
            {"rank": 5, "user": {"id": "5", "name": "정스프린트", "profileImageUrl": null, "totalDistance": 98.4, "totalRuns": 28}, "score": 98.4, "change": "NONE"}
            ]}
            """
        let (a, b) = try (
            JSONSerialization.jsonObject(with: Data(answer.out.utf8)) as? NSDictionary,
            JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary
        )
        expect(a, equals: b)
        expect(a?.count, equals: 1)
    }

    @Test("A ranking table shows moves, names and excluded runners")
    func aTableShowsMovesNamesAndWhoIsLeftOut() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.facts())
        let table = try log.replay("ranking", "--week", "2026-W08", "--top", "2").out
            .split(separator: "\n").map(String.init)
        expect(table.count, equals: 5)
        #expect(table[0].hasPrefix("Week 2026-W08 in Asia/Seoul, live, tzdata "))
        expect(table[1], equals: "  rank   move       distance  runner")
        expect(table[2], equals: "     1      –     156.500 km  김러너 (1)")
        expect(table[3], equals: "     2     ▲1     142.300 km  박조깅 (2)")
        expect(table[4], equals: "… and 3 more; --top shows them")
        #expect(try log.replay("ranking", "--week", "2026-W20").out.contains("no runs"))
    }

    @Test("A week closes once, and late runs are listed")
    func aWeekClosesOnceAndLateRunsAreListed() throws {
        let log = try ScratchLog()
        try log.replay(
            "append",
            input: Self.completed("a", "a1", 5_000) + "\n" + Self.completed("b", "b1", 4_000) + "\n"
        )
        let week = ["ranking", "--week", "2026-W08", "--log", log.path]
        try ReplayProcess.run(week + ["--close", "--by", "ops"]).ends(0)
        let twice = try ReplayProcess.run(week + ["--close"])
        twice.ends(1)
        twice.says("alreadyClosed")
        let closedAt = try #require(
            try log.replay("stat", "--json").objects().first?["events"] as? Int)
        try log.replay("append", input: Self.completed("b", "b2", 3_000) + "\n")
        let answer = try #require(try ReplayProcess.run(week + ["--json"]).objects().first)
        let users = { (rows: Any?) in
            (rows as? [[String: Any]])?.compactMap { $0["userId"] as? String }
        }
        expect(users(answer["rows"]), equals: ["b", "a"])
        let closed = try #require(answer["closed"] as? [String: Any])
        expect(users(closed["rows"]), equals: ["a", "b"])
        expect(users(closed["late"]), equals: ["b"])
        let then = try #require(
            try ReplayProcess.run(week + ["--json", "--at", "\(closedAt)"]).objects().first)
        expect(users(then["rows"]), equals: ["a", "b"])
        #expect(((then["closed"] as? [String: Any])?["late"] as? [Any])?.isEmpty == true)
        #expect(
            try ReplayProcess.run(week).out
                .contains("late: b had 4.000 km, has 7.000 km, rank 2 → 1"))
        for rule in ["C6", "C7", "C8"] {
            try log.replay("audit", "--rule", rule).ends(0)
        }
        let table = try ReplayProcess.run(week + ["--closed"]).out
        #expect(table.contains("as closed"))
        #expect(
            table.contains("     1    new       5.000 km  a\n     2    new       4.000 km  b\n"))
        let source = try ReplayProcess.run(week + ["--closed", "--shape", "source"]).out
        #expect(source.contains(#""score":4.0"#))
        try ReplayProcess.run(week + ["--close", "--again"]).ends(0)
    }

    @Test(
        "A wrong question is answered with the correct usage",
        arguments: [
            (["--week", "2026-08"], "expected a week like "),
            (["--week", "2025-W53"], "there is no week 2025-W53"),
            (["--week", "2026-W08", "--top", "0"], "a number of at least 1"),
            (["--week", "2026-W08", "--zone", "Asia/Nowhere"], "Asia/Nowhere"),
            (["--week", "2026-W08", "--again"], "--again requires --close"),
            (["--week", "2026-W08", "--close", "--at", "1"], "combined with --at"),
        ])
    func wrong(_ arguments: [String], _ message: String) throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.completed("a", "a1", 5_000) + "\n")
        let answer = try ReplayProcess.run(["ranking", "--log", log.path] + arguments)
        answer.ends(2)
        answer.says(message)
    }

    @Test("A ranking asked as a report has 1 row or more", arguments: ["0", "-1"])
    func leastRows(_ top: String) throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.completed("a", "a1", 5_000) + "\n")
        let answer = try log.replay("report", "ranking", "--week", "2026-W08", "--top=\(top)")
        answer.ends(2)
        answer.says("top")
    }

    @Test("A current week cannot be closed")
    func aWeekThatGoesOnIsNotClosed() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.completed("a", "a1", 5_000) + "\n")
        let answer = try log.replay("ranking", "--week", "2199-W01", "--close")
        answer.ends(1)
        answer.says("weekNotOver")
    }
}
