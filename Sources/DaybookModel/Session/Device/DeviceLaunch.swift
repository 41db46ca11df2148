package import Daybook

/// The command that records a launch, decided from the launches and the session of its device.
extension Launch.AppLaunched: Command {
    package typealias Model = Device
    package static let name = "launch.launch-app"

    /// Query for the launch, and for the token refreshes and launches of its device.
    /// `query(knowing:)` adds the other events of earlier launches that may still be running.
    package var query: Query {
        events(of: Launch.tag(launchId))
            .union(.any(of: Session.refreshKinds, Session.deviceTag(device)))
            .union(Query(launchesOfDevice))
    }

    private var launchesOfDevice: Query.Item {
        Query.Item(kinds: [Self.kind], tags: [Session.deviceTag(device)])
    }

    /// Returns the query items for which reading the newest event is enough: the device's
    /// launches, unless a token refresh was abandoned.
    ///
    /// Recording a launch thus takes no longer on a device with many launches. After an abandoned
    /// token refresh every launch is read, because each launch since then may have to end.
    package func newest(knowing state: Device.State) -> Set<Query.Item> {
        state.abandonedAt == nil ? [launchesOfDevice] : []
    }

    package func query(knowing state: Device.State) -> Query {
        var ids = Set(state.currentLaunchId.map { [$0] } ?? [])
        guard let refresh = state.session.refresh else {
            // After an abandoned refresh, also the launches that were opened since.
            if let since = state.abandonedAt { ids.formUnion(state.launches(openedSince: since)) }
            return query.widened(toLaunches: ids.sorted())
        }
        ids.formUnion(state.launches(waitingFor: refresh))
        return query.union(events(of: Session.deviceTag(device))).widened(toLaunches: ids.sorted())
    }

    package func decide(_ state: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
        guard let known = state.launches[launchId]?.launch else {
            return state.endingProcesses(at: now) + [.launch(.appLaunched(self))]
        }
        guard known == self else {
            throw Refusal("launchIdTaken", "another launch already has the id '\(launchId)'")
        }
        return []
    }
}
