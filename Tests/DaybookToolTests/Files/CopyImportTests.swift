import Foundation
import TestSupport
import Testing

// Holds: s1-import-once
/// A run that comes again in a file of another service.
@Suite struct CopyImportTests {
    /// A straight run of 120 s at 3 m/s.
    private static func gpx(decimals: Int = 7, hour: Int = 10, day: Int = 1, from: Int = 0)
        -> String
    {
        let points = (from..<120).map { second -> String in
            let lat = String(format: "%.\(decimals)f", 50 + Double(second) * 3 / 111_194.9)
            let time = String(
                format: "2026-01-%02dT%02d:%02d:%02dZ", day, hour, second / 60, second % 60)
            return "<trkpt lat=\"\(lat)\" lon=\"8\"><time>\(time)</time></trkpt>"
        }
        return "<gpx><trk><trkseg>" + points.joined() + "</trkseg></trk></gpx>"
    }

    private func imported(
        _ log: ScratchLog, _ text: String, _ more: String...
    ) throws -> ReplayProcess.Answer {
        let file = try log.file("in.gpx", text)
        return try ReplayProcess.run(
            ["import", "--format", "gpx", "--user", "u", "--log", log.path] + more + [file])
    }

    private func metres(_ log: ScratchLog) throws -> String {
        try log.replay("ranking", "--week", "2026-W01").out.components(separatedBy: " ")
            .filter { $0.hasPrefix("0.") }.joined()
    }

    @Test("A copy is said with the position of the first, left out and counted once")
    func copy() throws {
        let log = try ScratchLog()
        try expect(imported(log, Self.gpx()).code, equals: 0)
        let once = try metres(log)
        for text in [Self.gpx(decimals: 5), Self.gpx(hour: 11), Self.gpx(decimals: 6, from: 15)] {
            for _ in 0..<2 {
                let copy = try imported(log, text)
                expect(copy.code, equals: 0, "\(copy)")
                #expect(copy.err.contains("completed at position 4"), "\(copy.err)")
                #expect(copy.err.contains("--keep-both"), "\(copy.err)")
            }
        }
        try expect(metres(log), equals: once)
        let kinds = try log.replay("log", "--json", "--kind", "running.copy-recorded.v1").objects()
        expect(kinds.count, equals: 3, "one event for each file")
        try expect(log.replay("audit").code, equals: 0)
    }

    @Test("--keep-both imports a copy that was left out, and the audit accepts the decision")
    func kept() throws {
        let log = try ScratchLog()
        try expect(imported(log, Self.gpx()).code, equals: 0)
        let once = try metres(log)
        try expect(imported(log, Self.gpx(decimals: 5)).code, equals: 0)
        let kept = try imported(log, Self.gpx(decimals: 5), "--keep-both")
        #expect(kept.out.contains("120 accepted"), "\(kept)")
        #expect(try metres(log) != once)
        try expect(log.replay("audit").code, equals: 0)
        let known = try imported(log, Self.gpx(decimals: 5))
        #expect(known.out.contains("120 known already"), "\(known)")
    }

    @Test("The same loop each day at seven counts each day")
    func daily() throws {
        let log = try ScratchLog()
        for day in 1...5 {
            let run = try imported(log, Self.gpx(hour: 7, day: day))
            #expect(run.out.contains("120 accepted") && run.err.isEmpty, "\(run)")
        }
        try expect(log.replay("audit").code, equals: 0)
    }

    @Test("A copy of a cancelled run is a run, and a file of another kind is named")
    func others() throws {
        let log = try ScratchLog()
        let first = try imported(log, Self.gpx(), "--json").objects().first
        let run = try #require(first?["run"] as? String)
        let cancel = #"{"command": "running.cancel", "data": {"runId": ""# + run + #""}}"# + "\n"
        try expect(log.replay("append", input: cancel).code, equals: 0)
        #expect(try imported(log, Self.gpx(decimals: 5)).out.contains("120 accepted"))
        for (text, noun) in [
            ("a,b\n1,2\n", "CSV"), ("{\"a\": 1}", "JSON"),
            ("<TrainingCenterDatabase>", "TrainingCenterDatabase"),
        ] {
            let refused = try imported(log, text)
            #expect(refused.code == 2 && refused.err.contains(noun), "\(refused)")
        }
        let care = try log.file("care.csv", Self.gpx())
        let refused = try log.replay(
            "import", "--format", "huckleberry", "--baby", "b", "--zone", "UTC", care)
        #expect(refused.code == 2 && refused.err.contains("a GPX file"), "\(refused)")
    }
}
