import Foundation
import TestSupport
import Testing

/// `replay shrink`: the fewest events that still show something.
@Suite struct ShrinkTests {
    private static func run(_ id: String, _ metres: Int) -> String {
        #"{"event": "running.run-completed.v1", "at": "2026-02-18T01:00:00Z", "data": {"runId": "\#(id)", "userId": "u", "startedUs": "2026-02-18T00:00:00Z", "endedUs": "2026-02-18T01:00:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": \#(metres)000, "kcal": 1}}"#
    }

    private func runs() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = (0..<20).map { Self.run("r\($0)", $0 == 13 ? 42_000 : 1_000) }
        try expect(
            log.replay("append", input: lines.joined(separator: "\n") + "\n").code, equals: 0)
        return log
    }

    @Test("A history shrinks to one event that an expression needs")
    func expression() throws {
        let log = try runs()
        let answer = try log.replay(
            "shrink", "runner", "u", "--until", "totalDistanceMm > 40000000")
        #expect(answer.err.contains("1 of 20 events"))
        #expect(answer.out.contains(#""runId":"r13""#) && !answer.out.contains(#""runId":"r12""#))
        let path = try log.file("shrunk.yaml", answer.out)
        try expect(ReplayProcess.run(["check", path]).code, equals: 0)
        let five = try log.replay("shrink", "runner", "u", "--until", "totalRuns >= 5")
        #expect(five.err.contains("5 of 20 events"))
        let never = try log.replay("shrink", "runner", "u", "--until", "totalRuns > 50")
        #expect(never.code == 1 && never.err.contains("nothing to shrink"))
    }

    @Test("A history shrinks to the events on which two rule sets disagree")
    func rules() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "running.start", "at": "2026-02-20T10:00:00Z", "data": {"runId": "r", "userId": "u"}}
            {"command": "running.pause", "at": "2026-02-20T10:01:00Z", "data": {"runId": "r"}}
            {"command": "running.resume", "at": "2026-02-20T10:02:00Z", "data": {"runId": "r"}}
            {"command": "running.stop", "at": "2026-02-20T10:03:00Z", "data": {"runId": "r"}}
            {"event": "running.run-completed.v1", "at": "2026-02-20T10:04:00Z", "data": {"runId": "r", "userId": "u", "startedUs": "2026-02-20T10:00:00Z", "endedUs": "2026-02-20T10:04:00Z", "wallMs": 9, "activeMs": 9, "distanceMm": 9, "kcal": 1}}

            """
        try expect(log.replay("append", input: story).code, equals: 0)
        let answer = try log.replay("shrink", "run", "r", "--other-rules", "source")
        expect(answer.code, equals: 0)
        let path = try log.file("shrunk.yaml", answer.out)
        try expect(ReplayProcess.run(["check", path]).code, equals: 0)
        #expect(answer.err.contains("1 of 5 events"))
    }

    @Test("There is nothing to shrink where two rule sets agree")
    func sameRules() throws {
        let answer = try runs().replay("shrink", "run", "r1", "--other-rules", "standard")
        #expect(answer.code == 1 && answer.err.contains("nothing to shrink"))
    }

    @Test("A history shrinks to the events that a refusal needs, with the refused command")
    func refusal() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
            {"command": "baby-care.start", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "e1", "babyId": "b", "kind": "sleep", "by": "ana"}}
            {"command": "baby-care.complete", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "e1", "by": "ana"}}
            {"command": "baby-care.start", "at": "2026-02-19T03:00:00Z", "data": {"entryId": "e2", "babyId": "b", "kind": "sleep", "by": "ana"}}

            """
        try expect(log.replay("append", input: story).code, equals: 0)
        let command =
            #"{"command": "baby-care.start", "at": "2026-02-19T04:00:00Z", "data": {"entryId": "e3", "babyId": "b", "kind": "sleep", "by": "ana"}}"#
        let path = try log.file("command.jsonl", command + "\n")
        let answer = try log.replay("shrink", "--refused", path)
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(answer.out.contains("refused: {step: refused, code: openEntryExists}"))
        // Either of the two that were opened will do; what closed the first may not be there.
        expect(answer.out.components(separatedBy: "baby-care.entry-opened").count, equals: 2)
        #expect(!answer.out.contains("baby-care.entry-closed"))
        let scenario = try log.file("refused.yaml", answer.out)
        try expect(ReplayProcess.run(["check", scenario]).code, equals: 0)
        let allowed = try log.file(
            "allowed.jsonl", command.replacingOccurrences(of: "sleep", with: "breastfeed") + "\n")
        #expect(try log.replay("shrink", "--refused", allowed).err.contains("is not refused"))
        let broken = try log.file("broken.jsonl", "{\n")
        try expect(log.replay("shrink", "--refused", broken).code, equals: 2)
        try expect(log.replay("shrink", "--refused", broken, "--until", "x").code, equals: 2)
    }

    @Test("A failing scenario shrinks to the steps that its failure needs")
    func scenario() throws {
        let log = try ScratchLog()
        let text = """
            scenario: Two runs, and a third that is counted wrongly
            source: made for a test
            clock: 2026-02-20T10:00:00Z
            zone: UTC

            given:
              # The one that has nothing to do with it.
              - command: running.change-profile
                with: {userId: v, weightG: 70000}
              - command: running.change-profile
                with: {userId: u, weightG: 60000}

            when:
              - command: running.start
                with: {runId: r1, userId: v}
              # This one matters.
              - command: running.start
                with: {runId: r2, userId: u}

            then:
              - state: {of: run, key: r1, is: {state: running}}
              - state: {of: run, key: r2, is: {state: paused}}

            """
        let path = try log.file("failing.yaml", text)
        let answer = try ReplayProcess.run(["shrink", "--scenario", path])
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(answer.err.contains("1 of 4 steps"))
        #expect(
            answer.out.hasSuffix(
                """
                given: []

                when:
                  # This one matters.
                  - command: running.start
                    with: {runId: r2, userId: u}

                then:
                  - state: {of: run, key: r2, is: {state: paused}}

                """))
        let still = try ReplayProcess.run(["check", try log.file("smaller.yaml", answer.out)])
        #expect(still.code == 1 && still.out.contains("field 'state'"))
        let holds = try log.file(
            "holds.yaml", text.replacingOccurrences(of: "state: paused", with: "state: running"))
        let nothing = try ReplayProcess.run(["shrink", "--scenario", holds])
        #expect(nothing.code == 1 && nothing.err.contains("nothing to shrink"))
    }

    @Test("A history shrinks to the events that another build folds differently")
    func builds() throws {
        let log = try runs()
        // A build that loses the longest run, made of this one and a filter.
        let program = try log.file(
            "other",
            """
            #!/bin/sh
            answer=$('\(ReplayProcess.binary.path)' "$@") || exit $?
            printf '%s\\n' "$answer" | sed 's/"totalDistanceMm":\\([4-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]\\)/"totalDistanceMm":0/'

            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let answer = try log.replay("shrink", "runner", "u", "--against", program)
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(answer.err.contains("1 of 20 events"))
        #expect(answer.out.contains(#""runId":"r13""#))
        let same = try log.replay("shrink", "runner", "u", "--against", ReplayProcess.binary.path)
        expect(same.code, equals: 1)
        let stranger = try log.replay("shrink", "runner", "u", "--against", "/bin/cat")
        #expect(stranger.code == 2 && stranger.err.contains("not a build of replay"))
        let missing = try log.replay("shrink", "runner", "u", "--against", "/nowhere")
        #expect(missing.code == 2 && missing.err.contains("cannot be run"))
    }
}
