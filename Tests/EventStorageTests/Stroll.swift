import EventSourcing
import EventStorage
import Testing

/// A stretch of somebody's walk.
struct Stroll: EventPayload {
    static let kind: EventKind = "test.walk.v1"

    struct Rest: Record {
        var place: PersonalInteger?
        var by: Author?

        init() {}

        init(_ number: Int) {
            place = number % 2 == 0 ? nil : PersonalInteger(Int64(number) << 40)
            by = number == 2 ? nil : Author("resting")
        }

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Rest
        ) throws(Visitor.Failure) {
            try visitor.field("place", &value.place)
            try visitor.field("by", &value.by)
        }
    }

    var id = ""
    var by: Author?
    var places: [PersonalInteger] = []
    var title: PersonalText?
    var user: String?
    var gap = ""
    var rest: [Rest] = []

    init() {}

    init(
        _ id: String, by: Author? = nil, user: String? = nil, _ places: [Int64],
        title: String? = nil
    ) {
        self.init(id, places.map { PersonalInteger($0) })
        (self.by, self.user, self.title) = (by, user, title.map { PersonalText($0) })
    }

    init(_ id: String, _ places: [PersonalInteger]) {
        self.id = id
        self.places = places
    }

    /// With the seal of its title in the place of the text, as a log shows it.
    func sealed(in log: EventLog) throws -> Stroll {
        let event = try #require(try log.events(limit: 1).first)
        var walk = self
        walk.title = try BinaryReader.read(Stroll.self, from: event.payload).title
        return walk
    }

    var tags: [EventSourcing.Tag] {
        [EventSourcing.Tag("walk", id)] + (user.map { [EventSourcing.Tag("user", $0)] } ?? [])
    }

    static func fields<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Stroll
    ) throws(Visitor.Failure) {
        try visitor.field("id", &value.id)
        try visitor.field("by", &value.by)
        try visitor.field("places", &value.places)
        try visitor.field("title", &value.title)
        try visitor.field("user", &value.user)
        try visitor.field("gap", &value.gap)
        try visitor.field("rest", &value.rest)
    }
}

/// The last place of a walk.
enum LastPlace: Projection {
    struct Event: EventSet {
        var walk: Stroll

        static let kinds = [StoredKind { Event(walk: $0) }]
    }

    struct State: Record {
        var place: PersonalInteger?

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout State
        ) throws(Visitor.Failure) {
            try visitor.working("place", &value.place)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        state.place = event.walk.places.last
    }
}

enum Strolls: Area {
    static let name = "test"
    static let events = [EventDescription(Stroll.self)]
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("last-place", noun: "walk", "Where it ended", LastPlace.self)
    ]
    static let people = PersonNouns(["user": "user"], owners: ["walk": "user"])
}
