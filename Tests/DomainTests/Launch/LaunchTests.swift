import CivilTime
import EventSourcing
import TestSupport
import Testing

@testable import Domain

@Suite struct LaunchTests {
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
            fromCache: fromCache, result: result, reason: reason, primary: primary,
            minVersion: min, message: message, pending: pending, targetVersion: target, url: url,
            noticeDigest: pending.contains(.notice) ? Digest(bits: 7) : nil,
            noticeTerminates: terminates, rules: .standard)
    }

    static func check(_ fallback: Launch.Fallback? = nil) -> Launch.Command {
        .checkVersion(
            Launch.CheckVersion(
                launchId: "l1", device: "d1", rules: .standard, fallback: fallback))
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
            launchId: "l1", noticeDigest: Digest(bits: 7), action: .close, terminate: terminate)
    }

    static let showForce = Launch.Command.showPrompt(
        Launch.ShowPrompt(launchId: "l1", kind: .force))
    static let showOptional = Launch.Command.showPrompt(
        Launch.ShowPrompt(launchId: "l1", kind: .optional))
    static let skip = Launch.Command.skipOptionalUpdate(
        Launch.SkipOptionalUpdate(launchId: "l1", remember: true))
    static let showNotice = Launch.Command.showNotice(Launch.ShowNotice(launchId: "l1"))
    static let dismiss = Launch.Command.dismissNotice(
        Launch.DismissNotice(launchId: "l1", action: .close))
    static let accept = Launch.Command.acceptUpdate(
        Launch.AcceptUpdate(launchId: "l1", kind: .optional))

    @Test(arguments: [
        Example<Launch>(
            "an app is launched", when: .launchApp(launched),
            then: .success([.appLaunched(launched)])),
        Example(
            "the same launch again does nothing", given: [.appLaunched(launched)],
            when: .launchApp(launched), then: .success([])),
        Example(
            "another launch under the same id is refused", given: [.appLaunched(launched)],
            when: .launchApp(
                Launch.AppLaunched(
                    launchId: "l1", appVersion: "2", platform: .ios, firstLaunch: false,
                    device: "d1")),
            then: .failure(.launchIdTaken("l1"))),
        Example(
            "a config needs its launch", when: .recordConfig(fetched(Launch.Config())),
            then: .failure(.notLaunched("l1"))),
        Example(
            "a config is recorded", given: [.appLaunched(launched)],
            when: .recordConfig(fetched(Launch.Config())),
            then: .success([.remoteConfigFetched(fetched(Launch.Config()))])),
        Example(
            "the same config again does nothing",
            given: [.appLaunched(launched), .remoteConfigFetched(fetched(Launch.Config()))],
            when: .recordConfig(fetched(Launch.Config())), then: .success([])),
        Example(
            "a config after a failure is too late",
            given: [.appLaunched(launched), .remoteConfigFetchFailed(failed)],
            when: .recordConfig(fetched(Launch.Config())),
            then: .failure(.configAlreadyRecorded("l1"))),
        Example(
            "a check needs a config or a failure", given: [.appLaunched(launched)],
            when: check(), then: .failure(.configNotRecorded("l1"))),
        Example(
            "a check on another device is refused", given: [.appLaunched(launched)],
            when: .checkVersion(
                Launch.CheckVersion(launchId: "l1", device: "d2", rules: .standard)),
            then: .failure(.otherDevice("l1"))),
        Example(
            "a launch is checked once",
            given: [.appLaunched(launched), .appVersionChecked(forced)],
            when: check(), then: .failure(.alreadyChecked("l1"))),
        Example(
            "a failure is an error",
            given: [.appLaunched(launched), .remoteConfigFetchFailed(failed)], when: check(),
            then: .success([
                .appVersionChecked(
                    checked(.error, .fetchFailed, .error, message: "offline", digest: nil))
            ])),
        Example(
            "a failure falls back to the last config of the device, when told to",
            given: [
                .remoteConfigFetched(fetched(Sample.config(maintenance: "m"), launch: "l0")),
                .appLaunched(launched), .remoteConfigFetchFailed(failed),
            ],
            when: check(.cached),
            then: .success([.appVersionChecked(checked(fromCache: true))])),
        Example(
            "a remembered skip of the device counts",
            given: [
                .optionalUpdateSkipped(skipped("l0")), .appLaunched(launched),
                .remoteConfigFetched(fetched(Sample.config(optional: "2.0"))),
            ],
            when: check(), then: .success([.appVersionChecked(checked())])),
        Example(
            "a skip that is not to be remembered does not",
            given: [
                .optionalUpdateSkipped(skipped("l0", remember: false)), .appLaunched(launched),
                .remoteConfigFetched(fetched(Sample.config(optional: "2.0"))),
            ],
            when: check(),
            then: .success([
                .appVersionChecked(
                    checked(
                        .upToDate, nil, .optional, pending: [.optional], target: "2.0",
                        url: Sample.optionalURL))
            ])),
    ])
    func decidesChecks(_ example: Example<Launch>) {
        example.check()
    }

    @Test(arguments: [
        Example<Launch>(
            "a force prompt shows where an update is forced",
            given: [.appLaunched(launched), .appVersionChecked(forced)], when: showForce,
            then: .success([
                .updatePromptShown(
                    Launch.UpdatePromptShown(
                        launchId: "l1", kind: .force, targetVersion: "2", url: Sample.forceURL))
            ])),
        Example(
            "and not where it is optional",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: showForce,
            then: .failure(.notPending("l1"))),
        Example(
            "no prompt before the check", given: [.appLaunched(launched)], when: showOptional,
            then: .failure(.notPending("l1"))),
        Example(
            "an optional update is accepted",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown),
            ],
            when: accept,
            then: .success([
                .updateAccepted(
                    Launch.UpdateAccepted(
                        launchId: "l1", kind: .optional, url: Sample.optionalURL))
            ])),
        Example(
            "but not before it was shown",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: accept,
            then: .failure(.notShown("l1"))),
        Example(
            "an optional update is skipped",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown),
            ],
            when: skip, then: .success([.optionalUpdateSkipped(skipped())])),
        Example(
            "skipping twice does nothing",
            given: [
                .appLaunched(launched), .appVersionChecked(optional),
                .updatePromptShown(promptShown), .optionalUpdateSkipped(skipped()),
            ],
            when: skip, then: .success([])),
        Example(
            "a notice waits for the optional update",
            given: [.appLaunched(launched), .appVersionChecked(optional)], when: showNotice,
            then: .failure(.updateUnanswered("l1"))),
        Example(
            "a notice shows",
            given: [.appLaunched(launched), .appVersionChecked(notice)], when: showNotice,
            then: .success([.noticeShown(noticeShown)])),
        Example(
            "a notice is not dismissed unseen",
            given: [.appLaunched(launched), .appVersionChecked(notice)], when: dismiss,
            then: .failure(.notShown("l1"))),
        Example(
            "a notice is dismissed",
            given: [
                .appLaunched(launched), .appVersionChecked(notice), .noticeShown(noticeShown),
            ],
            when: dismiss, then: .success([.noticeDismissed(dismissed(false))])),
        Example(
            "a notice that ends the app ends it",
            given: [
                .appLaunched(launched), .appVersionChecked(lastNotice),
                .noticeShown(noticeShown),
            ],
            when: dismiss,
            then: .success([
                .noticeDismissed(dismissed(true)),
                .appTerminated(Launch.AppTerminated(launchId: "l1", cause: .notice)),
            ])),
        Example(
            "nothing happens after the end",
            given: [.appLaunched(launched), .appTerminated(terminated)], when: check(),
            then: .failure(.terminated("l1"))),
        Example(
            "ending twice does nothing",
            given: [.appLaunched(launched), .appTerminated(terminated)],
            when: .terminate(Launch.Terminate(launchId: "l1", cause: .crash)),
            then: .success([])),
    ])
    func decidesPrompts(_ example: Example<Launch>) {
        example.check()
    }
}
