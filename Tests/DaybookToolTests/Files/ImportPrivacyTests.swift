import Daybook
import DaybookCryptography
import DaybookLog
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

/// Digests and ids of imported rows: nothing of a note can be found by guessing.
@Suite struct ImportPrivacyTests {
    private static let header =
        "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver\n"

    private func load(
        _ log: ScratchLog, _ rows: String..., format: String = "babyconnect"
    ) throws -> [String: Int] {
        let file = try log.file("in.csv", Self.header + rows.map { $0 + "\n" }.joined())
        let answer = try log.replay(
            "import", "--format", format, "--baby", "b", "--zone", "America/Los_Angeles", "--json",
            file)
        return try #require(answer.objects().first, "\(answer.err)").compactMapValues {
            $0 as? Int
        }
    }

    private func entryIds(_ log: ScratchLog) throws -> [String] {
        try log.replay("log", "--json").objects().compactMap {
            ($0["payload"] as? [String: Any])?["entryId"] as? String
        }
    }

    /// SHA-256 of texts, each with its length in front.
    private func plainDigest(_ texts: [String]) -> [UInt8] {
        Array(SHA256.hash(Array(texts.map { "\($0.utf8.count):\($0)" }.joined().utf8)))
    }

    @Test("An imported id reveals nothing about notes and caregivers")
    func anIdSaysNothingOfNotesAndCaregivers() throws {
        let (one, other) = (try ScratchLog(), try ScratchLog())
        _ = try load(one, "3/7/20 3:00 PM,,,Bottle,4,Milk,,Anna has measles,U")
        _ = try load(other, "3/7/20 3:00 PM,,,Bottle,4,Water,,all is well,V")
        try expect(entryIds(one), equals: entryIds(other))
        // The origins tell rows from each other, each under its log's secret.
        let third = try ScratchLog()
        _ = try load(third, "3/7/20 3:00 PM,,,Bottle,4,Milk,,Anna has measles,U")
        #expect(try origins(one) != origins(third))
        #expect(try files(one) != files(third))
    }

    private func origins(_ log: ScratchLog) throws -> [NSDictionary] {
        try log.replay("log", "--json").objects().compactMap {
            ($0["payload"] as? [String: Any])?["origin"] as? NSDictionary
        }
    }

    private func files(_ log: ScratchLog) throws -> [String] {
        try log.replay("log", "--json").objects().compactMap {
            ($0["payload"] as? [String: Any])?["sha256"] as? String
        }
    }

    @Test("Rows that differ only in their notes get different ids")
    func rowsThatDifferInTheirNotesAloneGetIdsOfTheirOwn() throws {
        let log = try ScratchLog()
        let rows = ["first", "second", "third"].map { "3/7/20 3:00 PM,,,Bottle,4,,,\($0),U" }
        try expect(load(log, rows[0], rows[1])["accepted"], equals: 2)
        let otherRow = "3/7/20 3:00 PM,,,Bottle,4,,,fourth,V"
        try expect(load(log, rows[0], rows[1], otherRow)["accepted"], equals: 1)
        let ids = Set(try entryIds(log))
        #expect(ids.count == 3 && Set(ids.map { $0.dropLast(2) }).count == 1)
        #expect(
            try load(log, rows[1], rows[0], otherRow)
                == ["rows": 3, "accepted": 0, "changed": 0, "duplicates": 3])
    }

    @Test("A track of an earlier version is known by its run")
    func aTrackOfAnEarlierVersionIsKnownByItsRun() throws {
        let log = try ScratchLog()
        let gpx = { (points: String) in
            #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
                + points + "</trkseg></trk></gpx>"
        }
        let text = gpx(#"<trkpt lat="1" lon="2"/><trkpt lat="1.00001" lon="2"/>"#)
        do {
            let open = try EventLog(path: log.path, access: .create)
            // A segment is a zero, and each point two optional coordinates and no time and height.
            let bytes: [UInt8] = [
                0, 1, 0x80, 0xA8, 0xD6, 0xB9, 0x07, 1, 0x80, 0xD0, 0xAC, 0xF3, 0x0E, 0, 0,
                1, 0xA0, 0xC4, 0xD7, 0xB9, 0x07, 1, 0x80, 0xD0, 0xAC, 0xF3, 0x0E, 0, 0,
            ]
            let track = SHA256.hash(bytes).map { String(format: "%02x", $0) }.joined()
            var segment = Running.TrackSegment()
            segment.points = [1_000_000_000, 1_000_010_000].map {
                Running.TrackPoint(latE9: $0, lonE9: 2_000_000_000)
            }
            let body = Running.ImportTrack(
                runId: "gpx-of-old", userId: "kim", segments: [segment])
            _ = try open.decide(
                PendingCommand(
                    body, context: CommandContext(now: Instant(microseconds: 9))),
                idempotency: AppendRequest.Idempotency(
                    key: "import/gpx/kim/\(track)", asked: [2, 0, 0]),
                catalogue: try Catalogue(Catalog.areas))
        }
        let file = try log.file("run.gpx", text)
        let again = try log.replay("import", "--format", "gpx", "--user", "kim", file)
        #expect(again.out.hasPrefix("run gpx-of-old: 2 points: 0 accepted, 2 known already"))
        // Another track without times has the same first choice of an id as a third one.
        let ids = try ["3", "4"].map { lat in
            let file = try log.file(
                "run.gpx", gpx(#"<trkpt lat="\#(lat)" lon="2"/><trkpt lat="\#(lat).1" lon="2"/>"#))
            let answer = try log.replay(
                "import", "--format", "gpx", "--user", "kim", "--json", file)
            return try #require(answer.objects().first?["run"] as? String, "\(answer.err)")
        }
        expect(ids[1], equals: ids[0] + "-2")
        #expect(try log.replay("log", "--tag", "run:gpx-of-old").out.contains("run started"))
    }

    private func holds(_ log: ScratchLog, _ needle: [UInt8]) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: log.path)).range(of: Data(needle)) != nil
    }

    @Test("The file confirms no guess at a row")
    func noGuessAtARowIsConfirmedByTheFile() throws {
        let log = try ScratchLog()
        let cells = [
            "3/7/20 3:00 PM", "", "", "Bottle", "4", "Milk", "needletext", "needlenote",
            "Needlegiver",
        ]
        try expect(load(log, cells.joined(separator: ","))["accepted"], equals: 1)
        let lines = """
            {"command": "baby-care.record", "actor": "Needleactor", "data": {"entryId": "e", "babyId": "b", "kind": "memo", "startedUs": "2020-03-08T06:00:00Z", "value": {"memo": "needlememo"}, "meta": {"Author name": "Needleauthor", "color": "green", "createdBy": "needle@example.com"}}}
            {"command": "baby-care.cancel", "actor": "Needleactor", "data": {"entryId": "e", "reason": "needlereason"}}
            {"event": "session.token-refresh-failed.v1", "actor": "Needleactor", "data": {"refreshId": "f-g0", "kind": "server", "message": "needlemessage", "tokensCleared": false, "rules": "standard", "family": "f", "device": "d"}}
            {"event": "running.run-save-failed.v1", "data": {"runId": "r", "userId": "u", "attempt": 1, "kind": "server", "detail": "needledetail"}}

            """
        let appended = try log.replay("append", input: lines)
        expect(appended.code, equals: 0, "\(appended.err)")
        let needles = [
            "needletext", "needlenote", "Needlegiver", "Needleactor", "Needleauthor", "needlememo",
            "needle@example.com", "needlereason", "needlemessage", "needledetail",
        ]
        let shown = try log.replay("log", "--json").out
        for needle in needles {
            #expect(try !holds(log, Array(needle.utf8)), "\(needle)")
            #expect(shown.contains(needle), "\(needle)")
        }
        #expect(
            try log.replay("history", "run", "r").out.contains("because detail \"needledetail\""))
        // No digest that somebody could make of guessed texts, without the log's secret.
        let dictionary = [
            plainDigest(["babyconnect", "b"] + cells),
            plainDigest(["babyconnect", "b", "Bottle", cells[0], cells[8], "Milk"]),
            SHA256.hash(Array("needlenote".utf8)),
            Array(
                SHA256.hash(Array((Self.header + cells.joined(separator: ",") + "\n").utf8))),
        ]
        for digest in dictionary.map({ Array($0.prefix(8)) }) {
            let text = digest.map { String(format: "%02x", $0) }.joined()
            #expect(try !holds(log, digest) && !holds(log, Array(text.utf8)))
            #expect(!shown.contains(text))
        }
        for person in [["--tag", "baby:b"], ["--tag", "user:u"], ["--actor", "Needleactor"]] {
            try expect(ReplayProcess.run(["erase"] + person + ["--log", log.path]).code, equals: 0)
        }
        let erased = try log.replay("log", "--json")
        for needle in needles { #expect(!erased.out.contains(needle), "\(needle)") }
        #expect(erased.out.contains("green"))
        try expect(log.replay("verify").code, equals: 0)
        try expect(log.replay("export", "--format", "babyai-csv", "--baby", "b").code, equals: 0)
    }
}
