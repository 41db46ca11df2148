import Foundation
import TestSupport
import Testing

@Suite("Erasing from the command line") struct EraseTests {
    private static let story = """
        {"command": "household.onboard", "at": "2026-03-01T07:00:00Z", "key": "k0", "actor": "ana", "data": {"babyId": "b", "householdId": "h", "name": "Needlebo", "zone": "Asia/Seoul", "by": "ana"}}
        {"command": "household.onboard", "at": "2026-03-01T08:00:00Z", "actor": "tom", "data": {"babyId": "c", "householdId": "i", "name": "Otherbaby", "zone": "Asia/Seoul", "by": "tom"}}
        {"command": "baby-care.record", "at": "2026-03-02T07:00:00Z", "actor": "ana", "data": {"entryId": "e1", "babyId": "b", "kind": "memo", "startedUs": "2026-03-02T06:00:00Z", "value": {"note": "needlememo"}, "by": "ana"}}

        """

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: Self.story)
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    private func answer(_ question: [String], _ log: ScratchLog) throws -> String {
        try ReplayProcess.run(question + ["--log", log.path]).out
    }

    private func holds(_ log: ScratchLog, _ needle: String) throws -> Bool {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: log.path))
        return bytes.range(of: Data(needle.utf8)) != nil
    }

    @Test("Erasing a baby removes its texts and leaves the log intact")
    func aBabysTextsAreGoneAndTheLogIsSound() throws {
        let log = try log()
        #expect(try !holds(log, "needlememo") && !holds(log, "Needlebo"))
        #expect(try log.replay("log", "--payload").out.contains("needlememo"))
        let dry = try log.replay("erase", "--tag", "baby:b", "--dry-run", "--json").objects()
        #expect(dry.first?["texts"] as? Int == 2 && dry.first?["position"] is NSNull)
        #expect(try log.replay("log", "--payload").out.contains("needlememo"))
        let erased = try log.replay(
            "erase", "--tag", "baby:b", "--reason", "her parents asked", "--by", "ana", "--scrub",
            "--json")
        expect(erased.code, equals: 0, "\(erased.err)")
        let answer = try #require(try erased.objects().first)
        #expect(answer["texts"] as? Int == 2 && answer["people"] as? Int == 1)
        let shown = try log.replay("log", "--payload").out
        #expect(!shown.contains("needlememo") && !shown.contains("Needlebo"))
        #expect(shown.contains("Otherbaby") && shown.contains("her parents asked"))
        let verified = try #require(try log.replay("verify", "--json").objects().first)
        #expect(verified["ok"] as? Bool == true && verified["erasedTexts"] as? Int == 2)
        try expect(log.replay("erase", "--tag", "baby:b").code, equals: 1)
    }

    @Test("Erasing an actor removes the actor's name")
    func anActorsNameIsGone() throws {
        let log = try log()
        #expect(try log.replay("log", "--payload").out.contains(" · ana\n"))
        try expect(log.replay("erase", "--actor", "ana").code, equals: 0)
        let lines = try log.replay("log", "--json").objects()
        #expect(lines.first?["actor"] is NSNull)
        #expect(lines.contains { $0["actor"] as? String == "tom" })
        #expect(try log.replay("log", "--payload").out.contains(" · erased\n"))
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("A carer's name is in every answer, and after an erasure in none and not in the file")
    func anAuthorsNameIsGone() throws {
        let log = try log()
        let entry =
            #"{"event": "baby-care.entry-recorded.v1", "at": "2026-03-03T07:00:00Z", "data": {"entryId": "e2", "babyId": "b", "kind": "sleep", "state": "closed", "startedUs": "2026-03-03T01:00:00Z", "endedUs": "2026-03-03T02:00:00Z", "value": {}, "meta": {}, "source": "manual", "entryMode": "manual_form", "by": "needlecarer"}}"#
        let given = try log.replay("append", input: entry + "\n")
        expect(given.code, equals: 0, "\(given.err)")
        let questions = [
            ["log", "--json"], ["state", "entry", "e2"], ["history", "entry", "e2"],
            ["audit", "--baby", "b"], ["blame", "entry", "e2", "by"],
            ["export", "--format", "babyai-csv", "--baby", "b"],
        ]
        for question in questions {
            #expect(try answer(question, log).contains("needlecarer"), "\(question)")
        }
        let report = ["report", "daily", "--baby", "b", "--date", "2026-03-03", "--at", "3"]
        let before = try answer(report, log)
        try expect(log.replay("snapshot").code, equals: 0)
        #expect(try !holds(log, "needlecarer"))
        try expect(log.replay("erase", "--actor", "needlecarer").code, equals: 0)
        for question in questions {
            #expect(try !answer(question, log).contains("needlecarer"), "\(question)")
        }
        let last = try #require(try log.replay("log", "--json").objects().dropLast().last)
        let data = try #require(last["payload"] as? [String: Any])
        #expect(data["by"] is NSNull && data["entryId"] as? String == "e2")
        // Who is not known is not judged: B12 is gone, and nothing else.
        try expect(log.replay("audit", "--baby", "b").code, equals: 0)
        try expect(answer(report, log), equals: before)
        #expect(try !holds(log, "needlecarer"))
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test(
        "An erasure that names nothing, or too much, is refused",
        arguments: [
            ([], 2), (["--tag", "nonsense"], 2), (["--tag", "baby:b", "--position", "1"], 2),
            (["--dry-run", "--scrub", "--position", "1"], 2), (["--position", "99"], 1),
            (["--actor", "nobody"], 1),
        ] as [([String], Int32)])
    func refused(_ arguments: [String], _ code: Int32) throws {
        let log = try log()
        let before = try log.replay("stat").out
        let answer = try ReplayProcess.run(["erase"] + arguments + ["--log", log.path])
        expect(answer.code, equals: code, "\(answer.err)")
        try expect(log.replay("stat").out, equals: before)
    }

    @Test("A forged record of an erasure is refused")
    func aForgedRecordOfAnErasureIsRefused() throws {
        let log = try log()
        let line =
            #"{"event": "log.texts-erased.v1", "data": {"tags": [], "people": [], "texts": 0, "slots": []}}"#
        #expect(try log.replay("append", input: line + "\n").code != 0)
    }
}
