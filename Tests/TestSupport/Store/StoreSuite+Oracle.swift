import Daybook
import DaybookLog

/// The expected content of a log: its events, and its commits by idempotency key.
private struct Expected {
    var events: [NewEvent] = []
    var keys: [String: (first: Int, asked: [UInt8])] = [:]

    func conflicts(_ condition: AppendCondition) -> [Int] {
        events.indices.filter {
            condition.query.matches(kind: events[$0].kind, tags: events[$0].tags)
        }.map { $0 + 1 }.filter { $0 > Int(condition.after.rawValue) }
    }
}

extension StoreSuite {
    private static let kinds: [EventKind] = ["test.a.v1", "test.b.v1", "test.c.v1"]
    private static let topics = ["x", "y", "z", "w"].map { Tag("topic", $0) }

    /// Random appends, reads, erasures and faults, over three replicas.
    func matchesAnArray(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var expected = Expected()
        let names = ["one", "two", "three"]
        var replicas = try names.map { try replica($0) }
        for step in 0..<150 {
            let place = "seed \(seed), step \(step)"
            let index = Int.random(in: 0..<names.count, using: &random)
            let action = Int.random(in: 0..<24, using: &random)
            guard action > 0 else {
                // A file must be closed before it is opened again.
                replicas.remove(at: index)
                replicas.insert(try replica(names[index]), at: index)
                continue
            }
            let log = replicas[index]
            switch action {
            case 1: try log.reindex()
            case 2: try CatchUp.run(log, atMost: UInt64.random(in: 1...9, using: &random))
            case 3, 4: try checkRead(log, expected, &random, place)
            case 5:
                store.plan(
                    [.lostBefore, .lostAfter, .lateBeforeAppend, .lateBeforeOutcomes]
                        .randomElement(using: &random),
                    outcomeFaults: Int.random(in: 0...1, using: &random))
            default: try append(to: log, &expected, &random, place)
            }
        }
        store.plan()
        try expectEqual(replicas[0], replicas[1], replicas[2])
        try checkRead(replicas[0], expected, &random, "seed \(seed), at the end")
        try TestSupport.expectEqual(
            Int(try replicas[0].head().rawValue), expected.events.count, "seed \(seed)")
    }

    private func query(_ random: inout SeededGenerator) -> Query {
        if Int.random(in: 0..<8, using: &random) == 0 { return .all }
        let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Query.Item(
                kinds: Set(Self.kinds.filter { _ in Bool.random(using: &random) }),
                tags: Self.topics.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        }
        return Query(items: items) ?? .all
    }

    private func event(_ random: inout SeededGenerator) -> NewEvent {
        if Int.random(in: 0..<4, using: &random) == 0 {
            let person = "p\(Int.random(in: 0..<6, using: &random))"
            return NewEvent(
                Tally.Noted([person], "text of \(person)", by: "kim", place: 7),
                occurredAt: Instant(microseconds: 1))
        }
        return NewEvent(
            kind: Self.kinds[Int.random(in: 0..<3, using: &random)],
            tags: Self.topics.filter { _ in Int.random(in: 0..<3, using: &random) == 0 },
            occurredAt: Instant(microseconds: Int64.random(in: 0..<1_000_000, using: &random)),
            payload: (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            })
    }

    private func append(
        to log: EventLog, _ expected: inout Expected, _ random: inout SeededGenerator,
        _ place: String
    ) throws {
        var request = AppendRequest(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in event(&random) })
        request.metadata.actor = ["", "kim", "lee"].randomElement(using: &random) ?? ""
        if Bool.random(using: &random) {
            let after = UInt64.random(in: 0...UInt64(expected.events.count), using: &random)
            request.conditions = [AppendCondition(query(&random), after: Position(after))]
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            request.idempotency = AppendRequest.Idempotency(
                key: "k\(Int.random(in: 0..<9, using: &random))",
                asked: [UInt8.random(in: 0..<2, using: &random)])
        }
        let known = request.idempotency.flatMap { expected.keys[$0.key] }
        let conflicts = request.conditions.flatMap { expected.conflicts($0) }
        do {
            guard let receipt = try log.append(request) else {
                throw Unexpected("\(place): no receipt")
            }
            if let known {
                try expect(known.asked == request.idempotency?.asked, place)
                try expect(
                    receipt.isRepeated && Int(receipt.first.rawValue) == known.first, place)
                return
            }
            try expect(conflicts.isEmpty && !receipt.isRepeated, place)
            try TestSupport.expectEqual(
                Int(receipt.first.rawValue), expected.events.count + 1, place)
            expected.events += request.events
            try TestSupport.expectEqual(Int(receipt.last.rawValue), expected.events.count, place)
            if let idempotency = request.idempotency {
                expected.keys[idempotency.key] = (
                    Int(receipt.first.rawValue), idempotency.asked
                )
            }
        } catch AppendError.conflict(let position) {
            try expect(conflicts.contains(Int(position.rawValue)), "\(place): \(position)")
        } catch AppendError.keyReused(_, let position) {
            try expect(known.map { $0.asked != request.idempotency?.asked } ?? false, place)
            try expect(Int(position.rawValue) == known?.first, place)
        }
    }

    private func checkRead(
        _ log: EventLog, _ expected: Expected, _ random: inout SeededGenerator, _ place: String
    ) throws {
        try log.catchUp()
        let query = query(&random)
        let found = try log.reader(query).collect()
        let matches = expected.events.indices.filter {
            query.matches(kind: expected.events[$0].kind, tags: expected.events[$0].tags)
        }
        try TestSupport.expectEqual(
            found.map { Int($0.position.rawValue) - 1 }, Array(matches), place)
        for (event, index) in zip(found, matches) {
            let original = expected.events[index]
            try expect(event.kind == original.kind && event.tags == original.tags, place)
            guard event.kind == Tally.Noted.kind else {
                try expect(event.payload == original.payload, place)
                continue
            }
            let note = try BinaryReader.read(Tally.Noted.self, from: event.payload)
            try expect(note.by?.name == "kim" && note.place?.value == 7, place)
            try TestSupport.expectEqual(
                try text(log, event.position), "text of \(note.people.first ?? "")", place)
        }
    }
}
