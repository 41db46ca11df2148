import TestSupport
import Testing

/// Answers by the source's rules are refolded by them, or refused.
@Suite struct SourceFormTests {
    private static let story = """
        {"command": "running.start", "at": "2026-02-20T10:00:00Z", "data": {"runId": "r", "userId": "u"}}
        {"command": "running.stop", "at": "2026-02-20T10:03:00Z", "data": {"runId": "r"}}

        """

    @Test(
        "An answer without a form by the source's rules is refused, and names one that has a form",
        arguments: [
            ["state", "runner", "u"], ["trace", "runner"], ["history", "runner", "u"],
            ["report", "home", "--user", "u", "--now", "2026-02-21T00:00:00Z"],
            ["report", "runner", "--user", "u"], ["report", "ranking", "--week", "2026-W08"],
        ])
    func refused(_ question: [String]) throws {
        let log = try ScratchLog()
        #expect(try log.replay("append", input: Self.story).code == 0)
        let standard = try ReplayProcess.run(question + ["--log", log.path])
        #expect(standard.code == 0, "\(standard.err)")
        let source = try ReplayProcess.run(question + ["--rules", "source", "--log", log.path])
        #expect(source.code == 2, "\(source.out)")
        #expect(source.err.contains("use 'replay state run' for one"), "\(source.err)")
    }

    @Test("A scenario by the source's rules cannot expect a state that has no such form")
    func scenario() throws {
        let log = try ScratchLog()
        let file = try log.file(
            "runner.yaml",
            """
            scenario: A runner by the source's rules
            rules: source
            then:
              - state: {of: runner, key: u, is: {totalRuns: 0}}
            """)
        let answer = try ReplayProcess.run(["check", file])
        #expect(answer.code == 2, "\(answer.out)")
        #expect(answer.err.contains("runner.yaml:4"), "\(answer.err)")
        #expect(answer.err.contains("under the rule set 'source'"), "\(answer.err)")
    }

    @Test("The versions of a device are in the source's order, and only its own checks count")
    func versions() throws {
        let log = try ScratchLog()
        func launch(_ id: String, _ version: String) -> String {
            #"{"event": "launch.app-launched.v1", "data": {"launchId": "\#(id)", "appVersion": "\#(version)", "platform": "ios", "firstLaunch": false, "device": "d"}}"#
                + "\n"
        }
        let check =
            #"{"command": "launch.record-config", "data": {"launchId": "b", "device": "d", "configDigest": "c", "source": "network", "latencyMs": 1, "minVersion": "1.0.0"}}"#
            + "\n"
            + #"{"command": "launch.check-version", "data": {"launchId": "b", "device": "d", "rules": "standard"}}"#
            + "\n"
        // By the source `v1.2` is 0.2.
        #expect(
            try log.replay("append", input: launch("a", "1.0") + launch("b", "v1.2") + check).code
                == 0)
        func state(_ rules: String) throws -> [String: Any] {
            let object =
                try log.replay(
                    "state", "version-check", "d", "--rules", rules, "--json"
                ).objects().first ?? [:]
            return object["state"] as? [String: Any] ?? object
        }
        let standard = try state("standard")
        #expect(standard["downgrades"] as? Int == 0)
        #expect(standard["result"] as? String == "upToDate")
        let source = try state("source")
        #expect(source["downgrades"] as? Int == 1)
        #expect(source["result"] is String == false)
    }
}
