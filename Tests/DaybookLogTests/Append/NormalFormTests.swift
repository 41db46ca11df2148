import Daybook
import DaybookLMDB
import TestSupport
import Testing

@testable import DaybookLog

/// Ids mean one entity, whether their accents are composed or not.
@Suite("Normalisation form C") struct NormalFormTests {
    private typealias Tag = Daybook.Tag

    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Notes.self])
    }

    /// Appends a note as earlier programs did: with the tag in the form that the caller gave.
    private func appendOlder(_ log: EventLog, topic: String, _ number: Int64) throws {
        var event = NewEvent(
            Note(number, "n", topics: [topic]), occurredAt: Instant(microseconds: number))
        event.tags = [Tag(stored: "topic:\(topic)")]
        var session = try AppendSession(log)
        _ = try session.write(AppendRequest([event]))
        try session.commit()
    }

    /// Takes the list of forms away, which earlier programs do not keep.
    private func forgetForms(_ log: EventLog) throws {
        try log.writing { (transaction) throws(LogError) in
            try transaction.clear(log.tables.tagForms)
            let key = Meta.formsThrough
            try transaction.remove(key.rawSpan, from: log.tables.meta)
        }
    }

    private func topic(_ id: String) -> Query {
        Query(Query.Item(kinds: [Note.kind], tags: [Tag("topic", id)]))
    }

    private func positions(_ events: [RecordedEvent]) -> [UInt64] {
        events.map(\.position.rawValue)
    }

    @Test("A tag has the same bytes whichever form its id comes in")
    func tagBytes() throws {
        let composed = Array("topic:\(Self.composed)".utf8)
        #expect(Array(Tag("topic", Self.decomposed).text.utf8) == composed)
        let parsed = try #require(Tag("topic:\(Self.decomposed)"))
        #expect(Array(parsed.text.utf8) == composed)
        // Hangul, a singleton, and marks in another order.
        for (id, form) in [
            ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{212B}", "\u{C5}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("plain-1", "plain-1"),
        ] {
            #expect(Array(Tag("topic", id).id.utf8) == Array(form.utf8))
        }
    }

    @Test("An id that begins with a combining mark is taken apart at the colon")
    func leadingMark() throws {
        let tag = try #require(Tag("topic:\u{301}x"))
        #expect(tag.noun == "topic")
        #expect(Array(tag.id.utf8) == Array("\u{301}x".utf8))
    }

    @Test("Notes under either form of an id are decided as one entity")
    func decisions() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for (index, id) in [Self.decomposed, Self.composed].enumerated() {
            let note = NewEvent(
                Note(1, "n", topics: [id]), occurredAt: Instant(microseconds: 1))
            let condition = AppendCondition(topic(index == 0 ? Self.composed : Self.decomposed))
            let request = AppendRequest([note], conditions: [condition])
            if index == 0 {
                #expect(try log.append(request)?.first == Position(1))
            } else {
                #expect(throws: AppendError.conflict(at: Position(1))) {
                    try log.append(request)
                }
            }
        }
        let stored = try #require(try log.reader().collect().first)
        #expect(stored.tags.map { Array($0.text.utf8) } == [Array("topic:\(Self.composed)".utf8)])
        // The payload keeps what the caller wrote.
        let note = try BinaryReader.read(Note.self, from: stored.payload)
        #expect(Array(note.topics[0].utf8) == Array(Self.decomposed.utf8))
    }

    /// How far an older log is indexed, and by which program.
    enum Index: CaseIterable {
        case none, part, whole, byEarlierProgram
    }

    private func olderLog(_ index: Index) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try appendOlder(log, topic: Self.decomposed, 1)
        try appendOlder(log, topic: "other", 2)
        if index == .part { try log.reindex() }
        try appendOlder(log, topic: "u\u{308}ber", 3)
        try appendOlder(log, topic: Self.composed, 4)
        try appendOlder(log, topic: Self.decomposed, 5)
        if index == .whole || index == .byEarlierProgram { try log.reindex() }
        if index == .byEarlierProgram { try forgetForms(log) }
        return log
    }

    @Test("Events of older logs are found by either form of an id", arguments: Index.allCases)
    func olderLogs(_ index: Index) throws {
        do { _ = try olderLog(index) }
        for access in [EventLog.Access.read, .write] {
            let log = try EventLog(path: folder.path("log"), access: access)
            for id in [Self.composed, Self.decomposed] {
                #expect(positions(try log.reader(topic(id)).collect()) == [1, 4, 5])
                #expect(
                    positions(
                        try log.reader(topic(id), ReadWindow(through: Position(4), .descending))
                            .collect())
                        == [4, 1])
                let newest = Query(Query.Item(tags: [Tag(stored: "topic:\(id)")]))
                #expect(
                    positions(
                        try log.reader(
                            newest, ReadWindow(through: Position(3)), withEntities: "topic"
                        ).collect())
                        == [1])
                #expect(
                    positions(try log.reader(newest, withEntities: "topic").collect()) == [1, 4, 5])
            }
            #expect(positions(try log.reader(topic("\u{FC}ber")).collect()) == [3])
            #expect(try log.reader(topic("caf\u{E8}")).collect().isEmpty)
            #expect(try log.verify(against: catalogue).findings == [])
        }
    }

    @Test("A decision meets events under another form of its id", arguments: Index.allCases)
    func olderConditions(_ index: Index) throws {
        let log = try olderLog(index)
        let event = NewEvent(
            Note(6, "n", topics: [Self.composed]), occurredAt: Instant(microseconds: 6))
        for id in [Self.composed, Self.decomposed] {
            let conflict = AppendRequest(
                [event], conditions: [AppendCondition(topic(id), after: Position(4))])
            #expect(throws: AppendError.conflict(at: Position(5))) { try log.append(conflict) }
        }
        let request = AppendRequest(
            [event], conditions: [AppendCondition(topic(Self.composed), after: Position(5))])
        #expect(try log.append(request)?.first == Position(6))
        #expect(positions(try log.reader(topic(Self.decomposed)).collect()) == [1, 4, 5, 6])
        if index == .byEarlierProgram {
            let reading = try log.beginReading()
            #expect(try log.formsThrough(in: reading) == 6)
        }
        #expect(try log.verify(against: catalogue).findings == [])
    }

    @Test("An earlier program's events behind the list of forms are found, in the same process too")
    func laterForms() throws {
        let log = try olderLog(.whole)
        #expect(positions(try log.reader(topic("a\u{300}")).collect()) == [])
        try appendOlder(log, topic: "a\u{300}", 6)
        #expect(positions(try log.reader(topic("\u{E0}")).collect()) == [6])
        try log.reindex()
        #expect(positions(try log.reader(topic("\u{E0}")).collect()) == [6])
        try log.reindex(afresh: true)
        #expect(positions(try log.reader(topic("\u{E0}")).collect()) == [6])
        #expect(try log.verify(against: catalogue).findings == [])
    }

    @Test("Verifying finds a form that is not listed, and one that no event has")
    func verify() throws {
        let log = try olderLog(.whole)
        let form = Array("topic:\(Self.decomposed)".utf8)
        let row = Array("topic:\(Self.composed)".utf8) + [0] + form
        let strange = Array("topic:\u{E0}".utf8) + [0] + Array("topic:a\u{300}".utf8)
        try log.writing { (transaction) throws(LogError) in
            #expect(try transaction.remove(row.rawSpan, from: log.tables.tagForms))
            try transaction.put([], for: strange.rawSpan, in: log.tables.tagForms)
        }
        let result = try log.verify(against: catalogue)
        #expect(result.findings.map(\.rule) == ["forms", "forms"])
        try log.reindex(afresh: true)
        #expect(try log.verify(against: catalogue).findings == [])
    }

    @Test("A tag in another form than C is refused in an append, and found in a query")
    func storedForms() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        var event = NewEvent(
            Note(1, "n", topics: [Self.composed]), occurredAt: Instant(microseconds: 1))
        _ = try log.append(AppendRequest([event]))
        event.tags = [Tag(stored: "topic:\(Self.decomposed)")]
        let error = #expect(throws: AppendError.self) { try log.append(AppendRequest([event])) }
        #expect("\(try #require(error))".contains("normalisation form C"))
        let query = Query(Query.Item(tags: [Tag(stored: "topic:\(Self.decomposed)")]))
        #expect(positions(try log.reader(query).collect()) == [1])
    }

    @Test("An entity of two forms is walked as one, and has no snapshots")
    func snapshots() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let catalogue = try Catalogue([SnapshotTests.SumArea.self])
        let notes = (Int64(1)...600).map { number in
            NewEvent(
                Note(number, "n", topics: [Self.composed]),
                occurredAt: Instant(microseconds: number))
        }
        _ = try log.append(AppendRequest(notes))
        let projections = Array(catalogue.projections.values)
        #expect(try log.takeSnapshots(catalogue, of: projections).written > 0)
        try appendOlder(log, topic: Self.decomposed, 1_000)
        try log.reindex()
        let projection = try #require(projections.first)
        let reader = try EntityReader(log, catalogue)
        for id in [Self.composed, Self.decomposed] {
            let walk = try reader.walk(of: projection, id)
            let state = try reader.state(along: walk, .standard)
            #expect(state.checkpoint.count == 601)
            for share in 0..<3 {
                let events = WalkEvents(
                    along: try reader.walk(of: projection, nil), catalogue, validThrough: nil,
                    EntityShare(share, of: 3))
                var count = 0
                try reader.forEach(of: events) { (_, _) in
                    count += 1
                    return true
                }
                #expect([0, 601].contains(count))
            }
        }
        #expect(try log.takeSnapshots(catalogue, of: projections).written == 0)
        #expect(try log.verify(against: catalogue).findings == [])
    }

    @Test("An erasure reaches a person under every form of the name")
    func erasure() throws {
        let people: PersonNouns = ["topic": "topic"]
        let log = try EventLog(path: folder.path("log"), access: .create, people: people)
        for (position, id) in [(1, Self.decomposed), (2, Self.composed)] {
            var event = NewEvent(
                Note(1, "n", topics: [id], secret: "secret"), occurredAt: Instant(microseconds: 1))
            event.tags = [Tag(stored: "topic:\(id)")]
            try log.register([event.tags[0].text])
            var session = try AppendSession(log)
            #expect(try session.knows([event.tags[0].text]))
            _ = try session.write(AppendRequest([event]))
            try session.commit()
            #expect(
                try log.personalText(at: Position(UInt64(position)), field: 0) == "secret")
        }
        let erased = try log.erase(.tags([Tag("topic", Self.composed)]), catalogue: catalogue)
        #expect(erased.texts == 2)
        #expect(erased.people == 1)
        #expect(try log.personalText(at: Position(1), field: 0) == nil)
        #expect(try log.personalText(at: Position(2), field: 0) == nil)
        #expect(try log.verify(against: catalogue).findings == [])
    }
}
