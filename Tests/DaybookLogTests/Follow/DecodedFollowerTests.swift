import Daybook
import TestSupport
import Testing

@testable import DaybookLog

/// Pages of diaries, whose payload has had two layouts.
private enum Diary {
    struct First: EventPayload {
        static let kind: EventKind = "diary.written.v1"
        var owner = ""
        var text: PersonalText?
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("user", owner)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("owner", &owner, "text", &text)
        }
    }

    struct Written: EventPayload {
        static let kind: EventKind = "diary.written.v2"
        var owner = ""
        var pages: Int64 = 0
        var text: PersonalText?
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("user", owner)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("owner", &owner, "pages", &pages, "text", &text)
        }
    }

    enum Event: EventSet {
        case written(Written)

        static let kinds = [StoredKind(written)]

        /// The owner, the number of pages and the text.
        var words: String {
            switch self {
            case .written(let page): "\(page.owner) \(page.pages) \(page.text?.text ?? "–")"
            }
        }
    }

    static func first(_ owner: String, _ text: String) -> NewEvent {
        NewEvent(First(owner: owner, text: PersonalText(text)), occurredAt: .epoch, zone: "UTC")
    }

    static func written(_ owner: String, _ pages: Int64, _ text: String?) -> NewEvent {
        NewEvent(
            Written(owner: owner, pages: pages, text: text.map { PersonalText($0) }),
            occurredAt: .epoch)
    }
}

private enum Diaries: Area {
    static let name = "diary"
    static let events = [EventDescription(Diary.Written.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
    static let upcasters = [
        Upcaster { (old: Diary.First) in
            Diary.Written(owner: old.owner, pages: 1, text: old.text)
        }
    ]
    static let people: PersonNouns = ["user": "user"]
}

/// Logs whose events are followed as values of a set.
@Suite("Following decoded events", .timeLimit(.minutes(5))) struct DecodedFollowerTests {
    private let folder: TemporaryFolder
    private let log: EventLog

    init() throws {
        folder = try TemporaryFolder()
        log = try EventLog(
            path: folder.path("log"), access: .create,
            catalogue: try Catalogue([Diaries.self, Bells.self]))
    }

    private func append(_ events: NewEvent...) async throws {
        _ = try await log.append(AppendRequest(events))
    }

    /// Returns the first events of a follower.
    private func first(
        _ count: Int, of follower: DecodedFollower<Diary.Event>
    ) async throws -> [FollowedEvent<Diary.Event>] {
        var events: [FollowedEvent<Diary.Event>] = []
        for try await event in follower {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("Events arrive decoded, upcast and with their texts, and other kinds are left out")
    func decoded() async throws {
        try await append(Diary.first("ada", "Rain."), Diary.written("bo", 2, "Sun."))
        _ = try await log.append(Bell.rings("b1", "b2"))
        async let followed = first(4, of: log.follow(Diary.Event.self))
        try await append(Diary.written("ada", 3, nil))
        _ = try await log.append(Bell.rings("b1"))
        try await append(Diary.first("bo", "Snow."))
        let found = try await followed
        expect(
            found.map(\.event.words), equals: ["ada 1 Rain.", "bo 2 Sun.", "ada 3 –", "bo 1 Snow."])
        // With its times, tags and zone, as recorded.
        let recorded = try log.reader().collect().filter { $0.kind.area == "diary" }
        expect(found.map(\.recorded), equals: recorded)
        expect(found.map(\.position.rawValue), equals: [1, 2, 5, 7])
        expect(found[0].recorded.kind, equals: Diary.First.kind)
        expect(found[0].recorded.zone, equals: "UTC")
    }

    @Test("An erased text is missing, and its event stays")
    func erased() async throws {
        try await append(
            Diary.first("ada", "Rain."), Diary.written("bo", 2, "Sun."),
            Diary.written("ada", 1, "Wind."))
        _ = try log.erase(.tags([Daybook.Tag("user", "ada")]), reason: "ada asked for it")
        let found = try await first(3, of: log.follow(Diary.Event.self))
        expect(found.map(\.event.words), equals: ["ada 1 –", "bo 2 Sun.", "ada 1 –"])
    }

    @Test("A position, a head and a query select the events")
    func selected() async throws {
        try await append(Diary.first("ada", "Rain."))
        let head = try log.chainHead()
        try await append(Diary.written("bo", 2, "Sun."), Diary.written("ada", 3, "Wind."))
        for follower in [
            log.follow(Diary.Event.self, after: Position(1)),
            log.follow(after: head).decoded(as: Diary.Event.self),
        ] {
            let found = try await first(2, of: follower)
            expect(found.map(\.event.words), equals: ["bo 2 Sun.", "ada 3 Wind."])
        }
        let ada = Query(Query.Item(tags: [Daybook.Tag("user", "ada")]))
        let found = try await first(2, of: log.follow(Diary.Event.self, matching: ada))
        expect(found.map(\.event.words), equals: ["ada 1 Rain.", "ada 3 Wind."])
        let ahead = Position(9)
        await #expect(throws: LogError.follow(.beyondEnd(ahead, end: Position(3)))) {
            try await first(1, of: log.follow(Diary.Event.self, after: ahead))
        }
    }

    @Test(
        "An event that cannot be read ends the sequence, after all events before it",
        arguments: [true, false])
    func unreadable(_ isNewer: Bool) async throws {
        var bad = Diary.written("bo", 2, nil)
        if isNewer { bad.kind = "diary.written.v3" } else { bad.payload = [0xFF] }
        try await append(
            Diary.written("ada", 1, nil), Diary.written("ada", 2, nil), bad,
            Diary.written("ada", 4, nil))
        let expected = #expect(throws: LogError.self) {
            let projection = KindReader<Diary.Event>()
            for event in try log.reader().collect() {
                _ = try mappingFoldErrors(try projection.read(event))
            }
        }
        let error = try #require(expected)
        var iterator = log.follow(Diary.Event.self).makeAsyncIterator()
        expect(try await iterator.next()?.event.words, equals: "ada 1 –")
        expect(try await iterator.next()?.event.words, equals: "ada 2 –")
        await #expect(throws: error) { try await iterator.next() }
        expect(try await iterator.next(), equals: nil)
        let later = try await first(1, of: log.follow(Diary.Event.self, after: Position(3)))
        expect(later.map(\.event.words), equals: ["ada 4 –"])
    }
}
