import Daybook
import Foundation
import TestSupport
import Testing

/// Places of runs: encrypted in the file, in every answer that needs them, and gone once erased.
@Suite("Erasing places of runs") struct PlaceErasureTests {
    private static let live = """
        {"command": "running.start", "at": "2026-02-20T10:00:00Z", "key": "k1", "data": {"runId": "live", "userId": "u"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:05:00Z", "key": "k2", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:00:00Z", "lat": 37.566512345, "lon": 126.978054321, "eleM": 1234.567}, {"tUs": "2026-02-20T10:02:00Z", "lat": 37.568512345, "lon": 126.978054321}, {"tUs": "2026-02-20T10:03:00Z", "lat": 37.912345678, "lon": 127.198765432, "accM": 80}]}}

        """
    private static let rest = """
        {"command": "running.pause", "at": "2026-02-20T10:05:00Z", "data": {"runId": "live"}}
        {"command": "running.resume", "at": "2026-02-20T10:10:00Z", "data": {"runId": "live"}}
        {"command": "running.record-locations", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live", "points": [{"tUs": "2026-02-20T10:10:00Z", "lat": 37.569512345, "lon": 126.978054321}, {"tUs": "2026-02-20T10:12:00Z", "lat": 37.571512345, "lon": 126.978054321}]}}

        """
    private static let end = """
        {"command": "running.stop", "at": "2026-02-20T10:15:00Z", "data": {"runId": "live"}}

        """
    private static let track = """
        <gpx version="1.1"><trk><trkseg>
        <trkpt lat="47.3761" lon="8.54112"><ele>8408.125</ele><time>2026-02-21T10:00:00Z</time></trkpt>
        <trkpt lat="47.3771" lon="8.54112"><time>2026-02-21T10:01:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """
    private static let liveNeedles: [Int64] = [
        37_566_512_345, 37_568_512_345, 126_978_054_321, 37_912_345_678, 127_198_765_432,
        37_571_512_345, 1_234_567,
    ]
    // Every number takes four bytes or more, so that random bytes hardly ever hold one.
    private static let trackNeedles: [Int64] = [47_376_100_000, 8_541_120_000, 8_408_125]

