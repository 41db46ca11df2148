package import Daybook

/// The fold of a device's launches and session, for commands that depend on both.
///
/// A process of the app waits for its token refresh in memory. A new launch is a new process, which
/// cannot receive the answer that an earlier process waited for. The earlier refresh therefore ends
/// as abandoned, and the launches that waited for it, or were opened since it started, end as
/// replaced. The previous launch ends as replaced too, unless its splash has ended.
package enum Device: Projection {
    package enum Event: DecidedEvents {
        case session(Session.Event), launch(Launch.Splash.Event)

        package static let kinds: [StoredKind<Event>] =
            Session.Event.kinds.map { $0.widened(session) }
            + Launch.Splash.Event.kinds
            .filter { !Session.kinds.contains($0.kind) }
            .map { $0.widened(launch) }

        package var payload: any EventPayload {
            switch self {
            case .session(let event): event.payload
            case .launch(let event): event.payload
            }
        }
    }

    /// The session and the launches of a device.
    package struct State: PlainRecord {
        /// Sign-in state of the device: its tokens, token refresh, and requests to send again.
        package var session = Session.State()
        package var launches: [String: Process] = [:]
        /// Id of the last launch; `nil` before the first launch.
        var currentLaunchId: String?
        /// Id of the last token refresh that awaited its answer when the app was launched again.
        var abandonedRefreshId: String?
        /// Time at which the device gave up a token refresh, because the app was launched again;
        /// `nil` after a new refresh, sign-in or sign-out.
        var abandonedAt: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session, "launches", &launches)
            try field("current", &currentLaunchId, "abandoned", &abandonedRefreshId)
            try field("abandonedAtUs", &abandonedAt, .any)
        }
    }

    /// A process of the app: a launch and the state of its splash.
    package struct Process: PlainRecord {
        /// The launch; `nil` if only later events of the launch are recorded.
        package var launch: Launch.AppLaunched?
        package var started = Instant.epoch
        var splash = Launch.Splash.State()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launch", &launch)
            try field("startedUs", &started, .any)
            try field("splash", &splash)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .session(let event):
            Session.evolve(&state.session, with: event, envelope)
            state.noteAbandoned(event, envelope)
            if case .loginStatusChecked(let login) = event {
                state.applySplash(.loginStatusChecked(login), envelope)
            }
        case .launch(let event):
            state.applySplash(event, envelope)
            if case .appLaunched(let launch) = event {
                state.applyLaunch(launch, at: envelope.occurredAt)
            }
        }
    }
}

extension Device.State {
    fileprivate mutating func applySplash(_ event: Launch.Splash.Event, _ envelope: Envelope) {
        Launch.Splash.evolve(
            &launches[event.launchId, default: .blank].splash, with: event, envelope)
    }

    /// Records a launch, which abandons a token refresh that awaits its answer.
    fileprivate mutating func applyLaunch(_ launch: Launch.AppLaunched, at time: Instant) {
        launches[launch.launchId]?.launch = launch
        launches[launch.launchId]?.started = time
        currentLaunchId = launch.launchId
        if let refresh = refreshUnderWay(at: time) { abandonedRefreshId = refresh.refreshId }
    }

    /// Sets or clears `abandonedAt` after an event of the session.
    fileprivate mutating func noteAbandoned(_ event: Session.Event, _ envelope: Envelope) {
        switch event {
        case .tokenRefreshFailed(let failed) where failed.kind == .abandoned:
            abandonedAt = envelope.occurredAt
        case .tokenRefreshStarted, .signedIn, .tokensCleared, .signedOut: abandonedAt = nil
        default: break
        }
    }

    /// Returns the token refresh that awaits its answer and was started by `now`; `nil` for none.
    func refreshUnderWay(at now: Instant) -> Session.Refresh? {
        guard session.status == .signedIn, let refresh = session.refresh, refresh.started <= now
        else { return nil }
        return refresh
    }

