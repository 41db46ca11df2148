import Daybook
import DaybookLog
import TestSupport
import Testing

@testable import DaybookInvestigation

/// Stories of small logs of an area that no program knows.
@Suite struct StoryTests {
    static func options(
        _ subject: StoryOptions.Subject, _ shelf: ShelfLog, _ privacy: ExportPrivacy = .ids
    ) -> StoryOptions {
        let values = ShownValues(privacy, of: shelf.log, shelf.catalogue) { _ in false }
        return StoryOptions(subject, values, digest: { _ in 0 })
    }

    static func story(
        _ subject: StoryOptions.Subject, _ shelf: ShelfLog,
        _ change: (inout StoryOptions) -> Void = { _ in }
    ) throws -> ReadStory {
        var options = options(subject, shelf)
        change(&options)
        return try ReadStory(options, in: try shelf.reading())
    }

    @Test("The story of an entity is the JSON that the page reads")
    func wholeStory() throws {
        let shelf = try ShelfLog([("a", "hall"), ("b", "hall"), ("a", "desk")])
        let story = try Self.story(.entities(shelf.copy, keys: ["a"]), shelf) { options in
            options.labels.command = "replay view copy a"
            options.labels.program = "replay"
            options.labels.version = "1.0"
        }
        let events = try shelf.log.reader().collect()
        let times = events.map(\.envelope.recordedAt.microseconds)
        let head = try #require(try shelf.log.commits.at(Position(3))?.head)
        let expected = """
            {"daybookStory":1,"title":"copy a","subject":{"kind":"entity","projection":"copy",\
            "key":"a","tag":null,"from":1,"to":3},"command":"replay view copy a","logOption":"",\
            "program":"replay","log":{"id":"\(shelf.log.id)","head":"\(head)","events":3},"version":"1.0",\
            "rules":"standard","tzdata":null,"zone":null,"texts":false,"pseudonyms":false,\
            "kinds":[{"name":"shelf.moved.v1","area":"shelf"}],"zones":[],"clocks":[],"tags":["copy:a"],\
            "actors":[""],"devices":[""],"correlations":[""],\
            "events":{"position":[1,2],"occurredUs":[1000000,2000000],\
            "recordedUs":[\(times[0]),\(times[2] - times[0])],"offsetS":[0,0],"kind":[0,0],\
            "zone":[-1,-1],"commit":[0,1],"tags":[[0],[0]],"context":[],\
            "payload":[{"copy":"a","place":"hall"},{"copy":"a","place":"desk"}]},\
            "commits":{"first":[1,2],"count":[1,1],"actor":[0,0],"device":[0,0],\
            "correlation":[0,0],"causation":[0,0],"key":[false,false]},\
            "steps":{"event":[],"entity":[],"from":[],"to":[]},\
            "entities":[{"projection":"copy","key":"a","first":0}],\
            "projections":[{"name":"copy","summary":"Where a copy is","noun":"copy",\
            "stateField":null,"machine":null,"blank":{"path":[0,1],"value":[0,1]}}],\
            "paths":[{"path":"place","moment":false},{"path":"moves","moment":false}],\
            "values":["",0,"hall",1,"desk",2],\
            "changes":{"event":[0,0,1,0],"entity":[0,0,0,0],"path":[0,1,0,1],"value":[2,3,4,5]},\
            "machines":[],"findings":[],"late":[],"pictures":[],"svgs":[],"alternatives":[],\
            "omitted":{"payloads":false,"reports":false,"findings":false,"entities":false,\
            "why":[]}}

            """
        expect(story.json, equals: expected)
    }

    @Test("The state at every row is that of the log", arguments: 1...6 as ClosedRange<UInt64>)
    func states(seed: UInt64) throws {
        var sampler = Sampler(seed: seed)
        let shelf = try ShelfLog(
            (0..<60).map { _ in
                (["a", "b", "c", "d"][sampler.below(4)], ["hall", "desk"][sampler.below(2)])
            })
        for subject in [
            StoryOptions.Subject.entities(shelf.copy, keys: ["a"]), .projection(shelf.copy),
            .events, .tag(Daybook.Tag("copy", "b")),
        ] {
            let from = UInt64(1 + sampler.below(30))
            let story = try Self.story(subject, shelf) { options in
                options.from = Position(from)
                options.through = Position(from + 20)
            }
            for (row, position) in story.positions.enumerated() {
                let reading = try shelf.reading(as: Moment(.position(UInt64(position))))
                let states = try reading.states(of: shelf.copy, nil, .standard)
                for key in ["a", "b", "c", "d"] {
                    guard let entity = try story.entity("copy", key) else { continue }
                    let found = try story.state(entity, at: row)
                    expect(
                        found, equals: states[key].map { Tree.fields($0.leaves) },
                        "seed \(seed), copy \(key) at position \(position)")
                }
            }
        }
    }

