public import CivilTime
public import EventSourcing

/// The launches and the session of one device, for decisions that depend on both.
///
/// A process of the app waits for its refresh in memory. A new launch is a new process, so nothing
/// is left that could receive what an earlier one waited for: its refresh ends as abandoned, and
/// the launches that were opened since, or waited for it, as replaced. So does the launch before
/// it, whatever that waited for.
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
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session, "launches", &launches)
            try field("current", &current, "abandoned", &abandoned)
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

    /// The refresh under way that a process before `now` waits for.
    func refreshUnderWay(at now: Instant) -> Session.Refresh? {
        guard session.status == .signedIn, let refresh = session.refresh, refresh.started <= now
        else { return nil }
        return refresh
    }

    /// The launches that wait for a refresh or were opened since it started, and have reached no
    /// end, in order of their ids.
    func launches(waitingFor refresh: Session.Refresh) -> [String] {
        let opened = launches.filter {
            $0.value.launch != nil && $0.value.started >= refresh.started
        }
        return Set(refresh.launches + opened.keys).filter { !hasEnded($0) }.sorted()
    }

    /// Ends the refresh that a process before `now` waits for, and the launches with it.
    func endingRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = refreshUnderWay(at: now) else { return [] }
        let failed = Session.TokenRefreshFailed(
            refreshId: refresh.refreshId, kind: .abandoned, family: session.family,
            device: session.device)
        let ended = launches(waitingFor: refresh)
            // A launch that is told of before its time waits for nothing yet.
            .filter { id in launches[id].map { $0.started <= now } ?? true }
        return [.session(.tokenRefreshFailed(failed))]
            + ended.map { launchId in
                .launch(.appTerminated(Launch.AppTerminated(launchId: launchId, cause: .replaced)))
            }
    }

    /// Ends what the process before `now` was at: its refresh, and the last launch.
    func endingProcess(at now: Instant) -> [Device.Event] {
        let ended = endingRefresh(at: now)
        guard let current, let process = launches[current], process.launch != nil,
            process.started <= now, !process.splash.hasEnded,
            !ended.contains(where: { $0.endsLaunch(current) })
        else { return ended }
        return ended + [
            .launch(.appTerminated(Launch.AppTerminated(launchId: current, cause: .replaced)))
        ]
    }

    /// Ends the refresh that a recorded launch left behind; nothing where the refresh under way is
    /// the current process's.
    func endingAbandonedRefresh(at now: Instant) -> [Device.Event] {
        guard let refresh = session.refresh, refresh.refreshId == abandoned else { return [] }
        return endingRefresh(at: now).filter { event in
            current.map { !event.endsLaunch($0) } ?? true
        }
    }

    /// True for a launch that needs no answer any more.
    func hasEnded(_ launchId: String) -> Bool { launches[launchId]?.splash.hasEnded ?? false }
}

extension Device.Event {
    fileprivate func endsLaunch(_ launchId: String) -> Bool {
        guard case .launch(.appTerminated(let end)) = self else { return false }
        return end.launchId == launchId
    }
}

extension Query {
    /// The query and the events of these launches; some kinds name no device.
    func widened(toLaunches ids: [String]) -> Query {
        ids.isEmpty ? self : union(.any(of: Device.kinds, ids.map { Launch.tag($0) }))
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
