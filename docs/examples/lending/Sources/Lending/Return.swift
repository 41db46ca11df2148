import Daybook

/// A member brings a copy back. A command as well, since it asks for what the log then says.
struct CopyReturned: EventPayload, Command {
    typealias Model = Loans
    static let kind: EventKind = "lending.copy-returned.v1"
    static let name = "lending.return"
    var copy = ""
    var member = ""
    /// Remarks about the member; erased with everything personal of theirs.
    var note: PersonalText?
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("copy", copy), Tag("member", member)] }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("copy", &copy, "member", &member, "note", &note)
    }

    var query: Query { events(of: Tag("copy", copy)) }

    func decide(_ loans: Loans, now: Instant) throws(Refusal) -> [Loans.Event] {
        guard loans.copies[copy]?.member == member else {
            throw Refusal("notLent", "'\(copy)' is not lent to '\(member)'")
        }
        return [.returned(self)]
    }
}
