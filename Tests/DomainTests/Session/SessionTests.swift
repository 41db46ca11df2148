import CivilTime
import EventSourcing
import TestSupport
import Testing

@testable import Domain

@Suite struct SessionTests {
    private typealias S = SessionSample
    private typealias Sentence = Example<Session>

    @Test(arguments: [
        Sentence(
            "a first sign-in stores generation 0", when: S.signIn, then: .success([S.signedIn])),
        Sentence(
            "signing in twice is refused",
            given: [S.signedIn],
            when: .signIn(
                Session.SignIn(
                    userId: "u2", provider: .apple, family: "f2", device: S.device,
                    accessHash: .blank, refreshHash: .blank, expiresInS: 1)),
            then: .failure(.alreadySignedIn(family: "f1"))),
        Sentence(
            "a family belongs to one sign-in",
            given: [S.signedIn, S.cleared(.signOut), S.signedOut],
            when: S.signIn, then: .failure(.familyAlreadyUsed("f1"))),
        Sentence(
            "signing out clears the tokens",
            given: [S.signedIn],
            when: .signOut(Session.SignOut(device: S.device)),
            then: .success([S.cleared(.signOut), S.signedOut])),
        Sentence(
            "signing out twice does nothing",
            given: [S.signedIn, S.cleared(.signOut), S.signedOut],
            when: .signOut(Session.SignOut(device: S.device)), then: .success([])),
        Sentence(
            "clearing tokens that are gone does nothing",
            when: .clearTokens(Session.ClearTokens(device: S.device, reason: .expired)),
            then: .success([])),
    ])
    private func signs(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "no stored token: not logged in, without a refresh",
            when: S.check("l1"), then: .success([S.checked("l1", .notLoggedIn)])),
        Sentence(
            "a stored token is refreshed at every launch",
            given: [S.signedIn, S.checked("l0", .loggedIn)],
            when: S.check("l1"), then: .success([S.started(.launch, launch: "l1")])),
        Sentence(
            "a launch checks once",
            given: [S.signedIn, S.checked("l1", .loggedIn)],
            when: S.check("l1"), then: .failure(.alreadyChecked(launchId: "l1"))),
        Sentence(
            "a launch that waits does not check again",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: S.check("l1"), then: .failure(.alreadyChecked(launchId: "l1"))),
        Sentence(
            "a launch joins the refresh under way",
            given: [S.signedIn, S.started()],
            when: S.check("l1"), then: .success([S.joined(launch: "l1")])),
        Sentence(
            "with the option, a token that lasts is not refreshed",
            given: [S.signedIn],
            when: S.check("l1", marginS: 3_599), then: .success([S.checked("l1", .loggedIn)])),
        Sentence(
            "with the option, a token that ends within the margin is refreshed",
            given: [S.signedIn],
            when: S.check("l1", marginS: 3_600),
            then: .success([S.started(.launch, launch: "l1")])),
        Sentence(
            "the refresh tells the launch",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: S.record(),
            then: .success([S.refreshed(), S.checked("l1", .loggedIn, "f1-g0")])),
        Sentence(
            "an expired refresh token tells the launch and deletes",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: S.fail(.expired),
            then: .success([
                S.failed(.expired, cleared: true), S.cleared(.expired),
                S.checked("l1", .tokenRefreshFailed, "f1-g0"),
            ])),
        Sentence(
            "signing out during the refresh tells the launch",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: .signOut(Session.SignOut(device: S.device)),
            then: .success([
                S.cleared(.signOut), S.checked("l1", .tokenRefreshFailed, "f1-g0"), S.signedOut,
            ])),
        Sentence(
            "after a failed refresh the next launch is not logged in",
            given: [
                S.signedIn, S.started(), S.failed(.expired, cleared: true), S.cleared(.expired),
            ],
            when: S.check("l2"), then: .success([S.checked("l2", .notLoggedIn)])),
    ])
    private func checksLogin(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "419 starts a refresh",
            given: [S.signedIn], when: S.observe("r1", 419),
            then: .success([S.observed("r1"), S.started(request: "r1")])),
        Sentence(
            "419 during a refresh joins it",
            given: [S.signedIn, S.observed("r1"), S.started(request: "r1")],
            when: S.observe("r2", 419),
            then: .success([S.observed("r2"), S.joined(request: "r2")])),
        Sentence(
            "the same 419 twice does nothing",
            given: [S.signedIn, S.observed("r1"), S.started(request: "r1")],
            when: S.observe("r1", 419), then: .success([])),
        Sentence(
            "401 clears", given: [S.signedIn], when: S.observe("r1", 401),
            then: .success([S.observed("r1", 401), S.cleared(.unauthorized)])),
        Sentence(
            "403 clears", given: [S.signedIn], when: S.observe("r1", 403),
            then: .success([S.observed("r1", 403), S.cleared(.forbidden)])),
        Sentence(
            "418 clears", given: [S.signedIn], when: S.observe("r1", 418),
            then: .success([S.observed("r1", 418), S.cleared(.refresh418)])),
        Sentence(
            "another 4xx keeps the tokens", given: [S.signedIn], when: S.observe("r1", 404),
            then: .success([])),
        Sentence(
            "5xx keeps the tokens", given: [S.signedIn], when: S.observe("r1", 500),
            then: .success([])),
        Sentence(
            "no answer keeps the tokens", given: [S.signedIn], when: S.observe("r1", nil),
            then: .success([])),
        Sentence(
            "401 with nothing stored does nothing", when: S.observe("r1", 401), then: .success([])),
        Sentence(
            "no refresh without a stored token",
            when: S.observe("r1", 419), then: .failure(.notSignedIn)),
        Sentence(
            "no refresh asked for without a stored token",
            when: .startRefresh(Session.StartRefresh(device: S.device, rules: .standard)),
            then: .failure(.notSignedIn)),
        Sentence(
            "a generation that is not there yet",
            given: [S.signedIn], when: S.observe("r1", 419, generation: 1),
            then: .failure(.unknownGeneration(1, current: 0))),
    ])
    private func observes(_ example: Sentence) { example.check() }

    private static let rotated = [
        S.signedIn, S.observed("r1"), S.started(request: "r1"), S.refreshed(),
    ]

    @Test(arguments: [
        Sentence(
            "a late 419 of the old token is retried with the current one",
            given: rotated, when: S.observe("r2", 419, generation: 0),
            then: .success([S.observed("r2")])),
        Sentence(
            "source: a late 419 starts a second refresh",
            given: rotated, when: S.observe("r2", 419, generation: 0, .source),
            then: .success([
                S.observed("r2", generation: 0, .source),
                S.started(id: "f1-g1", from: 1, token: "new refresh", request: "r2"),
            ])),
        Sentence(
            "a later 419 of the current token starts a second refresh",
            given: rotated, when: S.observe("r2", 419, generation: 1),
            then: .success([
                S.observed("r2", generation: 1),
                S.started(id: "f1-g1", from: 1, token: "new refresh", request: "r2"),
            ])),
        Sentence(
            "the same answer twice does nothing", given: rotated, when: S.record(),
            then: .success([])),
        Sentence(
            "an answer to no refresh is dropped",
            given: [S.signedIn, S.started(), S.cleared(.unauthorized)],
            when: S.record(), then: .failure(.noSuchRefresh("f1-g0"))),
        Sentence(
            "one retry",
            given: rotated, when: S.retry("r1"),
            then: .success([
                .requestRetried(
                    Session.RequestRetried(
                        requestId: "r1", refreshId: "f1-g0", generation: 1, outcomeStatus: 200,
                        family: S.family, device: S.device))
            ])),
        Sentence(
            "no retry after the tokens were cleared",
            given: rotated + [S.cleared(.forbidden)], when: S.retry("r1"),
            then: .failure(.noRetryDue(requestId: "r1"))),
        Sentence(
            "no retry of what waits",
            given: Array(rotated.dropLast()), when: S.retry("r1"),
            then: .failure(.noRetryDue(requestId: "r1"))),
        Sentence(
            "the second try from a generation has a name of its own",
            given: [S.signedIn, S.started(), S.failed(.network, cleared: false)],
            when: S.observe("r2", 419),
            then: .success([S.observed("r2"), S.started(id: "f1-g0-2", request: "r2")])),
    ])
    private func refreshes(_ example: Sentence) { example.check() }
}
