import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Names of users within payloads: apart from the event in the file, and in it for readers.
@Suite("Names in events") struct NamesInEventsTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([SignedNotes.self])
    }

    private func open(_ access: EventLog.Access = .create) throws -> EventLog {
        try EventLog(path: folder.path("log"), access: access) { Instant(microseconds: 1_000) }
    }

    private func append(_ notes: [SignedNote], to log: EventLog, actor: String = "") throws {
        _ = try log.append(
            AppendRequest(
                notes.map { NewEvent($0, occurredAt: Instant(microseconds: 5)) },
                metadata: CommitMetadata(actor: actor)))
    }

    private func stored(_ position: UInt64, _ log: EventLog) throws -> [UInt8] {
        let transaction = try log.file.beginReading()
        return try #require(try transaction.row(position, in: log.file.tables.events)?.copied())
    }

    private func notes(_ events: [RecordedEvent]) throws -> [SignedNote] {
        try events.map { try BinaryReader.read(SignedNote.self, from: $0.payload) }
    }

    private func holds(_ needle: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: folder.path("log")))
            .range(of: Data(needle.utf8)) != nil
    }

    @Test("The stored event has the number of the person behind the payload, and a mark in it")
    func bytes() throws {
        let log = try open()
        try append([SignedNote(1, by: "kim"), SignedNote(2, by: nil)], to: log, actor: "lee")
        let header: [UInt8] = [
            0xE8, 3, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 1,
        ]
        let tag: [UInt8] = [6, 0x74, 0x6F, 0x70, 0x3A, 0x74, 0x31]
        let kim = try person("kim", log)
        #expect(
            try stored(1, log)
                == header + [1, 7, 0] + tag + [2, 1, 0x80, 0, 0] + [2, 0, 0, 0]
                + [UInt8(kim), 0, 0, 0])
        #expect(try stored(2, log)[29] == 0)
        #expect(try stored(2, log).suffix(3) == [4, 0, 0])
        #expect(
            try notes(log.reader().collect()) == [SignedNote(1, by: "kim"), SignedNote(2, by: nil)])
    }

    private func person(_ name: String, _ log: EventLog) throws -> UInt32 {
        let transaction = try log.file.beginReading()
        return try #require(try log.file.personNumber("actor:\(name)", in: transaction))
    }

    @Test("Every way of reading shows the payload that was appended")
    func readers() throws {
        let log = try open()
        let notes = (1...40 as ClosedRange<Int64>).map { number in
            SignedNote(
                number, by: number % 3 == 0 ? nil : Author("needle-\(number % 4)"),
                readers: (0..<number % 5).map { Author("needle-reader-\($0)") })
        }
        for part in [notes[..<20], notes[20...]] {
            try append(Array(part), to: log)
            if part.startIndex == 0 { try log.reindex() }
        }
        let payloads = notes.map { BinaryWriter.bytes($0) }
        #expect(try log.reader().collect().map(\.payload) == payloads)
        #expect(
            try log.reader(.all, ReadWindow(.descending)).collect().map(\.payload)
                == payloads.reversed())
        var scanned: [[UInt8]] = []
        try LogScan(log).forEach { (_, header, bytes) in
            scanned.append(bytes.copied(from: header.payloadOffset))
            return true
        }
        #expect(scanned == payloads)
        for topic in ["t1", "t2"] {
            let query = Query(Query.Item(tags: [Tag("top", topic)]))
            let expected = notes.filter { $0.topic == topic }
            #expect(try self.notes(log.reader(query).collect()) == expected)
            let first = try log.reader(query).collect(limit: 1)
            #expect(try self.notes(log.contents.completing(first, withEntities: "top")) == expected)
            var state = LastAuthor.State()
            try log.reader(query).fold(LastAuthor.self, into: &state)
            #expect(state.by == expected.last?.by)
            let reader = try EntityReader(log, catalogue)
            let walk = try reader.walk(of: SignedNotes.projections[0], topic)
            let bytes = try reader.state(along: walk, .standard).fold.bytes
            #expect(bytes == BinaryWriter.bytes(state))
        }
        var state = LastAuthor.State()
        _ = try log.reader().fold(LastAuthor.self, into: &state)
        #expect(state.by == notes.last?.by)
        #expect(try !holds("needle"))
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("An erased name is gone from the file, from every event and from new states")
    func erased() throws {
        do {
            let log = try open()
            let by = (0..<600).map { Author($0 % 2 == 0 ? "needle-kim" : "needle-lee") }
            try append(by.map { SignedNote(1, by: $0) }, to: log, actor: "needle-kim")
            let pass = try LogSnapshots(log).take(catalogue, of: SignedNotes.projections)
            #expect(pass.writtenCount == 0)
            #expect(try !holds("needle"))
            let head = try log.verify(against: catalogue).head
            let erasure = try log.erase(.actor("needle-kim"), catalogue: catalogue)
            #expect(erasure.people == 1 && erasure.texts == 0)
            #expect(try log.commits.at(Position(1))?.chain == head)
        }
        let log = try open(.write)
        let query = Query(Query.Item(kinds: [SignedNote.kind]))
        let authors = try notes(log.reader(query).collect()).map(\.by)
        #expect(Set(authors.enumerated().map { $0 % 2 == 0 ? $1 : nil }) == [.erased, nil])
        #expect(Set(authors.enumerated().map { $0 % 2 == 1 ? $1 : nil }) == ["needle-lee", nil])
        #expect(try log.verify(against: catalogue).isSound)
        // The same name begins anew, and nothing old comes back with it.
        try append([SignedNote(1, by: "needle-kim")], to: log)
        #expect(try notes(log.reader(query).collect()).last?.by == "needle-kim")
        #expect(try notes(log.reader(query).collect()).first?.by == .erased)
        #expect(try !holds("needle"))
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("A reading that an erasure meets shows the name or its absence, and no damage")
    func erasedMeanwhile() throws {
        let log = try open()
        try append((1...5).map { SignedNote($0, by: "kim") }, to: log)
        var seen: [Author?] = []
        try log.reader(Query(Query.Item(kinds: [SignedNote.kind]))).forEach { (event) in
            if seen.count == 2 {
                do { _ = try log.erase(.actor("kim"), catalogue: catalogue) } catch {
                    Issue.record("\(error)")
                }
            }
            seen.append(try? BinaryReader.read(SignedNote.self, from: event.payload).by)
            return true
        }
        #expect(seen.count == 5 && seen.prefix(3) == ["kim", "kim", "kim"])
        #expect(
            try Set(notes(log.reader(.all, ReadWindow(through: Position(5))).collect()).map(\.by))
                == [.erased])
    }

    @Test("An event that was stored with its names reads as it did, and stays")
    func inClear() throws {
        let log = try open()
        var event = NewEvent(SignedNote(1, by: "kim"), occurredAt: Instant(microseconds: 5))
        event.parts = []
        let payload = event.payload
        _ = try log.append(AppendRequest([event], metadata: CommitMetadata(actor: "kim")))
        #expect(try stored(1, log)[29] == 0)
        _ = try log.erase(.actor("kim"), catalogue: catalogue)
        #expect(
            try log.reader(.all, ReadWindow(through: Position(1))).collect().map(\.payload) == [
                payload
            ])
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("The same request is known again, whoever its events name")
    func repeated() throws {
        let log = try open()
        let event = NewEvent(SignedNote(1, by: "kim"), occurredAt: Instant(microseconds: 5))
        let request = AppendRequest([event], idempotency: .init(key: "k", asked: [1]))
        #expect(try log.append(request)?.isRepeated == false)
        #expect(try log.append(request)?.isRepeated == true)
        _ = try log.erase(.actor("kim"), catalogue: catalogue)
        #expect(try log.append(request)?.isRepeated == true)
    }

    @Test(
        "Names that do not lie where an event says are refused",
        arguments: [
            [.init(range: 2..<6, person: "lee")], [.init(range: 3..<7, person: "kim")],
            [.init(range: 2..<90, person: "kim")],
            [.init(range: 2..<6, person: "kim"), .init(range: 2..<6, person: "kim")],
        ] as [[PayloadPart]])
    func unstorable(parts: [PayloadPart]) throws {
        let log = try open()
        var event = NewEvent(SignedNote(1, by: "kim"), occurredAt: Instant(microseconds: 5))
        event.parts = parts
        #expect(throws: AppendError.self) { try log.append(AppendRequest([event])) }
        let many = SignedNote(1, by: nil, readers: (0..<128).map { Author("r\($0)") })
        #expect(throws: AppendError.self) { try append([many], to: log) }
        #expect(try log.head() == .origin)
    }

    enum Damage: String, CaseIterable {
        case unknownPerson, unnamedPerson, outsideThePayload, noMark

        var rule: String { self == .unknownPerson || self == .unnamedPerson ? "person" : "payload" }
    }

    @Test("A name that has no place or no person is found", arguments: Damage.allCases)
    func damage(_ damage: Damage) throws {
        let log = try open()
        try append([SignedNote(1, by: "kim")], to: log)
        // Somebody whom nothing names.
        try PeopleRegistration(file: log.file).register(["actor:max"])
        var bytes = try stored(1, log)
        let end = bytes.count
        switch damage {
        case .unknownPerson: bytes[end - 4] = 9
        case .unnamedPerson: bytes[end - 4] = UInt8(try person("max", log))
        case .outsideThePayload: bytes[end - 8] = 200
        case .noMark: bytes[end - 8] = 1
        }
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put(bytes, for: 1 as UInt64, in: log.file.tables.events)
        }
        let result = try log.verify(against: catalogue)
        #expect(
            result.findings.contains { $0.rule == damage.rule && $0.position == Position(1) },
            "\(result.findings)")
        guard damage != .unnamedPerson else { return }
        #expect(throws: LogError.self) { try log.reader().collect() }
    }
}

/// A note by somebody, about one of two topics.
private struct SignedNote: EventPayload {
    static let kind: EventKind = "test.signed.v1"

    var number: Int64 = 0
    var by: Author?
    var readers: [Author] = []

    static var blank: Self { Self() }

    init() {}

    init(_ number: Int64, by: Author?, readers: [Author] = []) {
        self.number = number
        self.by = by
        self.readers = readers
    }

    var topic: String { number % 2 == 1 ? "t1" : "t2" }
    var tags: [Daybook.Tag] { [Daybook.Tag("top", topic)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("number", &number)
        try field("by", &by)
        try field("readers", &readers)
    }
}

/// The author of the newest note.
private enum LastAuthor: Projection {
    struct Event: EventSet {
        var note: SignedNote

        static let kinds = [StoredKind { Event(note: $0) }]
    }

    struct State: Record {
        var by: Author?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("by", &by)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        state.by = event.note.by
    }
}

private enum SignedNotes: Area {
    static let name = "test"
    static let events = [EventDescription(SignedNote.self)]
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("last-author", noun: "top", "Who wrote last", LastAuthor.self)
    ]
}
