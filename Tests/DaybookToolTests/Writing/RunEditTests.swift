import Foundation
import TestSupport
import Testing

/// Runs whose record is checked as it comes in, and cut afterwards.
@Suite struct RunEditTests {
    /// A live run with one place that is known badly, and a pause.
    private static let live = """
        {"command": "running.start", "at": "2026-02-20T10:00:00Z", "data": {"runId": "live", "userId": "u"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:05:00Z", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:00:00Z", "lat": 37.5, "lon": 127, "eleM": 20.5}, {"tUs": "2026-02-20T10:02:00Z", "lat": 37.502, "lon": 127}, {"tUs": "2026-02-20T10:03:00Z", "lat": 37.9, "lon": 127, "accM": 80}]}}
        {"command": "running.pause", "at": "2026-02-20T10:05:00Z", "data": {"runId": "live"}}
        {"command": "running.resume", "at": "2026-02-20T10:10:00Z", "data": {"runId": "live"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:10:00Z", "lat": 37.503, "lon": 127}, {"tUs": "2026-02-20T10:12:00Z", "lat": 37.505, "lon": 127}]}}
        {"command": "running.stop", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live"}}
        {"command": "running.cancel", "at": "2026-02-20T10:16:00Z", "data": {"runId": "live", "reason": "by bus"}}
        {"command": "running.restore", "at": "2026-02-20T10:17:00Z", "data": {"runId": "live"}}

        """

    private func load(
        _ log: ScratchLog, _ text: String
    ) throws -> ReplayProcess.Answer {
        let file = try log.file("track.gpx", text)
        return try ReplayProcess.run(
            ["import", "--format", "gpx", "--user", "u", "--json", "--log", log.path, file])
    }

    @Test(
        "A zone that there is not is refused where it is recorded, by line and field",
        arguments: [
            (
                #"{"command": "running.change-profile", "data": {"userId": "u", "zone": "Asia/Soul"}}"#,
                "data.zone"
            ),
            (
                #"{"event": "running.runner-profile-changed.v1", "data": {"userId": "u", "zone": "Asia/Soul"}}"#,
                "data.zone"
            ),
            (
                #"{"command": "running.change-profile", "zone": "Asia/Soul", "data": {"userId": "u"}}"#,
                "zone"
            ),
        ])
    func zonesAreLookedUp(_ line: String, _ field: String) throws {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: line + "\n")
        expect(answer.code, equals: 2)
        #expect(
            answer.err.contains(
                "standard input:1: field '\(field)': expected the name of a time zone like "
                    + "Asia/Seoul, found 'Asia/Soul'"), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let known = line.replacingOccurrences(of: "Asia/Soul", with: "Asia/Seoul")
        try expect(log.replay("append", input: known + "\n").code, equals: 0)
        let fixed = line.replacingOccurrences(of: "Asia/Soul", with: "+09:00")
            .replacingOccurrences(of: #""userId": "u""#, with: #""userId": "v""#)
        try expect(log.replay("append", input: fixed + "\n").code, equals: 0)
    }

    @Test("A cropped run is exported as its part, and both its exports are recognised")
    func aCroppedRunIsItself() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.live)
        let whole = try log.replay("export", "--format", "gpx", "--run", "live").out
        let crop =
            #"{"command": "running.crop", "at": "2026-02-20T11:00:00Z", "data": "#
            + #"{"runId": "live", "fromUs": "2026-02-20T10:01:00Z"}}"#
        try expect(log.replay("append", input: crop + "\n").code, equals: 0)
        let part = try log.replay("export", "--format", "gpx", "--run", "live").out
        expect(whole.components(separatedBy: "<trkpt").count, equals: 5)
        expect(part.components(separatedBy: "<trkpt").count, equals: 4)
        for file in [whole, part] {
            let back = try #require(try load(log, file).objects().first)
            expect(back["run"] as? String, equals: "live")
            expect(back["accepted"] as? Int, equals: 0)
        }
        #expect(
            try log.replay("report", "track", "--run", "live").out.hasPrefix(
                """
                run live, completed: 222.390 m in 2 segments
                  by the source's rules unknown: those rules count the rejected places, or have no automatic pauses
                  cropped to the part from 2026-02-20T10:01:00Z to 2026-02-20T10:15:00Z

                """))
        try expect(log.replay("audit").code, equals: 0)
        try expect(log.replay("state", "run", "live", "--format", "svg").code, equals: 0)
    }
}
