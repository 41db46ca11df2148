import Foundation
import TestSupport
import Testing

/// `replay capture`: history as a scenario.
@Suite struct CaptureTests {
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let input = """
            {"command": "running.change-profile", "at": "2026-02-20T19:00:00+09:00", "zone": "Asia/Seoul", "data": {"userId": "secret-kim", "name": "Kim Secret", "weightG": 70000}}
            {"command": "running.start", "at": "2026-02-20T19:00:00+09:00", "zone": "Asia/Seoul", "data": {"runId": "run-of-kim", "userId": "secret-kim"}}
            {"command": "running.pause", "at": "2026-02-20T19:01:00+09:00", "zone": "Asia/Seoul", "data": {"runId": "run-of-kim"}}
            {"command": "running.resume", "at": "2026-02-20T19:02:00+09:00", "zone": "Asia/Seoul", "data": {"runId": "run-of-kim"}}
            {"command": "running.stop", "at": "2026-02-20T19:03:00+09:00", "zone": "Asia/Seoul", "data": {"runId": "run-of-kim"}}
            {"command": "running.save", "at": "2026-02-20T19:04:00+09:00", "zone": "Asia/Seoul", "data": {"runId": "run-of-kim"}}

            """
        try expect(log.replay("append", input: input).code, equals: 0)
        return log
    }

    private func check(_ log: ScratchLog, _ text: String) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(["check", try log.file("captured.yaml", text)])
    }

    @Test("A captured scenario passes, and fails once its expectation is changed")
    func holds() throws {
        let log = try log()
        let captured = try log.replay("capture", "run", "run-of-kim", "--title", "A short run")
        expect(captured.code, equals: 0)
        #expect(captured.out.hasPrefix("scenario: \"A short run\"\n"))
        #expect(captured.out.contains("zone: Asia/Seoul\n"))
        #expect(captured.out.contains("    at: 2026-02-20T19:01:00+09:00\n"))
        #expect(captured.out.contains(#""activeMs":120000"#))
        try expect(check(log, captured.out).out, equals: "1 scenario, 0 failed\n")
        let wrong = captured.out.replacingOccurrences(
            of: #"is: {"activeMs":120000"#, with: #"is: {"activeMs":120001"#)
        let failed = try check(log, wrong)
        expect(failed.code, equals: 1)
        #expect(failed.out.contains("field 'activeMs'"))
        let past = try log.replay("capture", "run", "run-of-kim", "--at", "3")
        #expect(past.out.contains(#""state":"paused""#))
        try expect(check(log, past.out).code, equals: 0)
    }

    @Test("A capture with pseudonyms names no one, and equal ids stay equal")
    func pseudonyms() throws {
        let log = try log()
        let captured = try log.replay("capture", "runner", "secret-kim", "--pseudonymise").out
        for secret in ["secret-kim", "Kim Secret", "run-of-kim"] {
            #expect(!captured.contains(secret))
        }
        #expect(captured.contains("text-1"))
        #expect(captured.components(separatedBy: #""userId":"user-1""#).count > 3)
        try expect(check(log, captured).out, equals: "1 scenario, 0 failed\n")
    }

    @Test("A capture with pseudonyms replaces ids that no tag has")
    func otherIds() throws {
        let log = try ScratchLog()
        let story = """
            {"event": "launch.app-launched.v1", "at": "2026-03-03T08:15:00+09:00", "data": {"launchId": "tue", "appVersion": "1.0.0", "platform": "ios", "firstLaunch": false, "device": "phone-1"}}
            {"event": "session.login-status-checked.v1", "at": "2026-03-03T08:15:01+09:00", "data": {"launchId": "tue", "result": "refreshNeeded", "refreshId": "kim@example.com-g0", "device": "phone-1"}}

            """
        let appended = try log.replay(
            "append", input: story.replacingOccurrences(of: "refreshNeeded", with: "notLoggedIn"))
        expect(appended.code, equals: 0, "\(appended.err)")
        let captured = try log.replay("capture", "splash", "tue", "--pseudonymise")
        #expect(captured.out.contains("refresh-1"))
        #expect(!captured.out.contains("kim@example.com"))
        try expect(check(log, captured.out).code, equals: 0)
    }

    @Test("A slice by tag has the entities that are complete in it")
    func tagged() throws {
        let log = try log()
        let captured = try log.replay("capture", "--tag", "user:secret-kim")
        #expect(captured.out.contains("of: runner"))
        try expect(check(log, captured.out).code, equals: 0)
        try expect(
            log.replay("capture", "--tag", "user:secret-kim", "--after", "5").code, equals: 1)
        #expect(try log.replay("capture", "--tag", "user:nobody").err.contains("no event with"))
        try expect(log.replay("capture", "--tag", "user").code, equals: 2)
        try expect(log.replay("capture", "run").code, equals: 2)
        try expect(log.replay("capture", "run", "nobody").code, equals: 1)
    }

    @Test("A track is captured somewhere else, with the same totals")
    func places() throws {
        let log = try ScratchLog()
        let points = (0..<20).map {
            #"<trkpt lat="37.5665\#($0 + 10)" lon="126.9780\#($0 + 10)"><ele>38.5</ele>"#
                + "<time>2026-02-20T10:00:\($0 + 10)Z</time></trkpt>"
        }
        let file = try log.file(
            "run.gpx",
            #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Home of Kim"#
                + "</name><trkseg>" + points.joined() + "</trkseg></trk></gpx>")
        let imported = try log.replay("import", "--format", "gpx", "--user", "kim", "--json", file)
        let run = try #require(imported.objects().first?["run"] as? String)
        let state = try #require(log.replay("state", "run", run, "--json").objects().first)
        let fields = try #require(state["state"] as? [String: Any] ?? state)
        let captured = try log.replay("capture", "run", run, "--pseudonymise")
        expect(captured.code, equals: 0, "\(captured.err)")
        for needle in ["37.5665", "375665", "126.978", "126978", "Kim", "kim", run, "38500"] {
            #expect(!captured.out.contains(needle), "\(needle)")
        }
        let distance = try #require(fields["distanceMm"] as? Int)
        #expect(distance > 2_000)
        #expect(captured.out.contains(#""distanceMm":\#(distance)"#), "\(captured.out)")
        try expect(check(log, captured.out).out, equals: "1 scenario, 0 failed\n")
    }

    @Test("No actor, device, message or detail of an entry is left")
    func everything() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "household.onboard", "actor": "needle-ana", "device": "needle-phone", "data": {"babyId": "needle-b", "householdId": "needle-h", "name": "Needlebo", "zone": "Asia/Seoul", "by": "needle-ana"}}
            {"command": "baby-care.record", "actor": "needle-ana", "data": {"entryId": "needle-e", "babyId": "needle-b", "kind": "formula", "startedUs": "2026-03-02T06:00:00Z", "value": {"ml": 90, "memo": "needle memo"}, "meta": {"author": "Needle Ana", "where": "needle street"}, "by": "needle-ana"}}
            {"command": "baby-care.edit", "actor": "needle-ana", "data": {"entryId": "needle-e", "value": {"ml": 120}, "meta": {"email": "needle@example.com"}, "by": "needle-ana"}}
            {"command": "baby-care.cancel", "actor": "needle-ana", "data": {"entryId": "needle-e", "reason": "needle reason", "by": "needle-ana"}}

            """
        try expect(log.replay("append", input: story).code, equals: 0)
        let captured = try log.replay("capture", "entry", "needle-e", "--pseudonymise")
        expect(captured.code, equals: 0, "\(captured.err)")
        #expect(!captured.out.lowercased().contains("needle"), "\(captured.out)")
        #expect(captured.out.contains("120000"))
        try expect(check(log, captured.out).out, equals: "1 scenario, 0 failed\n")
    }

    @Test("An entity whose id is made of others has the names of those in a capture")
    func ofSeveralIds() throws {
        let log = try ScratchLog()
        let message =
            #"{"command": "chat.append-message", "data": {"device": "needle-phone", "roomId": "needle-room", "#
            + #""userId": "needle-kim", "via": "push", "messageId": "needle-m", "author": "needle-lee", "#
            + #""sentUs": "2026-03-02T06:00:00Z", "text": "needle text"}}"#
        try expect(log.replay("append", input: message).code, equals: 0)
        let captured = try log.replay(
            "capture", "room", "needle-phone/needle-room", "--pseudonymise")
        expect(captured.code, equals: 0, "\(captured.err)")
        #expect(!captured.out.contains("needle"), "\(captured.out)")
        #expect(captured.out.contains(#"key: "device-1/room-1""#), "\(captured.out)")
        try expect(check(log, captured.out).out, equals: "1 scenario, 0 failed\n")
    }
}
