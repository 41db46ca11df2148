import Daybook

@testable import DaybookModel

/// A log in memory, whose commands are decided by what their queries find in it.
struct DecidedLog {
    private(set) var events: [RecordedEvent] = []

    /// Decides a command and keeps its events.
    @discardableResult
    mutating func give(_ command: some Command, at now: Instant) throws -> [NewEvent] {
        var decision = PendingCommand(command, context: CommandContext(now: now))
        _ = try decision.gather { (query, decision) throws(FoldError) in
            for event in events where query.matches(kind: event.kind, tags: event.tags) {
                try decision.fold(event)
            }
        }
        switch decision.outcome() {
        case .refused(let refusal): throw refusal
        case .events(let new):
            for event in new { keep(event) }
            return new
        }
    }

    /// Keeps a fact that no rule judged.
    mutating func keep(_ payload: some EventPayload, at now: Instant) {
        keep(NewEvent(payload, occurredAt: now))
    }

    private mutating func keep(_ event: NewEvent) {
        let position = Position(UInt64(events.count) + 1)
        events.append(
            RecordedEvent(
                envelope: Envelope(
                    position: position, occurredAt: event.occurredAt,
                    recordedAt: event.occurredAt),
                kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload))
    }

    /// The code of the refusal of a command; `nil` where it is accepted.
    func refusal(of command: some Command, at now: Instant) throws -> String? {
        var copy = self
        do {
            try copy.give(command, at: now)
            return nil
        } catch let refusal as Refusal {
            return refusal.code
        }
    }

    /// The state of the events with a tag; of all events without one.
    func state<Target: Projection>(
        of projection: Target.Type, _ tag: Tag? = nil
    ) throws -> Target.State {
        let reader = KindReader<Target.Event>()
        var state = Target.State.blank
        for event in events where tag.map(event.tags.contains) ?? true {
            guard let known = try reader.read(event) else { continue }
            Target.evolve(&state, with: known, event.envelope)
        }
        return state
    }

    /// The findings of an area's audits.
    func findings(of area: any Area.Type) throws -> [Finding] {
        var run = AuditRun(area.audits, AuditContext(digest: { _ in 0 }))
        for event in events { try run.check(event) }
        return run.finish().findings
    }
}
