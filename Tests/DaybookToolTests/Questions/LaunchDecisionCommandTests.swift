import Foundation
import TestSupport
import Testing

// Holds: s0-latest-version-use, s2-app-status, s2-remote-config, s2-key-names
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
        answer.ends(0)
        let object = try #require(try answer.objects().first)
        expect(object["status"] as? String, equals: status)
        expect(object["reason"] as? String, equals: reason)
        expect(object["rules"] as? String, equals: "standard")
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
        try log.replay("append", input: lines.joined()).ends(0)
        let file = try log.file("config.json", Self.config)
        let rows = try log.replay(
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--json"
        ).objects()
        expect(rows.map { $0["appVersion"] as? String }, equals: ["1.0.0", "1.2.0"])
        expect(rows.map { $0["devices"] as? Int }, equals: [3, 2])
        expect(rows.map { $0["status"] as? String }, equals: ["forced", "valid"])
        let early = try log.replay(
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--json", "--at",
            "4"
        ).objects()
        expect(early.map { $0["devices"] as? Int }, equals: [3, 1])
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
        answer.ends(2)
        answer.says(message)
    }

    @Test("Bad usage of launch-decision ends with 2 and a message")
    func badUsageIsSaidToBeSo() throws {
        let unnamed = try Self.decide(Self.config)
        unnamed.ends(2)
        let answer = try ReplayProcess.run([
            "launch-decision", "--config", "/nowhere", "--app-version", "1", "--now",
            "2026-07-12T12:00:00Z",
        ])
        answer.ends(2)
        answer.says("/nowhere: this input cannot be read")
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
        answer.ends(0)
        let lines = answer.err.split(separator: "\n")
        #expect(lines.count < 10)
        #expect(
            lines.contains {
                $0.contains("5000 keys are unknown and ignored: 'key1', ")
                    && $0.hasSuffix(", 'key20' and 4980 more")
            }, "\(lines)")
        #expect(
            lines.contains {
                $0.contains("field 'blackListVersionsKey': found an entry that is not a version")
                    && $0.hasSuffix("(3000 times)")
            }, "\(lines)")
    }

    static let offer = """
        {"optionalUpdateAppVersionKey": "2.0.0", "optionalUpdateAlertTitleKey": "New", \
        "optionalUpdateAlertDoneLinkURLKey": "https://example.com/store"}
        """

    /// Three devices with 1.0.0, of which d1 skips 2.0.0 for good and d2 for once.
    private static func devices() throws -> ScratchLog {
        let log = try ScratchLog()
        var lines = (1...3).map { number in
            """
            {"event": "launch.app-launched.v1", "data": {"launchId": "l\(number)", "appVersion": \
            "1.0.0", "platform": "ios", "osVersion": "18.\(number)", "firstLaunch": false, \
            "device": "d\(number)"}}

            """
        }
        lines += [(1, true), (2, false)].map { number, remember in
            """
            {"event": "launch.optional-update-skipped.v1", "data": {"launchId": "l\(number)", \
            "targetVersion": "2.0", "remember": \(remember), "device": "d\(number)"}}

            """
        }
        try log.replay("append", input: lines.joined()).ends(0)
        return log
    }

    @Test("A device that skips an update is not shown it, unless by the source's rules")
    func skips() throws {
        let log = try Self.devices()
        let file = try log.file("config.json", Self.offer)
        let asked = [
            "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z", "--log",
            log.path,
        ]
        let standard = try ReplayProcess.run(asked + ["--json", "--devices"]).objects()
        expect(standard.count, equals: 1)
        expect(standard.first?["devices"] as? Int, equals: 3)
        expect(standard.first?["status"] as? String, equals: "optional")
        let shown = try #require(standard.first?["shown"] as? [[String: Any]])
        expect(shown.map { $0["status"] as? String }, equals: ["optional", "valid"])
        expect(shown.map { $0["devices"] as? Int }, equals: [2, 1])
        let whom = shown.map { $0["whom"] as? [[String: Any]] ?? [] }
        expect(whom.map { $0.map { $0["device"] as? String } }, equals: [["d2", "d3"], ["d1"]])
        expect(whom.last?.first?["platform"] as? String, equals: "ios")
        expect(whom.last?.first?["osVersion"] as? String, equals: "18.1")
        let text = try ReplayProcess.run(asked).out
        expect(text, equals: "1.0.0  3 devices, 3 launches: 2 optional, 1 valid\n")
        let named = try ReplayProcess.run(asked + ["--devices"]).out
        expect(
            named,
            equals: """
                1.0.0  3 devices, 3 launches: 2 optional, 1 valid
                  optional  d2  ios 18.2
                  optional  d3  ios 18.3
                  valid  d1  ios 18.1

                """)
        let source = try ReplayProcess.run(asked + ["--rules", "source"]).out
        expect(source, equals: "1.0.0  3 devices, 3 launches: optional\n")
        let counts = try ReplayProcess.run(asked + ["--json"]).objects()
        let uncounted = try #require(counts.first?["shown"] as? [[String: Any]])
        #expect(uncounted.allSatisfy { $0["whom"] is NSNull })
    }

    @Test("A decision has the title of its alert")
    func title() throws {
        let object = try Self.decide(Self.offer, "--app-version", "1.0.0", "--json").objects().first
        expect(object?["title"] as? String, equals: "New")
    }

    @Test("An option that does nothing says so")
    func idleOptions() throws {
        let unlinked = #"{"minVersion": "1.0.0", "latestVersion": "1.2.0"}"#
        let latest = try Self.decide(
            unlinked, "--app-version", "1.0.0", "--latest-as-optional", "--json")
        latest.ends(0)
        latest.says("--latest-as-optional does nothing")
        try expect(latest.objects().first?["status"] as? String, equals: "valid")
        let linked =
            #"{"latestVersion": "1.2.0", "optionalUpdateAlertDoneLinkURLKey": "#
            + #""https://example.com", "optionalUpdateAppVersionKey": ""}"#
        let offered = try Self.decide(
            linked, "--app-version", "1.0.0", "--latest-as-optional", "--json")
        #expect(!offered.err.contains("does nothing"), "\(offered.err)")
        try expect(offered.objects().first?["status"] as? String, equals: "optional")
        let skipped = try Self.decide(
            Self.offer, "--app-version", "1.0.0", "--skipped", "2.0.0", "--rules", "source",
            "--json")
        skipped.says("--skipped does nothing")
        try expect(skipped.objects().first?["status"] as? String, equals: "optional")
    }

    @Test("A notice without text is reported")
    func emptyNotice() throws {
        let answer = try Self.decide(
            #"{"noticeStartDateKey": "2026-07-12T00:00:00Z", "noticeEndDateKey": "#
                + #""2026-07-13T00:00:00Z", "noticeAlertTitleKey": " "}"#,
            "--app-version", "1.0.0")
        answer.ends(0)
        answer.says("the notice is an empty dialog")
    }

    @Test("A file none of whose keys is known ends with 1 and a warning")
    func noKnownKey() throws {
        let answer = try Self.decide(#"{"ios_min": "2.0.0"}"#, "--app-version", "1.0.0", "--json")
        answer.ends(1)
        answer.says("none of the config's keys is known")
        try expect(answer.objects().first?["status"] as? String, equals: "valid")
        let empty = try Self.decide("{}", "--app-version", "1.0.0")
        #expect(empty.code == 1 && empty.err.contains("none of the config's keys is known"))
    }

    @Test("The app's own names of keys are read from a mapping, and replace the usual ones")
    func ownKeys() throws {
        let scratch = try ScratchLog()
        let config = try scratch.file(
            "config.json", #"{"ios_min": "2.0.0", "minVersion": "9.0.0", "ios_title": "T"}"#)
        let keys = try scratch.file("keys.json", #"{"minVersion": "ios_min"}"#)
        let asked = [
            "launch-decision", "--config", config, "--now", "2026-07-12T12:00:00Z",
            "--app-version", "1.0.0", "--json",
        ]
        let answer = try ReplayProcess.run(asked + ["--keys", keys])
        answer.ends(0)
        try expect(answer.objects().first?["minVersion"] as? String, equals: "2.0.0")
        answer.says("2 keys are unknown and ignored: 'minVersion' and 'ios_title'")
        for (content, message) in [
            (#"{"minimum": "a"}"#, "field 'minimum': the config key 'minimum' is unknown"),
            (#"{"minVersion": 1}"#, "keys.json:1: field 'minVersion': expected the app's own name"),
            (
                #"{"minVersion": "a", "latestVersion": "a"}"#,
                "found 'a', which is the name of 'minVersion'"
            ),
            ("[]", "keys.json:1"), ("{", "keys.json:1"),
        ] {
            let file = try scratch.file("keys.json", content)
            let refused = try ReplayProcess.run(asked + ["--keys", file])
            refused.ends(2)
            refused.says(message)
        }
        try ReplayProcess.run(asked + ["--keys", "/nowhere"]).ends(2)
        withExtendedLifetime(scratch) {}
    }

    static let template = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}, {"name": "beta"}],
         "parameters": {
          "forceUpdateAppVersionKey": {"defaultValue": {"value": "1.1.0"}},
          "other": {"defaultValue": {"value": "x"}, "conditionalValues": {"ios": {"value": "y"}}},
          "blackListVersionsKey": {"defaultValue": {"useInAppDefault": true}}},
         "parameterGroups": {"links": {"parameters": {
          "forceUpdateAlertDoneLinkURLKey": {"defaultValue": {"value": "https://example.com"}}}}}}
        """

    @Test("A template of Firebase is read by its default values")
    func template() throws {
        let answer = try Self.decide(Self.template, "--app-version", "1.0.0", "--json")
        answer.ends(0)
        try expect(answer.objects().first?["reason"] as? String, equals: "forceVersion")
        answer.says("1 key is unknown and ignored: 'other'")
    }

    @Test("A key that the template leaves to the app is named, and taken from the app's defaults")
    func appDefaults() throws {
        let scratch = try ScratchLog()
        let inApp = #"{"useInAppDefault": true}"#
        for parameter in [
            #"{"defaultValue": \#(inApp)}"#, "{}",
            #"{"defaultValue": {"value": "1.0.0"}, "conditionalValues": {"ios": \#(inApp)}}"#,
        ] {
            let config = try scratch.file(
                "template.json",
                #"{"conditions": [{"name": "ios"}], "parameters": {"minVersion": \#(parameter), "#
                    + #""latestVersion": {"defaultValue": {"value": "1.5.0"}}}}"#)
            let asked = [
                "launch-decision", "--config", config, "--now", "2026-07-12T12:00:00Z",
                "--app-version", "1.5.0", "--condition", "ios", "--json",
            ]
            let warned = try ReplayProcess.run(asked)
            #expect(warned.code == 0 && warned.err.contains("useInAppDefault"), "\(warned)")
            let defaults = try scratch.file("defaults.json", #"{"minVersion": "2.0.0"}"#)
            let answer = try ReplayProcess.run(asked + ["--app-defaults", defaults])
            try expect(answer.objects().first?["status"] as? String, equals: "forced", "\(answer)")
            #expect(!answer.err.contains("useInAppDefault"), "\(answer.err)")
        }
        withExtendedLifetime(scratch) {}
    }

    @Test("A parameter with values under conditions is refused unless the condition is named")
    func conditions() throws {
        let conditional = Self.template.replacingOccurrences(
            of: #"{"defaultValue": {"value": "1.1.0"}}"#,
            with: #"{"defaultValue": {"value": "1.1.0"}, "conditionalValues": {"ios": "#
                + #"{"value": "3.0.0"}}}"#)
        let refused = try Self.decide(conditional, "--app-version", "2.0.0")
        refused.ends(2)
        refused.says("config.json:3: field 'parameters.forceUpdateAppVersionKey'")
        #expect(refused.err.contains("'ios'") && refused.err.contains("--condition"))
        let ios = try Self.decide(
            conditional, "--app-version", "2.0.0", "--condition", "ios", "--json")
        try expect(ios.objects().first?["status"] as? String, equals: "forced")
        // No parameter has a value of its own under this one.
        let beta = try Self.decide(
            conditional, "--app-version", "2.0.0", "--condition", "beta", "--json")
        try expect(beta.objects().first?["status"] as? String, equals: "valid", "\(beta.err)")
        let unknown = try Self.decide(conditional, "--app-version", "2.0.0", "--condition", "tv")
        unknown.ends(2)
        let known = "no condition 'tv'; known conditions: 'ios', 'beta'"
        unknown.says(known)
        let flat = try Self.decide(Self.config, "--app-version", "1.0.0", "--condition", "ios")
        flat.ends(2)
        flat.says("is not a template")
    }
}
