import Foundation
import TestSupport
import Testing

/// `bisect`, `blame`, `what-if`, `trace` and `compare`, as people use them.
@Suite struct QuestionTests {
    /// A launch that ends at the login screen, since its refresh token was refused.
    private static let story = """
        {"command": "session.sign-in", "at": "2026-03-02T09:00:00+09:00", "actor": "kim", "data": {"userId": "kim", "provider": "kakao", "family": "f1", "device": "phone-1", "accessHash": "a", "refreshHash": "expired", "expiresInS": 3600}}
        {"event": "launch.app-launched.v1", "at": "2026-03-03T08:15:00+09:00", "data": {"launchId": "tue", "appVersion": "1.0.0", "platform": "ios", "firstLaunch": false, "device": "phone-1"}}
        {"event": "session.login-status-checked.v1", "at": "2026-03-03T08:15:01+09:00", "data": {"launchId": "tue", "result": "notLoggedIn", "device": "phone-1"}}

        """

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let runs = (0..<40).map { number in
            #"{"event": "running.run-completed.v1", "at": "2026-02-20T00:00:00Z", "data": {"runId": "r\#(number)", "userId": "u", "startedUs": "2026-02-20T00:00:00Z", "endedUs": "2026-02-20T00:00:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": 1000000, "kcal": 60}}"#
        }
        try log.replay("append", input: runs.joined(separator: "\n") + "\n").ends(0)
        return log
    }

    @Test("The first event after which a property holds is found by walking and by halving")
    func bisects() throws {
        let log = try log()
        for more in [[], ["--monotone"]] {
            let answer = try ReplayProcess.run(
                ["bisect", "runner", "u", "--until", "totalDistanceMm >= 17000000", "--json"]
                    + more + ["--log", log.path])
            answer.ends(0)
            let object = try #require(try answer.objects().first)
            expect(object["position"] as? Int, equals: 17)
            #expect((object["probes"] as? Int ?? 99) <= (more.isEmpty ? 17 : 8))
        }
        let any = try log.replay("bisect", "run", "--until", "run.state == completed")
        any.shows("run r0: run.state == completed\nholds first after position 1 ")
        let never = try log.replay("bisect", "runner", "u", "--until", "totalRuns > 40")
        never.ends(1)
        never.says("the expression never holds up to position 40")
        let past = try log.replay(
            "bisect", "runner", "u", "--until", "totalRuns > 20", "--at", "20")
        past.ends(1)
        let wrong = try log.replay("bisect", "runner", "u", "--until", "totalRun > 20")
        wrong.ends(2)
        wrong.says("column 1: runner has no field 'totalRun'")
        let first = try log.replay("bisect", "run", "--monotone", "--until", "kcal > 1", "--json")
        try expect(first.objects().first?["position"] as? Int, equals: 1)
    }

    @Test("The first event after which a property holds for a report is found")
    func reports() throws {
        let log = try ScratchLog()
        func sleep(_ id: String, _ hour: Int) -> String {
            #"{"command": "baby-care.record", "at": "2026-02-19T1\#(hour):00:00Z", "data": {"entryId": "\#(id)", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-19T0\#(hour):00:00Z", "endedUs": "2026-02-19T0\#(hour):30:00Z", "by": "ana"}}"#
                + "\n"
        }
        let onboard =
            #"{"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "b", "householdId": "h", "zone": "UTC", "by": "ana"}}"#
            + "\n"
        let lines = onboard + (1...6).map { sleep("e\($0)", $0) }.joined()
        try log.replay("append", input: lines).ends(0)
        let ask = ["bisect", "report.daily", "--with", "baby=b", "--with", "date=2026-02-19"]
        for more in [[], ["--monotone"]] {
            let answer = try ReplayProcess.run(
                ask + ["--until", "report.sleep.unionS >= 5400", "--json", "--log", log.path]
                    + more)
            let object = try #require(try answer.objects().first)
            // Two events onboard the baby; the third sleep makes an hour and a half.
            expect(object["position"] as? Int, equals: 5)
            let fields = (object["changes"] as? [[String: Any]] ?? []).map {
                $0["field"] as? String ?? ""
            }
            #expect(fields.contains("sleep.unionS") && !fields.contains("position"))
        }
        let option = ["bisect", "--report", "daily"] + ask.dropFirst(2)
        let until = ["--until", "sleep.unionS >= 5400", "--json", "--log", log.path]
        try expect(
            ReplayProcess.run(option + until).out, equals: ReplayProcess.run(ask + until).out)
        for wrong in [["run"], ["run", "key"]] {
            let both = try ReplayProcess.run(option + wrong + until)
            #expect(both.code == 2 && both.err.contains(", not both"), "\(both.err)")
        }
        let neither = try ReplayProcess.run(["bisect"] + until)
        #expect(
            neither.code == 2 && neither.err.contains("or a report with --report"), "\(neither.err)"
        )
        let never = try ReplayProcess.run(
            ask + ["--until", "sleep.count > 6", "--log", log.path])
        #expect(never.code == 1 && never.err.contains("the expression never holds"))
        for wrong in [
            ["--until", "sleep.nothing > 1"], ["--until", "sleep.count > 1", "--with", "x=1"],
            ["--until", "sleep.count > 1", "--with", "x"], ["key", "--until", "sleep.count > 1"],
        ] {
            try ReplayProcess.run(ask + wrong + ["--log", log.path]).ends(2, "\(wrong)")
        }
        try log.replay("bisect", "run", "--with", "a=b", "--until", "kcal > 1").ends(2)
        try log.replay("bisect", "report.none", "--until", "x > 1").ends(2)
    }

    @Test("A false claim of monotony is noticed")
    func notMonotone() throws {
        let log = try log()
        try log.replay(
            "append",
            input: #"{"command": "running.cancel", "data": {"runId": "r3"}}"# + "\n")
        let answer = try log.replay(
            "bisect", "runner", "u", "--monotone", "--until", "totalRuns == 40")
        answer.ends(1)
        answer.says("true after position 40, but not after the later position 41")
    }

    @Test("The last and earlier writers of a field are named")
    func blames() throws {
        let log = try log()
        let answer = try log.replay("blame", "runner", "u", "totalRuns", "--json").objects()
        expect(answer.count, equals: 40)
        expect(answer[0]["position"] as? Int, equals: 40)
        expect(answer[0]["last"] as? Bool, equals: true)
        expect(answer[1]["position"] as? Int, equals: 39)
        let all = try log.replay("blame", "run", "r7").out
        #expect(all.contains("state") && all.contains("← 8 run 1.0 km, 60 kcal"))
        try log.replay("blame", "run", "r7", "remoteId").ends(1)
        let wrong = try log.replay("blame", "run", "r7", "remote")
        wrong.ends(2)
        wrong.says("run has no field 'remote'")
        try log.replay("blame", "run", "nosuch").ends(1)
    }

    @Test("A what-if answers without writing a byte")
    func wonders() throws {
        let log = try log()
        let bytes = try Data(contentsOf: URL(filePath: log.path))
        let skipped = try #require(
            try log.replay("what-if", "runner", "--skip", "3", "--skip", "4", "--json").objects()
                .first)
        #expect((skipped["after"] as? [String: Any])?["totalRuns"] as? Int == 38)
        #expect((skipped["before"] as? [String: Any])?["totalRuns"] as? Int == 40)
        #expect((skipped["first"] as? [String: Any])?["position"] as? Int == 3)
        let edited = try log.replay("what-if", "run", "--edit", "5:distanceMm=7").out
        #expect(edited.contains("run r4: 1 field would differ\n    distanceMm: 1000000 → 7"))
        let moved = try log.replay("what-if", "runner", "u", "--move", "40:0").out
        #expect(moved.contains("nothing would differ"))
        // Another runner's now: both are told of.
        let other = try log.replay("what-if", "runner", "--edit", "5:userId=v", "--json")
            .objects()
        expect(other.compactMap { $0["key"] as? String }, equals: ["u", "v"])
        #expect(other[1]["before"] is NSNull)
        let past = try #require(
            try log.replay("what-if", "runner", "--skip", "3", "--at", "10", "--json").objects()
                .first)
        #expect((past["after"] as? [String: Any])?["totalRuns"] as? Int == 9)
        try expect(Data(contentsOf: URL(filePath: log.path)), equals: bytes)
    }

    @Test("Commands of an overlay are decided on the altered history")
    func decides() throws {
        let log = try log()
        let cancel = #"{"command": "running.cancel", "after": 3, "data": {"runId": "r2"}}"# + "\n"
        let file = try log.file("overlay.jsonl", cancel + cancel)
        let answer = try log.replay("what-if", "runner", "--insert", file, "--json")
        answer.says("overlay.jsonl:2: would be refused:")
        answer.says("runNotCompleted")
        let object = try #require(try answer.objects().first)
        #expect((object["after"] as? [String: Any])?["totalRuns"] as? Int == 39)
        // Before the run there is nothing to cancel.
        let early = try log.file(
            "early.jsonl", cancel.replacingOccurrences(of: ": 3", with: ": 2"))
        #expect(
            try log.replay("what-if", "run", "r2", "--insert", early).err.contains("runNotFound"))
        // Only an overlay says where.
        let appended = try log.replay("append", input: cancel)
        appended.ends(2)
        appended.says("'after'")
    }

    @Test(
        "Impossible changes are refused",
        arguments: [
            (["--skip", "41"], "there is no position 41"),
            (["--skip", "0"], "there is no position 0"),
            (["--edit", "5"], "expected POSITION:FIELD=VALUE"),
            (["--edit", "5:nothing=1"], "has no field 'nothing'"),
            (["--edit", "5:distanceMm=long"], "expected a whole number"),
            (["--edit", "5:occurredAt=noon"], "expected a time like 2026-07-12T12:00:00Z"),
            (["--move", "5"], "expected POSITION:POSITION"),
            (["--move", "5:41"], "there is no position 41"), ([], "Give a change"),
        ])
    func refuses(_ arguments: [String], _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(
            ["what-if", "runner", "--log", log.path] + arguments)
        answer.ends(2)
        answer.says(message)
    }

    @Test("Traces of two rule sets differ where the rules do")
    func compares() throws {
        let log = try ScratchLog()
        let points = (0..<14).map {
            #"{"tUs": \#(1_771_581_600_000_000 + $0 * 10_000_000), "lat": 37.\#(5000 + $0 * 2), "lon": 127}"#
        }
        let input = """
            {"command": "running.start", "at": "2026-02-20T10:00:00Z", "data": {"runId": "r", "userId": "u"}}
            {"command": "running.record-locations", "at": "2026-02-20T10:01:00Z", "data": {"runId": "r", "points": [\(points[..<6].joined(separator: ", "))]}}
            {"command": "running.pause", "at": "2026-02-20T10:01:00Z", "data": {"runId": "r"}}
            {"command": "running.resume", "at": "2026-02-20T10:01:30Z", "data": {"runId": "r"}}
            {"command": "running.record-locations", "at": "2026-02-20T10:03:00Z", "data": {"runId": "r", "points": [\(points[9...].joined(separator: ", "))]}}
            {"command": "running.stop", "at": "2026-02-20T10:03:00Z", "data": {"runId": "r"}}

            """
        try log.replay("append", input: input).ends(0)
        let same = try ReplayProcess.run(["compare", log.path, log.path, "--projection", "run"])
        same.ends(0)
        same.shows("6 events of 1 entity; 0 differ")
        #expect(
            same.out.hasSuffix(
                "  compared: the states of run, event by event\n  not compared: reports, which a "
                    + "change may affect alone; see 'compare --report'\n"), "\(same.out)")
        for (moment, events) in [
            (["--at", "3"], "3 events"), (["--valid-at", "2026-02-20T10:00:30Z"], "1 event"),
        ] {
            let past = try ReplayProcess.run(
                ["compare", log.path, log.path, "--projection", "run"] + moment)
            past.shows("\(events) of 1 entity; 0 differ")
        }
        let rules = try log.file(
            "expect.yaml",
            """
            - {field: movingMs, reason: S1 counts no moving time}
            - {field: restMm, reason: S1 has no splits}
            - {field: currentPaceMsPerKm, reason: S1 waits for eleven points}
            """)
        let first = try log.file("a.trace", try log.replay("trace", "run").out)
        let second = try log.file(
            "b.trace", try log.replay("trace", "run", "--rules", "source").out)
        let files = try ReplayProcess.run(["compare", first, second, "--at", "3"])
        #expect(files.code == 2 && files.err.contains("both sides are traces"))
        for sides in [
            [first, second], [log.path, "--projection", "run", "--other-rules", "source"],
            [first, log.path, "--projection", "run", "--other-rules", "source"],
        ] {
            let answer = try ReplayProcess.run(["compare", "--expect", rules, "--json"] + sides)
            answer.ends(1)
            let found = try answer.objects()
            expect(found.count, equals: 1)
            // Going on after the pause: S1's time has stood still.
            expect(found.first?["position"] as? Int, equals: 4)
            expect(found.first?["kind"] as? String, equals: "running.run-resumed.v1")
            let fields = (found.first?["changes"] as? [[String: Any]])?
                .compactMap { $0["field"] as? String }
            expect(fields?.contains("wallMs"), equals: true)
        }
        try ReplayProcess.run(["compare", log.path, first]).ends(2)
        let alone = try ReplayProcess.run(["compare", first], environment: ["DAYBOOK_LOG": ""])
        alone.ends(2)
        let cut = try log.file("cut.trace", String(try log.replay("trace", "run").out.dropLast(20)))
        let answer = try ReplayProcess.run(["compare", first, cut])
        answer.ends(2)
        answer.says("cut.trace:7")
    }
}
