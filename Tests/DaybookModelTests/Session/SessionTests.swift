import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-no-token, s0-refresh-each-launch, s0-refresh-needs-token, s0-tokens-gone,
// s0-refresh-when-due, s3-detects-419, s3-joins-refresh, s3-no-retry-after-clearing,
// s3-refresh-when-due, s3-no-answer, s3-keychain, s3-refresh-needs-token, s3-one-sign-in
@Suite struct SessionTests {
    private typealias S = SessionSample
    private typealias Sentence = CommandExample<Device>

    @Test(arguments: [
        Sentence(
            "a first sign-in stores generation 0", when: S.signIn, then: .events([S.signedIn])),
        Sentence(
            "signing in twice is refused",
            given: [S.signedIn],
            when: Session.SignIn(
                userId: "u2", provider: .apple, family: "f2", device: S.device,
                accessHash: .blank, refreshHash: .blank, expiresInS: 1),
            then: .refused("alreadySignedIn")),
        Sentence(
            "a family belongs to one sign-in",
            given: [S.signedIn, S.cleared(.signOut), S.signedOut],
            when: S.signIn, then: .refused("familyAlreadyUsed")),
        Sentence(
            "signing out clears the tokens",
            given: [S.signedIn],
            when: Session.SignOut(device: S.device),
            then: .events([S.cleared(.signOut), S.signedOut])),
        Sentence(
            "signing out twice does nothing",
            given: [S.signedIn, S.cleared(.signOut), S.signedOut],
            when: Session.SignOut(device: S.device), then: .events([])),
        Sentence(
            "clearing tokens that are gone does nothing",
            when: Session.ClearTokens(device: S.device, reason: .expired),
            then: .events([])),
    ])
    private func signs(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "no stored token: not logged in, without a refresh",
            given: S.atLogin("l1"), when: S.check("l1"),
            then: .events([S.checked("l1", .notLoggedIn)])),
        Sentence(
            "a stored token is refreshed at every launch",
            given: [S.signedIn, S.checked("l0", .loggedIn)] + S.atLogin("l1"),
            when: S.check("l1"), then: .events([S.started(.launch, launch: "l1")])),
        Sentence(
            "a launch checks once",
            given: [S.signedIn] + S.atLogin("l1") + [S.checked("l1", .loggedIn)],
            when: S.check("l1"), then: .refused("alreadyChecked")),
        Sentence(
            "a launch that waits does not check again",
            given: [S.signedIn] + S.atLogin("l1") + [S.started(.launch, launch: "l1")],
            when: S.check("l1"), then: .refused("alreadyChecked")),
        Sentence(
            "a launch joins the refresh under way",
            given: [S.signedIn] + S.atLogin("l1") + [S.started()],
            when: S.check("l1"), then: .events([S.joined(launch: "l1")])),
        Sentence(
            "with the option, a token that lasts is not refreshed",
            given: [S.signedIn] + S.atLogin("l1"),
            when: S.check("l1", marginS: 3_599), then: .events([S.checked("l1", .loggedIn)])),
        Sentence(
            "with the option, a token that ends within the margin is refreshed",
            given: [S.signedIn] + S.atLogin("l1"),
            when: S.check("l1", marginS: 3_600),
            then: .events([S.started(.launch, launch: "l1")])),
        Sentence(
            "the refresh tells the launch",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: S.record(),
            then: .events([S.refreshed(), S.checked("l1", .loggedIn, "f1-g0")])),
        Sentence(
            "an expired refresh token tells the launch and deletes",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: S.fail(.expired),
            then: .events([
                S.failed(.expired, cleared: true), S.cleared(.expired),
                S.checked("l1", .tokenRefreshFailed, "f1-g0"),
            ])),
        Sentence(
            "signing out during the refresh tells the launch",
            given: [S.signedIn, S.started(.launch, launch: "l1")],
            when: Session.SignOut(device: S.device),
            then: .events([
                S.cleared(.signOut), S.checked("l1", .tokenRefreshFailed, "f1-g0"), S.signedOut,
            ])),
        Sentence(
            "after a failed refresh the next launch is not logged in",
            given: [
                S.signedIn, S.started(), S.failed(.expired, cleared: true), S.cleared(.expired),
            ] + S.atLogin("l2"),
            when: S.check("l2"), then: .events([S.checked("l2", .notLoggedIn)])),
    ])
    private func checksLogin(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "419 starts a refresh",
            given: [S.signedIn], when: S.observe("r1", 419),
            then: .events([S.observed("r1"), S.started(request: "r1")])),
        Sentence(
            "419 during a refresh joins it",
            given: [S.signedIn, S.observed("r1"), S.started(request: "r1")],
            when: S.observe("r2", 419),
            then: .events([S.observed("r2"), S.joined(request: "r2")])),
        Sentence(
            "the same 419 twice does nothing",
            given: [S.signedIn, S.observed("r1"), S.started(request: "r1")],
            when: S.observe("r1", 419), then: .events([])),
        Sentence(
            "401 clears", given: [S.signedIn], when: S.observe("r1", 401),
            then: .events([S.observed("r1", 401), S.cleared(.unauthorized)])),
        Sentence(
            "403 clears", given: [S.signedIn], when: S.observe("r1", 403),
            then: .events([S.observed("r1", 403), S.cleared(.forbidden)])),
        Sentence(
            "418 clears", given: [S.signedIn], when: S.observe("r1", 418),
            then: .events([S.observed("r1", 418), S.cleared(.refresh418)])),
        Sentence(
            "another 4xx keeps the tokens", given: [S.signedIn], when: S.observe("r1", 404),
            then: .events([])),
        Sentence(
            "5xx keeps the tokens", given: [S.signedIn], when: S.observe("r1", 500),
            then: .events([])),
        Sentence(
            "no answer keeps the tokens", given: [S.signedIn], when: S.observe("r1", nil),
            then: .events([])),
        Sentence(
            "401 with nothing stored does nothing", when: S.observe("r1", 401), then: .events([])),
        Sentence(
            "no refresh without a stored token",
            when: S.observe("r1", 419), then: .refused("notSignedIn")),
        Sentence(
            "no refresh asked for without a stored token",
            when: Session.StartRefresh(device: S.device, rules: .standard),
            then: .refused("notSignedIn")),
        Sentence(
            "a generation that is not there yet",
            given: [S.signedIn], when: S.observe("r1", 419, generation: 1),
            then: .refused("unknownGeneration")),
    ])
    private func observes(_ example: Sentence) { example.check() }

    private static let rotated = [
        S.signedIn, S.observed("r1"), S.started(request: "r1"), S.refreshed(),
    ]

    @Test(arguments: [
        Sentence(
            "a late 419 of the old token is retried with the current one",
            given: rotated, when: S.observe("r2", 419, generation: 0),
            then: .events([S.observed("r2")])),
        Sentence(
            "source: a late 419 starts a second refresh",
            given: rotated, when: S.observe("r2", 419, generation: 0, .source),
            then: .events([
                S.observed("r2", generation: 0, .source),
                S.started(id: "f1-g1", from: 1, token: "new refresh", request: "r2"),
            ])),
        Sentence(
            "a later 419 of the current token starts a second refresh",
            given: rotated, when: S.observe("r2", 419, generation: 1),
            then: .events([
                S.observed("r2", generation: 1),
                S.started(id: "f1-g1", from: 1, token: "new refresh", request: "r2"),
            ])),
        Sentence(
            "the same answer twice does nothing", given: rotated, when: S.record(),
            then: .events([])),
        Sentence(
            "an answer to no refresh is dropped",
            given: [S.signedIn, S.started(), S.cleared(.unauthorized)],
            when: S.record(), then: .refused("noSuchRefresh")),
        Sentence(
            "one retry",
            given: rotated, when: S.retry("r1"),
            then: .events([
                .session(
                    .requestRetried(
                        Session.RequestRetried(
                            requestId: "r1", refreshId: "f1-g0", generation: 1,
                            outcomeStatus: 200, family: S.family, device: S.device)))
            ])),
        Sentence(
            "no retry after the tokens were cleared",
            given: rotated + [S.cleared(.forbidden)], when: S.retry("r1"),
            then: .refused("noRetryDue")),
        Sentence(
            "no retry of what waits",
            given: Array(rotated.dropLast()), when: S.retry("r1"),
            then: .refused("noRetryDue")),
        Sentence(
            "the second try from a generation has a name of its own",
            given: [S.signedIn, S.started(), S.failed(.network, cleared: false)],
            when: S.observe("r2", 419),
            then: .events([S.observed("r2"), S.started(id: "f1-g0-2", request: "r2")])),
    ])
    private func refreshes(_ example: Sentence) { example.check() }

    @Test("Refusals name what they are about")
    func refusals() {
        var log = SessionLog()
        log.append(Self.rotated, at: S.instant(s: 0))
        let other = Session.SignIn(family: "f2", device: S.device)
        let sentences: [(any SessionCommand, String)] = [
            (S.signIn, "the token family 'f1' belongs to an earlier sign-in; use a new family"),
            (
                other,
                "a user is already signed in on the device 'd1', with the token family f1; sign "
                    + "out first"
            ),
            (
                S.observe("r9", 419, generation: 2),
                "usedGeneration is 2; expected 0 to 1, the generation of the current token"
            ),
            (
                S.record("f1-g9"),
                "the token refresh 'f1-g9' is not under way; its answer is ignored"
            ),
            (
                S.retry("r9"),
                "the request 'r9' may not be sent again: it was not answered with 419, still "
                    + "waits for a token refresh, was already sent again, or failed"
            ),
        ]
        for (command, sentence) in sentences {
            guard case .failure(let refusal) = log.run(command, at: S.instant(s: 1)) else {
                Issue.record("accepted: \(sentence)")
                continue
            }
            #expect(refusal.message == sentence)
        }
        log.append(S.atLogin("l1") + [S.checked("l1", .loggedIn)], at: S.instant(s: 1))
        #expect(
            log.run(S.check("l1"), at: S.instant(s: 1))
                == .failure(
                    Refusal("alreadyChecked", "the login check of launch 'l1' has already begun")))
        log.append([S.cleared(.signOut)], at: S.instant(s: 2))
        #expect(
            log.run(S.observe("r1", 419), at: S.instant(s: 3))
                == .failure(Refusal("notSignedIn", "the device has no stored token; sign in first"))
        )
    }
}
