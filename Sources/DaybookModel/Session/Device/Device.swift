public import Daybook

/// The launches and the session of one device, for decisions that depend on both.
///
/// A process of the app waits for its refresh in memory. A new launch is a new process, so nothing
/// is left that could receive what an earlier one waited for: its refresh ends as abandoned, and
/// the launches that were opened since, or waited for it, as replaced. The launch before a new one,
/// at whichever screen it was killed, is replaced too.
public enum Device: Projection {
    public enum Event: DecidedEvents {
        case session(Session.Event)
        case launch(Launch.Splash.Event)

        public static let kinds: [StoredKind<Event>] =
            Session.Event.kinds.map { $0.widened(session) }
            + Launch.Splash.Event.kinds
            .filter { !Session.kinds.contains($0.kind) }
            .map { $0.widened(launch) }

        public var payload: any EventPayload {
            switch self {
            case .session(let event): event.payload
            case .launch(let event): event.payload
            }
        }
    }

    public struct State: Record {
        public var session = Session.State()
        /// Launches by id.
        public var launches: [String: Process] = [:]
        /// The last launch.
        public var current: String?
        /// The refresh that was under way when it began.
        public var abandoned: String?
        /// The moment at which the last refresh ended as abandoned; `nil` once another began.
        public var abandonedAt: Instant?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session, "launches", &launches)
            try field("current", &current, "abandoned", &abandoned)
            try field("abandonedAtUs", &abandonedAt, .any)
        }
    }

    /// A launch and how far its splash came.
    public struct Process: Record {
        /// `nil` where only later events of the launch are recorded.
        public var launch: Launch.AppLaunched?
        public var started = Instant.epoch
        public var splash = Launch.Splash.State()
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launch", &launch)
            try field("startedUs", &started, .any)
            try field("splash", &splash)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .session(let event):
            Session.evolve(&state.session, with: event, envelope)
            state.noteAbandoned(event, envelope)
            if case .loginStatusChecked(let login) = event {
                state.show(.loginStatusChecked(login), envelope)
            }
        case .launch(let event):
            state.show(event, envelope)
            if case .appLaunched(let launch) = event {
                state.begin(launch, at: envelope.occurredAt)
            }
        }
    }
}

extension Device.State {
    fileprivate mutating func show(_ event: Launch.Splash.Event, _ envelope: Envelope) {
        Launch.Splash.evolve(
            &launches[event.launchId, default: .blank].splash, with: event, envelope)
    }

    fileprivate mutating func begin(_ launch: Launch.AppLaunched, at moment: Instant) {
        launches[launch.launchId]?.launch = launch
        launches[launch.launchId]?.started = moment
        current = launch.launchId
        if let refresh = refreshUnderWay(at: moment) { abandoned = refresh.refreshId }
    }

    fileprivate mutating func noteAbandoned(_ event: Session.Event, _ envelope: Envelope) {
        switch event {
        case .tokenRefreshFailed(let failed) where failed.kind == .abandoned:
            abandonedAt = envelope.occurredAt
        case .tokenRefreshStarted, .signedIn, .tokensCleared, .signedOut: abandonedAt = nil
        default: break
        }
    }

    /// The refresh under way that a process before `now` waits for.
    func refreshUnderWay(at now: Instant) -> Session.Refresh? {
        guard session.status == .signedIn, let refresh = session.refresh, refresh.started <= now
        else { return nil }
        return refresh
    }

    /// The launches that wait for a refresh or were opened since it started, and have reached no
    /// end, in order of their ids.
    func launches(waitingFor refresh: Session.Refresh) -> [String] {
        Set(refresh.launches + launches(openedSince: refresh.started))
            .filter { !hasEnded($0) }.sorted()
    }

    /// The launches that were opened at a moment or later, in order of their ids.
    func launches(openedSince moment: Instant) -> [String] {
        launches.filter { $0.value.launch != nil && $0.value.started >= moment }.keys.sorted()
    }

    /// Ends what processes before `now` left behind: the last launch, a refresh and the launches that
    /// waited for it, or those that were opened since one was abandoned.
    func endingProcesses(at now: Instant) -> [Device.Event] {
        let last = Set(current.map { [$0] } ?? [])
        guard session.refresh == nil else {
            let ended = endingRefresh(at: now)
            let rest = last.subtracting(ended.compactMap(\.endedLaunch))
            return ended + ending(rest.sorted(), at: now)
        }
        let opened = abandonedAt.map { launches(openedSince: $0) } ?? []
        return ending(last.union(opened).sorted(), at: now)
    }

    /// Ends those of some launches that began by now and have come to no end.
    private func ending(_ ids: [String], at now: Instant) -> [Device.Event] {
        ids.filter { id in !hasEnded(id) && (launches[id].map { $0.started <= now } ?? true) }
            .map { id in
                .launch(.appTerminated(Launch.AppTerminated(launchId: id, cause: .replaced)))
            }
    }

    /// Ends the refresh that a process before `now` waits for, and the launches with it.
    func endingRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = refreshUnderWay(at: now) else { return [] }
        let failed = Session.TokenRefreshFailed(
            refreshId: refresh.refreshId, kind: .abandoned, family: session.family,
            device: session.device)
        // A launch that is told of before its time waits for nothing yet.
        return [.session(.tokenRefreshFailed(failed))]
            + ending(launches(waitingFor: refresh), at: now)
    }

    /// Ends the refresh that a recorded launch left behind; nothing where the refresh under way is
    /// the current process's.
    func endingAbandonedRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = session.refresh, refresh.refreshId == abandoned else { return [] }
        return endingRefresh(at: now).filter { event in
            guard case .launch(.appTerminated(let end)) = event else { return true }
            return end.launchId != current
        }
    }

    /// True for a launch that needs no answer any more.
    func hasEnded(_ launchId: String) -> Bool { launches[launchId]?.splash.hasEnded ?? false }
}

extension Query {
    /// The query and the events of these launches; some kinds name no device.
    func widened(toLaunches ids: [String]) -> Query {
        ids.isEmpty ? self : union(.any(of: Device.kinds, ids.map { Launch.tag($0) }))
    }
}

extension Device.Event {
    /// The launch whose end it is.
    fileprivate var endedLaunch: String? {
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