    /// A live run and an imported one of the same user.
    private func log() throws -> (log: ScratchLog, imported: String) {
        let log = try ScratchLog()
        let given = try log.replay("append", input: Self.live + Self.rest + Self.end)
        expect(given.code, equals: 0, "\(given.err)")
        let answer = try load(log)
        return (log, try #require(answer["run"] as? String))
    }

    private func load(_ log: ScratchLog) throws -> [String: Any] {
        let file = try log.file("track.gpx", Self.track)
        let answer = try log.replay("import", "--format", "gpx", "--user", "u", "--json", file)
        return try #require(try answer.objects().first, "\(answer.err)")
    }

    /// The integers of which the file holds the bytes of a payload, or the digits.
    private func found(_ needles: [Int64], _ log: ScratchLog) throws -> [Int64] {
        let file = try Data(contentsOf: URL(fileURLWithPath: log.path))
        return needles.filter { needle in
            file.range(of: Data(BinaryWriter.bytes(needle))) != nil
                || file.range(of: Data("\(needle)".utf8)) != nil
        }
    }

    private func answers(_ log: ScratchLog, _ run: String) throws -> [String] {
        try [
            ["state", "run", run], ["state", "runner", "u", "--json"], ["audit"],
            ["ranking", "--week", "2026-W08"], ["report", "home", "--user", "u"],
            ["state", "run", run, "--rules", "source"],
        ].map { question in
            let answer = try ReplayProcess.run(question + ["--at", "9", "--log", log.path])
            // A run that left a place out has no figures by the source's rules.
            let isRefused = question.contains("source") && run == "live"
            #expect(answer.code == (isRefused ? 1 : 0), "\(question): \(answer.err)")
            return answer.out
        }
    }

    @Test("No place lies in the file, and all answers that need places have them")
    func sealed() throws {
        let (log, imported) = try log()
        try expect(log.replay("snapshot").code, equals: 0)
        #expect(try found(Self.liveNeedles + Self.trackNeedles, log).isEmpty)
        let shown = try log.replay("log", "--json").out
        for needle in Self.liveNeedles + Self.trackNeedles { #expect(shown.contains("\(needle)")) }
        let exported = try log.replay("export", "--format", "gpx", "--run", imported).out
        #expect(exported.contains(#"lat="47.3761" lon="8.54112""#))
        #expect(exported.contains("<ele>8408.125</ele>"))
        let report = try log.replay("report", "track", "--run", "live").out
        #expect(report.contains("37.912345678, 127.198765432"))
        try expect(log.replay("audit").code, equals: 0)
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("A user's erasure takes the places of every run, and leaves every total")
    func user() throws {
        let (log, imported) = try log()
        let before = try [answers(log, "live"), answers(log, imported)]
        let report = try log.replay("report", "track", "--run", "live").out
        let erased = try log.replay("erase", "--tag", "user:u", "--json")
        expect(erased.code, equals: 0, "\(erased.err)")
        try expect(erased.objects().first?["texts"] as? Int, equals: 3)
        try expect([answers(log, "live"), answers(log, imported)], equals: before)
        #expect(
            try log.replay("report", "track", "--run", "live").out
                == report.replacingOccurrences(
                    of: "37.912345678, 127.198765432", with: "no coordinates"))
        #expect(try found(Self.liveNeedles + Self.trackNeedles, log).isEmpty)
        let shown = try log.replay("log", "--json").out
        for needle in Self.liveNeedles + Self.trackNeedles { #expect(!shown.contains("\(needle)")) }
        #expect(shown.contains(#""latE9":null,"lonE9":null,"eleMm":null"#))
        let exported = try log.replay("export", "--format", "gpx", "--run", imported)
        #expect(exported.code == 1 && exported.err.contains("are erased"))
        let picture = try log.replay("state", "run", imported, "--format", "svg")
        #expect(picture.out.contains("The places of this run are erased"))
        #expect(picture.out.contains("Pace") == false && picture.out.hasSuffix("</svg>\n"))
        let verified = try #require(try log.replay("verify", "--json").objects().first)
        #expect(verified["ok"] as? Bool == true && verified["erasedTexts"] as? Int == 3)
        // The same file adds nothing.
        try expect(load(log)["duplicates"] as? Int, equals: 2)
        try expect(log.replay("erase", "--tag", "user:u").code, equals: 1)
    }

    @Test("A run's erasure takes its places, and those of other runs stay")
    func run() throws {
        let (log, imported) = try log()
        try expect(log.replay("erase", "--tag", "run:live").code, equals: 0)
        let shown = try log.replay("log", "--json").out
        for needle in Self.liveNeedles { #expect(!shown.contains("\(needle)")) }
        for needle in Self.trackNeedles { #expect(shown.contains("\(needle)")) }
        #expect(
            try log.replay("export", "--format", "gpx", "--run", imported).out.contains("47.3761"))
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("One batch loses its places, and the run's export says so and has the others")
    func batch() throws {
        let (log, _) = try log()
        try expect(log.replay("erase", "--position", "2").code, equals: 0)
        let exported = try log.replay("export", "--format", "gpx", "--run", "live")
        expect(exported.code, equals: 0)
        #expect(exported.err.contains("2 of 4 places are erased, and left out"))
        #expect(exported.out.contains("37.571512345") && !exported.out.contains("37.568512345"))
        let picture = try log.replay("state", "run", "live", "--format", "svg").out
        #expect(picture.contains("<path d=") && !picture.contains("are erased"))
        try expect(log.replay("audit").code, equals: 0)
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("A live run goes on after its places were erased")
    func goesOn() throws {
        let log = try ScratchLog()
        try expect(log.replay("append", input: Self.live).code, equals: 0)
        try expect(log.replay("erase", "--tag", "run:live").code, equals: 0)
        let rest = try log.replay("append", input: Self.rest + Self.end)
        expect(rest.code, equals: 0, "\(rest.err)")
        let report = try log.replay("report", "track", "--run", "live").out
        #expect(report.hasPrefix("run live, completed: 444.780 m in 2 segments"))
        try expect(log.replay("audit").code, equals: 0)
        try expect(log.replay("export", "--format", "gpx", "--run", "live").code, equals: 0)
        #expect(try found(Self.liveNeedles, log).isEmpty)
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("Commands decided again give the events that have lost their places")
    func again() throws {
        let log = try ScratchLog()
        try expect(log.replay("append", input: Self.live).code, equals: 0)
        try expect(log.replay("erase", "--position", "2").code, equals: 0)
        let commands = try log.file("commands.jsonl", Self.live)
        let same = try log.replay("what-if", "run", "--again", commands)
        expect(same.out, equals: "2 commands decided again: 2 as before, 0 changed\n")
        let moved = Self.live.replacingOccurrences(of: "37.568512345", with: "37.569512345")
        let other = try log.replay("what-if", "run", "--again", log.file("moved.jsonl", moved))
        #expect(other.out.contains("1 changed"), "\(other.out)")
    }

    @Test("A captured history without its places is a scenario that passes")
    func captured() throws {
        let (log, _) = try log()
        try expect(log.replay("erase", "--tag", "run:live").code, equals: 0)
        for more in [[], ["--pseudonymise"]] {
            let captured = try ReplayProcess.run(
                ["capture", "run", "live", "--log", log.path] + more)
            expect(captured.code, equals: 0, "\(captured.err)")
            let file = try log.file("captured.yaml", captured.out)
            let checked = try ReplayProcess.run(["check", file])
            expect(checked.code, equals: 0, "\(checked.out)\(checked.err)")
        }
    }
}
