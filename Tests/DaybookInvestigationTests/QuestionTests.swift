import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import TestSupport
import Testing

/// Questions over a real log of an area that no program knows.
@Suite struct QuestionTests {
    private static let moves: [(copy: String, place: String)] = [
        ("a", "hall"), ("b", "hall"), ("a", "desk"), ("a", "hall"),
    ]

    @Test("History shows each transition with its event")
    func historyShowsEachTransitionWithItsEvent() throws {
        let shelf = try ShelfLog(Self.moves)
        let history = History(of: shelf.copy, "a", .standard, in: try shelf.reading())
        var steps: [String] = []
        try history.forEach { step in
            let places = step.changes.filter { $0.path == "place" }
                .map { "\($0.before ?? "") \($0.after ?? "")" }
            steps.append("\(step.event.position): \(places.joined())")
        }
        expect(steps, equals: [#"1:  "hall""#, #"3: "hall" "desk""#, #"4: "desk" "hall""#])
    }

    @Test("An entity without events is unknown up to the moment")
    func anEntityWithoutEventsIsUnknownUpToTheMoment() throws {
        let shelf = try ShelfLog(Self.moves)
        let reading = try shelf.reading(as: Moment(.position(1)))
        let unknown = QuestionError.unknownEntity(noun: "copy", key: "b", through: Position(1))
        #expect(throws: unknown) {
            try History(of: shelf.copy, "b", .standard, in: reading).forEach { _ in }
        }
        #expect(throws: unknown) { try Blame(of: shelf.copy, "b", .standard, in: reading) }
        #expect(throws: unknown) { try reading.states(of: shelf.copy, "b", .standard) }
        try expect(reading.states(of: shelf.copy, nil, .standard).keys.sorted(), equals: ["a"])
    }

    @Test("A moment after the end of the log is refused")
    func aMomentBehindTheEndOfTheLogIsRefused() throws {
        let shelf = try ShelfLog(Self.moves)
        #expect(throws: QuestionError.noSuchPosition(5, through: Position(4))) {
            try shelf.reading(as: Moment(.position(5)))
        }
    }

