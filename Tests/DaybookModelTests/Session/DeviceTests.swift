import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-splash-killed
/// What the launches of a device mean for its session, and its session for them.
@Suite struct DeviceTests {
    private typealias S = SessionSample
    private typealias Sentence = CommandExample<Device>

    private static let refreshing =
        [S.signedIn] + S.atLogin("l1") + [S.started(.launch, launch: "l1")]

    @Test(
        "A launch",
        arguments: [
            Sentence(
                "is recorded", when: LaunchTests.launched,
                then: .events([.launch(.appLaunched(LaunchTests.launched))])),
            Sentence(
                "that comes twice is recorded once",
                given: [.launch(.appLaunched(LaunchTests.launched))], when: LaunchTests.launched,
                then: .events([])),
            Sentence(
                "under the id of another one is refused",
                given: [.launch(.appLaunched(LaunchTests.launched))],
                when: S.launchApp("l1"),
                then: .refused("launchIdTaken", "another launch already has the id 'l1'")),
            Sentence(
                "ends the refresh and the launch of the process before it",
                given: refreshing, when: S.launchApp("l2"),
                then: .events([S.abandoned(), S.terminated("l1"), S.launched("l2")])),
            Sentence(
                "ends every launch of the device that was opened since the refresh started",
                given: refreshing + [
                    S.launched("l2"), S.launched("l3"),
                    S.versionChecked("l3", .upToDate, pending: [.optional]),
                ],
                when: S.launchApp("l4"),
                then: .events([
                    S.abandoned(), S.terminated("l1"), S.terminated("l2"), S.terminated("l3"),
                    S.launched("l4"),
                ])),
            Sentence(
                "leaves launches alone that have ended, and those of other devices",
                given: refreshing + [
                    S.terminated("l1", .user), S.launched("l2"),
                    S.versionChecked("l2", .error),
                ] + S.atLogin("l4", on: "d2"),
                when: S.launchApp("l5"), then: .events([S.abandoned(), S.launched("l5")])),
            Sentence(
                "ends a launch that was killed at the forced update",
                given: [S.launched("l1"), S.versionChecked("l1", .needsUpdate)],
                when: S.launchApp("l2"), then: .events([S.terminated("l1"), S.launched("l2")])),
            Sentence(
                "ends launches that were opened since a refresh was abandoned",
                given: refreshing + [S.abandoned(), S.terminated("l1"), S.launched("l2")],
                when: S.launchApp("l3"),
                then: .events([S.terminated("l2"), S.launched("l3")])),
            Sentence(
                "ends a launch that no refresh holds up",
                given: [S.launched("l1")], when: S.launchApp("l2"),
                then: .events([S.terminated("l1"), S.launched("l2")])),
            Sentence(
                "leaves a session alone that waits for nothing",
                given: [S.signedIn, S.started(), S.refreshed()], when: S.launchApp("l1"),
                then: .events([S.launched("l1")])),
        ])
    private func launches(_ example: Sentence) { example.check() }

    @Test("A launch that is reported late ends nothing that began after it")
    func lateReport() {
        var log = SessionLog()
        log.append(Self.refreshing, at: S.instant(s: 100))
        expect(
            log.run(S.launchApp("l0"), at: S.instant(s: 99)), equals: .success([S.launched("l0")]))
    }

