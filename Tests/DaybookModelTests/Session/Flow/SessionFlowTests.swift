import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-login-check-result, s3-two-networks, s3-retried-once, s3-no-second-retry,
// s3-hundred-requests, s3-unauthorized, s3-other-errors
/// The examples of spec 1D, played against a scripted network.
@Suite struct SessionFlowTests {
    private typealias S = SessionSample

    private static func tree(_ json: String) -> Tree {
        (try? SessionNetwork.tree(json)) ?? Tree(.null, line: 1)
    }

    private static let newTokens =
        #"{"accessToken": "new_access_token_1", "refreshToken": "new_refresh_token_1", "#
        + #""expiresIn": 3600}"#

    /// Every request meets `first`, then `then`; the refresh takes 300 ms.
    private static func network(
        _ rules: Rules = .standard, first: String = #"{"status": 419}"#,
        then second: String = #"{"status": 200}"#, refresh: String = newTokens
    ) -> SessionNetwork {
        SessionNetwork(rules) { effect, asked in
            effect.name == "refresh"
                ? (tree(refresh), 300) : (tree(asked == 0 ? first : second), 100)
        }
    }

    private static func request(_ id: String) -> String {
        #"{"requestId": "\#(id)", "endpoint": "/stores", "device": "d1"}"#
    }

    @Test(arguments: [1, 5, 100], Rules.allCases)
    func manyRequestsShareOneRefresh(_ count: Int, _ rules: Rules) throws {
        var network = Self.network(rules)
        network.given([S.signedIn])
        for index in 1...count { try network.give("request", Self.request("r\(index)")) }
        try network.play()
        let state = network.log.overview
        expect(network.asks("refresh"), equals: 1)
        expect(network.asks("request"), equals: 2 * count)
        expect(state.startedRefreshCount, equals: 1)
        expect(state.joinedRefreshCount, equals: Int64(count - 1))
        expect(state.retryCount, equals: Int64(count))
        expect(state.failureCount, equals: 0)
        expect(state.session.generation, equals: 1)
        #expect(state.session.retriesDue.isEmpty)
        expect(state.unexpectedTransitions, equals: 0)
        #expect(network.refusals.isEmpty)
    }

