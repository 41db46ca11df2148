import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

// Appends from several replicas, and answers that get lost.
extension StoreSuite {
    /// The faults after which each request is written once all the same.
    static let lostAnswers: [(FaultyStore.Fault, String)] = [
        (.lostBefore, "before"), (.lostAfter, "after"), (.lateBeforeAppend, "late, same end"),
        (.lateBeforeOutcomes, "late, found"),
    ]

    func contenders() throws {
        let replicas = try (0..<4).map { _ in try replica() }
        let failures = SharedFailures()
        let decisionCount = 4
        Threads.perform(64) { [replicas] thread in
            var random = SeededGenerator(seed: UInt64(thread) + 1)
            failures.collect {
                for _ in 0..<decisionCount {
                    let first = Int.random(in: 0..<12, using: &random)
                    let second = (first + Int.random(in: 1..<12, using: &random)) % 12
                    let decided = try replicas[thread % replicas.count].decide(
                        Tally.Count("t\(first)", "t\(second)"),
                        metadata: CommitMetadata(actor: "kim \(thread % 5)"))
                    guard case .appended = decided else { throw Unexpected("\(decided)") }
                }
            }
        }
        try failures.check()
        try replicas[0].catchUp()
        var counts: [String: Set<Int>] = [:]
        let events = try replicas[0].reader().collect()
        try TestSupport.expectEqual(events.count, 64 * decisionCount)
        for event in events {
            let counted = try BinaryReader.read(Tally.Counted.self, from: event.payload)
            let before = counted.ids.reduce(into: Set<Int>()) {
                $0.formUnion(counts[$1] ?? [])
            }
            try TestSupport.expectEqual(
                Int(counted.seen), before.count, "position \(event.position)")
            for id in counted.ids {
                counts[id, default: []].insert(Int(event.position.rawValue))
            }
        }
        try expectEqual(replicas[0], replicas[1], replicas[2], replicas[3])
    }

    func keys() throws {
        let replicas = try (0..<4).map { _ in try replica() }
        let failures = SharedFailures()
        for round in 0..<6 {
            let receipts = Mutex<[Receipt]>([])
            Threads.perform(8) { [replicas] thread in
                failures.collect {
                    let request = Self.counting("a", key: "key \(round)", actor: "lee")
                    guard let receipt = try replicas[thread % 4].append(request) else {
                        throw Unexpected("no receipt")
                    }
                    receipts.withLock { $0.append(receipt) }
                }
            }
            try failures.check()
            let all = receipts.withLock(\.self)
            try TestSupport.expectEqual(Set(all.map(\.first)).count, 1, "round \(round)")
            try TestSupport.expectEqual(all.count { !$0.isRepeated }, 1, "round \(round)")
            try TestSupport.expectEqual(Set(all.map(\.recordedAt)).count, 1)
        }
        try expectEqual(replicas[0], replicas[1], replicas[2], replicas[3])
        try TestSupport.expectEqual(try replicas[0].head().rawValue, 6)
    }

    func reusedKeys() throws {
        let (one, two) = (try replica(), try replica())
        _ = try one.append(Self.counting("a", "b"))
        _ = try one.append(Self.counting("c", "d", key: "k"))
        do {
            _ = try two.append(Self.counting("other", key: "k"))
            throw Unexpected("the key was taken again")
        } catch AppendError.keyReused("k", let position) {
            try TestSupport.expectEqual(position.rawValue, 3)
        }
        // In a batch with others, which are written.
        let receipts = try two.append([Self.counting("c", "d", key: "k"), Self.counting("e")])
        try expect(receipts[0]?.isRepeated == true && receipts[0]?.first.rawValue == 3, "repeated")
        try expect(receipts[1]?.first.rawValue == 5, "the other request")
        // The answer of one is lost, and another writer has used the key meanwhile.
        for (key, id) in [("l", "same"), ("m", "other")] {
            let last = try store.end().head.position.rawValue
            store.plan(
                .lostAndOvertaken(isWritten: false) {
                    _ = try one.append(Self.counting("same", key: key))
                })
            do {
                let receipt = try two.append(Self.counting(id, key: key))
                try expect(id == "same" && receipt?.isRepeated == true, "taken for its own")
                try TestSupport.expectEqual(receipt?.first.rawValue, last + 1)
            } catch AppendError.keyReused(key, let position) {
                try expect(id == "other" && position.rawValue == last + 1, "\(position)")
            }
        }
        try expectEqual(one, two)
    }

