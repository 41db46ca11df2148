import Daybook
import TestSupport
import Testing

/// Moments are known by their type, whatever their names.
@Suite struct MomentTests {
    private struct Loan: Record {
        var due = Instant.epoch
        var waitUs: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("due", &due, "waitUs", &waitUs)
        }
    }

    private struct Shelf: Record {
        var opened: Instant?
        var closings: [Instant] = []
        var returns: [String: Instant?] = [:]
        var loans: [String: [Loan]] = [:]
        var last: Loan?
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("opened", &opened, "closings", &closings, "returns", &returns)
            try field("loans", &loans, "last", &last)
        }
    }

    private static let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })

    private static func read(_ json: String) throws -> Loan {
        try TreeReader.read(from: try JSONParser.parse(json.utf8), rules: rules)
    }

    @Test("A moment comes in as a time or as microseconds, under any name")
    func input() throws {
        let time = try Self.read(#"{"due": "2026-03-30T10:00:00Z", "waitUs": 5}"#)
        expect(time.due, equals: Instant(microseconds: 1_774_864_800_000_000))
        try expect(Self.read(#"{"due": 1774864800000000, "waitUs": 5}"#), equals: time)
    }

    @Test("A length of time is no moment, even if its name ends in Us")
    func lengths() {
        let error = #expect(throws: InputError.self) {
            try Self.read(#"{"due": 0, "waitUs": "2026-03-30T10:00:00Z"}"#)
        }
        expect(error?.field, equals: "waitUs")
        expect(error?.message.hasPrefix("expected a whole number"), equals: true)
    }

    @Test("The leaves of a record and the paths of its schema agree on what is a moment")
    func paths() {
        let loan = Loan(due: .epoch, waitUs: 1)
        let shelf = Shelf(
            opened: .epoch, closings: [.epoch, .epoch],
            returns: ["a": .epoch, "b.c[0]": .epoch, "\u{301}": .epoch],
            loans: ["a": [loan], "x.due[1].y": [loan, loan]], last: loan)
        let fields = FieldDescription.fields(of: Shelf.self)
        let leaves = FlatFields.of(shelf)
        expect(leaves.count(where: \.isMoment), equals: 10)
        for leaf in leaves {
            expect(fields.hasMoment(at: leaf.path), equals: leaf.isMoment, "\(leaf.path)")
        }
        for path in ["", "open", "opened.x", "closings", "closings[0].x", "returns", "loans.a"] {
            #expect(!fields.hasMoment(at: path), "\(path)")
        }
    }

    @Test("A change of a moment is marked, whether it comes, goes or moves")
    func changes() {
        let (before, after) = (Shelf(opened: .epoch), Shelf(closings: [.epoch]))
        let changes = FieldChange.between(FlatFields.of(before), FlatFields.of(after))
        let marks = changes.map { "\($0.path) \($0.isMoment)" }
        expect(marks, equals: ["opened true", "closings[0] true", "closings false"])
    }

    @Test("An empty value that becomes its parts, or is left of them, is no change of its own")
    func emptied() {
        let empty = FlatFields.of(Shelf())
        let full = FlatFields.of(
            Shelf(closings: [.epoch], returns: ["a": nil], last: Loan(due: .epoch, waitUs: 1)))
        let parts = ["closings[0]", "returns.a", "last.due", "last.waitUs"]
        expect(FieldChange.between(empty, full).withoutEmptied.map(\.path), equals: parts)
        expect(FieldChange.between(full, empty).withoutEmptied.map(\.path), equals: parts)
        // Of a whole side that is not there, the empty values are all there is to tell.
        expect(FieldChange.between([], empty).withoutEmptied.count, equals: empty.count)
    }

    @Test("A number agrees with its noun")
    func counted() {
        expect(0.counted("event"), equals: "0 events")
        expect(1.counted("event"), equals: "1 event")
        expect(2.counted("entity", "entities"), equals: "2 entities")
    }
}