    @Test("The next refresh has an id of its own, under both rule sets")
    func nextRefresh() throws {
        for rules in Rules.allCases {
            var log = SessionLog()
            log.append(Self.refreshing, at: S.instant(s: 0))
            _ = try log.run(S.launchApp("l2"), at: S.instant(s: 10)).get()
            log.append([S.versionChecked("l2", .upToDate)], at: S.instant(s: 10))
            #expect(
                log.run(S.check("l2", rules), at: S.instant(s: 11))
                    == .success([S.started(.launch, id: "f1-g0-2", launch: "l2")]))
            #expect(
                log.run(S.record("f1-g0"), at: S.instant(s: 12))
                    == .failure(
                        Refusal(
                            "noSuchRefresh",
                            "the token refresh 'f1-g0' is not under way; its answer is ignored")))
            let answered = try log.run(S.record("f1-g0-2"), at: S.instant(s: 13)).get()
            expect(answered.count, equals: 2)
            expect(answered.last, equals: S.checked("l2", .loggedIn, "f1-g0-2"))
            expect(log.splash("l1").state, equals: .terminated)
            expect(log.splash("l1").cause, equals: .replaced)
            expect(log.splash("l2").state, equals: .navigateToHome)
            expect(log.overview.unexpectedTransitions, equals: 0)
        }
    }

    @Test("A late answer that was recorded as a fact replaces no newer tokens")
    func lateFact() throws {
        for isNewer in [false, true] {
            var log = SessionLog()
            log.append(Self.refreshing + [S.abandoned(), S.launched("l2")], at: S.instant(s: 0))
            log.append([S.started(id: "f1-g0-2")], at: S.instant(s: 1))
            if isNewer { log.append([S.refreshed("f1-g0-2")], at: S.instant(s: 2)) }
            let before = log.overview
            log.append([S.refreshed("f1-g0")], at: S.instant(s: 3))
            expect(log.overview.session, equals: before.session)
            expect(log.overview.unexpectedTransitions, equals: 1)
            #expect(
                log.overview.lastUnexpected
                    == (isNewer
                        ? "T2: a refresh succeeded that was not under way"
                        : "T2: a refresh succeeded that had ended before"))
        }
    }

    @Test("Tokens of an earlier family do not replace those of the next sign-in")
    func otherFamily() {
        var log = SessionLog()
        log.append(
            [S.signedIn, S.started(), S.cleared(.signOut), S.signedOut], at: S.instant(s: 0))
        let next = Session.SignIn(userId: "u1", family: "f2", device: S.device)
        #expect(throws: Never.self) { try log.run(next, at: S.instant(s: 1)).get() }
        let before = log.overview.session
        log.append([S.refreshed("f1-g0")], at: S.instant(s: 2))
        expect(log.overview.session, equals: before)
    }

    private static let launchedAsFact: [Device.Event] =
        refreshing + [S.launched("l2"), S.versionChecked("l2", .upToDate)]

    @Test(
        "A session's next command ends what a launch recorded as a fact did not end",
        arguments: [
            Sentence(
                "a login check", given: launchedAsFact, when: S.check("l2", .source),
                then: .events([
                    S.abandoned(), S.terminated("l1"),
                    S.started(.launch, id: "f1-g0-2", launch: "l2"),
                ])),
            Sentence(
                "a request that met a 419", given: launchedAsFact,
                when: S.observe("r1", 419, .source),
                then: .events([
                    S.abandoned(), S.terminated("l1"), S.observed("r1", .source),
                    S.started(id: "f1-g0-2", request: "r1"),
                ])),
            Sentence(
                "a refresh in advance", given: launchedAsFact,
                when: Session.StartRefresh(device: S.device, rules: .source),
                then: .events([
                    S.abandoned(), S.terminated("l1"), S.started(.proactive, id: "f1-g0-2"),
                ])),
            Sentence(
                "the answer to the abandoned refresh is refused all the same",
                given: launchedAsFact,
                when: S.record(), then: .refused("noSuchRefresh")),
        ])
    private func nextCommand(_ example: Sentence) { example.check() }

    @Test(
        "A refresh gives no screen to a launch that was closed while it waited",
        arguments: [
            Sentence(
                "new tokens", given: refreshing + [S.terminated("l1", .user)], when: S.record(),
                then: .events([S.refreshed()])),
            Sentence(
                "a failure", given: refreshing + [S.terminated("l1", .user)],
                when: S.fail(.network),
                then: .events([S.failed(.network, cleared: false)])),
            Sentence(
                "a sign-out", given: refreshing + [S.terminated("l1", .user)],
                when: Session.SignOut(device: S.device),
                then: .events([S.cleared(.signOut), S.signedOut])),
        ])
    private func closed(_ example: Sentence) { example.check() }

    @Test(
        "A login check is refused",
        arguments: [
            Sentence(
                "for an unknown launch", when: S.check("l1"),
                then: .refused("notLaunched", "there is no launch 'l1'")),
            Sentence(
                "for a launch of another device", given: S.atLogin("l1", on: "d2"),
                when: S.check("l1"),
                then: .refused("otherDevice", "launch 'l1' is on another device than the command")),
            Sentence(
                "before the version check", given: [S.launched("l1")], when: S.check("l1"),
                then: .refused(
                    "notAtLogin",
                    "launch 'l1' has not reached the login check: the version is not checked yet")),
            Sentence(
                "after a forced update",
                given: [S.launched("l1"), S.versionChecked("l1", .needsUpdate)],
                when: S.check("l1"),
                then: .refused(
                    "notAtLogin",
                    "launch 'l1' has not reached the login check: the splash shows forceUpdate")),
            Sentence(
                "during maintenance",
                given: [S.launched("l1"), S.versionChecked("l1", .maintenance)],
                when: S.check("l1"), then: .refused("notAtLogin")),
            Sentence(
                "while an update is offered",
                given: [
                    S.launched("l1"), S.versionChecked("l1", .upToDate, pending: [.optional]),
                ], when: S.check("l1"), then: .refused("notAtLogin")),
            Sentence(
                "after the end of the app", given: S.atLogin("l1") + [S.terminated("l1", .user)],
                when: S.check("l1"),
                then: .refused("terminated", "launch 'l1' has ended; it accepts no more commands")),
            Sentence(
                "after another launch was opened",
                given: S.atLogin("l1") + [S.terminated("l1")] + S.atLogin("l2"),
                when: S.check("l1"), then: .refused("terminated")),
            Sentence(
                "after an earlier check, whatever was checked since",
                given: S.atLogin("l1") + [S.checked("l1", .notLoggedIn)] + S.atLogin("l2")
                    + [S.checked("l2", .notLoggedIn)],
                when: S.check("l1"), then: .refused("alreadyChecked")),
        ])
    private func loginRefused(_ example: Sentence) { example.check() }
}
