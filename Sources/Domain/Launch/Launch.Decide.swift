public import CivilTime
public import EventSourcing

extension Launch {
    /// Why a launch says no.
    public enum Refusal: RefusalReason {
        case launchIdTaken(String)
        case notLaunched(String)
        case terminated(String)
        case otherDevice(String)
        case configAlreadyRecorded(String)
        case configNotRecorded(String)
        case alreadyChecked(String)
        case notPending(String)
        case notShown(String)
        case updateUnanswered(String)

        public var code: String {
            switch self {
            case .launchIdTaken: "launchIdTaken"
            case .notLaunched: "notLaunched"
            case .terminated: "terminated"
            case .otherDevice: "otherDevice"
            case .configAlreadyRecorded: "configAlreadyRecorded"
            case .configNotRecorded: "configNotRecorded"
            case .alreadyChecked: "alreadyChecked"
            case .notPending: "notPending"
            case .notShown: "notShown"
            case .updateUnanswered: "updateUnanswered"
            }
        }

        public var message: String {
            switch self {
            case .launchIdTaken(let id): "there was another launch with the id '\(id)'"
            case .notLaunched(let id): "there is no launch '\(id)'"
            case .terminated(let id): "launch '\(id)' has ended"
            case .otherDevice(let id): "launch '\(id)' is on another device"
            case .configAlreadyRecorded(let id):
                "what came of the config in launch '\(id)' is recorded already"
            case .configNotRecorded(let id):
                "launch '\(id)' has neither a config nor a failure to fetch one"
            case .alreadyChecked(let id): "the version was checked already in launch '\(id)'"
            case .notPending(let id): "launch '\(id)' has nothing of the kind to show"
            case .notShown(let id): "it was not shown in launch '\(id)'"
            case .updateUnanswered(let id):
                "launch '\(id)' has an optional update to answer before its notice"
            }
        }
    }

    public static func query(for command: Command) -> Query {
        let launch = Query.Item(kinds: kinds, tags: [tag(command.launchId)])
        guard case .checkVersion(let check) = command else { return Query(launch) }
        var deviceKinds: Set<EventKind> = [OptionalUpdateSkipped.kind]
        if check.fallback == .cached { deviceKinds.insert(RemoteConfigFetched.kind) }
        return Query(launch, Query.Item(kinds: deviceKinds, tags: [deviceTag(check.device)]))
    }

    public static func decide(
        _ command: Command, in state: State, now: Instant
    ) throws(Refusal) -> [Event] {
        let id = command.launchId
        if case .launchApp(let launch) = command {
            guard let known = state.launch else { return [.appLaunched(launch)] }
            guard known == launch else { throw .launchIdTaken(id) }
            return []
        }
        guard let launch = state.launch else { throw .notLaunched(id) }
        if state.terminated {
            guard case .terminate = command else { throw .terminated(id) }
            return []
        }
        switch command {
        case .launchApp: return []
        case .recordConfig(let config):
            guard config.device == launch.device else { throw .otherDevice(id) }
            guard state.config != config else { return [] }
            try expectNoConfig(state, id)
            return [.remoteConfigFetched(config)]
        case .recordConfigFailure(let failure):
            guard state.failure != failure else { return [] }
            try expectNoConfig(state, id)
            return [.remoteConfigFetchFailed(failure)]
        case .checkVersion(let check): return [try check.decide(launch, state)]
        case .showPrompt(let prompt): return try prompt.decide(state)
        case .acceptUpdate(let update): return try update.decide(state)
        case .skipOptionalUpdate(let skip): return try skip.decide(launch, state)
        case .showNotice: return try decideShowNotice(state, id)
        case .dismissNotice(let dismissal): return try dismissal.decide(state)
        case .terminate(let end):
            return [.appTerminated(AppTerminated(launchId: id, cause: end.cause))]
        }
    }

    private static func expectNoConfig(_ state: State, _ id: String) throws(Refusal) {
        guard state.config == nil, state.failure == nil else { throw .configAlreadyRecorded(id) }
    }

    private static func decideShowNotice(
        _ state: State, _ id: String
    ) throws(Refusal) -> [Event] {
        guard let check = state.check, check.pending.contains(.notice),
            let digest = check.noticeDigest
        else { throw .notPending(id) }
        guard !check.pending.contains(.optional) || state.skip != nil else {
            throw .updateUnanswered(id)
        }
        return state.noticeShown
            ? [] : [.noticeShown(NoticeShown(launchId: id, noticeDigest: digest))]
    }
}

