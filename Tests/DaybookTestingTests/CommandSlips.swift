import Daybook

/// An event that one person fills, and the commands that could slip around it.
struct Filled: EventPayload {
    static let kind: EventKind = "shelf.filled.v1"
    var shelf = ""
    var clerk = ""
    var amount: Int64 = 1
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("shelf", shelf)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("shelf", &shelf, "clerk", &clerk)
        try field("amount", &amount, .values(1...100))
    }
}

struct Filling: Record, Projection {
    enum Event: DecidedEvents {
        case filled(Filled)
        static let kinds = [StoredKind(filled)]
    }

    var amount: Int64 = 0
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("amount", &amount)
    }

    static func evolve(_ state: inout Filling, with event: Event, _ envelope: Envelope) {
        guard case .filled(let filled) = event else { return }
        state.amount = state.amount.saturatingSum(filled.amount)
    }
}

/// A command whose amount has no limit, so that its event may go beyond its own.
struct Fill100: Command {
    typealias Model = Filling
    static let name = "shelf.fill"
    var shelf = ""
    var amount: Int64 = 0
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("shelf", &shelf, "amount", &amount)
    }

    var query: Query { events(of: Tag("shelf", shelf)) }

    func decide(_ state: Filling, now: Instant) -> [Filling.Event] {
        [.filled(Filled(shelf: shelf, clerk: "kim", amount: amount))]
    }
}

protocol FillingArea: Area {}

extension FillingArea {
    static var name: String { "shelf" }
    static var events: [EventDescription] { Filling.Event.kinds.map(\.description) }
    static var commands: [CommandDescription] { [] }
    static var projections: [ProjectionDescription] {
        [ProjectionDescription("shelf", noun: "shelf", "The amount on a shelf", Filling.self)]
    }
}

enum BeyondLimits: FillingArea {
    static let commands = [CommandDescription(Fill100.self)]
}

/// A command that sums all amounts of a shelf, and says that the newest is enough.
enum TooNew: FillingArea {
    struct Top: Command {
        typealias Model = Filling
        static let name = "shelf.top"
        var shelf = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf)
        }

        var query: Query { events(of: Tag("shelf", shelf)) }
        func newest(knowing state: Filling) -> Set<Query.Item> { Set(query.items ?? []) }

        func decide(_ state: Filling, now: Instant) throws(Refusal) -> [Filling.Event] {
            throw Refusal("full", "the shelf holds \(state.amount)")
        }
    }

    static let commands = [CommandDescription(Top.self)]
}

/// A command that looks for events by `noun`, which their tags lack.
enum QueryOfAnotherNoun: FillingArea {
    struct Count: Command {
        typealias Model = Filling
        static let name = "shelf.count"
        var shelf = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf)
        }

        var query: Query { events(of: Tag("shelves", shelf)) }
        func decide(_ state: Filling, now: Instant) -> [Filling.Event] { [] }
    }

    static let commands = [CommandDescription(Count.self)]
}

enum ForgottenTag: FillingArea {
    struct Rest: Command {
        typealias Model = Filling
        static let name = "shelf.rest"
        var clerk = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clerk", &clerk)
        }

        var query: Query { events(of: Tag("clerk", clerk)) }
        func decide(_ state: Filling, now: Instant) -> [Filling.Event] { [] }
    }

    static let commands = [CommandDescription(Rest.self)]
}

enum MisspeltPeriod: FillingArea {
    struct Total: Report {
        typealias Model = Filling
        static let name = "total"
        static let summary = "What was filled in a month"
        static let period: ReportPeriod? = .month("moth")
        var month = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("month", &month)
        }

        func answer(_ state: Filling, _ context: ReportContext) -> Filling { state }
    }

    static let reports = [ReportDescription(Total.self)]
}
