import Daybook
import TestSupport
import Testing

@testable import DaybookLog

/// One reader for a query and a window, against a filter of an array.
@Suite("Event reader") struct EventReaderTests {
    private typealias Tag = Daybook.Tag

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Sixty events of two kinds about five entities, the first forty of them indexed.
    private func log() throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        var generator = SeededGenerator(seed: 7)
        for number in Int64(1)...60 {
            var event = NewEvent(
                Note(number, "n", topics: ["t\(Int.random(in: 0..<5, using: &generator))"]),
                occurredAt: Instant(microseconds: Int64.random(in: 0..<100, using: &generator)))
            if number % 4 == 0 { event.kind = "test.other.v1" }
            _ = try log.append(AppendRequest([event]))
            if number == 40 { try log.reindex() }
        }
        return log
    }

    @Test("A long read tells beforehand how many events it reads, and takes back those left out")
    func expectedReads() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let count = ReadChunks.length + 100
        _ = try log.append(
            AppendRequest(
                (1...Int64(count)).map {
                    NewEvent(Note($0, "n", topics: ["t"]), occurredAt: .epoch)
                }))
        let activity = log.file.activity
        for stop in [count, 1_000] {
            let before = activity.expectedReadCount
            var read = 0
            try log.reader().forEach { _ in
                #expect(activity.expectedReadCount == before + count)
                read += 1
                return read < stop
            }
            #expect(activity.expectedReadCount == before + stop)
        }
        let before = activity.expectedReadCount
        try log.reader(.all, ReadWindow(from: Position(5), through: Position(9))).forEach { _ in
            true
        }
        #expect(activity.expectedReadCount == before)
    }

    @Test("A reading shows the matching events of its window, in its direction")
    func windows() throws {
        let log = try log()
        let all = try log.reader().collect()
        #expect(all.map(\.position.rawValue) == Array(1...60))
        let queries = [
            Query.all, Query(Query.Item(kinds: [Note.kind])),
            Query(Query.Item(tags: [Tag("topic", "t1")])),
            Query(
                Query.Item(kinds: ["test.other.v1"], tags: [Tag("topic", "t2")]),
                Query.Item(tags: [Tag("topic", "t3")])),
            Query(Query.Item(tags: [Tag("topic", "none")])),
        ]
        let windows = [(0, 60), (1, 1), (5, 41), (39, 59), (60, 70), (42, 41), (61, 9)]
        for query in queries {
            for (from, through) in windows {
                for direction in [ReadWindow.Direction.ascending, .descending] {
                    let window = ReadWindow(
                        from: Position(UInt64(from)), through: Position(UInt64(through)), direction)
                    var expected = all.filter {
                        query.matches(kind: $0.kind, tags: $0.tags)
                            && (from...max(from, through)).contains(Int($0.position.rawValue))
                            && $0.position.rawValue <= UInt64(through)
                    }
                    if direction == .descending { expected.reverse() }
                    let reader = log.reader(query, window)
                    #expect(try reader.collect() == expected)
                    #expect(try reader.collect(limit: 3) == Array(expected.prefix(3)))
                    #expect(try reader.collect(limit: 0) == [])
                    var payloads: [[UInt8]] = []
                    try reader.forEachInPlace { event in
                        payloads.append(event.payload.copied())
                        return payloads.count < 4
                    }
                    #expect(payloads == expected.prefix(4).map(\.payload))
                }
            }
        }
    }

    @Test("A window begins after a position, at the end of all positions too")
    func after() throws {
        let log = try log()
        #expect(try log.reader(.all, ReadWindow(after: Position(58))).collect().count == 2)
        #expect(try log.reader(.all, ReadWindow(after: .origin)).collect().count == 60)
        #expect(try log.reader(.all, ReadWindow(after: Position(.max))).collect() == [])
    }

    private enum Sum: Projection {
        static func evolve(
            _ state: inout SnapshotTests.Total, with event: SnapshotTests.NoteSet,
            _ envelope: Envelope
        ) {
            guard case .noted(let note) = event else { return }
            state.notes += 1
            state.sum += note.number
            state.last = "\(envelope.position.rawValue)"
        }
    }

    @Test("A fold takes in what a reading shows, in its order")
    func folds() throws {
        let log = try log()
        let topic = Query(Query.Item(tags: [Tag("topic", "t1")]))
        for query in [Query.all, topic, Query(Query.Item(kinds: [Note.kind]))] {
            for direction in [ReadWindow.Direction.ascending, .descending] {
                for limit in [Instant(microseconds: 50), nil] {
                    let window = ReadWindow(
                        from: Position(5), through: Position(55), direction)
                    let reader = log.reader(query, window)
                    var state = SnapshotTests.Total.blank
                    let reached = try reader.fold(Sum.self, into: &state, validThrough: limit)
                    #expect(reached == Position(55))
                    let latest = limit ?? Instant(microseconds: .max)
                    let shown = try reader.collect().filter {
                        $0.kind == Note.kind && $0.envelope.occurredAt <= latest
                    }
                    #expect(state.notes == Int64(shown.count))
                    #expect(state.last == shown.last.map { "\($0.position.rawValue)" } ?? "")
                    let numbers = try shown.map {
                        try BinaryReader.read(Note.self, from: $0.payload).number
                    }
                    #expect(state.sum == numbers.reduce(0, +))
                }
            }
        }
        var state = SnapshotTests.Total.blank
        #expect(
            try log.reader(.all, ReadWindow(after: Position(80))).fold(Sum.self, into: &state)
                == Position(80))
        #expect(state.notes == 0)
    }

    /// The events of `log` that are no notes.
    private struct OtherNote: EventPayload {
        static let kind: EventKind = "test.other.v1"
        var note = Note.blank
        static var blank: Self { Self() }
        var tags: [Tag] { note.tags }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try note.fields(&field)
        }
    }

    private enum Others: Projection {
        enum Event: EventSet {
            case noted(OtherNote)

            static let kinds = [StoredKind(noted)]
        }

        static func evolve(
            _ state: inout SnapshotTests.Total, with event: Event, _ envelope: Envelope
        ) {
            guard case .noted(let other) = event else { return }
            state.notes += 1
            state.sum = 3 &* state.sum &+ other.note.number
        }
    }

    private static let folds = [
        ProjectionDescription("test.sum", noun: "topic", "", Sum.self).fold(.standard),
        ProjectionDescription("test.others", noun: "topic", "", Others.self).fold(.standard),
        ProjectionDescription("test.sums", noun: "topic", "", SnapshotTests.Sums.self)
            .fold(.standard),
    ]

    @Test("A group of folds makes of the events what each fold makes of them alone")
    func groups() throws {
        let log = try log()
        for number in Int64(61)...300 {
            let note = Note(number, "later")
            _ = try log.append(
                AppendRequest([NewEvent(note, occurredAt: Instant(microseconds: number))]))
        }
        for count in [0, 1, 63, 64, 65, 128, 300] {
            let reader = log.reader(.all, ReadWindow(through: Position(UInt64(count))))
            let events = try reader.collect()
            var group = FoldGroup(Self.folds)
            try reader.fold(&group)
            for (alone, grouped) in zip(Self.folds, group.folds) {
                var alone = alone
                for event in events { try alone.apply(event) }
                #expect(alone.bytes == grouped.bytes, "\(count) events")
            }
            #expect(Self.folds[0].json.contains("\"notes\":0"), "a group changes its copy")
        }
    }

    @Test("A group of folds has the events before one that cannot be read")
    func groupsOfDamagedEvents() throws {
        let log = try log()
        var damaged = NewEvent(Note(61), occurredAt: .epoch)
        damaged.payload = [0xFF]
        let others = (62...70).map { NewEvent(Note($0), occurredAt: .epoch) }
        _ = try log.append(AppendRequest([damaged] + others))
        var group = FoldGroup(Self.folds)
        let cause = FoldError.corrupt(Position(61), Note.kind, .truncated(field: "number"))
        #expect(throws: LogError.fold(cause)) { try log.reader().fold(&group) }
        var before = FoldGroup(Self.folds)
        try log.reader(.all, ReadWindow(through: Position(60))).fold(&before)
        #expect(group.folds.map(\.bytes) == before.folds.map(\.bytes))
    }

    @Test("A reading with entities adds their other events, also from before the window")
    func entities() throws {
        let log = try log()
        let all = try log.reader().collect()
        let window = ReadWindow(from: Position(30), through: Position(31))
        let tags = Set(all[29...30].flatMap(\.tags))
        let expected = all.filter {
            $0.position <= Position(31) && !tags.isDisjoint(with: $0.tags)
        }
        #expect(expected.count > 2)
        let reader = log.reader(.all, window, withEntities: "topic")
        #expect(try reader.collect() == expected)
        let last = Array(expected.reversed().prefix(2))
        var descending = window
        descending.direction = .descending
        #expect(
            try log.reader(.all, descending, withEntities: "topic").collect(limit: 2)
                == last)
        var state = SnapshotTests.Total.blank
        try reader.fold(Sum.self, into: &state)
        #expect(state.notes == Int64(expected.count { $0.kind == Note.kind }))
        var count = 0
        try reader.forEachInPlace { _ in
            count += 1
            return true
        }
        #expect(count == expected.count)
    }
}
