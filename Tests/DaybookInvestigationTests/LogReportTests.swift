import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import Synchronization
import TestSupport
import Testing

/// Reports over a log, and over the same events in memory.
@Suite struct LogReportTests {
    /// All that is known of the copy that was moved last.
    struct LastMoved: Report {
        typealias Model = Shelf
        typealias Answer = Shelf.State
        static let name = "last-moved"
        static let summary = "The copy that was moved last"
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {}

        func query(knowing state: Shelf.State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(
                .any(of: Shelf.kinds, Daybook.Tag("copy", "none")),
                newest: [Query(Query.Item(kinds: Shelf.kinds))],
                entities: ReportQuery.Entities("copy", kinds: Shelf.kinds))
        }

        func answer(
            _ state: Shelf.State, _ context: ReportContext
        ) throws(ReportError) -> Shelf.State { state }
    }

    private static let history: [(copy: String, place: String)] = [
        ("a", "hall"), ("b", "hall"), ("a", "desk"), ("a", "hall"),
    ]

    static let moves = ReportDescription("moves", "All moves", over: Shelf.self) {
        (state, _) throws(ReportError) in state
    }

    /// The answer over the log, which is the same over its events in memory.
    private func answer(
        _ report: ReportDescription, _ reading: ProjectionReading
    ) throws -> String {
        let none = Tree(.map([]), line: 1)
        let context = ReportContext(
            rules: .standard, zones: nil, position: reading.through,
            knownAt: Instant(microseconds: 0))
        let prepared = try report.prepare(none, rules: .standard, context)
        let answer = try #require(try reading.answers(prepared).first)
        let events = try reading.log.reader(.all, ReadWindow(through: reading.through)).collect()
        let inMemory = try report.answer(none, "", .standard, events, context)
        #expect(try answer.result.get().json == inMemory.json)
        return inMemory.json
    }

    @Test("A report without arguments folds all that its projection reads, up to the moment")
    func shortForm() throws {
        let shelf = try ShelfLog(Self.history)
        #expect(try answer(Self.moves, try shelf.reading()).contains(#""moves":4"#))
        let past = try shelf.reading(as: Moment(.position(2)))
        #expect(try answer(Self.moves, past).contains(#""moves":2"#))
    }

    @Test("A query for the newest event with its entity reads the whole history of that entity")
    func newestWithHistory() throws {
        let shelf = try ShelfLog(Self.history)
        let report = ReportDescription(LastMoved.self)
        #expect(try answer(report, try shelf.reading()).contains(#""moves":3"#))
        let past = try shelf.reading(as: Moment(.position(2)))
        #expect(try answer(report, past).contains(#""moves":1"#))
    }

    @Test("A report says what it may keep of each event that matches its query, not of all events")
    func announcedNeed() throws {
        let shelf = try ShelfLog(Self.history)
        var reading = try shelf.reading()
        let needs = Mutex<[Int]>([])
        reading.willKeepEvents = { need in needs.withLock { $0.append(need.byteCount) } }
        _ = try answer(Self.moves, reading)
        let one = ReportQuery(.any(of: Shelf.kinds, Daybook.Tag("copy", "b")))
        try reading.log.reindex()
        try reading.announceEvents(of: one, byteCount: 7)
        #expect(needs.withLock { $0 } == [4 * 400, 7])
    }
}
