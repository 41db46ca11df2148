import Foundation
import TestSupport
import Testing

/// Commands whose events would go beyond the limits that facts are held to.
@Suite("Limits of decided events") struct CommandLimitTests {
    private static let profile =
        #"{"command":"household.change-profile","at":"2026-02-20T09:00:00Z","data":"#
        + #"{"babyId":"b","zone":"UTC"}}"# + "\n"

    private static func command(_ name: String, _ data: String) -> String {
        #"{"command":"baby-care.\#(name)","at":"2026-02-20T10:00:00Z","data":{\#(data)}}"# + "\n"
    }

    private static func record(_ kind: String, _ value: String, id: String = "x") -> String {
        command(
            "record",
            #""entryId":"\#(id)","babyId":"b","kind":"\#(kind)","startedUs":1771578000000000,"#
                + #""value":{\#(value)}"#)
    }

    private static func log(_ lines: String = "") throws -> (ScratchLog, events: Int) {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: profile + lines)
        expect(answer.code, equals: 0, "\(answer.err)")
        return (log, try count(log))
    }

    private static func count(_ log: ScratchLog) throws -> Int {
        try #require(try log.replay("stat", "--json").objects().first?["events"] as? Int)
    }

    private static func expectRefused(
        _ line: String, _ field: String, _ expected: String, in log: ScratchLog, events: Int
    ) throws {
        let answer = try log.replay("append", input: line)
        expect(answer.code, equals: 1, "\(line): \(answer.err)")
        #expect(
            answer.err.contains("refused: ") && answer.err.contains("field '\(field)'")
                && answer.err.contains("expected \(expected)")
                && answer.err.contains("(outOfLimit)"), "\(line): \(answer.err)")
        try expect(count(log), equals: events)
    }

    @Test(
        "An amount that no fact may have is refused by field, value and limit",
        arguments: [
            ("formula", #""ml":1000000000"#, "value.amountUl", "0 to 100000000"),
            ("formula", #""ml":100001"#, "value.amountUl", "0 to 100000000"),
            ("weaning", #""grams":2000000"#, "value.massMg", "0 to 1000000000"),
            ("breastfeed", #""duration_min":576001"#, "value.durationS", "0 to 34560000"),
            ("pee", #""count":2000000"#, "value.count", "0 to 1000000"),
            ("symptom", #""temp_c":500"#, "value.milliC", "-100000 to 200000"),
            ("growth", #""weight_kg":2000"#, "value.massMg", "0 to 1000000000"),
        ])
    func recorded(_ kind: String, _ value: String, _ field: String, _ range: String) throws {
        let (log, events) = try Self.log()
        try Self.expectRefused(
            Self.record(kind, value), field, range, in: log, events: events)
        try expect(log.replay("audit").code, equals: 0)
    }

    @Test("The largest amount is recorded")
    func largest() throws {
        let (log, _) = try Self.log(Self.record("formula", #""ml":100000"#))
        try expect(log.replay("audit").code, equals: 0)
    }

    @Test("Completing, editing and confirming are held to the same limits")
    func otherCommands() throws {
        let candidate =
            #"{"kind":"formula","value":{"amountUl":120000},"meta":{},"startedUs":1771578000000000}"#
        let (log, events) = try Self.log(
            Self.command(
                "start",
                #""entryId":"open","babyId":"b","kind":"formula","startedUs":1771578000000000"#)
                + Self.record("formula", #""ml":120"#, id: "closed")
                + Self.command(
                    "parse-voice-clip",
                    #""clipId":"c","babyId":"b","language":"en","text":"120 ml","#
                        + #""candidates":[\#(candidate)]"#))
        for line in [
            Self.command("complete", #""entryId":"open","value":{"ml":100001}"#),
            Self.command("edit", #""entryId":"closed","value":{"ml":100001}"#),
            Self.command("edit-open", #""entryId":"open","value":{"ml":100001}"#),
            Self.command(
                "confirm-voice-clip",
                #""clipId":"c","entries":[{"entryId":"n","candidate":0,"value":{"ml":100001}}]"#),
        ] {
            try Self.expectRefused(
                line, line.contains("edit") ? "set.value.amountUl" : "value.amountUl",
                "0 to 100000000", in: log, events: events)
        }
    }

    @Test("A value that an older release let in can be corrected")
    func corrected() throws {
        let (log, _) = try Self.log()
        let fact =
            #"{"event":"baby-care.entry-recorded.v1","at":"2026-02-20T10:00:00Z","data":"#
            + #"{"entryId":"x","babyId":"b","kind":"formula","state":"closed","#
            + #""startedUs":1771578000000000,"value":{"amountUl":1000000000000},"meta":{},"#
            + #""source":"manual","entryMode":""}}"#
        try log.store([fact])
        let edit = Self.command("edit", #""entryId":"x","value":{"ml":120}"#)
        let answer = try log.replay("append", input: edit)
        expect(answer.code, equals: 0, "\(answer.err)")
        let audit = try log.replay("audit", "--json").objects()
        expect(audit.map { $0["rule"] as? String }, equals: ["F1"])
    }

    @Test("A row beyond the limits is rejected with its reason")
    func importedRow() throws {
        let log = try ScratchLog()
        let file = try log.file(
            "baby.csv",
            """
            id,child_id,child_first_name,child_last_name,start,end,duration,type,method,amount,notes
            1,1,Mia,M,2020-03-01 08:00:00,2020-03-01 08:20:00,0:20:00,formula,bottle,100001,
            2,1,Mia,M,2020-03-01 10:00:00,2020-03-01 10:20:00,0:20:00,formula,bottle,90,

            """)
        let answer = try log.replay(
            "import", "--format", "babybuddy", "--baby", "mia", "--zone", "UTC", file, "--json")
        let outcome = try #require(try answer.objects().first)
        expect(outcome["accepted"] as? Int, equals: 1, "\(answer.out) \(answer.err)")
        let rejected = try #require(outcome["rejected"] as? [[String: Any]])
        expect(rejected.map { $0["row"] as? Int }, equals: [1])
        expect((rejected.first?["reason"] as? String)?.contains("value.amountUl"), equals: true)
        expect(answer.code, equals: 1)
    }

    @Test("A command that is decided again is held to them too")
    func decidedAgain() throws {
        let (log, _) = try Self.log()
        let line = Self.record("formula", #""ml":100001"#)
            .replacingOccurrences(of: #"{"command""#, with: #"{"after":1,"command""#)
        let file = try log.file("again.jsonl", line)
        let answer = try log.replay("what-if", "entry", "x", "--again", file)
        #expect(!answer.out.contains("entry-recorded"), "\(answer.out)")
        #expect(answer.err.isEmpty || !answer.err.contains("error:"), "\(answer.err)")
    }
}
