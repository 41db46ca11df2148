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

    @Test("A tag in another form than C is refused in an append")
    func storedForms() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        var event = NewEvent(
            Note(1, "n", topics: [Self.composed]), occurredAt: Instant(microseconds: 1))
        _ = try log.append(AppendRequest([event]))
        event.tags = [Tag(stored: "topic:\(Self.decomposed)")]
        let error = #expect(throws: AppendError.self) { try log.append(AppendRequest([event])) }
        #expect("\(try #require(error))".contains("normalisation form C"))
    }

    @Test("Verifying finds a tag in another form than C, which no program of ours appends")
    func verify() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        var event = NewEvent(
            Note(1, "n", topics: [Self.composed]), occurredAt: Instant(microseconds: 1))
        event.tags.append(Tag(stored: "topic:\(Self.decomposed)"))
        var session = try AppendSession(log)
        _ = try session.write(AppendRequest([event]))
        try session.commit()
        let result = try log.verify(against: catalogue)
        #expect(result.findings.contains { $0.rule == "tags" }, "\(result.findings)")
    }
}
