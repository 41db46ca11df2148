import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct LaunchTests {
    typealias Sentence = CommandExample<Launch>

    static let launched = Launch.AppLaunched(
        launchId: "l1", appVersion: "1.0.0", platform: .ios, firstLaunch: true, device: "d1")
    static let failed = Launch.RemoteConfigFetchFailed(
        launchId: "l1", kind: .network, detail: "offline", latencyMs: 500)
    static let terminated = Launch.AppTerminated(launchId: "l1", cause: .user)

    static func fetched(
        _ config: Launch.Config, launch: String = "l1"
    ) -> Launch.RemoteConfigFetched {
        Launch.RemoteConfigFetched(
            launchId: launch, device: "d1", configDigest: Digest(bits: 1), source: .network,
            latencyMs: 500, config: config)
    }

    static func checked(
        _ result: Launch.VersionResult = .upToDate, _ reason: Launch.VersionReason? = nil,
        _ primary: Launch.LaunchStatus = .valid, min: String? = nil, message: String? = nil,
        pending: [Launch.PendingStep] = [], target: String? = nil, url: String? = nil,
        terminates: Bool = false, digest: Digest? = Digest(bits: 1), fromCache: Bool = false
    ) -> Launch.AppVersionChecked {
        Launch.AppVersionChecked(
            launchId: "l1", device: "d1", currentVersion: "1.0.0", configDigest: digest,
            fromCache: fromCache, result: result, reason: reason, launchStatus: primary,
            minVersion: min, message: message, pending: pending, targetVersion: target, url: url,
            noticeDigest: pending.contains(.notice) ? Digest(bits: 7) : nil,
            noticeEndsApp: terminates, rules: .standard)
    }

    static func check(_ fallback: Launch.Fallback? = nil) -> Launch.CheckVersion {
        Launch.CheckVersion(
            launchId: "l1", device: "d1", rules: .standard, fallback: fallback)
    }

    static func skipped(
        _ launch: String = "l1", remember: Bool = true
    ) -> Launch.OptionalUpdateSkipped {
        Launch.OptionalUpdateSkipped(
            launchId: launch, targetVersion: "2.0", remember: remember, device: "d1")
    }

    static let forced = checked(
        .needsUpdate, .minVersion, .forced, min: "2", target: "2", url: Sample.forceURL)
    static let optional = checked(
        .upToDate, nil, .optional, pending: [.optional, .notice], target: "2.0",
        url: Sample.optionalURL)
    static let notice = checked(.upToDate, nil, .notice, pending: [.notice])
    static let lastNotice = checked(
        .upToDate, nil, .notice, pending: [.notice], terminates: true)
    static let promptShown = Launch.UpdatePromptShown(
        launchId: "l1", kind: .optional, targetVersion: "2.0", url: Sample.optionalURL)
    static let noticeShown = Launch.NoticeShown(launchId: "l1", noticeDigest: Digest(bits: 7))

    static func dismissed(_ terminate: Bool) -> Launch.NoticeDismissed {
        Launch.NoticeDismissed(
            launchId: "l1", noticeDigest: Digest(bits: 7), action: .close, endsApp: terminate)
    }

    static let showForce = Launch.ShowPrompt(launchId: "l1", kind: .force)
    static let showOptional = Launch.ShowPrompt(launchId: "l1", kind: .optional)
    static let skip = Launch.SkipOptionalUpdate(launchId: "l1", remember: true)
    static let showNotice = Launch.ShowNotice(launchId: "l1")
    static let dismiss = Launch.DismissNotice(launchId: "l1", action: .close)
    static let accept = Launch.AcceptUpdate(launchId: "l1", kind: .optional)

    @Test(arguments: [
        Sentence(
            "a config needs its launch", when: fetched(Launch.Config()),
            then: .refused("notLaunched")),
        Sentence(
            "a config is recorded", given: [.appLaunched(launched)],
            when: fetched(Launch.Config()),
            then: .events([.remoteConfigFetched(fetched(Launch.Config()))])),
        Sentence(
            "the same config again does nothing",
            given: [.appLaunched(launched), .remoteConfigFetched(fetched(Launch.Config()))],
            when: fetched(Launch.Config()), then: .events([])),
        Sentence(
            "a config after a failure is too late",
            given: [.appLaunched(launched), .remoteConfigFetchFailed(failed)],
            when: fetched(Launch.Config()),
            then: .refused("configAlreadyRecorded")),
        Sentence(
            "a check needs a config or a failure", given: [.appLaunched(launched)],
            when: check(), then: .refused("configNotRecorded")),
        Sentence(
            "a check on another device is refused", given: [.appLaunched(launched)],
            when: Launch.CheckVersion(launchId: "l1", device: "d2", rules: .standard),
            then: .refused("otherDevice")),
        Sentence(
            "a launch is checked once",
            given: [.appLaunched(launched), .appVersionChecked(forced)],
            when: check(), then: .refused("alreadyChecked")),
        Sentence(
            "a failure is an error",
            given: [.appLaunched(launched), .remoteConfigFetchFailed(failed)], when: check(),
            then: .events([
                .appVersionChecked(
                    checked(.error, .fetchFailed, .error, message: "offline", digest: nil))
            ])),
        Sentence(
            "a failure falls back to the last config of the device, when told to",
            given: [
                .remoteConfigFetched(fetched(Sample.config(maintenance: "m"), launch: "l0")),
                .appLaunched(launched), .remoteConfigFetchFailed(failed),
            ],
            when: check(.cached),
            then: .events([.appVersionChecked(checked(fromCache: true))])),
        Sentence(
            "a remembered skip of the device counts",
            given: [
                .optionalUpdateSkipped(skipped("l0")), .appLaunched(launched),
                .remoteConfigFetched(fetched(Sample.config(optional: "2.0"))),
            ],
            when: check(), then: .events([.appVersionChecked(checked())])),
        Sentence(
            "a skip that is not to be remembered does not",
            given: [
                .optionalUpdateSkipped(skipped("l0", remember: false)), .appLaunched(launched),
                .remoteConfigFetched(fetched(Sample.config(optional: "2.0"))),
            ],
            when: check(),
            then: .events([
                .appVersionChecked(
                    checked(
                        .upToDate, nil, .optional, pending: [.optional], target: "2.0",
                        url: Sample.optionalURL))
            ])),
    ])
    func decidesChecks(_ example: Sentence) {
        example.check()
    }

    @Test(arguments: [
        Sentence(
            "a force prompt shows where an update is forced",
            given: [.appLaunched(launched), .appVersionChecked(forced)], when: showForce,
            then: .events([
                .updatePromptShown(
                    Launch.UpdatePromptShown(
                        launchId: "l1", kind: .force, targetVersion: "2", url: Sample.forceURL))
            ])),
        Sentence(
            "and not where it is optional",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: showForce,
            then: .refused("notPending")),
        Sentence(
            "no prompt before the check", given: [.appLaunched(launched)], when: showOptional,
            then: .refused("notPending")),
        Sentence(
            "an optional update is accepted",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown),
            ],
            when: accept,
            then: .events([
                .updateAccepted(
                    Launch.UpdateAccepted(
                        launchId: "l1", kind: .optional, url: Sample.optionalURL))
            ])),
        Sentence(
            "but not before it was shown",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: accept,
            then: .refused("notShown")),
        Sentence(
            "an optional update is skipped",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown),
            ],
            when: skip, then: .events([.optionalUpdateSkipped(skipped())])),
        Sentence(
            "skipping twice does nothing",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown), .optionalUpdateSkipped(skipped()),
            ],
            when: skip, then: .events([])),
        Sentence(
            "a notice waits for the optional update",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: showNotice,
            then: .refused("updateUnanswered")),
        Sentence(
            "a notice shows",
            given: [.appLaunched(launched), .appVersionChecked(notice)], when: showNotice,
            then: .events([.noticeShown(noticeShown)])),
        Sentence(
            "a notice is not dismissed unseen",
            given: [.appLaunched(launched), .appVersionChecked(notice)], when: dismiss,
            then: .refused("notShown")),
        Sentence(
            "a notice is dismissed",
            given: [
                .appLaunched(launched), .appVersionChecked(notice), .noticeShown(noticeShown),
            ],
            when: dismiss, then: .events([.noticeDismissed(dismissed(false))])),
        Sentence(
            "a notice that ends the app ends it",
            given: [
                .appLaunched(launched), .appVersionChecked(lastNotice),
                .noticeShown(noticeShown),
            ],
            when: dismiss,
            then: .events([
                .noticeDismissed(dismissed(true)),
                .appTerminated(Launch.AppTerminated(launchId: "l1", cause: .notice)),
            ])),
        Sentence(
            "nothing happens after the end",
            given: [.appLaunched(launched), .appTerminated(terminated)], when: check(),
            then: .refused("terminated")),
        Sentence(
            "ending twice does nothing",
            given: [.appLaunched(launched), .appTerminated(terminated)],
            when: Launch.Terminate(launchId: "l1", cause: .crash),
            then: .events([])),
    ])
    func decidesPrompts(_ example: Sentence) {
        example.check()
    }

    /// The sentence of a command's refusal after some events; `nil` where it is accepted.
    private static func refusal(
        _ command: some LaunchCommand, after events: [Launch.Event]
    ) -> String? {
        let state = events.reduce(into: Launch.State()) { state, event in
            Launch.evolve(
                &state, with: event,
                Envelope(position: .origin, occurredAt: .epoch, recordedAt: .epoch))
        }
        do throws(Refusal) {
            _ = try command.decide(state, now: .epoch)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("Refusals name their launch")
    func refusals() {
        let start = Launch.Event.appLaunched(Self.launched)
        let config = Launch.Event.remoteConfigFetched(Self.fetched(Launch.Config()))
        let elsewhere = Launch.CheckVersion(launchId: "l1", device: "d2")
        let sentences: [(any LaunchCommand, [Launch.Event], String)] = [
            (Self.check(), [], "there is no launch 'l1'"),
            (Launch.Terminate(launchId: "l1"), [], "there is no launch 'l1'"),
            (
                Self.check(), [start, .appTerminated(Self.terminated)],
                "launch 'l1' has ended; it accepts no more commands"
            ),
            (elsewhere, [start], "launch 'l1' is on another device than the command"),
            (
                Self.failed, [start, config],
                "the config of launch 'l1', or a failure to fetch it, is already recorded"
            ),
            (
                Self.check(), [start],
                "launch 'l1' cannot check the version: neither a config nor a failure to fetch it "
                    + "is recorded"
            ),
            (
                Self.check(), [start, .appVersionChecked(Self.notice)],
                "the version was checked already in launch 'l1'"
            ),
            (
                Self.showForce, [start],
                "launch 'l1' has no pending update or notice to which the command applies"
            ),
            (
                Self.dismiss, [start, .appVersionChecked(Self.notice)],
                "launch 'l1' has not shown the update or notice that the command answers"
            ),
            (
                Self.showNotice, [start, .appVersionChecked(Self.optional)],
                "launch 'l1' cannot show its notice before the user has skipped the optional update"
            ),
        ]
        for (command, events, sentence) in sentences {
            #expect(Self.refusal(command, after: events) == sentence)
        }
    }
}