    @Test(
        "A sign-in hands on what waited for it, and one with Google the baby's ids first",
        arguments: [
            ("google", ["household.sync", "offline-queue.flush"]),
            ("kakao", ["offline-queue.flush"]),
        ])
    func handsOn(_ provider: String, _ expected: [String]) throws {
        var network = Self.network()
        try network.give(
            "sign-in",
            #"{"userId": "u1", "provider": "\#(provider)", "family": "f1", "device": "d1", "#
                + #""accessToken": "a", "refreshToken": "r", "expiresInS": 60}"#)
        expect(network.handed, equals: expected)
        #expect(network.refusals.isEmpty)
    }

    @Test("Three waiters fail with the refresh")
    func threeWaitersFailWithTheRefresh() throws {
        var network = Self.network(refresh: #"{"status": 418}"#)
        network.given([S.signedIn])
        for index in 1...3 { try network.give("request", Self.request("r\(index)")) }
        try network.play()
        let state = network.log.overview
        expect(network.asks("request"), equals: 3)
        expect(state.startedRefreshCount, equals: 1)
        expect(state.failureCount, equals: 3)
        expect(state.retryCount, equals: 0)
        expect(state.lastClearReason, equals: .refresh418)
        expect(state.whyLogin, equals: .refresh418)
        expect(state.session.status, equals: .signedOut)
        expect(state.unexpectedTransitions, equals: 0)
    }

    @Test("A 419 after a finished refresh starts another one")
    func aLater419RefreshesAgain() throws {
        var network = Self.network()
        network.given([S.signedIn])
        try network.give("request", Self.request("r1"))
        try network.play()
        try network.give("request", Self.request("r2"))
        try network.play()
        expect(network.asks("refresh"), equals: 2)
        expect(network.log.overview.session.generation, equals: 2)
        expect(network.log.overview.retryCount, equals: 2)
    }

    struct Answer: Sendable {
        var json: String
        var reason: Session.ClearReason?
    }

    @Test(arguments: [
        Answer(json: #"{"status": 401}"#, reason: .unauthorized),
        Answer(json: #"{"status": 403}"#, reason: .forbidden),
        Answer(json: #"{"status": 418}"#, reason: .refresh418),
        Answer(json: #"{"status": 404}"#),
        Answer(json: #"{"status": 500}"#),
        Answer(json: #"{"failure": "network"}"#),
        Answer(json: #"{"failure": "timeout"}"#),
        Answer(json: #"{"status": 200}"#),
    ])
    func nothingButA419Refreshes(_ answer: Answer) throws {
        for rules in Rules.allCases {
            var network = Self.network(rules, first: answer.json)
            network.given([S.signedIn])
            try network.give("request", Self.request("r1"))
            try network.play()
            let state = network.log.overview
            expect(network.asks("refresh"), equals: 0)
            expect(network.asks("request"), equals: 1)
            expect(state.lastClearReason, equals: answer.reason)
            expect(state.session.status, equals: (answer.reason == nil ? .signedIn : .signedOut))
        }
    }

    @Test(arguments: Rules.allCases)
    func aLate419OfTheOldToken(_ rules: Rules) throws {
        var network = SessionNetwork(rules) { effect, asked in
            switch (effect.name, effect.id) {
            case ("refresh", _): (Self.tree(Self.newTokens), 300)
            case (_, "late") where asked == 0: (Self.tree(#"{"status": 419}"#), 1_000)
            default: (Self.tree(asked == 0 ? #"{"status": 419}"# : #"{"status": 200}"#), 100)
            }
        }
        // The flow was not there when the token was stored: it learns the generation in time.
        network.given([S.signedIn])
        try network.give("request", Self.request("late"))
        try network.give("request", Self.request("r1"))
        try network.play()
        let state = network.log.overview
        expect(network.asks("refresh"), equals: (rules == .standard ? 1 : 2))
        expect(state.retryCount, equals: 2)
        expect(state.session.generation, equals: (rules == .standard ? 1 : 2))
        expect(state.unexpectedTransitions, equals: 0)
    }

    @Test("A second 419 is not retried")
    func aSecond419IsNotRetried() throws {
        var network = Self.network(then: #"{"status": 419}"#)
        network.given([S.signedIn])
        try network.give("request", Self.request("r1"))
        try network.play()
        expect(network.asks("request"), equals: 2)
        expect(network.asks("refresh"), equals: 1)
        expect(network.log.overview.retryCount, equals: 1)
    }

    @Test("A retry that is answered with 401 clears the tokens")
    func aRetryThatMeets401Clears() throws {
        var network = Self.network(then: #"{"status": 401}"#)
        network.given([S.signedIn])
        try network.give("request", Self.request("r1"))
        try network.play()
        expect(network.log.overview.retryCount, equals: 1)
        expect(network.log.overview.lastClearReason, equals: .unauthorized)
        expect(network.log.overview.unexpectedTransitions, equals: 0)
    }

    @Test("Signing out during the refresh gives up")
    func signingOutDuringTheRefreshGivesUp() throws {
        var network = Self.network()
        network.given([S.signedIn])
        try network.give("request", Self.request("r1"))
        try network.play(until: 200)
        try network.give("sign-out", #"{"device": "d1"}"#)
        try network.play()
        let state = network.log.overview
        expect(network.asks("request"), equals: 1)
        expect(state.retryCount, equals: 0)
        expect(state.failureCount, equals: 1)
        expect(state.whyLogin, equals: .signedOut)
        #expect(network.refusals.isEmpty)
    }

    struct LoginCheck: Sendable {
        var signsIn: Bool
        var refresh: String
        var result: Launch.LoginResult
        var refreshes: Int
        var standard: Session.Status
        var source: Session.Status
    }

    @Test(arguments: [
        LoginCheck(
            signsIn: false, refresh: newTokens, result: .notLoggedIn, refreshes: 0,
            standard: .signedOut, source: .signedOut),
        LoginCheck(
            signsIn: true, refresh: newTokens, result: .loggedIn, refreshes: 1,
            standard: .signedIn, source: .signedIn),
        LoginCheck(
            signsIn: true,
            refresh: #"{"error": "TokenExpiredException", "#
                + #""message": "Refresh token has expired"}"#,
            result: .tokenRefreshFailed, refreshes: 1, standard: .signedOut, source: .signedOut),
        LoginCheck(
            signsIn: true, refresh: #"{"failure": "network"}"#, result: .tokenRefreshFailed,
            refreshes: 1, standard: .signedIn, source: .signedOut),
        LoginCheck(
            signsIn: true, refresh: #"{"status": 503}"#, result: .tokenRefreshFailed,
            refreshes: 1, standard: .signedIn, source: .signedOut),
    ])
    func checksTheLogin(_ check: LoginCheck) throws {
        for rules in Rules.allCases {
            var network = Self.network(rules, refresh: check.refresh)
            if check.signsIn {
                try network.give(
                    "sign-in",
                    #"{"userId": "u1", "provider": "kakao", "family": "f1", "device": "d1", "#
                        + #""accessToken": "a", "refreshToken": "expired", "expiresInS": 3600}"#)
            }
            network.given(S.atLogin("l1"))
            try network.give("check-login", #"{"launchId": "l1", "device": "d1"}"#)
            try network.play()
            let state = network.log.overview
            expect(state.lastLogin, equals: check.result)
            expect(network.asks("refresh"), equals: check.refreshes)
            expect(
                state.session.status, equals: (rules == .standard ? check.standard : check.source))
            expect(state.session.launchId, equals: "l1")
            for effect in network.effects {
                expect(effect.detail, equals: S.digest("expired").description)
                expect(effect.id, equals: "f1-g0")
            }
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"status": 200, "failure": "network"}"#, #"{"status": "200"}"#,
        #"{"states": 200}"#,
    ])
    func badAnswersAreSaid(_ json: String) throws {
        var network = Self.network(first: json)
        network.given([S.signedIn])
        try network.give("request", Self.request("r1"))
        #expect(throws: InputError.self) { try network.play() }
    }
}
