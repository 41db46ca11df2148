import CivilTime
import Domain
import EventSourcing
import EventStorage
import Investigation
import LMDB
import ReplayCommands

/// Reads of a log what a baby's reports need, as of a moment on either clock.
struct CareReading {
    let reading: ProjectionReading
    let reader = KindReader<BabyCare.Event>()

    init(_ log: EventLog, _ moment: MomentOptions) throws {
        // A position that the log does not have is a failure that names the option.
        _ = try moment.through(log)
        reading = try ProjectionReading(
            log, try ReplayTool.catalogue(), as: try moment.moment())
    }

    var log: EventLog { reading.log }
    var catalogue: Catalogue { reading.catalogue }
    /// The last position to read.
    var through: Position { reading.through }
    /// The end of valid time; `nil` for none.
    var validThrough: Instant? { reading.entities.validThrough }

    /// What is known of a baby, found by any id it has or had.
    func profile(_ babyId: String) throws -> Household.Profile {
        var profile = Household.Profile.blank
        profile.babyId = babyId
        var ids: [String] = []
        while ids != profile.ids {
            ids = profile.ids
            profile = Household.Profile.blank
            profile.babyId = babyId
            let items = ids.flatMap { id in
                var known = Household.Profile.blank
                known.babyId = id
                return known.items
            }
            guard let query = Query(items: items) else { break }
            var state = BabyCare.State.blank
            state.profile.babyId = babyId
            try fold(try log.events(query, through: through), into: &state)
            profile = state.profile
        }
        guard profile.isKnown else {
            throw Failure(.finding, "nothing is known of a baby '\(babyId)' at position \(through)")
        }
        return profile
    }

    /// All entries there ever were.
    func state(_ profile: Household.Profile) throws -> BabyCare.State {
        let events =
            try log.hasAny([Household.IdReplaced.kind])
            ? log.events(
                BabyCare.query(profile), withEntities: "entry", kinds: BabyCare.entryHistoryKinds,
                through: through)
            : log.events(BabyCare.query(profile), through: through)
        return try state(profile, events)
    }

    private func state(
        _ profile: Household.Profile, _ events: [RecordedEvent]
    ) throws -> BabyCare.State {
        var state = BabyCare.State.blank
        state.profile = profile
        try fold(events, into: &state)
        return state
    }

    private func fold(_ events: [RecordedEvent], into state: inout BabyCare.State) throws {
        for event in events {
            if let validThrough, event.envelope.occurredAt > validThrough { continue }
            let newest = try catalogue.upcast(event)
            guard let known = try reader.read(newest) else { continue }
            BabyCare.evolve(&state, with: known, newest.envelope)
        }
    }
}
