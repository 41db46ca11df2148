import Foundation
import TestSupport
import Testing

/// Facts that would poison a log are refused, and those that did are survived.
@Suite struct LimitTests {
    private static func profile(_ dayStart: String, _ extra: String = "") -> String {
        #"{"event": "household.baby-profile-changed.v1"\#(extra), "data": {"babyId": "b", "#
            + #""zone": "UTC", "dayStartMin": \#(dayStart), "sourceBabyIds": {}}}"#
    }

    private static let poison = profile("9223372036854775806")

    private static let questions: [[String]] = [
        ["report", "daily", "--baby", "b", "--date", "2026-02-19"],
        ["report", "weekly", "--baby", "b", "--week", "2026-W08", "--format", "svg"],
        ["report", "monthly", "--baby", "b", "--month", "2026-02", "--format", "csv"],
        ["report", "today", "--baby", "b", "--now", "2026-02-20T00:00:00Z"],
        ["report", "landing", "--baby", "b", "--date", "2026-02-20"],
        ["state", "profile", "b"], ["history", "profile", "b"], ["transitions"], ["late"],
        ["bisect", "profile", "b", "--until", "dayStartMin > 1439"],
        ["what-if", "profile", "b", "--edit", "1:dayStartMin=0"],
    ]

    @Test("A value outside its range is refused by line, field and range")
    func aValueOutsideItsRangeIsRefusedByLineFieldAndRange() throws {
        let log = try ScratchLog()
        let lines = Self.profile("0") + "\n" + Self.poison + "\n"
        let answer = try log.replay("append", input: lines)
        expect(answer.code, equals: 2)
        #expect(
            answer.err.contains(
                "standard input:2: field 'data.dayStartMin': expected 0 to 1439, found the number "
                    + "9223372036854775806"), "\(answer.err)")
        #expect(try log.replay("log", "--json").out.isEmpty)
        let command =
            #"{"command": "household.change-profile", "data": {"babyId": "b", "weightG": -1}}"#
        let refused = try log.replay("append", input: command)
        expect(refused.code, equals: 2)
        #expect(refused.err.contains("field 'data.weightG': expected 100 to 50000"))
    }

    @Test(
        "A process that the runtime aborts does not call the log damaged",
        .enabled(if: Python.hasLMDB, "needs Python"))
    func abortedProcess() throws {
        let log = try ScratchLog()
        // Children of a test inherit blocked signals.
        let answer = try Python.run(
            """
            import signal, subprocess, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            line = sys.argv[3].encode()
            writer = subprocess.Popen(
                [sys.argv[1], "append", "--each", "--json", "--log", sys.argv[2]],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            writer.stdin.write(line)
            writer.stdin.flush()
            writer.stdout.readline()
            writer.send_signal(signal.SIGABRT)
            print(writer.wait(), writer.stderr.read().decode())
            """, [ReplayProcess.binary.path, log.path, AppendTests.launch("a0")])
        #expect(
            answer.out.trimmingCharacters(in: .newlines)
                == "3 replay: stopped for lack of memory or by an internal error; everything "
                + "that was acknowledged is in the log")
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("An impossible time or offset is refused")
    func aTimeOrAnOffsetThatCannotBeIsRefused() throws {
        let log = try ScratchLog()
        for (at, expected) in [
            ("2200-01-01T00:00:00Z", "expected a time from 1900-01-01T00:00:00Z"),
            ("2026-02-19T00:00:00+18:01", "expected an offset of at most 18 hours"),
        ] {
            let answer = try log.replay(
                "append", input: Self.profile("0", #", "at": "\#(at)""#))
            expect(answer.code, equals: 2)
            #expect(answer.err.contains("field 'at': \(expected)"), "\(answer.err)")
        }
        let most = Self.profile("0", #", "at": "2026-02-19T00:00:00-18:00""#)
        try expect(log.replay("append", input: most).code, equals: 0)
    }

    @Test("A stored profile beyond today's limits can still be read")
    func aProfileStoredBeforeThereWereLimitsIsSurvived() throws {
        let log = try ScratchLog()
        try log.store([Self.poison])
        for arguments in Self.questions {
            let answer = try ReplayProcess.run(arguments + ["--log", log.path])
            #expect((0...1).contains(answer.code), "\(arguments): \(answer.code) \(answer.err)")
        }
        let audit = try log.replay("audit", "--json").objects()
        expect(audit.map { $0["rule"] as? String }, equals: ["F1"])
        expect(audit.first?["found"] as? String, equals: "9223372036854775806")
        // It is mended like anything else.
        try expect(log.replay("append", input: Self.profile("0")).code, equals: 0)
        let report = try log.replay("report", "daily", "--baby", "b", "--date", "2026-02-19")
        expect(report.code, equals: 0, "\(report.err)")
    }

    @Test("Two replacements of one id let commands be decided")
    func twoReplacementsOfOneIdLetCommandsBeDecided() throws {
        for (kind, id) in [("household", "h"), ("baby", "b"), ("careEntry", "e")] {
            let log = try ScratchLog()
            let onboard =
                #"{"command": "household.onboard", "data": {"babyId": "b", "householdId": "h", "#
                + #""zone": "UTC", "by": "ana"}}"#
            try expect(log.replay("append", input: onboard).code, equals: 0)
            let replacements = ["r1", "r2"].map {
                #"{"event": "household.id-replaced.v1", "data": {"kind": "\#(kind)", "#
                    + #""localId": "\#(id)", "remoteId": "\#($0)"}}"#
            }
            try expect(
                log.replay("append", input: replacements.joined(separator: "\n")).code, equals: 0)
            for start in ["b", "r1", "r2"] {
                let command =
                    #"{"command": "baby-care.start", "data": {"entryId": "e", "babyId": "\#(start)", "#
                    + #""kind": "sleep", "by": "ana"}}"#
                let answer = try log.replay("append", input: command)
                #expect((0...1).contains(answer.code), "\(kind) \(start): \(answer.err)")
            }
        }
    }

    @Test("The schema lists the limits of incoming values")
    func theSchemaListsWhatMayComeIn() throws {
        let answer = try ReplayProcess.run(["schema", "household.baby-profile-changed.v1"])
        #expect(answer.out.contains("dayStartMin     integer?, 0 to 1439\n"), "\(answer.out)")
        let json = try ReplayProcess.run(
            ["schema", "household.baby-profile-changed.v1", "--json"]
        ).objects()
        let fields = try #require(json.first?["fields"] as? [[String: Any]])
        let start = try #require(fields.first { $0["name"] as? String == "dayStartMin" })
        expect(start["from"] as? Int, equals: 0)
        expect(start["to"] as? Int, equals: 1_439)
    }

    @Test("The author of a role change is checked and named")
    func whoChangedARoleIsJudgedAndNamed() throws {
        let log = try ScratchLog()
        let change = { (user: String, role: String, by: String, actor: String) in
            #"{"event": "household.member-role-changed.v1", "actor": "\#(actor)", "data": "#
                + #"{"householdId": "h", "userId": "\#(user)", "role": "\#(role)", "#
                + #""by": "\#(by)"}}"#
        }
        let lines = [
            change("ana", "owner", "ana", "ana"), change("ben", "caregiver", "ana", "ben"),
            change("cy", "owner", "ben", "ben"),
        ]
        try expect(
            log.replay("append", "--each", input: lines.joined(separator: "\n")).code, equals: 0)
        let audit = try log.replay("audit", "--json").objects()
        expect(audit.map { $0["rule"] as? String }, equals: ["F2", "H1"])
        expect(audit.map { $0["position"] as? Int }, equals: [2, 3])
        try expect(log.replay("audit", "--json", "--user", "nobody").code, equals: 1)
        try expect(log.replay("audit", "--rule", "H1").code, equals: 1)
        try expect(log.replay("audit", "--rule", "H2").code, equals: 0)
    }
}
