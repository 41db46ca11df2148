import Foundation
import Testing

@Suite struct LaunchDecisionCommandTests {
    static let config = """
        {"forceUpdateAppVersionKey": "1.1.0", "forceUpdateAlertDoneLinkURLKey": \
        "https://example.com/store", "blackListVersionsKey": "1.5.0, 1.6.0"}
        """

    static func decide(_ config: String, _ arguments: String...) throws -> ReplayProcess.Answer {
        let scratch = try ScratchLog()
        let file = try scratch.file("config.json", config)
        return try withExtendedLifetime(scratch) {
            try ReplayProcess.run(
                ["launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z"] + arguments)
        }
    }

    @Test(
        "A version is decided by the first rule that hits",
        arguments: [
            ("1.0.9", "forced", "forceVersion"), ("1.1.0", "valid", nil),
            ("1.6", "forced", "blacklist"), ("one", "error", "invalidVersion"),
        ] as [(String, String, String?)])
    func decides(_ version: String, _ status: String, _ reason: String?) throws {
        let answer = try Self.decide(Self.config, "--app-version", version, "--json")
        #expect(answer.code == 0, "\(answer.err)")
        let object = try #require(try answer.objects().first)
        #expect(object["status"] as? String == status)
        #expect(object["reason"] as? String == reason)
        #expect(object["rules"] as? String == "standard")
    }

    @Test("Every version in a log is listed with its devices")
    func everyVersionOfALogIsToldWithItsDevices() throws {
        let log = try ScratchLog()
        let lines = (1...5).map { number in
            """
            {"event": "launch.app-launched.v1", "data": {"launchId": "l\(number)", "appVersion": \
            "\(number < 4 ? "1.0.0" : "1.2.0")", "platform": "ios", "firstLaunch": false, \
            "device": "d\(number)"}}

            """
        }
        #expect(try log.replay("append", input: lines.joined()).code == 0)
        let file = try log.file("config.json", Self.config)
        let rows = try log.replay(
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--json"
        ).objects()
        #expect(rows.map { $0["appVersion"] as? String } == ["1.0.0", "1.2.0"])
        #expect(rows.map { $0["devices"] as? Int } == [3, 2])
        #expect(rows.map { $0["status"] as? String } == ["forced", "valid"])
        let early = try log.replay(
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--json", "--at",
            "4"
        ).objects()
        #expect(early.map { $0["devices"] as? Int } == [3, 1])
        let before = try log.replay(
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--json",
            "--valid-at", "2000-01-01T00:00:00Z")
        #expect(before.code == 0 && before.out.isEmpty)
    }

    @Test(
        "A config that cannot be read ends with 2, line and key",
        arguments: [
            ("{", "config.json:1"), ("[]", "config.json:1"),
            (#"{"minVersion": 1}"#, "'minVersion'"),
            ("{\"minVersion\": \"1\",\n \"maintenanceMode\": \"maybe\"}", "maintenanceMode"),
        ])
    func unreadable(_ config: String, _ message: String) throws {
        let answer = try Self.decide(config, "--app-version", "1.0.0")
        #expect(answer.code == 2, "\(answer.out)")
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test("Bad usage of launch-decision ends with 2 and a message")
    func badUsageIsSaidToBeSo() throws {
        let unnamed = try Self.decide(Self.config)
        #expect(unnamed.code == 2, "\(unnamed)")
        let answer = try ReplayProcess.run([
            "launch-decision", "--config", "/nowhere", "--app-version", "1", "--now",
            "2026-07-12T12:00:00Z",
        ])
        #expect(answer.code == 2)
        #expect(answer.err.contains("/nowhere: cannot be read"))
    }

    @Test("Some of many warnings of one kind are shown, and the others counted")
    func manyWarnings() throws {
        let unknown = (1...5_000).map { "\"key\($0)\": 1" }.joined(separator: ", ")
        let versions = (1...3_000).map { "x\($0)" }.joined(separator: ",")
        let answer = try ReplayProcess.run(
            [
                "launch-decision", "--config", "-", "--app-version", "1.0.0", "--now",
                "2026-03-03T00:00:00Z",
            ], input: "{\(unknown), \"blackListVersionsKey\": \"\(versions)\"}")
        #expect(answer.code == 0)
        let lines = answer.err.split(separator: "\n")
        #expect(lines.count < 60)
        #expect(lines.contains { $0.contains("field 'key20'") })
        #expect(!lines.contains { $0.contains("field 'key21'") })
        #expect(
            lines.contains { $0.hasSuffix("unknownKey: 4980 more like it") }, "\(lines.suffix(4))")
        #expect(lines.contains { $0.hasSuffix("invalidVersion: 2980 more like it") })
    }
}
