import Foundation
import TestSupport
import Testing

// Holds: s2-remote-config
/// Templates of Remote Config, as Firebase's console gives them.
@Suite struct RemoteConfigTemplateTests {
    /// iOS raises the minimum, and Korea is closed for maintenance.
    private static let template = """
        {"conditions": [{"name": "iOS"}, {"name": "KR"}, {"name": "beta"}],
         "parameters": {
          "minVersion": {"defaultValue": {"value": "1.0.0"},
            "conditionalValues": {"KR": {"value": "1.5.0"}, "iOS": {"value": "2.0.0"}}},
          "maintenanceMode": {"defaultValue": {"value": "false"},
            "conditionalValues": {"KR": {"value": "true"}}}}}
        """

    private static func decide(
        _ config: String, _ arguments: [String]
    ) throws -> ReplayProcess.Answer {
        let scratch = try ScratchLog()
        let file = try scratch.file("template.json", config)
        return try withExtendedLifetime(scratch) {
            try ReplayProcess.run(
                [
                    "launch-decision", "--config", file, "--now", "2026-07-12T12:00:00Z",
                    "--app-version", "1.7.0", "--json",
                ] + arguments)
        }
    }

    @Test(
        "Several conditions hold at once, and the template's order decides between them",
        arguments: [
            (["--condition", "iOS", "--condition", "KR"], "maintenance", "2.0.0"),
            (["--condition", "KR", "--condition", "iOS"], "maintenance", "2.0.0"),
            (["--condition", "iOS"], "forced", "2.0.0"),
            (["--condition=KR", "--condition", "KR"], "maintenance", "1.5.0"),
            (["--condition", "beta"], "valid", "1.0.0"), (["--no-condition"], "valid", "1.0.0"),
        ] as [([String], String, String)])
    func several(_ arguments: [String], _ status: String, _ minimum: String) throws {
        let answer = try Self.decide(Self.template, arguments)
        expect(answer.code, equals: 0, "\(answer.err)")
        let object = try #require(try answer.objects().first)
        expect(object["status"] as? String, equals: status, "\(arguments)")
        if status != "maintenance" {
            expect(object["minVersion"] as? String, equals: minimum, "\(arguments)")
        }
    }

