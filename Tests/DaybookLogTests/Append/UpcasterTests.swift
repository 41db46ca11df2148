import Daybook
import DaybookLog
import TestSupport
import Testing

/// A distance that was stored in metres first, and in millimetres since.
private enum Walk {
    struct InMetres: EventPayload {
        static let kind: EventKind = "walk.walked.v1"
        var distanceM: Int64 = 0
        var tags: [Daybook.Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("distanceM", &distanceM)
        }
    }

    struct InMillimetres: EventPayload {
        static let kind: EventKind = "walk.walked.v2"
        var distanceMm: Int64 = 0
        var tags: [Daybook.Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("distanceMm", &distanceMm)
        }
    }

    static let upcaster = Upcaster { (old: InMetres) in
        var new = InMillimetres()
        new.distanceMm = old.distanceM * 1_000
        return new
    }

    enum Total: Projection {
        enum Event: EventSet {
            case walked(InMillimetres)

            static let kinds: [StoredKind<Event>] = [StoredKind(Event.walked)]
        }

        struct State: Record {
            var distanceMm: Int64 = 0

            static var blank: Self { Self() }

            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("distanceMm", &distanceMm)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .walked(let walked): state.distanceMm += walked.distanceMm
            }
        }
    }

    enum Newest: Area {
        static let name = "walk"
        static let events = [EventDescription(InMillimetres.self)]
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let upcasters = [upcaster]
    }

    enum WithoutUpcaster: Area {
        static let name = "walk"
        static let events = [EventDescription(InMillimetres.self)]
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
    }

    enum LeadsNowhere: Area {
        static let name = "walk"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let upcasters = [upcaster]
    }
}

@Suite struct UpcasterTests {
    @Test("An older kind is folded as the newest")
    func anOlderKindIsFoldedAsTheNewest() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        var old = Walk.InMetres()
        old.distanceM = 2
        var new = Walk.InMillimetres()
        new.distanceMm = 5
        let now = Instant(microseconds: 0)
        _ = try log.append(
            AppendRequest([NewEvent(old, occurredAt: now), NewEvent(new, occurredAt: now)]))
        let catalogue = try Catalogue([Walk.Newest.self])
        var total = Walk.Total.State()
        let position = try log.reader().fold(Walk.Total.self, into: &total, upcasting: catalogue)
        #expect(position == Position(2))
        #expect(total.distanceMm == 2_005)
        #expect(
            try catalogue.upcast(try #require(try log.reader().collect().first)).kind
                == "walk.walked.v2")
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test(
        "A query for the newest layout finds older layouts too, and stops at a newer one",
        arguments: [false, true])
    func queriesMeanAllLayouts(_ isIndexed: Bool) throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let catalogue = try Catalogue([Walk.Newest.self])
        var old = Walk.InMetres()
        old.distanceM = 2
        let now = Instant(microseconds: 0)
        _ = try log.append(AppendRequest([NewEvent(old, occurredAt: now)]))
        if isIndexed { try log.reindex() }
        let query = Query(Query.Item(kinds: ["walk.walked.v2"]))
        #expect(try log.reader(query).collect().map(\.kind) == ["walk.walked.v1"])
        var total = Walk.Total.State()
        try log.reader(query).fold(Walk.Total.self, into: &total, upcasting: catalogue)
        #expect(total.distanceMm == 2_000)
        // What was recorded in the older layout is in the way of a condition.
        #expect(throws: AppendError.conflict(at: Position(1))) {
            try log.append(
                AppendRequest(
                    [NewEvent(Walk.InMillimetres(), occurredAt: now)],
                    conditions: [AppendCondition(query)]))
        }
        var newer = NewEvent(Walk.InMillimetres(), occurredAt: now)
        newer.kind = "walk.walked.v3"
        _ = try log.append(AppendRequest([newer]))
        if isIndexed { try log.reindex() }
        #expect(throws: LogError.fold(.unknownKind(Position(2), "walk.walked.v3"))) {
            try log.reader(query).fold(Walk.Total.self, into: &total, upcasting: catalogue)
        }
        #expect(try log.reader(Query(Query.Item(kinds: ["walk.other.v1"]))).collect().isEmpty)
    }

    @Test("Without its upcaster an older kind is refused by name and position")
    func withoutItsUpcasterAnOlderKindIsRefusedByNameAndPosition() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let old = NewEvent(Walk.InMetres(), occurredAt: Instant(microseconds: 0))
        _ = try log.append(AppendRequest([old]))
        var total = Walk.Total.State()
        #expect(throws: LogError.fold(.unknownKind(Position(1), "walk.walked.v1"))) {
            try log.reader().fold(Walk.Total.self, into: &total)
        }
        // It is listed and verified all the same.
        #expect(try log.reader().collect().count == 1)
        let result = try log.verify(against: try Catalogue([]))
        #expect(result.isSound && result.unknownKinds == ["walk.walked.v1": 1])
    }

    @Test("Chains of upcasters are checked")
    func chainsOfUpcastersAreChecked() {
        #expect(throws: InvalidCatalogue.upcasterMissing(from: "walk.walked.v1")) {
            try Catalogue([Walk.WithoutUpcaster.self])
        }
        #expect(throws: InvalidCatalogue.upcasterLeadsNowhere("walk.walked.v2")) {
            try Catalogue([Walk.LeadsNowhere.self])
        }
        #expect(throws: InvalidCatalogue.duplicateName("walk.walked.v2")) {
            try Catalogue([Walk.Newest.self, Walk.Newest.self])
        }
    }
}
