import Foundation
import TestSupport
import Testing

@Suite struct AuditTests {
    private static func recorded(
        _ id: String, _ startedUs: Int, _ endedUs: Int, baby: String = "b", text: String? = nil
    ) -> String {
        let text = text.map { #", "text": "\#($0)""# } ?? ""
        return #"{"event": "baby-care.entry-recorded.v1", "at": "2020-03-08T12:00:00Z", "#
            + #""data": {"entryId": "\#(id)", "babyId": "\#(baby)", "kind": "sleep", "#
            + #""state": "closed", "startedUs": \#(startedUs), "endedUs": \#(endedUs), "#
            + #""value": {}, "source": "manual", "entryMode": "manual_form"\#(text)}}"#
    }

    private static let profile =
        #"{"command": "household.change-profile", "at": "2020-03-08T12:00:00Z", "#
        + #""data": {"babyId": "b", "zone": "America/New_York"}}"#

    /// 2020-03-08T05:00:00Z: midnight in New York.
    private static let midnight = 1_583_643_600_000_000
    private static let hour = 3_600_000_000

    private static func log(_ lines: [String]) throws -> ScratchLog {
        let log = try ScratchLog()
        let answer = try log.replay("append", "--each", input: lines.joined(separator: "\n") + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    private static func overlapping() throws -> ScratchLog {
        try log([
            profile, recorded("one", midnight, midnight + 7 * hour),
            recorded("two", midnight + hour, midnight + 2 * hour, text: "a secret"),
            recorded("long", midnight, midnight + 25 * hour, baby: "sibling"),
        ])
    }

    @Test("A clean log ends with zero")
    func aCleanLogEndsWithZero() throws {
        let log = try Self.log([
            Self.profile, Self.recorded("one", Self.midnight, Self.midnight + 7 * Self.hour),
        ])
        let answer = try log.replay("audit")
        expect(answer.code, equals: 0)
        expect(answer.out, equals: "no findings in 2 events\n")
        #expect(answer.err.isEmpty)
        #expect(try log.replay("audit", "--json").out.isEmpty)
    }

    @Test("Findings are listed by rule with their events")
    func findingsAreListedByRuleWithTheirEvents() throws {
        let log = try Self.overlapping()
        let answer = try log.replay("audit")
        expect(answer.code, equals: 1)
        #expect(answer.out.contains("B7  Two entries of the same kind overlap: 1\n"))
        let overlap = answer.out.split(separator: "\n").suffix(3)
        expect(overlap.first?.hasPrefix("  position  entity     expected  "), equals: true)
        expect(
            overlap.dropFirst().first?.hasPrefix("         3  entry:two  no sleep before"),
            equals: true)
        #expect(answer.out.hasSuffix("\n2 findings of 2 rules in 4 events\n"))
        #expect(!answer.out.contains("secret"))
        #expect(answer.err.contains("rules R1 and R2 are not checked for baby sibling"))
        #expect(try log.replay("audit", "--zone", "Asia/Seoul").err.isEmpty)
    }

    @Test("JSON output has one finding on each line")
    func jsonHasOneFindingALine() throws {
        let log = try Self.overlapping()
        let all = try log.replay("audit", "--json").objects()
        expect(all.map { $0["rule"] as? String }, equals: ["B6", "B7"])
        let overlap = try #require(all.last)
        expect(overlap["position"] as? Int, equals: 3)
        expect(overlap["entity"] as? String, equals: "entry:two")
        #expect(
            overlap["expected"] as? String
                == "no sleep before 2020-03-08T08:00:00-04:00, when one (position 2) ends")
        #expect(
            overlap["found"] as? String
                == "one from 2020-03-08T01:00:00-05:00 (position 3), overlapping for 1 h")
    }

    @Test("An audit can be narrowed by rule, baby and moment")
    func ruleBabyAndMomentNarrowItDown() throws {
        let log = try Self.overlapping()
        let entities = { (arguments: [String]) in
            try ReplayProcess.run(["audit", "--json", "--log", log.path] + arguments).objects()
                .map { $0["entity"] as? String }
        }
        try expect(entities(["--rule", "B6"]), equals: ["entry:long"])
        try expect(
            entities(["--rule", "B7", "--rule", "B6"]), equals: ["entry:long", "entry:two"])
        try expect(entities(["--baby", "b"]), equals: ["entry:two"])
        try expect(entities(["--of", "baby:b"]), equals: ["entry:two"])
        try expect(entities(["--at", "2"]), equals: [])
        // All of it happened at noon, by the device's clock.
        try expect(entities(["--valid-at", "2020-03-08T12:00:00Z"]).count, equals: 2)
        try expect(entities(["--valid-at", "2020-03-08T11:59:59Z"]), equals: [])
        try expect(log.replay("audit", "--rule", "B1").code, equals: 0)
    }

    @Test("Only twenty findings of a rule are shown unless all are requested")
    func moreThanTwentyAreCutOffUnlessAllAreAskedFor() throws {
        let log = try Self.log(
            (0..<22).map { day in
                let start = Self.midnight + day * 48 * Self.hour
                return Self.recorded("e\(day)", start, start + 25 * Self.hour)
            })
        let short = try log.replay("audit").out
        #expect(short.contains("B6  A sleep is longer than 24 hours: 22\n"))
        #expect(short.contains("  … 2 more; --all shows them\n"))
        let all = try log.replay("audit", "--all").out
        expect(all.split(separator: "\n").count { $0.contains("entry:e") }, equals: 22)
        try expect(log.replay("audit", "--json").objects().count, equals: 22)
    }

    @Test(
        "Bad usage ends with 2",
        arguments: [
            (["--rule", "B99"], "There is no audit rule 'B99'"),
            (["--baby", ""], "expected an id"),
            (["--of", "b"], "--of: expected a tag like baby:b, found 'b'"),
            (["--of", "baby:b", "--user", "u"], "Give only one of"),
            (["--zone", "Nowhere/Land"], "Nowhere/Land"), (["--tzdata", "/"], "--tzdata"),
            (["--old-tzdata", "/"], "--old-tzdata: neither 'tzdata.zi' nor"),
            (["--at", "9"], "the log ends at position 4"),
        ])
    func badUsage(_ arguments: [String], _ message: String) throws {
        let log = try Self.overlapping()
        let answer = try ReplayProcess.run(["audit", "--log", log.path] + arguments)
        expect(answer.code, equals: 2)
        #expect(answer.err.contains(message), "\(answer.err)")
    }
}
