import CivilTime
import EventSourcing

@testable import Domain

/// A log of session events in memory, with the clock each was recorded at.
struct SessionLog {
    private(set) var events: [(event: Session.Event, at: Instant)] = []

    /// Decides on the events that the command's query finds, and appends what comes of it.
    mutating func run(
        _ command: some SessionCommand, at now: Instant
    ) -> Result<[Session.Event], Refusal> {
        var state = Session.State()
        let query = command.query
        for (event, at) in events
        where query.matches(kind: type(of: event.payload).kind, tags: event.payload.tags) {
            Session.evolve(&state, with: event, envelope(at))
        }
        do throws(Refusal) {
            let decided = try command.decide(state, now: now)
            append(decided, at: now)
            return .success(decided)
        } catch {
            return .failure(error)
        }
    }

    mutating func append(_ decided: [Session.Event], at now: Instant) {
        events += decided.map { ($0, now) }
    }

    var overview: Session.Overview.State {
        events.reduce(into: Session.Overview.State()) { state, entry in
            Session.Overview.evolve(&state, with: entry.event, envelope(entry.at))
        }
    }

    private func envelope(_ at: Instant) -> Envelope {
        Envelope(position: .origin, occurredAt: at, recordedAt: at)
    }
}
