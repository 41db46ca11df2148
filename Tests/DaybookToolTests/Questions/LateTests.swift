import Foundation
import TestSupport
import Testing

/// Events that came after an answer was given.
@Suite struct LateTests {
    private static let story = """
        {"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "offline_b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
        {"command": "household.replace-id", "at": "2026-02-19T00:10:00Z", "data": {"kind": "baby", "localId": "offline_b", "remoteId": "b"}}
        {"command": "baby-care.record", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "e1", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-19T00:00:00Z", "endedUs": "2026-02-19T01:00:00Z", "by": "ana"}}

        """

    private func issued() throws -> ScratchLog {
        let log = try ScratchLog()
        try expect(log.replay("append", input: Self.story).code, equals: 0)
        let report = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2026-02-19", "--issue", "--json")
        expect(report.code, equals: 0, "\(report.err)")
        return log
    }

    private func late(_ log: ScratchLog, _ lines: String...) throws -> [[String: Any]] {
        let answer = try log.replay("append", input: lines.joined(separator: "\n") + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
        return try log.replay("late", "--json").objects()
    }

    @Test("Events about other days are not late for a report")
    func quiet() throws {
        let log = try issued()
        #expect(try log.replay("late").out.hasSuffix("no late event changed it\n"))
        let found = try late(
            log,
            #"{"command": "baby-care.record", "at": "2026-02-21T01:00:00Z", "data": {"entryId": "e2", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-21T00:00:00Z", "endedUs": "2026-02-21T01:00:00Z", "by": "ana"}}"#
        )
        #expect(found.isEmpty)
        try expect(log.replay("late").code, equals: 0)
    }

    @Test("A report handed out before the baby's new id is found by either, and drifts by neither")
    func renamedBaby() throws {
        let log = try ScratchLog()
        let lines = Self.story.split(separator: "\n").map(String.init)
        let record = lines[2].replacingOccurrences(of: #""b""#, with: #""offline_b""#)
        let story = [lines[0], record].joined(separator: "\n")
        try expect(log.replay("append", "--each", input: story).code, equals: 0)
        let report = try log.replay(
            "report", "daily", "--baby", "offline_b", "--date", "2026-02-19", "--issue")
        expect(report.code, equals: 0, "\(report.err)")
        #expect(try late(log, lines[1]).isEmpty)
        let more =
            #"{"command": "baby-care.record", "at": "2026-02-19T03:00:00Z", "data": {"entryId": "e2", "babyId": "b", "kind": "pee", "startedUs": "2026-02-19T02:00:00Z", "by": "ana"}}"#
        try expect(late(log, more).count, equals: 1)
        for id in ["offline_b", "b"] {
            let answer = try log.replay("late", "--of", "baby:\(id)")
            #expect(answer.code == 1 && answer.out.contains("diaper.pee"), "\(answer.err)")
        }
    }

    @Test("An entry that was written late is one difference, also where another got a new id since")
    func inserted() throws {
        let log = try issued()
        let found = try late(
            log,
            #"{"command": "baby-care.record", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "m", "babyId": "b", "kind": "memo", "startedUs": "2026-02-18T23:00:00Z", "by": "ana"}}"#,
            #"{"command": "household.replace-id", "data": {"kind": "careEntry", "localId": "e1", "remoteId": "srv-1"}}"#,
            #"{"command": "baby-care.edit", "data": {"entryId": "srv-1", "endedUs": "2026-02-19T01:10:00Z", "by": "ana"}}"#
        )
        expect(found.count, equals: 2)
        let text = try log.replay("late").out.split(separator: "\n").map(String.init)
        let all = try #require(text.firstIndex(of: "  in all:"))
        let entries = text[all...].filter { $0.contains("entries[") }
        expect(entries.count, equals: 3, "\(text)")
        #expect(entries.contains { $0.hasPrefix("      entries[m]: – → {\"entryId\": \"m\", ") })
        expect(entries.filter { $0.contains("entries[srv-1].end") }.count, equals: 2, "\(entries)")
        expect(text[..<all].filter { $0.contains("entries[m]") }.count, equals: 1, "\(text)")
    }

    @Test("An edit under the entry's new id changed the report, and by how much")
    func edited() throws {
        let log = try issued()
        let found = try late(
            log,
            #"{"command": "household.replace-id", "data": {"kind": "careEntry", "localId": "e1", "remoteId": "srv-1"}}"#,
            #"{"command": "baby-care.edit", "actor": "ben", "data": {"entryId": "srv-1", "endedUs": "2026-02-19T01:10:00Z", "by": "ana"}}"#
        )
        expect(found.count, equals: 1)
        expect(found.first?["actor"] as? String, equals: "ben")
        expect(found.first?["answer"] as? String, equals: "daily report of b, 2026-02-19")
        let changes = found.first?["changes"] as? [[String: Any]] ?? []
        let union = changes.first { $0["field"] as? String == "sleep.unionS" }
        expect(union?["before"] as? Int, equals: 3_600)
        expect(union?["after"] as? Int, equals: 4_200)
        let fields = Set(changes.compactMap { $0["field"] as? String })
        #expect(
            fields.isSuperset(of: ["entries[srv-1].endedUs", "entries[srv-1].end"])
                && !fields.contains { $0.contains("entryId") }, "\(fields)")
        let text = try log.replay("late")
        expect(text.code, equals: 1)
        #expect(text.out.contains("sleep.unionS: 3600 → 4200 (+600)"))
        try expect(log.replay("late", "--of", "baby:b").code, equals: 1)
        let unknown = try log.replay("late", "--of", "baby:other")
        #expect(unknown.err.contains("no published report has the tag"))
        try expect(log.replay("late", "--of", "nonsense").code, equals: 2)
    }

    @Test("A report that showed an open sleep with its length is made again with it")
    func open() throws {
        let log = try ScratchLog()
        let start =
            #"{"command": "baby-care.start", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "nap", "babyId": "b", "kind": "sleep", "by": "ana"}}"#
        try expect(log.replay("append", input: Self.story + start + "\n").code, equals: 0)
        let report = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2026-02-19", "--include-open", "--issue",
            "--json")
        let sleep = try #require(report.objects().first?["sleep"] as? [String: Any])
        let open = try #require((sleep["open"] as? [[String: Any]])?.first)
        // To the end of that day in Seoul.
        expect(open["soFarS"] as? Int, equals: 46_800)
        #expect(try log.replay("late").out.hasSuffix("no late event changed it\n"))
        try expect(log.replay("audit", "--rule", "R3").code, equals: 0)
        let found = try late(
            log,
            #"{"command": "baby-care.complete", "at": "2026-02-19T02:30:00Z", "data": {"entryId": "nap", "by": "ana"}}"#
        )
        let changes = found.first?["changes"] as? [[String: Any]] ?? []
        let soFar = changes.first { $0["field"] as? String == "sleep.open[nap].soFarS" }
        expect(soFar?["before"] as? Int, equals: 46_800)
        let union = changes.first { $0["field"] as? String == "sleep.unionS" }
        #expect(union?["before"] as? Int == 3_600 && union?["after"] as? Int == 5_400)
    }

