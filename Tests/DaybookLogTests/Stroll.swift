import Daybook
import DaybookLog
import Testing

/// A stretch of somebody's walk.
struct Stroll: EventPayload {
    static let kind: EventKind = "test.walk.v1"

    struct Rest: Record {
        var place: PersonalInteger?
        var by: Author?

        static var blank: Self { Self() }

        init() {}

        init(_ number: Int) {
            place = number % 2 == 0 ? nil : PersonalInteger(Int64(number) << 40)
            by = number == 2 ? nil : Author("resting")
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place)
            try field("by", &by)
        }
    }

    var id = ""
    var by: Author?
    var places: [PersonalInteger] = []
    var title: PersonalText?
    var user: String?
    var gap = ""
    var rest: [Rest] = []

    static var blank: Self { Self() }

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
        let event = try #require(try log.reader().collect(limit: 1).first)
        var walk = self
        walk.title = try BinaryReader.read(Stroll.self, from: event.payload).title
        return walk
    }

    var tags: [Daybook.Tag] {
        [Daybook.Tag("walk", id)] + (user.map { [Daybook.Tag("user", $0)] } ?? [])
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("id", &id)
        try field("by", &by)
        try field("places", &places)
        try field("title", &title)
        try field("user", &user)
        try field("gap", &gap)
        try field("rest", &rest)
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

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.internalField("place", &place)
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
