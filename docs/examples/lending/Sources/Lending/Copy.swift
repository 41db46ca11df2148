import Daybook

/// A copy was bought. No rule judges it: it is a fact from another system.
struct CopyAdded: EventPayload {
    static let kind: EventKind = "lending.copy-added.v1"
    var copy = ""
    var title = ""
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("copy", copy)] }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("copy", &copy, "title", &title)
    }
}

enum CopyStatus: UInt8, StoredEnum { case available, lent }

/// One copy: its book, and the loan it is out on.
struct Copy: Record, Projection {
    var title: String?
    var status = CopyStatus.available
    var member: String?
    var due: Instant?
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("title", &title, "status", &status, "member", &member, "due", &due)
    }

    static let lifecycle = Lifecycle<CopyStatus>(
        "copy", field: "status",
        [
            .begins(CopyAdded.self, .available),
            .step(CopyBorrowed.self, from: .available, to: .lent),
            .step(CopyReturned.self, from: .lent, to: .available),
        ])

    static func evolve(_ copy: inout Copy, with event: Loans.Event, _ envelope: Envelope) {
        switch event {
        case .added(let added):
            copy.title = added.title
        case .borrowed(let loan):
            (copy.status, copy.member, copy.due) = (.lent, loan.member, loan.due)
        case .returned:
            (copy.status, copy.member, copy.due) = (.available, nil, nil)
        }
    }
}
