import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-check-follows-rules, s0-to-int-or-zero, s2-nothing-unasked
/// Mistakes planted in histories of launches.
@Suite struct LaunchAuditTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: [any EventPayload]
        var found: [String]

        init(_ sentence: String, _ facts: [any EventPayload], finds found: String...) {
            testDescription = sentence
            self.facts = facts
            self.found = found
        }
    }

    private static func launched(
        _ id: String = "l", _ version: String = "1.0.0"
    ) -> Launch.AppLaunched {
        var launched = Launch.AppLaunched()
        launched.launchId = id
        launched.appVersion = version
        launched.device = "d"
        return launched
    }

    private static func config(
        _ change: (inout Launch.Config) -> Void = { _ in }
    ) -> Launch.RemoteConfigFetched {
        var config = Launch.Config()
        change(&config)
        return Launch.RemoteConfigFetched(
            launchId: "l", device: "d", configDigest: .blank, source: .network, latencyMs: 1,
            config: config)
    }

    private static func checked(
        _ change: (inout Launch.AppVersionChecked) -> Void = { _ in }
    ) -> Launch.AppVersionChecked {
        var check = Launch.AppVersionChecked()
        check.launchId = "l"
        check.device = "d"
        check.currentVersion = "1.0.0"
        change(&check)
        return check
    }

    /// A check that finds the version below the lowest one.
    private static var forced: Launch.AppVersionChecked {
        checked {
            $0.result = .needsUpdate
            $0.reason = .minVersion
            $0.launchStatus = .forced
            $0.minVersion = "1.0.1"
            $0.targetVersion = "1.0.1"
        }
    }

    private static var login: Launch.LoginStatusChecked {
        var login = Launch.LoginStatusChecked()
        login.launchId = "l"
        login.device = "d"
        return login
    }

    private static var ended: Launch.AppTerminated {
        var end = Launch.AppTerminated()
        (end.launchId, end.cause) = ("l", .user)
        return end
    }

    private static func prompt(
        _ kind: Launch.UpdateKind, _ version: String? = nil, _ url: String? = nil
    ) -> Launch.UpdatePromptShown {
        var prompt = Launch.UpdatePromptShown()
        prompt.targetVersion = version
        prompt.url = url
        prompt.launchId = "l"
        prompt.kind = kind
        return prompt
    }

    private static var notice: Launch.NoticeShown {
        var notice = Launch.NoticeShown()
        notice.launchId = "l"
        notice.noticeDigest = Digest(bits: 5)
        return notice
    }

    @Test(
        "Each planted mistake of a launch is found by its rule alone",
        arguments: [
            Planted("nothing is wrong", [launched(), config(), checked(), login]),
            Planted("a login before the check", [launched(), login], finds: "L1 2 launch:l"),
            Planted(
                "a login after maintenance",
                [
                    launched(), config { $0.maintenance.isOn = true },
                    checked {
                        $0.result = .maintenance
                        $0.launchStatus = .maintenance
                    }, login,
                ], finds: "L1 4 launch:l", "L2 4 launch:l"),
            Planted(
                "two logins", [launched(), config(), checked(), login, login],
                finds: "L2 5 launch:l"),
            Planted(
                "a login after the app was closed",
                [launched(), config(), checked(), ended, login], finds: "L2 5 launch:l"),
            Planted("a closed app", [launched(), config(), checked(), login, ended]),
            Planted(
                "a login while the update is offered",
                [
                    launched(),
                    config {
                        $0.optional = Launch.UpdateOffer(version: "2", url: "https://example.com")
                    },
                    checked {
                        $0.pending = [.optional]
                        $0.launchStatus = .optional
                        ($0.targetVersion, $0.url) = ("2", "https://example.com")
                    }, login,
                ], finds: "L10 4 launch:l"),
            Planted(
                "a version that is checked twice", [launched(), config(), checked(), checked()],
                finds: "L10 4 launch:l"),
            Planted(
                "a version that is none", [launched(), config { $0.minVersion = "one" }],
                finds: "L3 2 launch:l"),
            Planted(
                "a blocked version that is none",
                [launched(), config { $0.blacklist = ["1.0", " ", "?"] }], finds: "L3 2 launch:l"),
            Planted(
                "a force without a link", [launched(), config { $0.force.version = "2.0.0" }],
                finds: "L4 2 launch:l"),
            Planted(
                "a notice that ends before it starts",
                [
                    launched(),
                    config {
                        var notice = Launch.Notice()
                        notice.start = Instant(microseconds: 2)
                        notice.end = Instant(microseconds: 2)
                        $0.notice = notice
                    },
                ], finds: "L5 2 launch:l"),
            Planted(
                "an older app on the same device",
                [launched("a", "1.10.0"), launched("b", "1.9.0"), launched("c", "1.9.0")],
                finds: "L6 2 launch:b"),
            Planted(
                "a check that lets an old version through",
                [launched(), config { $0.minVersion = "1.0.1" }, checked()],
                finds: "L7 3 launch:l"),
            Planted(
                "a check of another version than the launch's",
                [launched(), config(), checked { $0.currentVersion = "1.0.1" }],
                finds: "L9 3 launch:l"),
            Planted(
                "a check whose link is not the config's",
                [launched(), config(), checked { $0.url = "https://example.com/other" }],
                finds: "L9 3 launch:l"),
            Planted(
                "a check whose lowest version is not the config's",
                [
                    launched(), config { $0.minVersion = "0.9.0" },
                    checked { $0.minVersion = "0.8.0" },
                ],
                finds: "L9 3 launch:l"),
            Planted(
                "a check with the config's lowest version has no finding",
                [
                    launched(), config { $0.minVersion = "0.9.0" },
                    checked { $0.minVersion = "0.9.0" },
                ]),
            Planted(
                "a prompt whose link is not the check's",
                [
                    launched(), config { $0.minVersion = "1.0.1" }, forced,
                    prompt(.force, "1.0.1", "https://example.com/other"),
                ], finds: "L9 4 launch:l"),
            Planted(
                "an update taken up at a link that is not the check's",
                [
                    launched(), config { $0.minVersion = "1.0.1" }, forced,
                    prompt(.force, "1.0.1"),
                    Launch.UpdateAccepted(launchId: "l", url: "https://example.com/other"),
                ], finds: "L9 5 launch:l"),
            Planted(
                "an update skipped that is not the check's",
                [
                    launched(),
                    config {
                        $0.optional.version = "1.0.1"
                        $0.optional.url = "https://example.com/app"
                    },
                    checked {
                        $0.launchStatus = .optional
                        $0.pending = [.optional]
                        $0.targetVersion = "1.0.1"
                        $0.url = "https://example.com/app"
                    }, prompt(.optional, "1.0.1", "https://example.com/app"),
                    Launch.OptionalUpdateSkipped(launchId: "l", targetVersion: "7.7"),
                ], finds: "L9 5 launch:l"),
            Planted(
                "a prompt that nothing asked for",
                [launched(), config(), checked(), prompt(.force), prompt(.optional)],
                finds: "L8 4 launch:l", "L8 5 launch:l"),
            Planted(
                "a notice that nothing asked for", [launched(), config(), checked(), notice],
                finds: "L8 4 launch:l"),
        ])
    func launches(_ planted: Planted) throws {
        #expect(try AuditHistory(facts: planted.facts).found() == planted.found)
    }
}