    func lostAnswer(_ fault: (FaultyStore.Fault, String)) throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        _ = try two.append(Self.counting("begin", actor: "kim"))
        // Alone, and after another replica has appended before the outcome is asked.
        for isOvertaken in [false, true] {
            var (planned, first) = (fault.0, UInt64(1))
            let other: @Sendable () throws -> Void = {
                _ = try two.append(Self.counting("between", actor: "lee"))
            }
            switch (fault.0, isOvertaken) {
            case (.lostBefore, true):
                (planned, first) = (.lostAndOvertaken(isWritten: false, other), 2)
            case (.lostAfter, true): planned = .lostAndOvertaken(isWritten: true, other)
            case (_, true): continue
            default: break
            }
            for key in [nil, "key", "other key"] as [String?] {
                let name = "\(fault.1), \(isOvertaken), \(key ?? "-")"
                let before = try store.end().head.position.rawValue
                let request = Self.counting(
                    "a", "b", key: key.map { "\($0) \(isOvertaken)" }, actor: "new \(name)")
                store.plan(planned, outcomeFaults: isOvertaken ? 1 : 0)
                let receipt = try one.append(request)
                try expect(receipt?.isRepeated == false, "\(name): repeated")
                try TestSupport.expectEqual(receipt?.first.rawValue, before + first, name)
                try TestSupport.expectEqual(
                    try store.end().head.position.rawValue, before + (isOvertaken ? 3 : 2), name)
                let commit = try one.commits.at(Position(before + first))
                try expect(
                    commit?.first == receipt?.first && commit?.recordedAt == receipt?.recordedAt
                        && commit?.metadata.actor == "new \(name)", "\(name): another commit")
            }
        }
        try lostInBatch(fault, one, two)
        store.plan()
        try expectEqual(one, two)
    }

    /// Requests of several threads in one lost batch, some of which are known or forbidden.
    private func lostInBatch(
        _ fault: (FaultyStore.Fault, String), _ one: EventLog, _ two: EventLog
    ) throws {
        try two.catchUp()
        let before = try store.end().head.position.rawValue
        let failures = SharedFailures()
        store.plan(fault.0, fault.0)
        let conflictCount = Mutex(0)
        Threads.perform(12) { [fault] thread in
            failures.collect {
                var request = Self.counting(
                    "t\(thread % 4)", key: thread % 3 == 0 ? "batch \(fault.1) \(thread)" : nil,
                    actor: "actor \(thread)")
                let query = Query(Query.Item(tags: [Tag("tally", "t\(thread % 4)")]))
                if thread % 4 == 1 {
                    request.conditions = [AppendCondition(query, after: Position(before))]
                }
                do {
                    let receipt = try one.append(request)
                    try expect(receipt?.isRepeated == false, "\(fault.1): repeated")
                } catch AppendError.conflict {
                    conflictCount.withLock { $0 += 1 }
                }
            }
        }
        try failures.check()
        // Of three conditional requests for one tally, one is written.
        try TestSupport.expectEqual(conflictCount.withLock(\.self), 2, fault.1)
        try TestSupport.expectEqual(
            try store.end().head.position.rawValue, before + 10, fault.1)
    }

    func lostForLong() throws {
        let one = try replica()
        store.plan(.lostAfter, outcomeFaults: 1_000_000)
        do {
            _ = try one.append(Self.counting("a", key: "k"))
            throw Unexpected("the append ended without an answer")
        } catch let error as AppendError {
            try expect(error.mayHaveBeenWritten, "\(error)")
            try expect("\(error)".contains("may be written or not"), "\(error)")
        }
        store.plan()
        let receipt = try one.append(Self.counting("a", key: "k"))
        try expect(receipt?.isRepeated == true && receipt?.first.rawValue == 1, "\(receipt as Any)")
        try expectEqual(one)
    }

    func unreachable() throws {
        let one = try replica()
        _ = try one.append(Self.counting("a"))
        store.plan(.unreachable)
        do {
            _ = try one.append(Self.counting("b", actor: "kim"))
            throw Unexpected("the append was written")
        } catch AppendError.log(.store(.unreachable)) {}
        try TestSupport.expectEqual(try one.head().rawValue, 1)
        try TestSupport.expectEqual(try one.append(Self.counting("b"))?.first.rawValue, 2)
        try expectEqual(one)
    }

    func partlyWritten() throws {
        let (one, two) = (try replica(), try replica())
        _ = try two.append(Self.counting("a", key: "known"))
        try one.catchUp()
        // As if the second request of the batch forbade what was there before.
        let changes = SharedCount()
        let change: @Sendable (inout StoreBatch) -> Void = { batch in
            guard batch.commits.count > 2, changes.next() == 1 else { return }
            batch.conditions.append(
                StoreBatch.Condition(
                    group: batch.commits[1].group, after: 0, kinds: [],
                    tags: [Array(Tag("tally", "a").text.utf8)]))
        }
        // The first append takes so long that the others are one batch.
        let begun = SharedCount()
        store.plan(
            .overtaken {
                _ = Wait.until { begun.value == 8 }
                usleep(100_000)
            },
            // On a busy machine the first may come too late, and once more.
            .changed(change), .changed(change), .changed(change))
        let conflicts = SharedCount()
        let failures = SharedFailures()
        let receipts = Mutex<[Receipt]>([])
        Threads.perform(8) { thread in
            failures.collect {
                let request = Self.counting("t\(thread)", "u\(thread)", actor: "kim \(thread)")
                _ = begun.next()
                do {
                    guard let receipt = try one.append(request), !receipt.isRepeated else {
                        throw Unexpected("no receipt")
                    }
                    receipts.withLock { $0.append(receipt) }
                } catch AppendError.conflict(let position) {
                    try TestSupport.expectEqual(position.rawValue, 1)
                    _ = conflicts.next()
                }
            }
        }
        try failures.check()
        let firsts = receipts.withLock { $0.map(\.first.rawValue).sorted() }
        try TestSupport.expectEqual(firsts, Array(stride(from: 2, through: 14, by: 2)))
        try TestSupport.expectEqual(conflicts.next(), 2)
        try expectEqual(one, two)
    }

    func lockedAppend() throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        let overtake = FaultyStore.Fault.overtaken {
            _ = try two.append(Self.counting("faster", actor: "lee"))
        }
        store.plan(overtake)
        let locks = store.callCounts.locks
        let receipt = try one.append(Self.counting("slow", actor: "new"))
        try TestSupport.expectEqual(receipt?.first.rawValue, 2)
        try TestSupport.expectEqual(store.callCounts.locks, locks + 1)
        // The turns after it take the lock first too, until eight found no other writer.
        for _ in 0..<3 { _ = try one.append(Self.counting("slow")) }
        _ = try two.append(Self.counting("faster"))
        for _ in 0..<12 { _ = try one.append(Self.counting("slow")) }
        try TestSupport.expectEqual(store.callCounts.locks, locks + 13)
        // A conflict with what was faster is found before the lock and under it.
        for count in 1...2 {
            let query = Query(Query.Item(tags: [Tag("tally", "x\(count)")]))
            let faster = FaultyStore.Fault.overtaken {
                _ = try two.append(Self.counting("x\(count)"))
            }
            if count == 1 {
                store.plan(faster)
            } else {
                _ = try two.append(Self.counting("x\(count)"))
            }
            var request = Self.counting("y")
            request.conditions = [AppendCondition(query)]
            do {
                _ = try one.append(request)
                throw Unexpected("conflict \(count) was missed")
            } catch AppendError.conflict {}
            store.plan()
        }
        try TestSupport.expectEqual(store.callCounts.locks > locks + 13, true)
        // Another writer waits for the lock.
        let late = Mutex<UInt64?>(nil)
        let waiting = FaultyStore.Fault.overtaken {
            Threads.detach {
                let receipt = try? two.append(Self.counting("late"))
                late.withLock { $0 = receipt?.first.rawValue ?? 0 }
            }
            usleep(100_000)
        }
        store.plan(waiting)
        let last = try one.append(Self.counting("locked"))
        while late.withLock({ $0 == nil }) { usleep(1_000) }
        let place = late.withLock { $0 }
        try TestSupport.expectEqual(place, (last?.first.rawValue ?? 0) + 1)
        store.plan()
        try expectEqual(one, two)
    }

    func heldUp() throws {
        let (one, two) = (try replica(), try replica(of: try maker.another(base, hasKeys: true)))
        let pause = FaultyStore.Fault.overtaken { usleep(1_300_000) }
        let overtake = FaultyStore.Fault.overtaken {
            _ = try two.append(Self.counting("faster", actor: "lee"))
        }
        // The recording time is too old when the commits arrive, once.
        store.plan(pause)
        let late = try one.append(Self.counting("late"))
        try TestSupport.expectEqual(late?.first.rawValue, 1)
        // The store has ended the lock.
        store.plan(overtake, pause)
        let locked = try one.append(Self.counting("locked"))
        try TestSupport.expectEqual(locked?.first.rawValue, 3)
        store.plan()
        try expectEqual(one, two)
    }

    /// Appends, and holds the time of recording to the store's clock before and after: it is at most a
    /// second off, however long the append took.
    private func appendInTime(
        _ request: AppendRequest, to log: EventLog, noEarlierThan delayUs: Int64 = 0
    ) throws {
        let start = try store.end().clock.microseconds + delayUs
        let recorded = try log.append(request)?.recordedAt.microseconds ?? 0
        let end = try store.end().clock.microseconds
        try expect(
            start - 1_000_000 <= recorded && recorded <= end + 1_000_000,
            "recorded at \(recorded), appended from \(start) to \(end)")
    }

    func clocks() throws {
        let hourUs: Int64 = 3_600_000_000
        for lead in [0, 5 * hourUs, -5 * hourUs] {
            let log = try replica(machineLeadUs: lead)
            for _ in 0..<3 {
                try appendInTime(Self.counting("a"), to: log)
            }
        }
        // A batch that takes more than a second is recorded when it arrives.
        let slow = try replica()
        let delay = FaultyStore.Fault.overtaken { usleep(1_300_000) }
        store.plan(delay, delay)
        try appendInTime(Self.counting("late"), to: slow, noEarlierThan: 1_300_000)
        // The machine's clock is set while the log is open.
        let lead = Mutex<Int64>(0)
        let log = try EventLog.replica(
            of: store, path: folder.path("set"), hasKeys: true, catalogue: catalogue,
            clock: {
                Instant(
                    microseconds: Instant.now.microseconds + lead.withLock(\.self))
            })
        for next in [hourUs, -hourUs, 3 * hourUs] {
            lead.withLock { $0 = next }
            try appendInTime(Self.counting("b"), to: log)
        }
        try expectEqual(log)
    }
}
