import Daybook

@testable import DaybookModel

/// A log of the events of devices in memory, with the clock each was recorded at.
struct SessionLog {
    private(set) var events: [(event: Device.Event, at: Instant)] = []
    /// What a query finds each of them by.
    private var found: [(kind: EventKind, tags: [Daybook.Tag])] = []

    /// Decides on the events that the command's query finds, and appends what comes of it.
    mutating func run(
        _ command: some Command<Device>, at now: Instant
    ) -> Result<[Device.Event], Refusal> {
        var query = command.query
        var state = folded(query)
        while true {
            let wider = query.union(command.query(knowing: state))
            guard wider != query else { break }
            query = wider
            state = folded(query)
        }
        do throws(Refusal) {
            let decided = try command.decide(state, now: now)
            append(decided, at: now)
            return .success(decided)
        } catch {
            return .failure(error)
        }
    }

    private func folded(_ query: Query) -> Device.State {
        var state = Device.State()
        for (entry, found) in zip(events, found)
        where query.matches(kind: found.kind, tags: found.tags) {
            Device.evolve(&state, with: entry.event, envelope(entry.at))
        }
        return state
    }

    mutating func append(_ decided: [Device.Event], at now: Instant) {
        events += decided.map { ($0, now) }
        found += decided.map { event in
            let payload = event.payload
            return (type(of: payload).kind, payload.tags)
        }
    }

    var overview: Session.Overview.State {
        events.reduce(into: Session.Overview.State()) { state, entry in
            guard case .session(let event) = entry.event else { return }
            Session.Overview.evolve(&state, with: event, envelope(entry.at))
        }
    }

    /// The ids of its launches, in order.
    var launches: [String] {
        events.compactMap { entry in
            guard case .launch(.appLaunched(let launch)) = entry.event else { return nil }
            return launch.launchId
        }
    }

    var lastLaunch: String? { launches.last }

    /// What the splash of a launch shows.
    func splash(_ launchId: String) -> Launch.Splash.State {
        folded(.any(of: Device.kinds, Launch.tag(launchId))).launches[launchId]?.splash
            ?? Launch.Splash.State()
    }

    private func envelope(_ at: Instant) -> Envelope {
        Envelope(position: .origin, occurredAt: at, recordedAt: at)
    }
}
