import Foundation
import TestSupport
import Testing

/// The figures of a track, which are those of its run.
@Suite struct TrackReportTests {
    @Test("A track has the run's time and pace under both rule sets, and speeds by them")
    func figures() throws {
        let log = try ScratchLog()
        // The source counts every place, and so has no figures of a run that left one out.
        let leftOut = #", {"tUs": "2026-02-20T10:03:00Z", "lat": 37.9, "lon": 127, "accM": 80}"#
        let live = RunningCommandTests.live.replacingOccurrences(of: leftOut, with: "")
        #expect(live != RunningCommandTests.live)
        try log.replay("append", input: live)
        for rules in ["standard", "source"] {
            let track = try #require(
                try log.replay(
                    "report", "track", "--run", "live", "--rules", rules, "--json"
                ).objects().first)
            let run = try #require(
                try log.replay("state", "run", "live", "--rules", rules, "--json").objects()
                    .first?["state"] as? [String: Any])
            for name in ["distanceMm", "wallMs", "activeMs", "movingMs", "avgPaceMsPerKm"] {
                #expect(track[name] as? Int == run[name] as? Int, "\(name) by \(rules)")
            }
            #expect(track["topSpeedMmPerS"] as? Int == 1_853)
            #expect(track["avgSpeedMmPerS"] as? Int == (rules == "standard" ? 741 : 618))
        }
    }
}