    @Test("Valid time leaves out what had not happened by the devices' clocks")
    func validTimeEndsWhatHadHappenedByTheDevicesClocks() throws {
        let shelf = try ShelfLog(Self.moves)
        let moment = Moment(validThrough: Instant(microseconds: 3_000_000))
        let state = try shelf.reading(as: moment).states(of: shelf.copy, "a", .standard)
        expect(state["a"]?.json, equals: #"{"place":"desk","moves":2}"#)
    }

    @Test("Blame names the last writer of a field first")
    func blameNamesTheLastWriterOfAFieldFirst() throws {
        let shelf = try ShelfLog(Self.moves)
        let blame = try Blame(of: shelf.copy, "a", .standard, in: try shelf.reading())
        try expect(
            blame.writings(of: "place").map(\.event.position.rawValue), equals: [4, 3, 1])
        expect(blame.lastWritings.map(\.leaf.path), equals: ["place", "moves"])
        #expect(blame.lastWritings.allSatisfy { $0.writing.event.position == Position(4) })
        let hint = "copy has no field 'pace'; its fields are place, moves; did you mean 'place'?"
        #expect(throws: QuestionError.invalid(hint)) { try blame.writings(of: "pace") }
    }

    @Test(arguments: [false, true])
    func bisectFindsTheFirstEventOfAnyEntity(_ monotone: Bool) throws {
        let shelf = try ShelfLog(Self.moves)
        let search = BisectSearch(
            over: shelf.copy, .standard, until: try shelf.expression("moves == 2 || moves == 3"),
            in: try shelf.reading())
        let found = try #require(try search.first(of: nil, monotone: monotone))
        expect(found.key, equals: "a")
        expect(found.step.event.position, equals: Position(3))
        #expect(try search.first(of: "b", monotone: monotone) == nil)
        #expect(throws: QuestionError.self) { try search.first(of: "c", monotone: monotone) }
    }

    @Test("Bisect refuses a claim that the expression stays true, and says where it does not")
    func bisectSaysWhereAClaimToHoldFromThenOnIsWrong() throws {
        let shelf = try ShelfLog(Self.moves)
        let search = BisectSearch(
            over: shelf.copy, .standard, until: try shelf.expression("place == 'desk'"),
            in: try shelf.reading())
        try expect(search.first(of: "a", monotone: false)?.step.event.position, equals: Position(3))
        #expect(throws: QuestionError.self) { try search.first(of: "a", monotone: true) }
    }

    @Test("Skipping an event shows the first and the last difference")
    func whatIfAnEventIsSkippedShowsTheFirstAndTheLastDifference() throws {
        let shelf = try ShelfLog(Self.moves)
        var changes = HistoryChanges(in: try shelf.reading())
        try changes.skip(4)
        let entities = try changes.entities(of: shelf.copy, nil)
        let entity = try #require(entities.first)
        #expect(entities.count == 1 && entity.key == "a" && entity.recordedKey == "a")
        let difference = try changes.difference(of: entity, .standard)
        expect(difference.before, equals: #"{"place":"hall","moves":3}"#)
        expect(difference.after, equals: #"{"place":"desk","moves":2}"#)
        expect(difference.firstDifference?.place.position, equals: Position(4))
    }

    @Test("Editing the tags of an event moves it to another entity")
    func whatIfAnEventIsEditedMovesItToAnotherEntity() throws {
        let shelf = try ShelfLog(Self.moves)
        var changes = HistoryChanges(in: try shelf.reading())
        try changes.edit(4, "copy", to: Tree(.text("b"), line: 1))
        try expect(changes.entities(of: shelf.copy, nil).map(\.key), equals: ["a", "b"])
        #expect(
            throws: QuestionError.invalid(
                "shelf.moved.v1 has no field 'pace'; its fields are copy, place")
        ) { try changes.edit(4, "pace", to: Tree(.text("x"), line: 1)) }
        #expect(throws: QuestionError.noSuchPosition(9, through: Position(4))) {
            try changes.move(1, after: 9)
        }
    }

    @Test("A command is decided again on the altered history")
    func aCommandIsDecidedAgainOnTheAlteredHistory() throws {
        let shelf = try ShelfLog(Self.moves)
        let reader = AppendLineReader(shelf.catalogue, zones: { nil })
        let text = #"{"command":"shelf.move","data":{"copy":"a","place":"hall"},"after":4}"#
        let bytes = Array(text.utf8)
        let line = try reader.read(bytes, line: 1, now: Instant(microseconds: 0))
        var recorded = HistoryChanges(in: try shelf.reading())
        try expect(recorded.decideAgain([(line, bytes)], reader).map(\.isSame), equals: [true])
        var altered = HistoryChanges(in: try shelf.reading())
        try altered.skip(4)
        #expect(
            try altered.decideAgain([(line, bytes)], reader).map(\.outcome)
                == [.events([Shelf.Moved.kind])])
    }