    @Test("A report that matches both renderings was made in the plain one")
    func plain() throws {
        let found = try late(
            try issued(),
            #"{"command": "baby-care.start", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "nap", "babyId": "b", "kind": "sleep", "by": "ana"}}"#
        )
        let changes = found.first?["changes"] as? [[String: Any]] ?? []
        let soFar = try #require(
            changes.first { $0["field"] as? String == "sleep.open[nap].soFarS" })
        #expect(soFar["after"] is NSNull)
    }

    @Test("A run that is synced after its week was closed moves others too")
    func ranking() throws {
        let log = try ScratchLog()
        func run(_ id: String, _ user: String, _ metres: Int) -> String {
            #"{"event": "running.run-completed.v1", "at": "2026-02-18T01:00:00Z", "data": {"runId": "\#(id)", "userId": "\#(user)", "startedUs": "2026-02-18T00:00:00Z", "endedUs": "2026-02-18T01:00:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": \#(metres)000, "kcal": 1}}"#
        }
        _ = try late(log, run("r1", "ann", 5_000), run("r2", "bob", 6_000))
        try expect(log.replay("ranking", "--week", "2026-W08", "--close").code, equals: 0)
        let found = try late(log, run("r3", "ann", 2_500))
        let changes = (found.first?["changes"] as? [[String: Any]] ?? []).map {
            "\($0["field"] ?? "") \($0["before"] ?? "") \($0["after"] ?? "")"
        }
        expect(changes, equals: ["ann.rank 2 1", "ann.scoreM 5000 7500", "bob.rank 1 2"])
        // Two that cancel each other out are both told.
        let undone = try late(
            log, #"{"command": "running.cancel", "data": {"runId": "r3"}}"#,
            #"{"command": "running.restore", "data": {"runId": "r3"}}"#)
        expect(undone.map { ($0["changes"] as? [Any])?.count }, equals: [3, 3, 3])
        let first = try #require(undone.first?["position"] as? Int)
        let then = try log.replay("late", "--at", "\(first + 1)").out
        #expect(then.hasSuffix("in all: no change\n"), "\(then)")
    }

    @Test("A report that is issued again after a kill is issued once, and again once it changed")
    func issuedOnce() throws {
        let log = try issued()
        let count = { () throws -> Int in
            try log.replay("log", "--kind", "baby-care.report-issued.v1", "--json").objects().count
        }
        try expect(count(), equals: 1)
        let report = ["report", "daily", "--baby", "b", "--date", "2026-02-19", "--issue", "--log"]
        for form in ["text", "json", "csv", "svg"] {
            let again = try ReplayProcess.run(report + [log.path, "--format", form])
            #expect(again.code == 0 && !again.out.isEmpty)
            #expect(
                again.err.contains("daily report of 'b', 2026-02-19: issued already, at position"))
        }
        // An event that the report does not depend on leaves it unchanged.
        try log.replay(
            "append",
            input:
                #"{"command": "launch.launch-app", "data": {"launchId": "l", "appVersion": "1.0.0", "platform": "ios", "firstLaunch": true, "device": "d"}}"#
        )
        try expect(ReplayProcess.run(report + [log.path]).code, equals: 0)
        try expect(count(), equals: 1)
        // Another day, another rule set and another form of what is open are other reports.
        try expect(ReplayProcess.run(report + [log.path, "--rules", "source"]).code, equals: 0)
        #expect(
            try log.replay("report", "daily", "--baby", "b", "--date", "2026-02-18", "--issue").code
                == 0)
        try expect(count(), equals: 3)
        // An entry that comes late makes it another one, also where it says the same once more.
        let entry = { (id: String) in
            #"{"command": "baby-care.record", "at": "2026-02-19T21:00:00Z", "data": {"entryId": "\#(id)", "babyId": "b", "kind": "pee", "startedUs": "2026-02-19T10:00:00Z", "by": "ana"}}"#
        }
        let late = try log.replay("append", input: entry("late"))
        expect(late.code, equals: 0, "\(late.err)")
        for _ in 1...2 { try expect(ReplayProcess.run(report + [log.path]).code, equals: 0) }
        try expect(count(), equals: 4)
        let cancel = #"{"command": "baby-care.cancel", "data": {"entryId": "late", "by": "ana"}}"#
        try expect(log.replay("append", input: cancel).code, equals: 0)
        for _ in 1...2 { try expect(ReplayProcess.run(report + [log.path]).code, equals: 0) }
        try expect(count(), equals: 5)
    }
}
