import Daybook
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct VersionCheckTests {
    typealias Event = Launch.VersionCheck.Event

    static func launched(_ id: String, _ version: String) -> Event {
        .appLaunched(
            Launch.AppLaunched(
                launchId: id, appVersion: version, platform: .linux, firstLaunch: false,
                device: "d1"))
    }

    @Test("The last launch and what it was told")
    func keepsTheLast() {
        let state = SplashTests.fold(
            Launch.VersionCheck.self,
            [
                Self.launched("l0", "1.0"), Self.launched("l1", "1.0.0"),
                .appVersionChecked(LaunchTests.forced), Self.launched("l2", "2.0"),
            ])
        expect(state.device, equals: "d1")
        expect(state.lastLaunchId, equals: "l2")
        expect(state.launchCount, equals: 3)
        expect(state.appVersion, equals: "2.0")
        expect(state.checkedVersion, equals: "1.0.0")
        expect(state.launchStatus, equals: .forced)
        expect(state.reason, equals: .minVersion)
        expect(state.downgradeCount, equals: 0)
    }

    @Test("A lower version than before is counted, an unreadable one is not")
    func countsDowngrades() {
        let state = SplashTests.fold(
            Launch.VersionCheck.self,
            ["2.0.6", "v2.0.2", "2.0.2", "?", "1.0", "V1.0.0"].enumerated().map {
                Self.launched("l\($0)", $1)
            })
        expect(state.downgradeCount, equals: 1)
    }

    @Test("A skip is remembered once, and only where that was asked")
    func remembersSkips() {
        let state = SplashTests.fold(
            Launch.VersionCheck.self,
            [
                .optionalUpdateSkipped(LaunchTests.skipped("l0")),
                .optionalUpdateSkipped(LaunchTests.skipped("l1")),
                .optionalUpdateSkipped(
                    Launch.OptionalUpdateSkipped(
                        launchId: "l2", targetVersion: "3", remember: false, device: "d1")),
            ])
        expect(state.skipped, equals: ["2.0"])
    }
}

// Holds: s0-version-check-result, s0-chain-maintenance
/// Spec 1A: from a config and a version to the screen, without a prompt in between.
@Suite struct LaunchChainTests {
    static let chains: [(String, Launch.LoginResult?, Launch.Splash.Screen, String?)] = [
        (#"{"minVersion":"1.0.0"}"#, .notLoggedIn, .navigateToLogin, nil),
        (#"{"minVersion":"1.0.0"}"#, .tokenRefreshFailed, .navigateToLogin, nil),
        (#"{"minVersion":"1.0.0"}"#, .loggedIn, .navigateToHome, nil),
        (#"{"minVersion":"1.0.1","latestVersion":"1.2.0"}"#, nil, .forceUpdate, nil),
        (
            #"{"maintenanceMode":true,"maintenanceMessage":"점검 중","minVersion":"9"}"#, nil,
            .error, "점검 중"
        ),
        (
            #"{"maintenanceMode":true,"maintenanceMessage":""}"#, nil, .error,
            LaunchDecision.maintenanceMessage
        ),
    ]

    @Test(arguments: chains)
    func leadsToTheScreen(
        _ json: String, _ login: Launch.LoginResult?, _ screen: Launch.Splash.Screen,
        _ message: String?
    ) throws {
        let config = try Sample.config(json).config
        var state = Launch.State()
        let given: [Launch.Event] = [
            .appLaunched(LaunchTests.launched), .remoteConfigFetched(LaunchTests.fetched(config)),
        ]
        let envelope = Envelope(position: .origin, occurredAt: Sample.now, recordedAt: Sample.now)
        for event in given { Launch.evolve(&state, with: event, envelope) }
        let decided = try LaunchTests.check().decide(state, now: Sample.now)
        guard case .appVersionChecked(let check) = try #require(decided.first) else {
            Issue.record("no check")
            return
        }
        let splash = SplashTests.fold(
            Launch.Splash.self,
            [SplashTests.launched, .appVersionChecked(check)]
                + (login.map { [SplashTests.login($0)] } ?? []))
        expect(splash.state, equals: screen)
        expect(splash.message, equals: message)
        expect(splash.unexpectedTransitions, equals: 0)
        expect(check.latestVersion, equals: config.latestVersion)
    }
}