    @Test("A template with conditions asks for them, and contradictions are refused")
    func asked() throws {
        let open = try Self.decide(Self.template, [])
        expect(open.code, equals: 2)
        #expect(open.err.contains("--condition, or use --no-condition"), "\(open.err)")
        let both = try Self.decide(Self.template, ["--condition", "iOS", "--no-condition"])
        expect(both.code, equals: 2)
        #expect(both.err.contains("'iOS'"), "\(both.err)")
        let flat = try Self.decide(#"{"minVersion": "1"}"#, ["--no-condition"])
        expect(flat.code, equals: 2)
        #expect(flat.err.contains("is not a template"), "\(flat.err)")
    }

    @Test(
        "A value that only Firebase knows is named for what it is",
        arguments: [
            (#"{"rolloutValue": {"rolloutId": "r1", "value": "9", "percent": 5}}"#, "rolled out"),
            (#"{"personalizationValue": {"personalizationId": "p1"}}"#, "is personalised"),
            (
                #"{"experimentValue": {"experimentId": "e1", "variantValue": [{"value": "9"}]}}"#,
                "part of an experiment"
            ), (#"{"vlaue": "9"}"#, "found one with 'vlaue'"),
        ])
    func unknown(_ value: String, _ reason: String) throws {
        let used = "{\"parameters\": {\"minVersion\": {\"defaultValue\": \(value)}}}"
        let answer = try Self.decide(used, [])
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("field 'parameters.minVersion': "), "\(answer.err)")
        #expect(answer.err.contains(reason), "\(answer.err)")
        // One of another parameter, or under a condition that does not hold, decides nothing.
        let other = """
            {"conditions": [{"name": "beta"}], "parameters": {"colour": {"defaultValue": \(value)},
             "minVersion": {"defaultValue": {"value": "2"}, "conditionalValues": {"beta": \(value)}}}}
            """
        let read = try Self.decide(other, ["--no-condition"])
        expect(read.code, equals: 0, "\(read.err)")
        try expect(read.objects().first?["status"] as? String, equals: "forced")
    }

    @Test(
        "Numbers, booleans and objects with the settings inside are read",
        arguments: [
            #"{"minVersion": {"defaultValue": {"value": 2}}}"#,
            #"{"minVersion": {"defaultValue": {"value": 1.10}}}"#,
            #"{"maintenanceMode": {"valueType": "BOOLEAN", "defaultValue": {"value": true}}}"#,
            #"{"app": {"defaultValue": {"value": {"minVersion": "2.0.0", "theme": "x"}}}}"#,
            #"{"app": {"valueType": "JSON", "defaultValue": {"value": "{\"minVersion\": 2.0}"}}}"#,
        ])
    func forms(_ parameters: String) throws {
        let answer = try Self.decide("{\"parameters\": \(parameters)}", [])
        expect(answer.code, equals: 0, "\(answer.err)")
        let object = try #require(try answer.objects().first)
        let expected =
            parameters.contains("maintenance") ? "maintenance" : "forced"
        expect(object["status"] as? String, equals: expected, "\(object)")
        if parameters.contains("1.10") { expect(object["minVersion"] as? String, equals: "1.10") }
    }

    @Test("Settings inside an object have conditions and rollouts like any other")
    func inside() throws {
        let conditional = """
            {"conditions": [{"name": "KR"}], "parameters": {"app": {
              "defaultValue": {"value": "{\\"minVersion\\": \\"1.0\\"}"},
              "conditionalValues": {"KR": {"value": "{\\"minVersion\\": \\"3.0\\"}"}}}}}
            """
        try expect(Self.decide(conditional, []).code, equals: 2)
        let korea = try Self.decide(conditional, ["--condition", "KR"])
        try expect(korea.objects().first?["status"] as? String, equals: "forced", "\(korea.err)")
        let rollout = """
            {"parameters": {"app": {"defaultValue": {"rolloutValue": {"rolloutId": "r", \
            "value": "{\\"minVersion\\": \\"3.0\\"}", "percent": 10}}}}}
            """
        let unknown = try Self.decide(rollout, [])
        expect(unknown.code, equals: 2)
        #expect(unknown.err.contains("'parameters.app': the value is rolled out"), "\(unknown.err)")
        let twice = """
            {"parameters": {"minVersion": {"defaultValue": {"value": "1"}}, "app": \
            {"defaultValue": {"value": {"minVersion": "2"}}}}}
            """
        let refused = try Self.decide(twice, [])
        expect(refused.code, equals: 2)
        #expect(refused.err.contains("sets this key twice: as 'minVersion' and as 'app'"))
        let flat = try Self.decide(#"{"app_config": "{\"minVersion\": \"2.0\"}"}"#, [])
        try expect(flat.objects().first?["status"] as? String, equals: "forced", "\(flat.err)")
    }

    @Test("Warnings name keys and never values")
    func warnings() throws {
        let secret = "s3cr3t-value"
        let config = """
            {"parameters": {
             "apiKey": {"defaultValue": {"value": "\(secret)"}},
             "other": {"defaultValue": {"value": {"a": "\(secret)"}}},
             "minVersion": {"defaultValue": {"value": "\(secret)"}},
             "blackListVersionsKey": {"defaultValue": {"value": "\(secret), \(secret)"}},
             "optionalUpdateAlertDoneLinkURLKey": {"defaultValue": {"value": "\(secret)"}},
             "noticeAlertDismissedTerminateKey": {"defaultValue": {"value": "\(secret)"}},
             "noticeStartDateKey": {"defaultValue": {"value": "\(secret)"}}}}
            """
        let answer = try Self.decide(config, [])
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(!answer.err.contains(secret), "\(answer.err)")
        #expect(
            answer.err.contains(
                "2 keys are unknown and ignored: 'apiKey' and 'other'"))
        for key in ["minVersion", "blackListVersionsKey", "noticeStartDateKey"] {
            #expect(answer.err.contains("field '\(key)': found "), "\(answer.err)")
        }
    }
}
