import Foundation
import TestSupport
import Testing

/// The line that commands show of an event: time, sentence, and who caused it.
@Suite struct SentenceLineTests {
    /// A feed that was recorded, corrected with a secret note, and a launch.
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.onboard", "at": "2026-03-01T00:00:00Z", "data": {"babyId": "b", "householdId": "h", "by": "grandma"}}"#,
            #"{"command": "baby-care.record", "at": "2026-03-03T14:00:00+09:00", "actor": "app", "data": {"entryId": "e1", "babyId": "b", "kind": "formula", "startedUs": "2026-03-03T05:00:00Z", "value": {"ml": 236, "memo": "needle\nnote"}, "by": "grandma"}}"#,
            #"{"command": "baby-care.edit", "at": "2026-03-03T14:10:00+09:00", "actor": "app", "data": {"entryId": "e1", "value": {"ml": 180}, "by": "grandma"}}"#,
        ]
        let answer = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    @Test("log, history, blame and a captured scenario say the same about an event")
    func everywhere() throws {
        let log = try log()
        let sentence = "formula 180 ml, was 236 ml"
        for arguments in [
            ["log"], ["history", "entry", "e1"], ["blame", "entry", "e1"],
            ["blame", "entry", "e1", "value.amountUl"], ["capture", "entry", "e1"],
            ["bisect", "entry", "e1", "--until", "value.amountUl < 200000"],
        ] {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            #expect(answer.out.contains(sentence), "\(arguments): \(answer.out) \(answer.err)")
        }
    }

    @Test("A line has no ids unless asked, and is cut only to columns")
    func columns() throws {
        let log = try log()
        let whole = try log.replay("log", "--tag", "entry:e1").out.split(separator: "\n")
        #expect(whole.first?.hasSuffix(#"formula 236 ml, "needle note" · grandma · app"#) == true)
        #expect(whole.last?.hasSuffix("formula 180 ml, was 236 ml · grandma · app") == true)
        #expect(!whole.contains { $0.contains("e1") || $0.contains("baby-care") })
        let ids = try log.replay("log", "--tag", "entry:e1", "--ids").out
        #expect(ids.contains("  baby-care.entry-edited.v1  baby:b entry:e1"), "\(ids)")
    }

    @Test("An erased text is called erased in the sentence")
    func erased() throws {
        let log = try log()
        try expect(log.replay("erase", "--tag", "entry:e1").code, equals: 0)
        let lines = try log.replay("log", "--tag", "entry:e1").out
        #expect(lines.contains("formula 236 ml, (erased)"), "\(lines)")
    }

    @Test("Times in a sentence are by the clock of its line")
    func clock() throws {
        let log = try ScratchLog()
        let slept = """
            {"event": "baby-care.end-estimated.v1", "at": "2026-03-03T06:00:00+09:00", "data": \
            {"entryId": "e1", "babyId": "b", "kind": "sleep", \
            "startedUs": "2026-03-02T20:35:00+09:00", "endedUs": "2026-03-03T05:45:00+09:00", \
            "confidence": 70, "basis": "default", "cappedBy": null, "by": null}}
            """
        try expect(log.replay("append", input: slept).code, equals: 0)
        let own = try log.replay("log").out
        #expect(own.contains("2026-03-03 06:00:00 +09:00  sleep 20:35–05:45"), "\(own)")
        let utc = try log.replay("log", "--zone", "UTC").out
        #expect(utc.contains("2026-03-02 21:00:00Z  sleep 11:35–20:45"), "\(utc)")
    }
}
