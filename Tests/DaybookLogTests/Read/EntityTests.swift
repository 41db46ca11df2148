import Daybook
import DaybookLog
import TestSupport
import Testing

/// Reading what matches, with everything about the same entities.
@Suite struct EntityTests {
    private func event(_ kind: EventKind, _ tags: String...) -> NewEvent {
        NewEvent(
            kind: kind, tags: tags.map { Daybook.Tag(stored: $0) },
            occurredAt: .init(microseconds: 0), payload: [])
    }

    private func log(_ folder: TemporaryFolder, indexed: Int) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let events = [
            event("note.written.v1", "week:1", "entry:a"),  // 1
            event("note.written.v1", "week:1", "entry:b"),
            event("note.changed.v1", "week:2", "entry:a"),
            event("note.other.v1", "entry:a"),
            event("note.merged.v1", "entry:a", "entry:c"),  // 5
            event("note.written.v1", "week:1", "entry:c"),
            event("note.written.v1", "week:1", "entry:d"),
        ]
        for (index, event) in events.enumerated() {
            _ = try log.append(AppendRequest([event]))
            if index + 1 == indexed { try log.reindex() }
        }
        return log
    }

    @Test(
        "An entity is read whole, with those it was merged with, however far the index reaches",
        arguments: [0, 3, 7])
    func whole(_ indexed: Int) throws {
        let folder = try TemporaryFolder()
        let log = try log(folder, indexed: indexed)
        let query = Query(Query.Item(tags: [Daybook.Tag(stored: "week:2")]))
        let positions = { (events: [RecordedEvent]) in events.map(\.position.rawValue) }
        #expect(
            positions(try log.reader(query, withEntities: "entry").collect()) == [1, 3, 4, 5, 6])
        #expect(
            positions(
                try log.reader(
                    query,
                    withEntities: "entry", kinds: ["note.written.v1", "note.changed.v1"]
                ).collect())
                == [1, 3])
        #expect(
            positions(
                try log.reader(query, ReadWindow(through: Position(4)), withEntities: "entry")
                    .collect())
                == [1, 3, 4])
        #expect(
            try log.reader(query, ReadWindow(through: Position(2)), withEntities: "entry").collect()
                .isEmpty)
    }

    @Test("A scan by tags shows what is asked for, up to a position")
    func scan() throws {
        let folder = try TemporaryFolder()
        let log = try log(folder, indexed: 0)
        var positions: [UInt64] = []
        try log.contents.scan(through: Position(6), taggedBy: { $0.byteCount == 6 }) { event in
            positions.append(event.position.rawValue)
        }
        #expect(positions == [1, 2, 3, 6])
    }
}
