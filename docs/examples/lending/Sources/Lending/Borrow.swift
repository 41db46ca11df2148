import Daybook

struct CopyBorrowed: EventPayload {
    static let kind: EventKind = "lending.copy-borrowed.v1"
    var copy = ""
    var member = ""
    var due = Instant.epoch
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("copy", copy), Tag("member", member)] }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("copy", &copy, "member", &member, "due", &due)
    }
}

/// Lends a copy for 28 days. A copy is lent once at a time, and a member has at most three.
struct Borrow: Command {
    typealias Model = Loans
    static let name = "lending.borrow"
    var copy = ""
    var member = ""
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("copy", &copy, "member", &member)
    }

    /// The copy's loans and the member's: nothing may be added to either before this is appended.
    var query: Query { events(of: Tag("copy", copy), Tag("member", member)) }

    func decide(_ loans: Loans, now: Instant) throws(Refusal) -> [Loans.Event] {
        let status = loans.copies[copy]?.status
        guard Copy.lifecycle.allows(CopyBorrowed.self, in: status) else {
            throw Refusal("notAvailable", "'\(copy)' is \(status?.name ?? "no copy")")
        }
        guard loans.copies.values.count(where: { $0.member == member }) < 3 else {
            throw Refusal("tooManyCopies", "'\(member)' has three copies already")
        }
        let due = now.advanced(byMicroseconds: 28 * Instant.dayUs)
        return [.borrowed(CopyBorrowed(copy: copy, member: member, due: due))]
    }
}