    @Test("Each change has the writer and the values that blame names")
    func blame() throws {
        let shelf = try ShelfLog([("a", "hall"), ("b", "desk"), ("a", "desk"), ("a", "desk")])
        let story = try Self.story(.entities(shelf.copy, keys: ["a"]), shelf)
        let blame = try Blame(of: shelf.copy, "a", .standard, in: try shelf.reading())
        let writings = blame.writings.map { writing in
            "\(writing.event.position) \(writing.change.path) \(writing.change.after ?? "")"
        }
        let changes = story.changes.map { change in
            "\(story.positions[change.row]) \(change.path) \(change.value ?? "")"
        }
        expect(changes, equals: writings)
    }

    @Test("A change by an event outside the story names its position")
    func outside() throws {
        let shelf = try ShelfLog([("a", "hall"), ("b", "hall"), ("a", "desk"), ("a", "attic")])
        let story = try Self.story(.events, shelf) { $0.from = Position(4) }
        let entity = try #require(try story.entity("copy", "a"))
        #expect(try story.entity("copy", "b") == nil)
        #expect(
            story.changes.map { "\($0.path)=\($0.value ?? "") by \($0.writer)" }
                == [
                    #"place="desk" by 3"#, "moves=2 by 3", #"place="attic" by 0"#, "moves=3 by 0",
                ])
        try expect(story.state(entity, at: 0), equals: ["place": #""attic""#, "moves": "3"])
    }

    @Test("The events that caused others are rows of their own, marked as context")
    func causes() throws {
        let shelf = try ShelfLog([("b", "hall"), ("b", "desk")])
        let event = NewEvent(
            Shelf.Moved(copy: "a", place: "hall"), occurredAt: Instant(microseconds: 9_000_000))
        var request = AppendRequest([event])
        request.metadata.causation = Position(2)
        _ = try shelf.log.append(request)
        let story = try Self.story(.entities(shelf.copy, keys: ["a"]), shelf)
        expect(story.positions, equals: [2, 3])
        try expect(ReadStory.numbers(story.tree["events"]?["context"]), equals: [0])
        try expect(ReadStory.numbers(story.tree["commits"]?["causation"]), equals: [0, 2])
    }

    @Test("Late events are told with the answers that they changed")
    func late() throws {
        let shelf = try ShelfLog([("a", "hall")])
        try shelf.append(Shelf.Counted(copy: "a", position: 1), atSecond: 5)
        try shelf.append(Shelf.Moved(copy: "a", place: "desk"), atSecond: 6)
        let story = try Self.story(.entities(shelf.copy, keys: ["a"]), shelf)
        let late = try ReadStory.list(story.tree["late"]).map(\.json)
        expect(
            late,
            equals: [
                #"{"event":2,"report":"count of a","issued":2,"field":"moves","before":1,"after":2}"#
            ])
    }

    @Test("A what-if has the states of the altered history at each row")
    func whatIf() throws {
        let shelf = try ShelfLog([("a", "hall"), ("a", "desk"), ("b", "hall"), ("a", "attic")])
        let reading = try shelf.reading()
        var changes = HistoryChanges(in: reading)
        try changes.skip(2)
        try changes.move(4, after: 1)
        let story = try Self.story(.entities(shelf.copy, keys: ["a"]), shelf) { options in
            options.alteration = StoryOptions.Alteration(changes, title: "without 2")
        }
        let entity = try #require(try story.entity("copy", "a"))
        let alternative = try #require(try ReadStory.list(story.tree["alternatives"]).first)
        try expect(ReadStory.numbers(alternative["skipped"]), equals: [1])
        try expect(ReadStory.numbers(alternative["moved"]), equals: [2])
        try expect(ReadStory.numbers(alternative["added"]?["after"]), equals: [0])
        let altered = try story.changes(of: 0)
        expect(altered.map(\.writer).filter { $0 < 0 }, equals: [-1, -1])
        let last = try story.state(entity, at: 2, altered)
        let difference = try #require(
            try changes.entities(of: shelf.copy, "a").first.map {
                try changes.difference(of: $0, .standard)
            })
        expect(last, equals: ["place": #""attic""#, "moves": "2"])
        expect(difference.after, equals: #"{"place":"attic","moves":2}"#)
        #expect(story.json.contains("what if without 2"))
    }

    @Test("A story that would be empty is refused, and so are rules that nothing folds with")
    func refusals() throws {
        let shelf = try ShelfLog([("a", "hall")])
        let unknown = QuestionError.unknownEntity(noun: "copy", key: "z", through: Position(1))
        #expect(throws: unknown) {
            try Self.story(.entities(shelf.copy, keys: ["z"]), shelf)
        }
        #expect(throws: QuestionError.self) {
            try Self.story(.events, shelf) { $0.from = Position(9) }
        }
        #expect(throws: QuestionError.self) {
            try Self.story(.projection(shelf.copy), shelf) { $0.otherRules = "lenient" }
        }
    }

