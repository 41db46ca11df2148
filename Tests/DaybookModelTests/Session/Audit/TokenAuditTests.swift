import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s3-no-retry-after-clearing
/// Mistakes planted in histories of sessions.
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

    private static func failed(
        _ kind: Session.RefreshFailure, cleared: Bool, httpStatus: Int64? = nil
    ) -> Session.TokenRefreshFailed {
        var event = Session.TokenRefreshFailed()
        (event.refreshId, event.family, event.device) = ("r", "f", "d")
        event.kind = kind
        event.clearsTokens = cleared
        event.httpStatus = httpStatus
        return event
    }

    private static var expired: Session.TokenExpiryObserved {
        var event = Session.TokenExpiryObserved()
        (event.requestId, event.family, event.device) = ("q", "f", "d")
        event.status = 419
        return event
    }

    private static var launched: Launch.AppLaunched {
        var event = Launch.AppLaunched()
        (event.launchId, event.device) = ("l", "d")
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
        event.isWithinGrace = withinGrace
        return event
    }

    @Test(
        "Each planted mistake of a session is found by its rule alone",
        arguments: [
            Planted("nothing is wrong", [signedIn, started("r"), refreshed("r")]),
            Planted(
                "two at once", [signedIn, started("r"), started("s")], finds: "T1 3 device:d"),
            Planted(
                "one that was never started", [signedIn, refreshed("r")], finds: "T2 2 device:d"),
            Planted(
                "a retry without tokens", [signedIn, cleared, retried], finds: "T3 3 device:d"),
            Planted("a retry that is not due", [signedIn, retried], finds: "T3 2 device:d"),
            Planted(
                "a generation too far", [signedIn, started("r"), refreshed("r", to: 2)],
                finds: "T4 3 device:d"),
            Planted("an end that never came", [signedIn, expired], finds: "T5 2 device:d"),
            Planted("an end that its process took with it", [signedIn, expired, launched]),
            Planted(
                "an abandoned refresh makes room for the next",
                [
                    signedIn, started("r"), failed(.abandoned, cleared: false), launched,
                    started("s"), refreshed("s"),
                ]),
            Planted(
                "an answer to a refresh that was abandoned",
                [
                    signedIn, started("r"), failed(.abandoned, cleared: false), launched,
                    refreshed("r"), started("s"), refreshed("s"),
                ], finds: "T2 5 device:d"),
            Planted(
                "a failure that is told after the next refresh began",
                [
                    signedIn, started("r"), failed(.abandoned, cleared: false), expired,
                    started("s"), failed(.network, cleared: false),
                ], finds: "T2 6 device:d"),
            Planted("signed in twice", [signedIn, signedIn], finds: "T9 2 device:d"),
            Planted("nothing to clear", [signedIn, cleared, cleared], finds: "T9 3 device:d"),
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
                "tokens cleared by a broken server",
                [signedIn, started("r"), failed(.server, cleared: true, httpStatus: 500), cleared],
                finds: "T8 3 device:d"),
            Planted(
                "a server that said no with 401",
                [signedIn, started("r"), failed(.server, cleared: true, httpStatus: 401), cleared]),
            Planted(
                "a server that said no with 403",
                [signedIn, started("r"), failed(.server, cleared: true, httpStatus: 403), cleared]),
            Planted(
                "a server that said no with 418",
                [signedIn, started("r"), failed(.server, cleared: true, httpStatus: 418), cleared]),
            Planted(
                "an expired token is cleared",
                [signedIn, started("r"), failed(.expired, cleared: true), cleared]),
        ])
    func sessions(_ planted: LaunchAuditTests.Planted) throws {
        #expect(try AuditHistory(facts: planted.facts).found() == planted.found)
    }

    @Test("A state keeps the last step that is not allowed, under the code it always had")
    func lastUnexpected() {
        let steps: [([Session.Event], String)] = [
            (
                [.tokenRefreshStarted(Self.started("r"))],
                "T6: a refresh was started without a stored token"
            ),
            (
                [.signedIn(Self.signedIn), .requestRetried(Self.retried)],
                "T5: a request was retried that had no retry due"
            ),
            (
                [.signedIn(Self.signedIn), .signedIn(Self.signedIn)],
                "signed in while signed in"
            ),
        ]
        for (events, sentence) in steps {
            var log = SessionLog()
            log.append(events.map { .session($0) }, at: .epoch)
            #expect(log.overview.lastUnexpected == sentence)
            #expect(log.overview.unexpectedTransitions == 1)
        }
    }
}
