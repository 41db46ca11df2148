import Daybook

/// How often a member returned a copy, and how often late.
struct Punctuality: Record, Projection {
    var returned: Int64 = 0
    var late: Int64 = 0
    var due: [String: Instant] = [:]
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("returned", &returned, "late", &late)
        try field.internalField("due", &due)
    }

    static func evolve(_ state: inout Self, with event: Loans.Event, _ envelope: Envelope) {
        state.apply(event, at: envelope.occurredAt, .standard)
    }

    mutating func apply(_ event: Loans.Event, at now: Instant, _ rules: RuleSet) {
        switch event {
        case .added: break
        case .borrowed(let loan): due[loan.copy] = loan.due
        case .returned(let loan):
            guard let due = due.removeValue(forKey: loan.copy) else { break }
            returned += 1
            if now.microseconds(since: due) > rules.grace { late += 1 }
        }
    }
}

/// The same with days of grace.
enum LenientPunctuality: Projection {
    static func evolve(_ state: inout Punctuality, with event: Loans.Event, _ envelope: Envelope) {
        state.apply(event, at: envelope.occurredAt, .lenient)
    }
}

extension RuleSet {
    static let lenient: RuleSet = "lenient"

    var grace: Int64 { self == .lenient ? 3 * Instant.dayUs : 0 }
}
