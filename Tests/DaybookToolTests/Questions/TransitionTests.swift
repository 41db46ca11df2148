import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookScenarios
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

/// The transitions that logs and scenarios show.
@Suite struct TransitionTests {
    private static let root = Checkout.root

    /// Facts that no rule has judged, and the source's second stop.
    private static let planted: Set<String> = [
        "run: – running.run-completed completed",
        "run: completed running.run-completed completed",
        "run: – running.run-cancelled cancelled",
        "run: cancelled running.run-completed cancelled",
        "run: running running.run-cropped running",
    ]

    @Test("The scenarios go through declared transitions, and break the rules they are about")
    func scenariosAreDeclared() throws {
        let catalogue = try Catalogue(Catalog.areas)
        let runner = ScenarioRunner(catalogue: catalogue, zones: try ZoneFiles.source())
        var coverage = ScenarioCoverage(catalogue)
        var found: Set<String> = []
        let folder = Self.root.appending(path: "Scenarios")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }
        #expect(files.count > 50)
        for name in files {
            let path = folder.appending(path: name)
            let file = try ScenarioFile.parse(
                String(contentsOf: path, encoding: .utf8), path: path.path, catalogue: catalogue
            ) { (recorded) throws(InputError) in
                do {
                    return try String(
                        contentsOf: path.deletingLastPathComponent().appending(path: recorded),
                        encoding: .utf8)
                } catch {
                    throw InputError("\(error)", file: recorded)
                }
            }
            for result in try runner.run(file) {
                try coverage.add(result)
                for rule in try Self.rules(in: result, catalogue) {
                    found.insert("\(rule) \(name)")
                }
            }
        }
        // A kind that the log itself writes is none that a scenario could have.
        expect(coverage.parts.first?.uncovered, equals: [])
        expect(found, equals: Self.findings)
        let named = try Self.namedTransitions()
        #expect(Set(coverage.undeclaredTransitions) == named && named.isSuperset(of: Self.planted))
        let parts = coverage.parts
        #expect(parts.map(\.name).contains("run.state"))
        #expect(parts.allSatisfy { $0.coveredCount > 0 })
    }

    /// Undeclared transitions that `tools/check` names: facts that come late or that no rule has
    /// judged, and what the source's rules do twice.
    private static func namedTransitions() throws -> Set<String> {
        let script = try String(contentsOf: root.appending(path: "tools/check"), encoding: .utf8)
        return Set(script.matches(of: /--undeclared "([^"]+)"/).map { String($0.1) })
    }

    /// The stories that are about something wrong, or leave something open.
    private static let findings: Set<String> = [
        "A1 assistant/fact-without-an-entry.yaml",
        "A1 assistant/initial-action-again-by-the-source.yaml",
        "A2 assistant/fact-without-an-entry.yaml",
        "B1 household/two-babies-become-one.yaml",
        "B5 baby-care/deleted-timer-undone-by-the-source.yaml",
        "B7 baby-care/merge-undone.yaml", "B7 baby-care/night-and-nap-overlap.yaml",
        "B7 baby-care/same-sleep-written-twice.yaml", "B8 baby-care/same-sleep-written-twice.yaml",
        "C2 running/step-over-a-pause.yaml", "C3 running/completed-in-two-weeks.yaml",
        "C8 running/crop-of-an-active-run-by-the-source.yaml", "C15 running/leg-at-the-limit.yaml",
        "C16 running/segments-that-overlap.yaml",
        "B7 baby-care/same-sleep-restored-twice.yaml",
        "B7 baby-care/two-babies-become-one.yaml",
        "B8 baby-care/same-sleep-restored-twice.yaml",
        "B8 baby-care/two-babies-become-one.yaml",
        "B6 baby-care/sleep-of-six-years.yaml", "B14 baby-care/sleep-of-six-years.yaml",
        "C3 running/cancelled-before-it-was-completed.yaml",
        "C8 running/cancelled-before-it-was-completed.yaml",
        "R3 baby-care/handed-out-report-drifts.yaml",
        "B11 household/assumed-of-a-baby-made-offline.yaml",
        "B11 household/onboarded-after-a-restart.yaml",
        "B11 household/onboarded-offline.yaml", "B11 household/onboarded-on-a-device.yaml",
        "B11 household/restored-while-syncing.yaml",
        "B11 household/sync-meets-an-expired-token.yaml",
        "B11 household/synced-after-google.yaml",
        "B11 household/unauthorized-while-syncing.yaml",
        "C3 running/stop-saves-twice-in-the-source.yaml",
        "C4 running/every-place-counts-by-the-source.yaml",
        "C6 running/mock-week.yaml", "C6 running/rank-changes.yaml",
        // Facts that give distances and no energy, some of them at one time.
        "C9 running/home.yaml", "C9 running/late-upload-after-closing.yaml",
        "C9 running/mock-week.yaml", "C9 running/rank-changes.yaml", "C11 running/home.yaml",
        "C11 running/late-upload-after-closing.yaml", "C11 running/mock-week.yaml",
        "F1 baby-care/profile-beyond-its-limits.yaml",
        "H1 household/role-given-by-a-stranger.yaml",
        "L2 session/late-answer-to-an-abandoned-refresh.yaml",
        "L3 launch/blacklisted-range.yaml",
        "L4 launch/cached-config-with-the-same-fault.yaml",
        "L4 launch/named-errors.yaml", "L4 launch/no-link-no-rule.yaml",
        "L10 launch/notice-of-another-config.yaml",
        "R3 baby-care/handed-out-report-is-another.yaml",
        "P1 permission/facts.yaml", "P2 permission/facts.yaml", "P3 permission/facts.yaml",
        "P4 photo/any-address-by-the-source.yaml", "P5 photo/any-address-by-the-source.yaml",
        "P6 photo/by-a-viewer.yaml",
        "W1 account/facts-of-credits.yaml",
        "W2 account/facts-of-credits.yaml",
        "W3 account/facts-of-credits.yaml",
        "W4 account/facts-of-credits.yaml",
        "W5 account/facts-of-credits.yaml",
        "W6 account/facts-of-credits.yaml",
        "W7 account/facts-of-credits.yaml",
        "M1 chat/facts-that-nobody-judged.yaml",
        "M2 chat/facts-that-nobody-judged.yaml",
        "M3 chat/facts-that-nobody-judged.yaml",
        "M4 chat/facts-that-nobody-judged.yaml",
        "M5 chat/facts-of-ai-sessions.yaml",
        "M6 chat/facts-of-ai-sessions.yaml", "M6 chat/two-open-chats-under-two-ids.yaml",
        "W1 chat/facts-of-ai-sessions.yaml",
        "O1 shop/illegal-steps-are-found.yaml",
        "O2 shop/illegal-steps-are-found.yaml",
        "O3 shop/illegal-steps-are-found.yaml",
        "O4 shop/illegal-steps-are-found.yaml",
        "O5 shop/illegal-steps-are-found.yaml",
        "O6 shop/illegal-steps-are-found.yaml",
        "O7 shop/illegal-steps-are-found.yaml",
        "Q1 offline-queue/later-write-sent-first.yaml",
        "Q4 offline-queue/conflict-stays-by-the-source.yaml",
        "Q5 offline-queue/active-baby-by-the-source.yaml",
        "Q5 offline-queue/answered-with-another-id.yaml",
        "Q5 offline-queue/doubled-by-the-source.yaml",
        "Q5 offline-queue/map-lost-by-the-source.yaml",
        "T2 session/late-answer-to-an-abandoned-refresh.yaml",
        "T5 session/told-late-of-a-phone-that-is-out.yaml",
        "T9 session/signed-in-over-a-waiting-request.yaml",
    ]

    /// The rules that audits find broken in what a scenario did.
    private static func rules(
        in result: ScenarioResult, _ catalogue: Catalogue
    ) throws -> [String] {
        var run = AuditRun(
            catalogue.audits.values.sorted { $0.name < $1.name },
            AuditContext(
                zones: try ZoneFiles.source(), zone: "UTC", digest: InputRules.standard.digest))
        let events = result.events.map(\.recorded)
        for event in events where run.kindsReadAhead.contains(event.kind) {
            try run.readAhead(event)
        }
        for event in events { try run.check(event) }
        return run.finish().findings.map(\.rule)
    }

    @Test("Transitions in a log are counted, and undeclared ones are found")
    func counts() throws {
        let log = try ScratchLog()
        let input = """
            {"event": "running.run-started.v1", "at": "2026-02-20T10:00:00Z", "data": {"runId": "a", "userId": "u", "startedUs": 0}}
            {"event": "running.run-paused.v1", "at": "2026-02-20T10:01:00Z", "data": {"runId": "a", "cause": "manual", "pausedUs": 60000000}}
            {"event": "running.run-started.v1", "at": "2026-02-20T10:00:00Z", "data": {"runId": "b", "userId": "v", "startedUs": 0}}

            """
        try expect(log.replay("append", input: input).code, equals: 0)
        let sound = try log.replay("transitions", "run")
        expect(sound.code, equals: 0)
        #expect(sound.out.hasPrefix("run.state: 2 entities, 3 events\n"))
        #expect(sound.out.contains("in running: 1 stay, 60.000 s on average"))
        #expect(sound.out.contains("    paused running.run-resumed running\n"))
        try log.replay(
            "append",
            input:
                #"{"event": "running.run-restored.v1", "at": "2026-02-20T10:02:00Z", "data": {"runId": "b", "userId": "v"}}"#
                + "\n")
        let broken = try log.replay("transitions", "--json")
        expect(broken.code, equals: 1)
        let illegal = try broken.objects().filter { $0["legal"] as? Bool == false }
        expect(illegal.count, equals: 1)
        expect(illegal.first?["from"] as? String, equals: "running")
        expect(illegal.first?["event"] as? String, equals: "running.run-restored")
        expect(illegal.first?["to"] as? String, equals: "completed")
        expect(illegal.first?["first"] as? Int, equals: 4)
        let picture = try log.replay("transitions", "run", "--format", "svg")
        #expect(picture.out.hasPrefix("<svg ") && picture.out.hasSuffix("</svg>\n"))
        #expect(picture.out.contains("running.run-restored completed: 1 time, not declared"))
        #expect(picture.out.contains(">run-restored × 1</text>"))
        // The legend names what is drawn, and nothing else.
        #expect(picture.out.contains("class=\"undeclared\""))
        #expect(picture.out.contains(">not declared</text>"))
        #expect(!picture.out.contains("10,000 and more"))
        try expect(log.replay("transitions", "runner").code, equals: 2)
        try expect(log.replay("transitions", "--format", "svg").code, equals: 2)
        let mermaid = try log.replay("transitions", "run", "--format", "mermaid").out
        #expect(mermaid.hasPrefix("stateDiagram-v2\n    state \"running\" as s1\n"), "\(mermaid)")
        #expect(mermaid.contains("\n    [*] --> s1: run-started × 2\n"), "\(mermaid)")
        #expect(mermaid.contains(": run-restored × 1, not declared\n"))
        let dot = try log.replay("transitions", "run", "--format", "dot").out
        #expect(dot.hasPrefix("digraph \"run.state\" {\n") && dot.hasSuffix("}\n"), "\(dot)")
        #expect(dot.contains(#""not there" -> "running" [label="run-started × 2"]"#), "\(dot)")
        #expect(
            dot.contains(
                #""running" -> "completed" [label="run-restored × 1, not declared", style=dashed"#))
        try expect(log.replay("transitions", "--format", "dot").code, equals: 2)
    }

    @Test("A picture of a life cycle fits a page, and its labels are inside it")
    func picturesFit() throws {
        let log = Self.root.appending(path: "Tests/Witness/log.daybook").path
        for projection in try Catalogue(Catalog.areas).machines.keys.sorted() {
            let svg = try ReplayProcess.run(
                ["transitions", projection, "--format", "svg", "--log", log]).out
            let size = try #require(
                svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)"/))
            let width = try #require(Int(size.3))
            let height = try #require(Int(size.4))
            #expect(min(width, height) <= 718 && max(width, height) <= 979, "\(projection)")
            let all = try #require(Int(size.1))
            for label in svg.matches(of: /class="ink label" x="(\d+)" y="\d+"([^>]*)>([^<]*)</) {
                let x = try #require(Int(label.1))
                let length = label.3.count * 7
                let start =
                    label.2.contains("end") ? x - length : label.2.isEmpty ? x : x - length / 2
                #expect(start >= 0 && start + length <= all, "\(projection): \(label.3)")
            }
        }
    }

    @Test("State, transitions and audit agree on the events that do not fit, under both rule sets")
    func agreement() throws {
        let log = try ScratchLog()
        let input = """
            {"event": "launch.app-launched.v1", "data": {"launchId": "l", "appVersion": "1", "platform": "ios", "firstLaunch": false, "device": "d"}}
            {"event": "session.login-status-checked.v1", "data": {"launchId": "l", "result": "loggedIn", "device": "d"}}
            {"event": "launch.app-terminated.v1", "data": {"launchId": "l", "cause": "user"}}
            {"event": "session.login-status-checked.v1", "data": {"launchId": "l", "result": "loggedIn", "device": "d"}}
            {"event": "session.signed-in.v1", "data": {"userId": "u", "provider": "kakao", "family": "f", "generation": 0, "accessHash": "a", "refreshHash": "r", "expiresInS": 60, "accessExpiresUs": 60000000, "device": "d"}}
            {"event": "session.token-refresh-started.v1", "data": {"refreshId": "r1", "fromGeneration": 0, "trigger": "launch", "refreshHash": "r", "family": "f", "device": "d"}}
            {"event": "session.token-refresh-started.v1", "data": {"refreshId": "r2", "fromGeneration": 0, "trigger": "launch", "refreshHash": "r", "family": "f", "device": "d"}}

            """
        try expect(log.replay("append", input: input).code, equals: 0)
        let findings = try log.replay("audit", "--json").objects()
        let found = findings.compactMap { finding -> String? in
            guard let rule = finding["rule"] as? String, let position = finding["position"] as? Int
            else { return nil }
            return "\(rule) \(position)"
        }
        expect(Set(found), equals: ["L1 2", "L1 4", "L2 4", "T1 7"])
        for rules in ["standard", "source"] {
            for (projection, key, count) in [("splash", "l", 2), ("session", "d", 1)] {
                let state = try log.replay(
                    "state", projection, key, "--rules", rules, "--json"
                ).objects()
                let inner = state.first?["state"] as? [String: Any] ?? state.first
                expect(inner?["unexpectedTransitions"] as? Int, equals: count, "\(state)")
                let illegal = try log.replay("transitions", projection, "--rules", rules, "--json")
                    .objects().filter { $0["legal"] as? Bool == false }
                expect(illegal.compactMap { $0["count"] as? Int }.reduce(0, +), equals: count)
            }
        }
    }

    @Test("A stay whose end is told with an earlier time counts in no length")
    func backward() throws {
        let log = try ScratchLog()
        let input = """
            {"event": "running.run-started.v1", "at": "2026-02-20T10:00:00Z", "data": {"runId": "a", "userId": "u", "startedUs": 0}}
            {"event": "running.run-paused.v1", "at": "2026-02-20T09:00:00Z", "data": {"runId": "a", "cause": "manual", "pausedUs": 60000000}}

            """
        try expect(log.replay("append", input: input).code, equals: 0)
        let text = try log.replay("transitions", "run").out
        #expect(
            text.contains("in running: 0 stays; 1 ended before it began, not counted"),
            "\(text)")
        let stays = try log.replay("transitions", "run", "--json").objects()
            .filter { $0["state"] as? String == "running" }
        expect(stays.map { $0["ended"] as? Int }, equals: [0])
        expect(stays.map { $0["backward"] as? Int }, equals: [1])
    }

    @Test("Scenarios that cover too little fail if coverage is required")
    func coverage() throws {
        let folder = Self.root.appending(path: "Scenarios/running").path
        let named = Self.planted.flatMap { ["--undeclared", $0] }
        let enough = try ReplayProcess.run(["check", folder, "--coverage", "0"] + named)
        expect(enough.code, equals: 0, "\(enough.err)")
        #expect(enough.out.contains("run.state: "))
        let more = try ReplayProcess.run(["check", folder, "--coverage", "100"])
        expect(more.code, equals: 1)
        #expect(more.out.contains("  not launch.app-launched.v1\n"))
        try expect(ReplayProcess.run(["check", folder, "--coverage", "101"]).code, equals: 2)
    }

    @Test("Scenarios that go through undeclared transitions fail unless each is named")
    func undeclared() throws {
        let folder = Self.root.appending(path: "Scenarios/running").path
        let found = try ReplayProcess.run(["check", folder, "--coverage", "0"])
        expect(found.code, equals: 1)
        for transition in Self.planted {
            #expect(found.out.contains("not declared  \(transition)\n"))
        }
        let named = Self.planted.flatMap { ["--undeclared", $0] }
        let stale = ["--undeclared", "run: running running.run-started running"]
        let more = try ReplayProcess.run(["check", folder, "--coverage", "0"] + named + stale)
        expect(more.code, equals: 1)
        #expect(more.err.contains("no scenario has this transition"))
        try expect(ReplayProcess.run(["check", folder] + stale).code, equals: 2)
    }

    @Test("A history that keeps to declared transitions shrinks less far")
    func shrinksToDeclared() throws {
        let log = try ScratchLog()
        let input = """
            {"event": "running.run-started.v1", "at": "2026-02-20T10:00:00Z", "data": {"runId": "a", "userId": "u", "startedUs": 0}}
            {"event": "running.run-paused.v1", "at": "2026-02-20T10:01:00Z", "data": {"runId": "a", "cause": "manual", "pausedUs": 60000000}}
            {"event": "running.run-resumed.v1", "at": "2026-02-20T10:02:00Z", "data": {"runId": "a", "cause": "manual", "resumedUs": 120000000, "segment": 1}}
            {"event": "running.run-paused.v1", "at": "2026-02-20T10:03:00Z", "data": {"runId": "a", "cause": "manual", "pausedUs": 180000000}}

            """
        let appended = try log.replay("append", input: input)
        expect(appended.code, equals: 0, "\(appended.err)")
        let free = try log.replay("shrink", "run", "a", "--until", "state == paused")
        #expect(free.err.contains("1 of 4 events"), "\(free.err)")
        let kept = try log.replay("shrink", "run", "a", "--until", "state == paused", "--declared")
        #expect(kept.err.contains("2 of 4 events"), "\(kept.err)")
        let none = try log.replay(
            "shrink", "runner", "u", "--until", "totalRuns == 0", "--declared")
        #expect(none.code == 2 && none.err.contains("'runner' has no life cycle"), "\(none.err)")
    }
}
