import CivilTime
import EventSourcing
import TestSupport
import Testing

@testable import Domain

/// Mistakes that were planted in histories of launches and sessions.
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

    private static var login: Session.LoginStatusChecked {
        var login = Session.LoginStatusChecked()
        login.launchId = "l"
        login.device = "d"
        return login
    }

    private static func prompt(_ kind: Launch.UpdateKind) -> Launch.UpdatePromptShown {
        var prompt = Launch.UpdatePromptShown()
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
        "each planted mistake of a launch is found by its rule alone",
        arguments: [
            Planted("nothing is wrong", [launched(), config(), checked(), login]),
            Planted("a login before the check", [launched(), login], finds: "L1 2 launch:l"),
            Planted(
                "a login after maintenance",
                [
                    launched(), config { $0.maintenance.mode = true },
                    checked {
                        $0.result = .maintenance
                        $0.primary = .maintenance
                    }, login,
                ], finds: "L1 4 launch:l", "L2 4 launch:l"),
            Planted(
                "two logins", [launched(), config(), checked(), login, login],
                finds: "L2 5 launch:l"),
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
                        notice.startUs = 2
                        notice.endUs = 2
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

@Suite struct TokenAuditTests {
    private typealias Planted = LaunchAuditTests.Planted

    private static var signedIn: Session.SignedIn {
        var event = Session.SignedIn()
        (event.userId, event.family, event.device) = ("u", "f", "d")
        return event
    }

    private static func started(_ id: String, from generation: Int64 = 0)
        -> Session.TokenRefreshStarted
    {
        var event = Session.TokenRefreshStarted()
        (event.refreshId, event.family, event.device) = (id, "f", "d")
        event.fromGeneration = generation
        return event
    }

    private static func refreshed(_ id: String, to generation: Int64 = 1)
        -> Session.TokenRefreshed
    {
        var event = Session.TokenRefreshed()
        (event.refreshId, event.family, event.device) = (id, "f", "d")
        event.toGeneration = generation
        return event
    }

    private static func failed(_ kind: Session.RefreshFailure, cleared: Bool)
        -> Session.TokenRefreshFailed
    {
        var event = Session.TokenRefreshFailed()
        (event.refreshId, event.family, event.device) = ("r", "f", "d")
        event.kind = kind
        event.tokensCleared = cleared
        return event
    }

    private static var expired: Session.TokenExpiryObserved {
        var event = Session.TokenExpiryObserved()
        (event.requestId, event.family, event.device) = ("q", "f", "d")
        event.status = 419
        return event
    }

    private static var retried: Session.RequestRetried {
        var event = Session.RequestRetried()
        (event.requestId, event.family, event.device) = ("q", "f", "d")
        return event
    }

    private static var cleared: Session.TokensCleared {
        var event = Session.TokensCleared()
        (event.family, event.device) = ("f", "d")
        return event
    }

    private static func reused(withinGrace: Bool) -> Session.RefreshTokenReuseDetected {
        var event = Session.RefreshTokenReuseDetected()
        (event.family, event.device) = ("f", "d")
        event.withinGrace = withinGrace
        return event
    }

    @Test(
        "each planted mistake of a session is found by its rule alone",
        arguments: [
            Planted("nothing is wrong", [signedIn, started("r"), refreshed("r")]),
            Planted(
                "two at once", [signedIn, started("r"), started("s")], finds: "T1 3 device:d"),
            Planted(
                "one that was never started", [signedIn, refreshed("r")], finds: "T2 2 device:d"),
            Planted(
                "a retry without tokens", [signedIn, cleared, retried], finds: "T3 3 device:d"),
            Planted(
                "a generation too far", [signedIn, started("r"), refreshed("r", to: 2)],
                finds: "T4 3 device:d"),
            Planted("an end that never came", [signedIn, expired], finds: "T5 2 device:d"),
            Planted("an end that is under way", [signedIn, expired, started("r")]),
            Planted(
                "a refresh of nothing", [started("r")], finds: "T6 1 device:d"),
            Planted(
                "a reuse that changed nothing", [signedIn, reused(withinGrace: false)],
                finds: "T7 2 device:d"),
            Planted("a reuse in time", [signedIn, reused(withinGrace: true)]),
            Planted(
                "a tunnel that logged somebody out",
                [signedIn, started("r"), failed(.network, cleared: true), cleared],
                finds: "T8 3 device:d"),
            Planted(
                "an expired token is cleared",
                [signedIn, started("r"), failed(.expired, cleared: true), cleared]),
        ])
    func sessions(_ planted: LaunchAuditTests.Planted) throws {
        #expect(try AuditHistory(facts: planted.facts).found() == planted.found)
    }
}
