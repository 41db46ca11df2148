public import EventSourcing

/// One start of the app: its config, the version check, prompts and notices.
///
/// A launch is checked once. Nothing happens in it after the app has terminated.
///
/// Source: S0 (version, maintenance, splash) and S2 (force, blacklist, optional, notice).
public enum Launch: Area, Decider {
    public static let name = "launch"
    public static let rules: [RuleSet] = [.source]

    public static let events = [
        EventDescription(AppLaunched.self),
        EventDescription(RemoteConfigFetched.self),
        EventDescription(RemoteConfigFetchFailed.self),
        EventDescription(AppVersionChecked.self),
        EventDescription(UpdatePromptShown.self),
        EventDescription(UpdateAccepted.self),
        EventDescription(OptionalUpdateSkipped.self),
        EventDescription(NoticeShown.self),
        EventDescription(NoticeDismissed.self),
        EventDescription(AppTerminated.self),
    ]

    public static let commands = [
        CommandDescription("launch.launch-app", of: Self.self, Command.launchApp),
        CommandDescription("launch.record-config", of: Self.self, Command.recordConfig),
        CommandDescription(
            "launch.record-config-failure", of: Self.self, Command.recordConfigFailure),
        CommandDescription("launch.check-version", of: Self.self, Command.checkVersion),
        CommandDescription("launch.show-prompt", of: Self.self, Command.showPrompt),
        CommandDescription("launch.accept-update", of: Self.self, Command.acceptUpdate),
        CommandDescription(
            "launch.skip-optional-update", of: Self.self, Command.skipOptionalUpdate),
        CommandDescription("launch.show-notice", of: Self.self, Command.showNotice),
        CommandDescription("launch.dismiss-notice", of: Self.self, Command.dismissNotice),
        CommandDescription("launch.terminate", of: Self.self, Command.terminate),
    ]

    public static let audits = [auditDescription]

    public static let machines = [
        StateMachine(
            "splash", field: "state",
            [
                ([StateMachine.beginning], ["launch.app-launched"], ["loading"]),
                (
                    ["loading"], ["launch.app-version-checked"],
                    ["loading", "forceUpdate", "optionalUpdate", "notice", "error"]
                ),
                (
                    ["loading"], ["session.login-status-checked"],
                    ["navigateToLogin", "navigateToHome"]
                ),
                (
                    ["forceUpdate", "optionalUpdate"],
                    ["launch.update-prompt-shown", "launch.update-accepted"], []
                ),
                (["optionalUpdate"], ["launch.optional-update-skipped"], ["notice", "loading"]),
                (["notice"], ["launch.notice-shown"], []),
                (["notice"], ["launch.notice-dismissed"], ["loading", "terminated"]),
                (
                    [
                        "loading", "forceUpdate", "optionalUpdate", "notice", "navigateToLogin",
                        "navigateToHome", "error", "terminated",
                    ], ["launch.app-terminated"], ["terminated"]
                ),
            ])
    ]

    public static let plainNouns: Set = ["config", "version", "notice"]

    public static let projections = [
        ProjectionDescription(
            "splash", noun: "launch", "What the splash screen shows in a launch", Splash.self,
            under: .source, SourceSplash.self),
        ProjectionDescription(
            "version-check", noun: "device", "The last launch of a device and what it was told",
            VersionCheck.self),
    ]

    public static let flows = [FlowDescription("launch", LaunchFlow.self)]
}