    @Test("An event that came late for an answer is found")
    func anEventThatCameLateForAnAnswerIsFound() throws {
        let shelf = try ShelfLog(Self.moves)
        try shelf.append(Shelf.Counted(copy: "a", position: 3), atSecond: 5)
        let answers = LateAnswers(in: try shelf.reading(), zones: nil)
        let given = try #require(try answers.publishedAnswers(with: Daybook.Tag("copy", "a")).first)
        let late = try answers.events(lateFor: given)
        expect(late.changes.map(\.event.position), equals: [Position(4)])
        expect(late.totalChanges, equals: [FieldChange(path: "moves", before: "2", after: "3")])
        #expect(throws: QuestionError.self) {
            try answers.publishedAnswers(with: Daybook.Tag("copy", "b"))
        }
    }

    @Test("Two sides of one log agree, and an altered side differs")
    func twoSidesOfOneLogAgreeAndAnAlteredOneDiffers() throws {
        let shelf = try ShelfLog(Self.moves)
        let other = try ShelfLog(Self.moves.dropLast() + [(copy: "a", place: "cellar")])
        func compare(_ second: ShelfLog) throws -> TraceComparison {
            var comparison = TraceComparison(expecting: [], over: shelf.copy.fields)
            try comparison.compare(
                try LogTrace(of: shelf.copy, nil, .standard, in: try shelf.reading()),
                try LogTrace(of: second.copy, nil, .standard, in: try second.reading()))
            return comparison
        }
        #expect(try compare(shelf).divergences.isEmpty)
        let divergence = try #require(try compare(other).divergences.first)
        #expect(divergence.key == "a" && divergence.position == 4)
        expect(divergence.changes.map(\.path), equals: ["place"])
    }

    /// A reducer that forgets where a copy in the cellar is.
    private enum Forgetful: Projection {
        static func evolve(_ state: inout Shelf.State, with event: Shelf.Event, _: Envelope) {
            guard case .moved(let moved) = event else { return }
            state.place = moved.place == "cellar" ? "" : moved.place
            state.moves += 1
        }
    }

    /// A side that is compared by its lines only.
    private final class Lines: TraceSide {
        private let side: LogTrace
        var header: Trace.Header { side.header }

        init(_ side: LogTrace) { self.side = side }

        func next() throws -> [UInt8]? { try side.next() }
        var lineNumber: Int { side.lineNumber }
        func entry(_ line: [UInt8], number: Int) throws -> Trace.Entry {
            try side.entry(line, number: number)
        }
    }

    @Test("Two rule sets differ in the same entities by their states and by their traces")
    func statesAndTracesDifferInTheSameEntities() throws {
        let seed = Cases.seed
        print("seed \(seed)")
        var sampler = Sampler(seed: seed)
        let places = ["hall", "desk", "loft", "attic", "yard", "shop", "cellar"]
        for rareness in [1, 3, 1_000] {
            let shelf = try ShelfLog(
                (0..<60).map { _ in
                    let place = places[sampler.below(places.count)]
                    let isKept = place != "cellar" || sampler.below(rareness) == 0
                    return ("c\(sampler.below(9))", isKept ? place : "hall")
                })
            let copy = ProjectionDescription(
                "copy", noun: "copy", "Where a copy is", Shelf.self, under: "lenient",
                Forgetful.self)
            for moment in [Moment(), Moment(validThrough: Instant(microseconds: 30_000_000))] {
                let reading = try shelf.reading(as: moment)
                func compare(_ wrap: (LogTrace) -> any TraceSide) throws -> TraceComparison {
                    var comparison = TraceComparison(
                        over: copy.fields, from: copy.fold(.standard).leaves)
                    try comparison.compare(
                        wrap(try LogTrace(of: copy, nil, .standard, in: reading)),
                        wrap(try LogTrace(of: copy, nil, "lenient", in: reading)))
                    return comparison
                }
                let (states, lines) = (try compare { $0 }, try compare { Lines($0) })
                expect(states.entityCount, equals: lines.entityCount, "seed \(seed)")
                expect(states.matchedCount, equals: lines.matchedCount, "seed \(seed)")
                expect(states.divergences.map(\.key), equals: lines.divergences.map(\.key))
                expect(
                    states.divergences.map(\.position), equals: lines.divergences.map(\.position))
                expect(states.divergences.map(\.changes), equals: lines.divergences.map(\.changes))
                expect(
                    states.divergences.map(\.recentEvents),
                    equals: lines.divergences.map(\.recentEvents))
            }
        }
    }

    @Test("A history shrinks to the events that still show it")
    func aHistoryShrinksToTheEventsThatStillShowIt() throws {
        let shelf = try ShelfLog(Self.moves)
        let expression = try shelf.expression("place == 'desk'")
        let (key, shrunk) = try HistoryShrinking(in: try shelf.reading(as: Moment(.position(3))))
            .smallest(of: shelf.copy, "a") { _, events in
                var fold = shelf.copy.fold(.standard)
                for event in events { try fold.apply(event) }
                return expression.isTrue(for: fold)
            }
        #expect(key == "a" && shrunk.originalEventCount == 2)
        expect(shrunk.events.map(\.position), equals: [Position(3)])
    }

    @Test(arguments: Determinism.Strategy.allCases)
    func statesAreTheSameInWhateverOrderTheyAreFolded(_ strategy: Determinism.Strategy) throws {
        let shelf = try ShelfLog(Self.moves)
        let rows = try Determinism.digests(shelf.log, shelf.catalogue, strategy)
        #expect(rows.map(\.entityCount).allSatisfy { $0 == 2 } && !rows.isEmpty)
        #expect(rows == (try Determinism.digests(shelf.log, shelf.catalogue)))
    }
}
