import Daybook
import DaybookInvestigation
import DaybookLog
import TestSupport
import Testing

/// An area of the tests: copies on a shelf, and the counts of them that were handed out.
enum Shelf: Area, Projection {
    static let name = "shelf"
    static let rules: [RuleSet] = ["lenient"]
    static let events = [EventDescription(Moved.self), EventDescription(Counted.self)]
    static let commands = [CommandDescription(Move.self)]
    static let projections = [
        ProjectionDescription("copy", noun: "copy", "Where a copy is", Shelf.self)
    ]
    static let publications = [
        PublicationDescription(Counted.self) { counted, _ in
            Publication(
                "count of \(counted.copy)", rules: .standard,
                position: Position(UInt64(counted.position)),
                from: Query(
                    Query.Item(kinds: [Moved.kind], tags: [Daybook.Tag("copy", counted.copy)])
                ),
                withEntities: "copy",
                variants: [
                    Publication.Variant { (events, _) throws(ReportError) in
                        Publication.Reconstruction(
                            leaves: [
                                FlatFields.Leaf(
                                    path: "moves",
                                    value: "\(events.count { $0.kind == Moved.kind })")
                            ])
                    }
                ])
        }
    ]

    struct Moved: EventPayload {
        static let kind: EventKind = "shelf.moved.v1"
        var copy = ""
        var place = ""
        var tags: [Daybook.Tag] { [Daybook.Tag("copy", copy)] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("copy", &copy)
            try field("place", &place)
        }
    }

    /// The moves of a copy up to a position were counted, and the count handed out.
    struct Counted: EventPayload {
        static let kind: EventKind = "shelf.counted.v1"
        var copy = ""
        var position: Int64 = 0
        var tags: [Daybook.Tag] { [Daybook.Tag("copy", copy)] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("copy", &copy)
            try field("position", &position)
        }
    }

    enum Event: DecidedEvents {
        case moved(Moved)
        static let kinds = [StoredKind(moved)]
    }

    struct State: Record {
        var place = ""
        var moves: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place)
            try field("moves", &moves)
        }
    }

    struct Move: Command {
        typealias Model = Shelf
        static let name = "shelf.move"
        var copy = ""
        var place = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("copy", &copy)
            try field("place", &place)
        }

        var query: Query { events(of: Daybook.Tag("copy", copy)) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.place != place else { throw Refusal("there", "it is there already") }
            return [.moved(Moved(copy: copy, place: place))]
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .moved(let body):
            state.place = body.place
            state.moves += 1
        }
    }
}

/// A log of the area in a folder of its own.
struct ShelfLog {
    let folder: TemporaryFolder
    let log: EventLog
    let catalogue: Catalogue
    let copy: ProjectionDescription

    /// - Parameter moves: of the copies `a`, `b`…, one event a second from second 1 on.
    init(_ moves: [(copy: String, place: String)]) throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Shelf.self])
        copy = try #require(catalogue.projections["copy"])
        log = try EventLog(path: folder.path("log"), access: .create)
        for (index, move) in moves.enumerated() {
            try append(
                Shelf.Moved(copy: move.copy, place: move.place), atSecond: Int64(index + 1))
        }
    }

    func append(_ payload: some EventPayload, atSecond second: Int64) throws {
        let event = NewEvent(
            payload, occurredAt: Instant(microseconds: second * 1_000_000))
        _ = try log.append(AppendRequest([event]))
    }

    func reading(as moment: Moment = Moment()) throws -> ProjectionReading {
        try ProjectionReading(log, catalogue, as: moment)
    }

    func expression(_ text: String) throws -> Expression {
        try Expression(text, over: copy.fields, named: "copy")
    }
}
