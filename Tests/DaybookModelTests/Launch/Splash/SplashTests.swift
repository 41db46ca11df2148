import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-splash-states, s0-splash-loading, s0-splash-up-to-date, s0-splash-error,
// s0-splash-login, s0-splash-home, s0-splash-final, s0-splash-same-error, s0-one-last-state,
// s0-two-errors-one-screen
/// The transition table of spec 5.3, row by row.
@Suite struct SplashTests {
    typealias Event = Launch.Splash.Event

    struct Row: Sendable, CustomTestStringConvertible {
        var sentence: String
        var events: [Event]
        var state: Launch.Splash.Screen
        var stage: Launch.Splash.Stage = .version
        var cause: Launch.SplashCause?
        var source: Launch.Splash.Screen?
        var unexpected: Int64 = 0

        var testDescription: String { sentence }
    }

    static let launched = Event.appLaunched(LaunchTests.launched)
    static let upToDate = Event.appVersionChecked(LaunchTests.checked())
    static let forced = Event.appVersionChecked(LaunchTests.forced)
    static let optional = Event.appVersionChecked(LaunchTests.optional)
    static let notice = Event.appVersionChecked(LaunchTests.notice)
    static let skipped = Event.optionalUpdateSkipped(LaunchTests.skipped())
    static let closed = Event.noticeDismissed(LaunchTests.dismissed(false))
    static let closedForGood = Event.noticeDismissed(LaunchTests.dismissed(true))
    static let terminated = Event.appTerminated(LaunchTests.terminated)

    static func accepted(_ kind: Launch.UpdateKind) -> Event {
        .updateAccepted(Launch.UpdateAccepted(launchId: "l1", kind: kind))
    }

    static func login(_ result: Launch.LoginResult) -> Event {
        .loginStatusChecked(
            Launch.LoginStatusChecked(launchId: "l1", result: result, device: "d1"))
    }

    static func failed(
        _ result: Launch.VersionResult, _ message: String
    ) -> Event {
        .appVersionChecked(LaunchTests.checked(result, nil, .error, message: message))
    }

    @Test(arguments: [
        Row(sentence: "a launch loads", events: [launched], state: .loading),
        Row(
            sentence: "an old version must be updated", events: [launched, forced],
            state: .forceUpdate),
        Row(
            sentence: "maintenance is an error with a cause",
            events: [launched, failed(.maintenance, "점검 중")], state: .error,
            cause: .maintenance),
        Row(
            sentence: "a failed check is an error", events: [launched, failed(.error, "offline")],
            state: .error, cause: .failure),
        Row(
            sentence: "a version that is up to date goes on to the login",
            events: [launched, upToDate], state: .loading, stage: .login),
        Row(
            sentence: "an optional update shows", events: [launched, optional],
            state: .optionalUpdate, source: .loading),
        Row(
            sentence: "a notice shows", events: [launched, notice], state: .notice,
            source: .loading),
        Row(
            sentence: "a skipped update gives way to the notice",
            events: [launched, optional, skipped], state: .notice, source: .loading),
        Row(
            sentence: "or to the login",
            events: [
                launched,
                .appVersionChecked(
                    LaunchTests.checked(.upToDate, nil, .optional, pending: [.optional])),
                skipped,
            ], state: .loading, stage: .login),
        Row(
            sentence: "an accepted optional update stays",
            events: [
                launched, optional, accepted(.optional),
            ], state: .optionalUpdate, source: .loading),
        Row(
            sentence: "an accepted forced update stays",
            events: [launched, forced, accepted(.force)], state: .forceUpdate),
        Row(
            sentence: "a closed notice gives way to the login",
            events: [launched, notice, closed], state: .loading, stage: .login),
        Row(
            sentence: "a notice can end the app", events: [launched, notice, closedForGood],
            state: .terminated, stage: .ended, cause: .notice, source: .loading),
        Row(
            sentence: "nobody is signed in",
            events: [launched, upToDate, login(.notLoggedIn)], state: .navigateToLogin,
            stage: .login, cause: .notLoggedIn),
        Row(
            sentence: "a refresh failed",
            events: [launched, upToDate, login(.tokenRefreshFailed)], state: .navigateToLogin,
            stage: .login, cause: .tokenRefreshFailed),
        Row(
            sentence: "someone is signed in", events: [launched, upToDate, login(.loggedIn)],
            state: .navigateToHome, stage: .login),
        Row(
            sentence: "the end comes at any time", events: [launched, forced, terminated],
            state: .terminated, stage: .ended, cause: .user, source: .forceUpdate),
    ])
    func followsTheTable(_ row: Row) {
        let state = Self.fold(Launch.Splash.self, row.events)
        expect(state.state, equals: row.state)
        expect(state.stage, equals: row.stage)
        expect(state.cause, equals: row.cause)
        expect(state.unexpectedTransitions, equals: 0)
        let source = Self.fold(Launch.SourceSplash.self, row.events)
        expect(source.state, equals: row.source ?? row.state)
        #expect(source.cause == nil)
        expect(source.unexpectedTransitions, equals: 0)
        expect(source.message, equals: state.message)
    }

