import Daybook
import DaybookLog

/// A time in which an entity was in one state of its life cycle, by the devices' clocks.
struct LifecyclePhase {
    /// Newest id of the entity.
    var key: String
    /// Number of the entity, from 0, in the order of the first events.
    var entity: Int
    var state: String
    /// Time of the event that began the phase, or the end of the phase before if that is later,
    /// in microseconds since 1970.
    var startUs: Int64
    /// Beginning of the next phase; `nil` for the newest phase.
    var endUs: Int64?
    /// Position of the event that began the phase.
    var position: UInt64
    /// Kind of the event that began the phase.
    var cause: EventKind
    /// Events during the phase, the event that began it included; empty unless they are kept.
    var events: [EntityEvent]
}

/// An event of an entity.
struct EntityEvent {
    var position: UInt64
    var kind: EventKind
    /// Time of the event by the device's clock, in microseconds since 1970.
    var timeUs: Int64
}

/// An entity whose events were walked over.
struct WalkedEntity {
    var key: String
    /// Number of the entity, from 0, in the order of the first events.
    var number: Int
    /// Earliest time of the entity's events, in microseconds since 1970.
    var startUs: Int64
    /// Latest time of the entity's events, in microseconds since 1970.
    var endUs: Int64
    /// Position of the first event.
    var position: UInt64
}

/// The life cycles of all entities of one state machine.
struct LifecycleWalk {
    let machine: StateMachine
    let projection: ProjectionDescription
    let walk: EntityWalk
    private let entities: EntityReader
    /// True to keep the events of each phase in memory until it ends.
    private let keepsEvents: Bool

    /// An entity with its current phase.
    private struct Entity {
        var walked: WalkedEntity
        var phase: LifecyclePhase?
        /// Time at which the current phase, or the pause after the last one, began.
        var changedUs = Int64.min
    }

    init(
        _ machine: StateMachine, of projection: ProjectionDescription,
        in reading: ProjectionReading, keepsEvents: Bool
    ) throws(LogError) {
        self.keepsEvents = keepsEvents
        self.machine = machine
        self.projection = projection
        entities = reading.entities
        walk = try entities.walk(of: projection, nil)
    }

    /// Walks over the life cycles.
    ///
    /// - Parameters:
    ///   - began: receives each entity at its first event.
    ///   - event: receives each event of each entity.
    ///   - phase: receives each phase that ended, and then the newest phases.
    ///   - ended: receives each entity at the end.
    ///   - flush: is called at intervals, while no read transaction is open.
    func forEach(
        began: (WalkedEntity) -> Void, event receive: (EntityEvent, WalkedEntity) -> Void,
        phase: (LifecyclePhase) -> Void, ended: (WalkedEntity) -> Void, flush: () throws -> Void
    ) throws {
        let events = WalkEvents(
            along: walk, entities.catalogue, validThrough: entities.validThrough)
        var folds = EntityFolds<Entity>(of: projection, .standard)
        var after = Position.origin
        while after < entities.through {
            let end = entities.endOfStretch(after: after)
            try entities.fold(events, after: after, through: end) {
                (event, key) throws(FoldError) in
                let own = EntityEvent(
                    position: event.position.rawValue, kind: event.kind,
                    timeUs: event.envelope.occurredAt.microseconds)
                var number = folds.numbers[key] ?? folds.entities.count
                if number == folds.entities.count {
                    let walked = WalkedEntity(
                        key: key, number: number, startUs: own.timeUs, endUs: own.timeUs,
                        position: own.position)
                    began(walked)
                    number = folds.add(key, Entity(walked: walked))
                }
                try folds.entities[number].fold.apply(event)
                let state = state(of: folds.entities[number].fold)
                let finished = apply(own, state, to: &folds.entities[number].note)
                if let finished { phase(finished) }
                receive(own, folds.entities[number].note.walked)
            }
            after = end
            try flush()
        }
        for (number, entity) in folds.entities.enumerated() {
            if let newest = entity.note.phase { phase(newest) }
            ended(entity.note.walked)
            if number % 1_024 == 1_023 { try flush() }
        }
        try flush()
    }

    /// Adds a folded event, after which the machine is in `state`, to an entity's phases; returns
    /// the phase that it ended.
    private func apply(
        _ event: EntityEvent, _ state: String?, to entity: inout Entity
    ) -> LifecyclePhase? {
        entity.walked.startUs = min(entity.walked.startUs, event.timeUs)
        entity.walked.endUs = max(entity.walked.endUs, event.timeUs)
        guard state != entity.phase?.state else {
            if keepsEvents { entity.phase?.events.append(event) }
            return nil
        }
        var finished = entity.phase
        let startUs = max(event.timeUs, entity.changedUs)
        finished?.endUs = startUs
        entity.changedUs = startUs
        entity.phase = state.map {
            LifecyclePhase(
                key: entity.walked.key, entity: entity.walked.number, state: $0, startUs: startUs,
                position: event.position, cause: event.kind, events: keepsEvents ? [event] : [])
        }
        return finished
    }

    /// Returns the name of the state of the machine; `nil` before the life cycle begins.
    private func state(of fold: Fold) -> String? {
        let leaf = fold.leaves(only: [machine.field.topLevelField])
            .first { $0.path == machine.field }
        guard let value = leaf?.value, value != "null" else { return nil }
        return value.filter { $0 != "\"" }
    }
}

/// The causation of a log's events, and the time of its last event by the devices' clocks.
struct EventCauses {
    /// Position of the event that caused an event's commit, by the position of the event.
    private(set) var causes: [UInt64: UInt64] = [:]
    /// Latest time of an event, in microseconds since 1970; 0 for an empty log.
    private(set) var latestUs: Int64 = 0

    init(_ reading: ProjectionReading) throws(LogError) {
        for window in reading.eventWindows {
            try reading.log.reader(.all, window).forEachInFull {
                (event, commit, _) throws(LogError) in
                if reading.includes(event) { add(event, commit) }
                return true
            }
        }
    }

    private mutating func add(_ event: RecordedEvent, _ commit: RecordedCommit) {
        latestUs = max(latestUs, event.envelope.occurredAt.microseconds)
        guard let cause = commit.metadata.causation, cause > .origin, cause < event.position else {
            return
        }
        causes[event.position.rawValue] = cause.rawValue
    }
}

extension ProjectionReading {
    /// The ranges of positions in which all events are read; no transaction is open between them.
    var eventWindows: [ReadWindow] { ReadWindow(through: through).divided(by: 16_384) }

    /// True if the reading includes an event in its range of positions.
    func includes(_ event: RecordedEvent) -> Bool {
        event.envelope.occurredAt <= entities.validThrough ?? Instant(microseconds: .max)
    }

    /// Returns walks over the life cycles of all state machines, in the order of their projections.
    func lifecycles(
        _ projections: [ProjectionDescription], keepsEvents: Bool
    ) throws(LogError) -> [LifecycleWalk] {
        var walks: [LifecycleWalk] = []
        for projection in projections.sorted(by: { $0.name.precedesByBytes($1.name) }) {
            guard let machine = catalogue.machines[projection.name] else { continue }
            walks.append(
                try LifecycleWalk(machine, of: projection, in: self, keepsEvents: keepsEvents))
        }
        return walks
    }
}