    @Test("Ids are replaced everywhere if asked for")
    func pseudonyms() throws {
        let shelf = try ShelfLog([("secret-copy", "secret-hall")])
        try shelf.append(Shelf.Counted(copy: "secret-copy", position: 1), atSecond: 5)
        try shelf.append(Shelf.Moved(copy: "secret-copy", place: "desk"), atSecond: 6)
        let options = Self.options(
            .entities(shelf.copy, keys: ["secret-copy"]), shelf, .pseudonyms)
        let story = try ReadStory(options, in: try shelf.reading())
        #expect(!story.json.contains("secret"))
        #expect(try ReadStory.text(story.tree["title"]).hasPrefix("copy id-"))
    }

    @Test("The length that parts of a long story give is not above that of the whole story")
    func sampledSize() throws {
        let shelf = try ShelfLog([("a", "hall"), ("b", "hall")])
        let moves = (0..<9_000).map { number in
            NewEvent(
                Shelf.Moved(copy: number % 3 == 0 ? "b" : "a", place: "place \(number % 50)"),
                occurredAt: Instant(microseconds: Int64(number) * 61_000_000))
        }
        _ = try shelf.log.append(AppendRequest(moves))
        for subject in [
            StoryOptions.Subject.events, .projection(shelf.copy),
            .entities(shelf.copy, keys: ["a"]),
        ] {
            let guess = try StorySample.byteCount(
                Self.options(subject, shelf), in: try shelf.reading())
            let whole = try Self.story(subject, shelf).json.utf8.count
            #expect(guess <= whole, "\(subject)")
            #expect(guess > whole / 20, "\(subject)")
        }
    }

    @Test("A fold ends as soon as the changes make the story too large")
    func foldOfATooLargeStory() throws {
        let shelf = try ShelfLog([("a", "hall")])
        let moves = (0..<2_000).map { number in
            NewEvent(
                Shelf.Moved(copy: "a", place: "place \(number)"),
                occurredAt: Instant(microseconds: Int64(number) * 61_000_000))
        }
        _ = try shelf.log.append(AppendRequest(moves))
        let reading = try shelf.reading()
        let options = Self.options(.entities(shelf.copy, keys: ["a"]), shelf)
        let selection = try StorySelection(options, in: reading)
        let rows = StoryRows(positions: selection.positions)
        for (room, isEnough) in [(2_000, false), (200_000, true)] {
            var folding = StoryFolding(
                rows, besides: StorySize.limit - room, in: reading, options.values)
            var changes = StoryChanges()
            let fold = Result {
                try folding.fold(selection.entities, [0], options.rules, into: &changes)
            }
            #expect(((try? fold.get()) != nil) == isEnough, "\(room) bytes")
            #expect((changes.all.count < 500) != isEnough, "\(room) bytes")
        }
    }

    @Test("Payloads above 6 MB are left out, and a story above 25 MB says what to narrow")
    func sizes() throws {
        let shelf = try ShelfLog([("a", "hall")])
        func move(_ numbers: Range<Int>) throws {
            let moves = numbers.map { number in
                NewEvent(
                    Shelf.Moved(
                        copy: "a", place: "\(number)" + String(repeating: "x", count: 90_000)),
                    occurredAt: Instant(microseconds: Int64(number)))
            }
            _ = try shelf.log.append(AppendRequest(moves))
        }
        try move(0..<80)
        let subject = StoryOptions.Subject.entities(shelf.copy, keys: ["a"])
        let story = try Self.story(subject, shelf)
        expect(story.tree["omitted"]?["payloads"]?.content, equals: .boolean(true))
        #expect(story.tree["events"]?["payload"] == nil)
        #expect(story.json.contains("The events' payloads are too large together"))
        try move(80..<290)
        #expect(throws: Story.tooLarge) { try Self.story(subject, shelf) }
        #expect("\(Story.tooLarge)".contains("narrow it to one entity"))
        try expect(
            Self.story(subject, shelf) { $0.from = Position(200) }.positions.count, equals: 92)
    }
}
