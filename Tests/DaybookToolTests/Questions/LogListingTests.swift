import Foundation
import TestSupport
import Testing

/// `log` and `list`, asked as people ask.
@Suite struct LogListingTests {
    static let books = ReplayProcess.binary.deletingLastPathComponent()
        .appendingPathComponent("books")

    /// Three launches that happened in another order than they were recorded in.
    static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            ("l1", "2026-03-04T09:00:00+09:00"), ("l2", "2026-03-03T23:59:59+09:00"),
            ("l3", "2026-03-03T00:00:00+09:00"), ("l4", "2026-03-02T23:59:59+09:00"),
        ].map { id, time in
            """
            {"event": "launch.app-launched.v1", "at": "\(time)", "zone": "Asia/Seoul", \
            "actor": "kim", "data": {"launchId": "\(id)", "appVersion": "1.0.0", \
            "platform": "ios", "firstLaunch": false, "device": "d1"}}

            """
        }
        let appended = try log.replay("append", input: lines.joined())
        expect(appended.code, equals: 0, "\(appended.err)")
        return log
    }

    private func ids(_ answer: ReplayProcess.Answer) throws -> [String] {
        try answer.objects().compactMap {
            ($0["payload"] as? [String: Any])?["launchId"] as? String
        }
    }

    @Test("--from and --to list whole days of the entity's zone in the order things happened")
    func windowInTheOrderThingsHappened() throws {
        let log = try Self.log()
        let day = try log.replay(
            "log", "--json", "--tag", "device:d1", "--from", "2026-03-03", "--to", "2026-03-03")
        try expect(ids(day), equals: ["l3", "l2"])
        #expect(day.err.contains("--from 2026-03-03: 2026-03-03T00:00:00+09:00 in Asia/Seoul"))
        #expect(day.err.contains("--to 2026-03-03: 2026-03-03T23:59:59.999999+09:00"))
        // A zone that is named comes before the entity's, and times are shown in it.
        let zone = try log.replay(
            "log", "--tag", "device:d1", "--from", "2026-03-03", "--zone", "Europe/Berlin")
        #expect(
            zone.err
                == "replay: --from 2026-03-03: 2026-03-03T00:00:00+01:00 in Europe/Berlin\n")
        let times = zone.out.split(separator: "\n").map { $0.dropFirst(3).prefix(26) }
        expect(times, equals: ["2026-03-03 15:59:59 +01:00", "2026-03-04 01:00:00 +01:00"])
        let unknown = try log.replay("log", "--zone", "Asia/Nowhere")
        #expect(unknown.code == 2 && unknown.err.contains("Asia/Nowhere"), "\(unknown.err)")
        let open = try log.replay("log", "--json", "--from", "2026-03-03T00:00:00+09:00")
        try expect(ids(open), equals: ["l3", "l2", "l1"])
        #expect(open.err.isEmpty)
        let reversed = try log.replay(
            "log", "--json", "--to", "2026-03-03T23:59:59+09:00", "--reverse", "--limit", "2")
        try expect(ids(reversed), equals: ["l2", "l3"])
        let wrong = try log.replay(
            "log", "--from", "2026-03-04T00:00:00Z", "--to", "2026-03-03T00:00:00Z")
        expect(wrong.code, equals: 2)
        #expect(wrong.err.contains("--to is before --from"))
    }

    @Test("An event is one line in the zone it happened in, whole without a terminal")
    func oneLineAnEvent() throws {
        let log = try Self.log()
        let lines = try log.replay("log").out.split(separator: "\n")
        expect(lines.count, equals: 4)
        #expect(!lines.contains { $0.contains("…") })
        let line = "1  2026-03-04 09:00:00 +09:00  app 1.0.0 launched on iOS · kim"
        expect(lines.first.map { String($0) }, equals: line)
        try expect(
            log.replay("log", "--ids", "--limit", "1").out,
            equals: line + "  launch.app-launched.v1  launch:l1 device:d1\n")
        let utc = try log.replay("log", "--zone", "UTC", "--limit", "1").out
        #expect(utc.hasPrefix("1  2026-03-04 00:00:00Z  "))
        let payload = try log.replay("log", "--payload", "--limit", "1").out
        #expect(payload.contains("\n    {\"launchId\":\"l1\""))
    }

    @Test(
        "A kind or noun that nothing knows is an error that names the nearest",
        arguments: [
            (["--kind", "launch.app-lunched.v1"], "did you mean 'launch.app-launched"),
            (["--kind", "app-launched"], "did you mean 'launch.app-launched"),
            (
                ["--tag", "devise:d1"],
                "no event has a tag that begins with 'devise:'; did you mean 'device'?"
            ),
        ])
    func unknownNames(_ arguments: [String], _ message: String) throws {
        let log = try Self.log()
        let answer = try ReplayProcess.run(["log"] + arguments + ["--log", log.path])
        expect(answer.code, equals: 2)
        #expect(answer.out.isEmpty)
        #expect(answer.err.contains(message), "\(answer.err)")
        #expect(answer.err.contains("Usage: replay log"), "\(answer.err)")
    }

    @Test("An id that nobody has is an empty answer that says so")
    func emptyAnswerSaysSo() throws {
        let log = try Self.log()
        let answer = try log.replay("log", "--tag", "device:d9")
        expect(answer.code, equals: 0)
        #expect(answer.out.isEmpty)
        expect(
            answer.err,
            equals: """
                replay: no event with the tag device:d9; the log ends at position 4; did you mean 'd1'?

                """)
        let json = try log.replay("log", "--json", "--kind", "running.run-started.v1")
        #expect(json.code == 0 && json.out.isEmpty)
        #expect(json.err.contains("no event of kind running.run-started.v1"))
    }

    @Test("A kind without its version means all its versions")
    func kindWithoutVersion() throws {
        let log = try Self.log()
        try expect(
            log.replay("log", "--kind", "launch.app-launched", "--json").objects().count, equals: 4)
    }

    @Test("A list has each entity with its events, the first time and the last")
    func listOfEntities() throws {
        let log = try Self.log()
        let devices = try log.replay("list", "devices", "--json").objects()
        expect(devices.count, equals: 1)
        expect(devices.first?["id"] as? String, equals: "d1")
        expect(devices.first?["events"] as? Int, equals: 4)
        expect(devices.first?["firstAt"] as? String, equals: "2026-03-02T14:59:59Z")
        expect(devices.first?["lastAt"] as? String, equals: "2026-03-04T00:00:00Z")
        let launches = try log.replay("list", "launch").out.split(separator: "\n")
        expect(launches.map { $0.prefix(2) }, equals: ["l1", "l2", "l3", "l4"])
        try expect(log.replay("list", "launches", "--at", "2", "--json").objects().count, equals: 2)
        let nouns = try log.replay("list", "--json").objects()
        expect(nouns.compactMap { $0["noun"] as? String }, equals: ["device", "launch"])
        let wrong = try log.replay("list", "devics")
        expect(wrong.code, equals: 2)
        #expect(wrong.err.contains("did you mean 'device'"), "\(wrong.err)")
        let empty = try log.replay("list", "babies")
        expect(empty.code, equals: 0)
        #expect(empty.err.contains("no babies up to position 4"))
    }

    @Test("A projection's plural lists the entities that it is made of")
    func listOfAProjection() throws {
        let log = try ScratchLog()
        let gpx = Checkout.root.appending(path: "docs/tour-run.gpx").path
        try log.replay("import", "--format", "gpx", "--user", "kim", gpx)
        try expect(
            log.replay("list", "runners", "--json").objects().first?["id"] as? String, equals: "kim"
        )
    }

    @Test("Two ids of one entity are one entry of the list, and no event counts twice")
    func mergedIds() throws {
        let log = try ScratchLog()
        let lines = """
            {"event": "household.baby-profile-changed.v1", "data": {"babyId": "old", "zone": "UTC"}}
            {"event": "household.id-replaced.v1", "data": {"kind": "baby", "localId": "old", \
            "remoteId": "new"}}
            {"event": "household.baby-profile-changed.v1", "data": {"babyId": "new", "zone": "UTC"}}
            {"event": "household.baby-profile-changed.v1", "data": {"babyId": "b", "zone": "UTC"}}

            """
        let appended = try log.replay("append", input: lines)
        expect(appended.code, equals: 0, "\(appended.err)")
        for noun in ["profiles", "babies"] {
            let babies = try log.replay("list", noun, "--json").objects()
            expect(babies.compactMap { $0["id"] as? String }, equals: ["b", "new"])
            expect(babies.compactMap { $0["events"] as? Int }, equals: [1, 3])
        }
    }

    @Test("A team's own area is listed and asked in the same way")
    func ownArea() throws {
        let log = try ScratchLog()
        let line = """
            {"command": "books.add", "at": "2026-03-03T14:00:00+09:00", "zone": "Asia/Seoul", \
            "data": {"book": "b1", "branch": "main", "title": "Dune", "language": "en", "pages": 9}}

            """
        func books(_ arguments: String..., input: String = "") throws -> ReplayProcess.Answer {
            try ReplayProcess.run(
                arguments + ["--log", log.path], input: input, program: Self.books)
        }
        let appended = try books("append", input: line)
        expect(appended.code, equals: 0, "\(appended.err)")
        #expect(try books("list", "books").out.hasPrefix("b1  1 event  2026-03-03T05:00:00Z"))
        let day = try books("log", "--from", "2026-03-03", "--to", "2026-03-03", "--tag", "book:b1")
        expect(
            day.out,
            equals: "1  2026-03-03 14:00:00 +09:00  book added: title \"Dune\", language en, "
                + "pages 9\n")
        let wrong = try books("log", "--kind", "books.book-aded.v1")
        expect(wrong.code, equals: 2)
        #expect(wrong.err.contains("did you mean 'books.book-added"), "\(wrong.err)")
        #expect(wrong.err.contains("Usage: books log"), "\(wrong.err)")
    }

    @Test("A moment at either end of the range is listed", arguments: [Int64.min, .max])
    func extremeMoments(_ moment: Int64) throws {
        let log = try ScratchLog()
        try log.store([
            #"{"event":"baby-care.entry-recorded.v1","at":"2026-03-02T03:00:00Z","data":{"#
                + #""entryId":"e1","babyId":"b1","kind":"sleep","state":"open","#
                + #""startedUs":\#(moment),"meta":{},"value":{},"source":"manual","#
                + #""entryMode":"x"}}"#
        ])
        for arguments in [
            ["log"], ["log", "--zone", "UTC"], ["log", "--payload"], ["log", "--json"],
        ] {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            expect(answer.code, equals: 0, "\(arguments): \(answer.code) \(answer.err)")
        }
    }
}