extension Launch.CheckVersion {
    fileprivate func decide(
        _ launch: Launch.AppLaunched, _ state: Launch.State
    ) throws(Launch.Refusal) -> Launch.Event {
        guard device == launch.device else { throw .otherDevice(launchId) }
        guard state.check == nil else { throw .alreadyChecked(launchId) }
        let input: LaunchDecision.Input
        let used: Launch.RemoteConfigFetched?
        if let fetched = state.config {
            used = fetched
            input = .fetched(fetched.config)
        } else if let failure = state.failure {
            used = fallback == .cached ? state.cached : nil
            input = used.map { .cached($0.config) } ?? .failed(failure.kind, detail: failure.detail)
        } else {
            throw .configNotRecorded(launchId)
        }
        let decision = LaunchDecision.decide(
            config: input, appVersion: launch.appVersion,
            now: Instant(microseconds: state.launchedAtUs), rules: rules,
            skipped: state.remembered,
            options: LaunchDecision.Options(
                latestAsOptional: latestAsOptional ?? false, namedErrors: namedErrors ?? false))
        return .appVersionChecked(
            Launch.AppVersionChecked(
                launchId: launchId, device: device, currentVersion: launch.appVersion,
                configDigest: used?.configDigest, fromCache: decision.fromCache,
                result: decision.result, reason: decision.reason, primary: decision.status,
                minVersion: decision.minVersion, latestVersion: decision.latestVersion,
                message: decision.message, pending: decision.pending,
                targetVersion: decision.targetVersion, url: decision.url,
                noticeDigest: decision.notice?.digest,
                noticeTerminates: decision.notice?.terminate ?? false, rules: rules))
    }
}

extension Launch.AppVersionChecked {
    fileprivate func asks(for kind: Launch.UpdateKind) -> Bool {
        switch kind {
        case .force: result == .needsUpdate
        case .optional: pending.contains(.optional)
        }
    }
}

extension Launch.ShowPrompt {
    fileprivate func decide(_ state: Launch.State) throws(Launch.Refusal) -> [Launch.Event] {
        guard let check = state.check, check.asks(for: kind) else { throw .notPending(launchId) }
        guard !state.shown.contains(kind) else { return [] }
        return [
            .updatePromptShown(
                Launch.UpdatePromptShown(
                    launchId: launchId, kind: kind, targetVersion: check.targetVersion,
                    url: check.url))
        ]
    }
}

extension Launch.AcceptUpdate {
    fileprivate func decide(_ state: Launch.State) throws(Launch.Refusal) -> [Launch.Event] {
        guard let check = state.check, check.asks(for: kind),
            kind == .force || state.skip == nil
        else { throw .notPending(launchId) }
        guard state.shown.contains(kind) else { throw .notShown(launchId) }
        guard !state.accepted.contains(kind) else { return [] }
        return [
            .updateAccepted(Launch.UpdateAccepted(launchId: launchId, kind: kind, url: check.url))
        ]
    }
}

extension Launch.SkipOptionalUpdate {
    fileprivate func decide(
        _ launch: Launch.AppLaunched, _ state: Launch.State
    ) throws(Launch.Refusal) -> [Launch.Event] {
        guard let check = state.check, check.asks(for: .optional),
            let target = check.targetVersion
        else { throw .notPending(launchId) }
        guard state.shown.contains(.optional) else { throw .notShown(launchId) }
        let skip = Launch.OptionalUpdateSkipped(
            launchId: launchId, targetVersion: target, remember: remember, device: launch.device)
        guard state.skip != nil else { return [.optionalUpdateSkipped(skip)] }
        guard state.skip == skip else { throw .notPending(launchId) }
        return []
    }
}

extension Launch.DismissNotice {
    fileprivate func decide(_ state: Launch.State) throws(Launch.Refusal) -> [Launch.Event] {
        guard let check = state.check, let digest = check.noticeDigest,
            check.pending.contains(.notice)
        else { throw .notPending(launchId) }
        guard state.noticeShown else { throw .notShown(launchId) }
        guard !state.noticeDismissed else { return [] }
        let dismissed = Launch.NoticeDismissed(
            launchId: launchId, noticeDigest: digest, action: action,
            terminate: check.noticeTerminates)
        guard check.noticeTerminates else { return [.noticeDismissed(dismissed)] }
        return [
            .noticeDismissed(dismissed),
            .appTerminated(Launch.AppTerminated(launchId: launchId, cause: .notice)),
        ]
    }
}
