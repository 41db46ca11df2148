import Daybook

/// The copies that a decision is about: one and its loans, or all that a member borrowed.
struct Loans: Record, Projection {
    enum Event: DecidedEvents {
        case added(CopyAdded), borrowed(CopyBorrowed), returned(CopyReturned)
        static let kinds = [StoredKind(added), StoredKind(borrowed), StoredKind(returned)]
    }

    var copies: [String: Copy] = [:]
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("copies", &copies)
    }

    static func evolve(_ loans: inout Loans, with event: Event, _ envelope: Envelope) {
        let copy =
            switch event {
            case .added(let added): added.copy
            case .borrowed(let loan): loan.copy
            case .returned(let loan): loan.copy
            }
        Copy.evolve(&loans.copies[copy, default: Copy()], with: event, envelope)
    }
}
