import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

// People, their keys and texts, and names of kinds.
extension StoreSuite {
    func onePersonAtOnce() throws {
        let replicas = try (0..<4).map { _ in try replica() }
        let failures = SharedFailures()
        for round in 0..<5 {
            Threads.perform(8) { [replicas] thread in
                failures.collect {
                    _ = try replicas[thread % 4].append(
                        Self.noting(
                            ["p\(round)", "q\(thread)"], "text \(round)", by: "by \(round)",
                            actor: "actor \(round)"))
                }
            }
        }
        try failures.check()
        for log in replicas {
            try log.catchUp()
            for position in 1...40 as ClosedRange<UInt64> {
                let round = (position - 1) / 8
                try TestSupport.expectEqual(
                    try text(log, Position(position)), "text \(round)", "\(position)")
            }
        }
        // p0 to p4, and the two names of each round; q0 to q7 own no text.
        try TestSupport.expectEqual(try store.end().nextPerson, 16)
        try expectEqual(replicas[0], replicas[1], replicas[2], replicas[3])
    }

    func fullBlock() throws {
        let (one, two) = (try replica(), try replica())
        try name(1...2_040, one)
        let keysBefore = store.callCounts.keys
        try two.catchUp()
        try TestSupport.expectEqual(store.callCounts.keys, keysBefore + 1)
        for number in 2_041...2_052 {
            try name(number...number, number.isMultiple(of: 2) ? one : two)
        }
        try name(2_053...4_080, two)
        // Over the end of a block in one batch, after a lost one.
        store.plan(.lostBefore)
        _ = try two.append((4_081...4_096).map { Self.noting(["n\($0)"], "text \($0)") })
        try one.catchUp()
        for number in [1, 2_040, 2_046, 2_047, 2_048, 2_049, 4_094, 4_095, 4_096] as [UInt64] {
            for log in [one, two] {
                try TestSupport.expectEqual(
                    try text(log, Position(number)), "text \(number)", log.path)
            }
        }
        try TestSupport.expectEqual(try store.end().nextSlot, 4_097)
        let keys = store.callCounts.keys
        _ = try one.append(Self.noting(["n7", "n2049"], "known people"))
        try two.catchUp()
        try TestSupport.expectEqual(store.callCounts.keys, keys, "keys without new people")
        try expectEqual(one, two)
    }