    @Test(
        "An event that does not fit changes nothing and is counted",
        arguments: [
            ([], upToDate), ([launched], launched), ([launched], login(.loggedIn)),
            ([launched], skipped), ([launched], closed), ([launched], accepted(.force)),
            ([launched, forced], upToDate), ([launched, forced], login(.loggedIn)),
            ([launched, forced], accepted(.optional)), ([launched, optional], closed),
            ([launched, optional], login(.loggedIn)), ([launched, notice], skipped),
            ([launched, upToDate], upToDate), ([launched, upToDate], skipped),
            ([launched, upToDate, login(.loggedIn)], login(.notLoggedIn)),
            ([launched, terminated], upToDate),
            ([launched, failed(.error, "e")], login(.loggedIn)),
        ] as [([Event], Event)])
    func countsTheUnexpected(_ before: [Event], _ event: Event) {
        var expected = Self.fold(Launch.Splash.self, before)
        expected.unexpectedTransitions += 1
        expect(Self.fold(Launch.Splash.self, before + [event]), equals: expected)
        var source = Self.fold(Launch.SourceSplash.self, before)
        source.unexpectedTransitions += 1
        expect(Self.fold(Launch.SourceSplash.self, before + [event]), equals: source)
    }

    @Test("The screen says what the dialog needs")
    func saysWhatTheDialogNeeds() {
        let forced = Self.fold(Launch.Splash.self, [Self.launched, Self.forced])
        expect(forced.currentVersion, equals: "1.0.0")
        expect(forced.minVersion, equals: "2")
        expect(forced.reason, equals: .minVersion)
        let opened = Self.fold(
            Launch.Splash.self, [Self.launched, Self.forced, Self.accepted(.force)])
        #expect(opened.storeOpened)
        let optional = Self.fold(Launch.Splash.self, [Self.launched, Self.optional])
        expect(optional.target, equals: "2.0")
        expect(optional.pending, equals: [.optional, .notice])
        expect(optional.noticeDigest, equals: Digest(bits: 7))
        let error = Self.fold(Launch.Splash.self, [Self.launched, Self.failed(.error, "offline")])
        expect(error.message, equals: "offline")
    }

    /// I-S0-2 and I-S0-6: whatever comes in whatever order, no login before the version is up to
    /// date, and a screen that ends a launch stays but for the end of the app.
    @Test("A splash never leaves a terminal screen")
    func neverLeavesATerminalScreen() {
        let all = [
            Self.launched, Self.upToDate, Self.forced, Self.optional, Self.notice, Self.skipped,
            Self.closed, Self.closedForGood, Self.terminated, Self.login(.loggedIn),
            Self.login(.notLoggedIn), Self.failed(.error, "e"), Self.accepted(.force),
        ]
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            var events: [Event] = []
            var last = Launch.Splash.State()
            for _ in 0..<10 {
                guard let event = all.randomElement(using: &random) else { continue }
                events.append(event)
                let state = Self.fold(Launch.Splash.self, events)
                switch last.state {
                case .forceUpdate, .error, .navigateToHome, .navigateToLogin, .terminated:
                    #expect(state.state == last.state || state.state == .terminated)
                case .loading, .optionalUpdate, .notice: break
                }
                if state.state == .navigateToHome { expect(state.stage, equals: .login) }
                last = state
            }
        }
    }

    static func fold<Target: Projection>(
        _ projection: Target.Type, _ events: [Target.Event]
    ) -> Target.State {
        var state = Target.State.blank
        for (index, event) in events.enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: Sample.now,
                recordedAt: Sample.now)
            Target.evolve(&state, with: event, envelope)
        }
        return state
    }
}
