import Daybook

/// A command on the session of a device.
///
/// Its own `decide` sees only the session. Two rules apply to every such command: a token refresh
/// that an earlier process left unfinished ends first, and a launch that has ended gets no result
/// of a login check.
protocol SessionCommand: Command, PlainRecord where Model == Device {
    /// Decides on the session, without I/O, clock or randomness, like `Command.decide`.
    func decide(_ session: Session.State, now: Instant) throws(Refusal) -> [Session.Event]
}

extension SessionCommand {
    func query(knowing device: Device.State) -> Query {
        query.widened(toLaunches: device.session.refresh.map(device.launches(waitingFor:)) ?? [])
    }

    func decide(_ device: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
        try decideOnSession(of: device, now: now)
    }

    /// Returns the events of the command, preceded by the end of an abandoned token refresh.
    func decideOnSession(of device: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
        let ended = device.eventsEndingAbandonedRefresh(at: now)
        let envelope = Envelope(position: .origin, occurredAt: now, recordedAt: now)
        let device = ended.reduce(into: device) { Device.evolve(&$0, with: $1, envelope) }
        let decided = try decide(device.session, now: now).filter { event in
            guard case .loginStatusChecked(let login) = event else { return true }
            return !device.hasEnded(login.launchId)
        }
        return decided.isEmpty ? [] : ended + decided.map { .session($0) }
    }
}

/// A command on a session that depends on all events of its device.
protocol DeviceCommand: SessionCommand {
    var device: String { get }
}

extension DeviceCommand {
    var query: Query { events(of: Session.deviceTag(device)) }
}
