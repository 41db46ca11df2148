import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import Testing

/// Reports about single entities, and their forms, over an area that no program knows.
@Suite struct ReportFormTests {
    /// The moves of one copy.
    struct Moves: Report {
        typealias Model = Shelf
        typealias Answer = Shelf.State
        static let name = "moves-of"
        static let summary = "The moves of a copy"
        static let subject: ReportSubject? = ReportSubject(
            "copy", noun: "copy", kinds: Shelf.kinds)
        var copy = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("copy", &copy)
        }

        func query(knowing state: Shelf.State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(
                .any(of: Shelf.kinds, Daybook.Tag("copy", copy)),
                newest: [Query(Query.Item(kinds: Shelf.kinds))])
        }

        func answer(
            _ state: Shelf.State, _ context: ReportContext
        ) throws(ReportError) -> Shelf.State { state }
    }

    /// An area that has only forms, for the report of another one.
    enum Forms: Area {
        static let name = "forms"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let reports = [ReportDescription(Moves.self)]
        static let renderers = [
            ReportRenderer(Moves.self, .text) { moves, copies in
                let tag = Daybook.Tag("copy", moves.reports[0].copy)
                let places = try copies.states(Shelf.self, of: [tag]).values.map(\.place)
                return .lines(["\(moves.answers[0].moves) moves, now in \(places.joined())"])
            }
        ]
    }

    enum Stray: Area {
        static let name = "stray"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let renderers = [
            ReportRenderer(Moves.self, .csv) { _ throws(ReportError) in .lines([]) }
        ]
    }

    private static let history: [(copy: String, place: String)] = [
        ("a", "hall"), ("b", "hall"), ("a", "desk"), ("c", "hall"), ("a", "hall"), ("b", "desk"),
    ]

    private func prepared(
        _ copy: String, _ reading: ProjectionReading
    ) throws -> any PendingReport {
        let context = ReportContext(
            rules: .standard, zones: nil, position: reading.through,
            knownAt: Instant(microseconds: 0))
        let copy = Tree.Member(key: "copy", value: Tree(.text(copy), line: 1))
        return try ReportDescription(Moves.self).prepare(
            Tree(.map([copy]), line: 1), rules: .standard, context)
    }

    private func answers(_ reports: [any PendingReport]) throws -> [String] {
        try reports.flatMap { try $0.answers().map { try $0.result.get().json } }
    }

    @Test(
        "One pass for all entities gives what a reading of each gives, as of any moment",
        arguments: 0...UInt64(history.count))
    func all(_ position: UInt64) throws {
        let reading = try ShelfLog(Self.history).reading(as: Moment(.position(position)))
        let subject = try #require(Moves.subject)
        let ids = try reading.subjects(subject)
        #expect(ids == Set(Self.history.prefix(Int(position)).map(\.copy)).sorted())
        var reports = try ids.map { try prepared($0, reading) }
        try reading.gather(&reports)
        let single = try ids.map { id in
            var report = try prepared(id, reading)
            try reading.gather(&report)
            return try #require(try answers([report]).first)
        }
        #expect(try answers(reports) == single)
    }

    @Test("One pass for more entities than are looked up one by one finds all of them")
    func many() throws {
        // A short id and one beyond ASCII are looked up, and the others found in a scan.
        let ids = ["a", "café-0001"] + (1...70).map { "copy-\($0)" }
        let shelf = try ShelfLog([])
        let events = (0..<1_600).map { index in
            NewEvent(
                Shelf.Moved(copy: ids[index % ids.count], place: "place \(index)"),
                occurredAt: Instant(microseconds: Int64(index)))
        }
        _ = try shelf.log.append(AppendRequest(events))
        let reading = try shelf.reading()
        let subject = try #require(Moves.subject)
        #expect(try reading.subjects(subject) == ids.sorted())
        var reports = try ids.map { try prepared($0, reading) }
        try reading.gather(&reports)
        for (id, report) in zip(ids, reports) {
            var single = try prepared(id, reading)
            try reading.gather(&single)
            #expect(try answers([report]) == answers([single]), "\(id)")
        }
    }

    @Test("A form of another area's report is found, and may show states beside the answer")
    func form() throws {
        let shelf = try ShelfLog(Self.history)
        let catalogue = try Catalogue([Shelf.self, Forms.self])
        let reading = try ProjectionReading(shelf.log, catalogue)
        let renderer = try #require(catalogue.reports["moves-of"]?.renderers[.text])
        for (copy, line) in [("b", "2 moves, now in desk"), ("a", "4 moves, now in hall")] {
            var report = try prepared(copy, reading)
            try reading.gather(&report)
            #expect(try renderer.page(of: report, reading) == .lines([line]))
        }
    }

    @Test("A form without its report is refused, and so are two of one name")
    func refused() {
        #expect(throws: InvalidCatalogue.rendererWithoutReport("moves-of", .csv)) {
            try Catalogue([Shelf.self, Stray.self])
        }
        #expect(throws: InvalidCatalogue.duplicateName("the renderer of moves-of as csv")) {
            try Catalogue([Shelf.self, Forms.self, Stray.self, Stray.self])
        }
    }
}
