import Daybook
import DaybookLog
import Synchronization
import TestSupport

/// The number of times that a bell was rung; a bell may get another id.
enum Bell: Projection {
    struct Rung: EventPayload {
        static let kind: EventKind = "bell.rung.v1"
        var id = ""
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("bell", id)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("id", &id)
        }
    }

    struct Renamed: EventPayload {
        static let kind: EventKind = "bell.renamed.v1"
        static let renames = ["bell": "bell"]
        var from = ""
        var to = ""
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("bell", from), Daybook.Tag("bell", to)] }
        var renamings: [Renaming] { [Renaming(noun: "bell", from: from, to: to)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("from", &from)
            try field("to", &to)
        }
    }

    enum Event: DecidedEvents {
        case rung(Rung)
        case renamed(Renamed)

        static let kinds = [StoredKind(rung), StoredKind(renamed)]
    }

    struct State: Record {
        var count: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        if case .rung = event { state.count += 1 }
    }

    /// Rings a bell, at most `limit` times.
    struct Ring: Command {
        typealias Model = Bell
        static let name = "bell.ring"
        var id = ""
        var limit: Int64 = 1
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("id", &id)
            try field("limit", &limit)
        }

        var query: Query { events(of: Daybook.Tag("bell", id)) }

        func decide(_ bell: State, now: Instant) throws(Refusal) -> [Event] {
            guard bell.count < limit else { throw Refusal("often", "the bell rang often enough") }
            return [.rung(Rung(id: id))]
        }
    }

    /// A request to append that a bell was rung.
    static func rings(_ ids: String...) -> AppendRequest {
        AppendRequest(ids.map { NewEvent(Rung(id: $0), occurredAt: .init(microseconds: 0)) })
    }
}

enum Bells: Area {
    static let name = "bell"
    static let events = [EventDescription(Bell.Rung.self), EventDescription(Bell.Renamed.self)]
    static let commands = [CommandDescription(Bell.Ring.self)]
    static let projections = [
        ProjectionDescription("bell", noun: "bell", "How often it rang", Bell.self)
    ]

    /// Opens a log of bells.
    static func log(_ folder: TemporaryFolder, _ access: EventLog.Access = .create) throws
        -> EventLog
    {
        try EventLog(
            path: folder.path("log"), access: access, catalogue: try Catalogue([Bells.self]))
    }
}

/// A number that tasks count up.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
