package import Daybook

/// Tallies that are counted two at a time, and notes about people, for tests of stores.
package enum Tally: Projection {
    /// Two tallies were counted, which had been counted `seen` times before.
    package struct Counted: EventPayload {
        package static let kind: EventKind = "tally.counted.v1"
        package var ids: [String] = []
        package var seen: Int64 = 0

        package static var blank: Self { Self() }
        package var tags: [Tag] { ids.map { Tag("tally", $0) } }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("ids", &ids)
            try field("seen", &seen)
        }
    }

    /// Something was noted about people.
    package struct Noted: EventPayload {
        package static let kind: EventKind = "tally.noted.v1"
        package var people: [String] = []
        package var text = PersonalText.blank
        package var by: Author?
        package var place: PersonalInteger?

        package static var blank: Self { Self() }
        package var tags: [Tag] { people.map { Tag("person", $0) } }

        package init() {}

        package init(_ people: [String], _ text: String, by: String? = nil, place: Int64? = nil) {
            self.people = people
            self.text = PersonalText(text)
            self.by = by.map { Author($0) }
            self.place = place.map { PersonalInteger($0) }
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("people", &people)
            try field("text", &text)
            try field("by", &by)
            try field("place", &place)
        }
    }

    package enum Event: DecidedEvents {
        case counted(Counted)

        package static let kinds = [StoredKind(counted)]
    }

    package struct State: Record {
        package var count: Int64 = 0

        package static var blank: Self { Self() }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        if case .counted = event { state.count += 1 }
    }

    /// Counts two tallies, which together may be counted at most `limit` times.
    package struct Count: Command {
        package typealias Model = Tally
        package static let name = "tally.count"
        package var first = ""
        package var second = ""
        package var limit = Int64.max

        package static var blank: Self { Self() }

        package init() {}

        package init(_ first: String, _ second: String, limit: Int64 = .max) {
            (self.first, self.second, self.limit) = (first, second, limit)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("first", &first)
            try field("second", &second)
            try field("limit", &limit)
        }

        package var query: Query {
            let kinds: Set<EventKind> = [Counted.kind]
            return Query(
                Query.Item(kinds: kinds, tags: [Tag("tally", first)]),
                Query.Item(kinds: kinds, tags: [Tag("tally", second)]))
        }

        package func decide(_ tally: State, now: Instant) throws(Refusal) -> [Event] {
            guard tally.count < limit else {
                throw Refusal("full", "the tallies were counted often enough")
            }
            var counted = Counted()
            (counted.ids, counted.seen) = ([first, second], tally.count)
            return [.counted(counted)]
        }
    }
}

/// The area of `Tally`.
package enum Tallies: Area {
    package static let name = "tally"
    package static let events = [
        EventDescription(Tally.Counted.self), EventDescription(Tally.Noted.self),
    ]
    package static let commands = [CommandDescription(Tally.Count.self)]
    package static let projections = [
        ProjectionDescription("tally", noun: "tally", "How often it was counted", Tally.self)
    ]
    package static let people: PersonNouns = ["person": "person"]
}