    /// Appends an event about each of a range of new people, in commits of at most 50.
    private func name(_ numbers: ClosedRange<Int>, _ log: EventLog) throws {
        for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 50) {
            let last = min(first + 49, numbers.upperBound)
            let events = (first...last).flatMap {
                Self.noting(["n\($0)"], "text \($0)").events
            }
            _ = try log.append(AppendRequest(events))
        }
    }

    func texts() throws {
        let (one, two) = (try replica(), try replica())
        for number in 1...30 as ClosedRange<Int64> {
            let log = number.isMultiple(of: 2) ? one : two
            _ = try log.append(
                Self.noting(
                    ["p\(number % 3)"], "text \(number)", by: "by \(number % 4)", place: number,
                    actor: "actor \(number % 5)"))
        }
        for log in [one, two] {
            try log.catchUp()
            for event in try log.reader().collect() {
                let number = Int64(event.position.rawValue)
                let note = try BinaryReader.read(Tally.Noted.self, from: event.payload)
                try expect(
                    note.by?.name == "by \(number % 4)" && note.place?.value == number,
                    "\(number): \(note)")
                try TestSupport.expectEqual(try text(log, event.position), "text \(number)")
                try TestSupport.expectEqual(
                    try log.commits.at(event.position)?.metadata.actor, "actor \(number % 5)")
            }
        }
        // Two requests of one batch that change one person's row.
        _ = try one.append([
            Self.noting(["p0"], "first", actor: "new"), Self.noting(["p0"], "second", actor: "new"),
        ])
        try expectEqual(one, two)
    }

    func namesAtOnce() throws {
        let replicas = try (0..<4).map { _ in try replica() }
        let failures = SharedFailures()
        for round in 0..<4 {
            Threads.perform(8) { [replicas] thread in
                failures.collect {
                    let kinds = ["test.k\(round).v1", "test.own\(thread)-\(round).v1"]
                    let events = kinds.compactMap { EventKind($0) }.map {
                        NewEvent(
                            kind: $0, tags: [], occurredAt: .init(microseconds: 0),
                            zone: "Zone/\(round)", payload: [])
                    }
                    _ = try replicas[thread % 4].append(AppendRequest(events))
                }
            }
        }
        try failures.check()
        // Four kinds and zones that all use, and those of each thread and round.
        try TestSupport.expectEqual(try store.end().nextName, UInt32(1 + 4 + 4 + 32))
        try expectEqual(
            replicas[0], replicas[1], replicas[2], replicas[3], catalogue: try Catalogue([]))
    }

    func upcasters() throws {
        let catalogue = try Catalogue([Measures.self])
        let (one, two) = (
            try replica(catalogue: catalogue), try replica(catalogue: catalogue)
        )
        let query = Query(Query.Item(kinds: [Measures.InMillimetres.kind]))
        let old = NewEvent(Measures.InMetres(distanceM: 2), occurredAt: .init(microseconds: 0))
        let new = NewEvent(
            Measures.InMillimetres(distanceMm: 5), occurredAt: .init(microseconds: 0))
        _ = try one.append(AppendRequest([old]))
        do {
            _ = try two.append(AppendRequest([new], conditions: [AppendCondition(query)]))
            throw Unexpected("the condition does not see the older layout")
        } catch AppendError.conflict(let position) {
            try TestSupport.expectEqual(position.rawValue, 1)
        }
        _ = try two.append(
            AppendRequest([new], conditions: [AppendCondition(query, after: Position(1))]))
        try TestSupport.expectEqual(try two.reader(query).collect().count, 2)
        try expectEqual(one, two, catalogue: catalogue)
    }

    func withoutKeys() throws {
        let one = try replica()
        _ = try one.append(Self.noting(["p"], "text", by: "by", place: 3, actor: "kim"))
        let without = try maker.another(base, hasKeys: false)
        try checkBare(of: without)
        _ = try one.append(Self.noting(["p", "q"], "more", actor: "lee"))
        try checkBare(of: without)
        do {
            _ = try replica("no keys", of: without)
            throw Unexpected("keys came from a store that has none")
        } catch LogError.store(.keys) {}
        let known = try replica("bare")
        try TestSupport.expectEqual(try text(known, Position(1)), "text")
        _ = try known.append(Self.noting(["q", "r"], "third", actor: "kim"))
        try expectEqual(one, known)
        _ = consume known
        do {
            _ = try replica("bare", of: without, hasKeys: false)
            throw Unexpected("a replica with keys was opened without them")
        } catch LogError.stream(.keys) {}
    }

    /// Checks that a replica without keys reads, and takes no appends.
    private func checkBare(of without: any EventStore) throws {
        let bare = try replica("bare", of: without, hasKeys: false)
        try TestSupport.expectEqual(try bare.chainHead(), try store.end().head)
        try TestSupport.expectEqual(try text(bare, Position(1)), "not here")
        let verified = try bare.verify(against: catalogue)
        try expect(verified.isSound, "\(verified.findings)")
        do {
            _ = try bare.append(Self.counting("a"))
            throw Unexpected("a replica without keys has appended")
        } catch AppendError.log(.store(.keys)) {}
        do {
            _ = try bare.decide(Tally.Count("a", "b"))
            throw Unexpected("a replica without keys has decided")
        } catch AppendError.log(.store(.keys)) {}
    }
}

/// A distance that was stored in metres first, and in millimetres since.
private enum Measures: Area {
    struct InMetres: EventPayload {
        static let kind: EventKind = "measure.taken.v1"
        var distanceM: Int64 = 0
        var tags: [Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("distanceM", &distanceM)
        }
    }

    struct InMillimetres: EventPayload {
        static let kind: EventKind = "measure.taken.v2"
        var distanceMm: Int64 = 0
        var tags: [Tag] { [] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("distanceMm", &distanceMm)
        }
    }

    static let name = "measure"
    static let events = [EventDescription(InMillimetres.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
    static let upcasters = [
        Upcaster { (old: InMetres) in InMillimetres(distanceMm: old.distanceM * 1_000) }
    ]
}
