import Foundation
import TestSupport
import Testing

/// Launches of an app whose version cannot be read, in a log.
@Suite("Launches without a readable version") struct UnreadableVersionTests {
    static let versions = [
        "", "1.0\t", "\n", "1.0\u{7F}", String(repeating: "1", count: 302),
        "1.0" + String(repeating: " ", count: 299), "1." + String(repeating: "é", count: 200),
    ]

    private static func line(_ command: String, _ data: [String: Any]) throws -> String {
        let line: [String: Any] = [
            "command": command, "at": "2026-07-01T09:00:00Z", "data": data,
        ]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
    }

    @Test(
        "The check ends in invalidVersion, and its event has no tag of the version",
        arguments: versions, ["standard", "source"])
    func checked(_ version: String, _ rules: String) throws {
        let log = try ScratchLog()
        let lines = [
            try Self.line(
                "launch.launch-app",
                [
                    "launchId": "l1", "appVersion": version, "platform": "ios",
                    "firstLaunch": false, "device": "d1",
                ]),
            try Self.line(
                "launch.record-config",
                [
                    "launchId": "l1", "device": "d1", "configDigest": "c1", "source": "network",
                    "latencyMs": 500, "maintenance": ["mode": false, "message": ""],
                    "minVersion": "1.0.0", "force": [:], "optional": [:], "blacklist": [],
                ]),
            try Self.line(
                "launch.check-version", ["launchId": "l1", "device": "d1", "rules": rules]),
        ]
        let answer = try log.replay("append", "--each", input: lines.joined())
        expect(answer.code, equals: 0, "\(answer.err)")
        let checked = try #require(
            try log.replay("log", "--json", "--reverse").objects().first)
        expect(checked["kind"] as? String, equals: "launch.app-version-checked.v1")
        expect(checked["tags"] as? [String], equals: ["launch:l1", "device:d1"])
        let payload = try #require(checked["payload"] as? [String: Any])
        expect(payload["currentVersion"] as? String, equals: version)
        if rules == "standard" {
            expect(payload["result"] as? String, equals: "error")
            expect(payload["reason"] as? String, equals: "invalidVersion")
            let splash = try log.replay("state", "splash", "l1")
            #expect(splash.out.contains("state                  \"error\""), "\(splash.out)")
        }
        try expect(log.replay("verify", "--json").objects().first?["ok"] as? Bool, equals: true)
        try expect(log.replay("audit").code, equals: 0)
    }

    @Test("A fact of such a check is stored without the tag")
    func fact() throws {
        let log = try ScratchLog()
        let data: [String: Any] = [
            "launchId": "l1", "device": "d1", "currentVersion": "", "fromCache": false,
            "result": "error", "reason": "invalidVersion", "primary": "valid",
            "noticeTerminates": false, "rules": "standard",
        ]
        let fact = try JSONSerialization.data(
            withJSONObject: ["event": "launch.app-version-checked.v1", "data": data])
        let answer = try log.replay(
            "append", input: String(decoding: fact, as: UTF8.self) + "\n")
        expect(answer.code, equals: 0, "\(answer.err)")
    }

    @Test("A command whose id makes no tag is refused by name, and --each goes on")
    func refusedByName() throws {
        let log = try ScratchLog()
        let lines = [
            try Self.line(
                "launch.check-version", ["launchId": "", "device": "d", "rules": "source"]),
            try Self.line(
                "launch.launch-app",
                [
                    "launchId": "l1", "appVersion": "1.0.0", "platform": "ios",
                    "firstLaunch": false, "device": "d1",
                ]),
        ]
        let answer = try log.replay("append", "--each", "--json", input: lines.joined())
        expect(answer.code, equals: 1)
        #expect(answer.err.contains("standard input:1: field 'data.launchId': "), "\(answer.err)")
        let outcomes = try answer.objects()
        let refused = try #require(outcomes.first?["refused"] as? [String: Any])
        expect(refused["code"] as? String, equals: "invalidTag")
        expect(outcomes.last?["first"] as? Int, equals: 1)
    }
}
