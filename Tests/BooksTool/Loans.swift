import Daybook

/// An area of the tests with a moment of its own: when a book is due.
enum Loans: Area, Projection {
    static let name = "loans"
    static let events = Event.kinds.map(\.description)
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("loan", noun: "loan", "One loan", Loans.self)
    ]

    enum Event: DecidedEvents {
        case loanNoted(LoanNoted)
        static let kinds = [StoredKind(loanNoted)]
    }

    struct LoanNoted: EventPayload {
        static let kind: EventKind = "loans.loan-noted.v1"
        var loan = ""
        var due = Instant.epoch
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("loan", loan)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("loan", &loan, "due", &due)
        }
    }

    struct State: Record {
        var due: Instant?
        var dueTimes: [Instant] = []
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("due", &due, "dueTimes", &dueTimes)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .loanNoted(let noted):
            state.due = noted.due
            state.dueTimes.append(noted.due)
        }
    }
}