    /// Returns the sorted ids of the launches that depend on a token refresh and have not ended.
    /// These launches wait for the refresh, or were opened since the refresh started.
    func launches(waitingFor refresh: Session.Refresh) -> [String] {
        Set(refresh.waitingLaunchIds + launches(openedSince: refresh.started))
            .filter { !hasEnded($0) }.sorted()
    }

    /// Returns the sorted ids of the launches that were opened at a time or later.
    func launches(openedSince time: Instant) -> [String] {
        launches.filter { $0.value.launch != nil && $0.value.started >= time }.keys.sorted()
    }

    /// Returns the events that end what earlier processes of the app left unfinished. This is the
    /// last launch, and the current token refresh with the launches that depend on it, or else the
    /// launches that were opened since a refresh was abandoned.
    func endingProcesses(at now: Instant) -> [Device.Event] {
        let last = Set(currentLaunchId.map { [$0] } ?? [])
        guard session.refresh == nil else {
            let ended = endingRefresh(at: now)
            let rest = last.subtracting(ended.compactMap(\.endedLaunchId))
            return ended + ending(rest.sorted(), at: now)
        }
        let opened = abandonedAt.map { launches(openedSince: $0) } ?? []
        return ending(last.union(opened).sorted(), at: now)
    }

    /// Returns the events that end, with the cause `replaced`, those of the given launches that
    /// have begun and still wait on their splash.
    private func ending(_ ids: [String], at now: Instant) -> [Device.Event] {
        ids.filter { id in launches[id].map { $0.splash.isWaiting && $0.started <= now } ?? true }
            .map { id in
                .launch(.appTerminated(Launch.AppTerminated(launchId: id, cause: .replaced)))
            }
    }

    /// Returns the events that record the current token refresh as abandoned, and end the launches
    /// that wait for it.
    func endingRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = refreshUnderWay(at: now) else { return [] }
        let failed = Session.TokenRefreshFailed(
            refreshId: refresh.refreshId, kind: .abandoned, family: session.family,
            device: session.device)
        // A launch recorded with a time after `now` does not wait for the refresh yet.
        return [.session(.tokenRefreshFailed(failed))]
            + ending(launches(waitingFor: refresh), at: now)
    }

    /// Returns the events that end a token refresh of an earlier process, if one is under way.
    func eventsEndingAbandonedRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = session.refresh, refresh.refreshId == abandonedRefreshId else {
            return []
        }
        return endingRefresh(at: now).filter { event in
            guard case .launch(.appTerminated(let end)) = event else { return true }
            return end.launchId != currentLaunchId
        }
    }

    /// True if the splash of the launch has ended, so that the launch needs no further answer.
    func hasEnded(_ launchId: String) -> Bool { launches[launchId]?.splash.hasEnded ?? false }
}

extension Query {
    /// Returns the query, extended by the events of these launches. The query for a device does not
    /// find all of them, because some have no device tag.
    func widened(toLaunches ids: [String]) -> Query {
        ids.isEmpty ? self : union(.any(of: Device.kinds, ids.map { Launch.tag($0) }))
    }
}

extension Device.Event {
    /// Id of the launch that the event ends; `nil` for other events.
    fileprivate var endedLaunchId: String? {
        guard case .launch(.appTerminated(let end)) = self else { return nil }
        return end.launchId
    }
}

extension Launch.Splash.Event {
    fileprivate var launchId: String {
        switch self {
        case .appLaunched(let event): event.launchId
        case .appVersionChecked(let event): event.launchId
        case .updatePromptShown(let event): event.launchId
        case .updateAccepted(let event): event.launchId
        case .optionalUpdateSkipped(let event): event.launchId
        case .noticeShown(let event): event.launchId
        case .noticeDismissed(let event): event.launchId
        case .appTerminated(let event): event.launchId
        case .loginStatusChecked(let event): event.launchId
        }
    }
}
