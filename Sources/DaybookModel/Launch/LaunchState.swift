package import Daybook

extension Launch {
    /// The state of one launch, from which commands decide.
    package struct State: PlainRecord {
        package var launch: AppLaunched?
        /// Time of the launch by the device's clock; it determines whether a notice is active.
        var launchedAt = Instant.epoch
        package var config: RemoteConfigFetched?
        package var failure: RemoteConfigFetchFailed?
        /// Last config that the device fetched in an earlier launch; `nil` if none was loaded.
        var earlierConfig: RemoteConfigFetched?
        package var check: AppVersionChecked?
        var shownPromptKinds: [UpdateKind] = []
        /// Kinds of the update prompts that the user accepted.
        var acceptedUpdateKinds: [UpdateKind] = []
        /// The event that the user skipped the optional update; `nil` if it is not recorded.
        var skip: OptionalUpdateSkipped?
        var noticeShown = false
        var noticeDismissed = false
        /// True once the app's process has ended.
        var terminated = false
        /// Versions of optional updates that are not to be offered again on the device.
        package var skippedVersions: [String] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launch", &launch)
            try field("launchedAtUs", &launchedAt, .any)
            try field("config", &config, "failure", &failure)
            try field("cached", &earlierConfig, "check", &check)
            try field("shown", &shownPromptKinds, "accepted", &acceptedUpdateKinds, "skip", &skip)
            try field("noticeShown", &noticeShown, "noticeDismissed", &noticeDismissed)
            try field("terminated", &terminated, "remembered", &skippedVersions)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .appLaunched(let launch):
            state.launch = launch
            state.launchedAt = envelope.occurredAt
        case .remoteConfigFetched(let config):
            if config.launchId == state.launch?.launchId {
                state.config = config
            } else {
                state.earlierConfig = config
            }
        case .remoteConfigFetchFailed(let failure): state.failure = failure
        case .appVersionChecked(let check): state.check = check
        case .updatePromptShown(let prompt): state.shownPromptKinds.append(prompt.kind)
        case .updateAccepted(let update): state.acceptedUpdateKinds.append(update.kind)
        case .optionalUpdateSkipped(let skip):
            if skip.launchId == state.launch?.launchId { state.skip = skip }
            if skip.remember { state.skippedVersions.append(skip.targetVersion) }
        case .noticeShown: state.noticeShown = true
        case .noticeDismissed: state.noticeDismissed = true
        case .appTerminated: state.terminated = true
        }
    }
}

extension Launch.State {
    func recordedLaunch(_ launchId: String) throws(Refusal) -> Launch.AppLaunched {
        guard let launch else { throw .notLaunched(launchId) }
        return launch
    }

    /// Returns the launch; throws if it is not recorded or its process has ended.
    @discardableResult
    func runningLaunch(_ launchId: String) throws(Refusal) -> Launch.AppLaunched {
        let launch = try recordedLaunch(launchId)
        guard !terminated else { throw .terminated(launchId) }
        return launch
    }

    /// Returns the launch; throws if it is not recorded, has ended, or is on another device.
    @discardableResult
    func runningLaunch(
        _ launchId: String, on device: String
    ) throws(Refusal) -> Launch.AppLaunched {
        let launch = try runningLaunch(launchId)
        guard device == launch.device else { throw .otherDevice(launchId) }
        return launch
    }
}

extension Refusal {
    static func notLaunched(_ launchId: String) -> Refusal {
        Refusal("notLaunched", "there is no launch '\(launchId)'")
    }

    static func terminated(_ launchId: String) -> Refusal {
        Refusal("terminated", "launch '\(launchId)' has ended; it accepts no more commands")
    }

    static func otherDevice(_ launchId: String) -> Refusal {
        Refusal("otherDevice", "launch '\(launchId)' is on another device than the command")
    }
}
