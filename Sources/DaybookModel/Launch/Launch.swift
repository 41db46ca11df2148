package import Daybook

/// The area of app launches: the config, the version check, prompts and notices.
///
/// The version is checked once per launch. A launch accepts no commands after the app has ended.
///
/// Source: S0 (version, maintenance, splash) and S2 (force, blacklist, optional, notice).
package enum Launch: Area, Projection {
    package static let name = "launch"
    package static let rules: [RuleSet] = [.source]

    package enum Event: DecidedEvents {
        case appLaunched(AppLaunched), remoteConfigFetched(RemoteConfigFetched)
        case remoteConfigFetchFailed(RemoteConfigFetchFailed), appVersionChecked(AppVersionChecked)
        case updatePromptShown(UpdatePromptShown), updateAccepted(UpdateAccepted)
        case optionalUpdateSkipped(OptionalUpdateSkipped), noticeShown(NoticeShown)
        case noticeDismissed(NoticeDismissed), appTerminated(AppTerminated)

        package static let kinds = [
            StoredKind(appLaunched), StoredKind(remoteConfigFetched),
            StoredKind(remoteConfigFetchFailed), StoredKind(appVersionChecked),
            StoredKind(updatePromptShown), StoredKind(updateAccepted),
            StoredKind(optionalUpdateSkipped), StoredKind(noticeShown),
            StoredKind(noticeDismissed), StoredKind(appTerminated),
        ]
    }

    package static let commands = [
        CommandDescription(AppLaunched.self), CommandDescription(RemoteConfigFetched.self),
        CommandDescription(RemoteConfigFetchFailed.self), CommandDescription(CheckVersion.self),
        CommandDescription(ShowPrompt.self), CommandDescription(AcceptUpdate.self),
        CommandDescription(SkipOptionalUpdate.self), CommandDescription(ShowNotice.self),
        CommandDescription(DismissNotice.self), CommandDescription(Terminate.self),
    ]

    package static let projections = [
        ProjectionDescription(
            "splash", noun: "launch", "The splash screen of a launch", Splash.self,
            under: .source, SourceSplash.self),
        ProjectionDescription(
            "version-check", noun: "device",
            "The last launch of a device and the result of its version check", VersionCheck.self,
            under: .source, SourceVersionCheck.self),
    ]
    package static let machines = [Splash.lifecycle.machine]
    package static let flows = [FlowDescription("launch", LaunchFlow.self)]

    /// HTTP endpoints; from S0.
    package static let routes = [
        RouteDescription(
            .get, "/api/config", in: "S0", serves: .flow("launch.start"),
            .command(RemoteConfigFetched.name), .command(RemoteConfigFetchFailed.name))
    ]
    package static let audits = [LaunchAudit.description]
    /// Tag nouns whose ids are no personal data, such as `version` in `version:1.2.0`.
    package static let plainNouns: Set = ["config", "version", "notice"]
    static func tag(_ launchId: String) -> Tag { Tag("launch", launchId) }
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }

    /// Returns the tag of a version, such as `version:1.2.0`; `nil` if the text cannot be a tag.
    /// Such a text is no valid version by the standard rules either.
    static func versionTag(_ version: String) -> Tag? { Tag("version", text: version) }
    static func noticeTag(_ digest: Digest) -> Tag { Tag("notice", digest.description) }
}

/// A command on one launch, decided from the events of that launch.
package protocol LaunchCommand: Command where Model == Launch {
    var launchId: String { get }
}

extension LaunchCommand {
    package var query: Query { events(of: Launch.tag(launchId)) }
}
