import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

// Erasures through a replica, for stores in which texts can be erased.
extension StoreSuite {
    /// All tests of erasures, by the sentence that holds.
    package static let erasingCases: [StoreCase] = [
        StoreCase("A replica erases a person, an event and an actor, and every replica follows") {
            try $0.erasingThroughReplicas()
        },
        StoreCase("A text that is kept is read under its new key, also one that came meanwhile") {
            try $0.keptTexts()
        },
        StoreCase("Two erasures at once are both recorded, and lose no kept text") {
            try $0.erasuresAtOnce()
        },
        StoreCase("16 clients append while one erases, and none waits for long") {
            try $0.erasingWhileOthersAppend()
        },
        StoreCase("An erasure names the replicas that have not carried it out") {
            try $0.unheardReplicas()
        },
        StoreCase("An erasure of nothing writes nothing, and may name a new actor otherwise") {
            try $0.erasingNothing()
        },
    ]

    /// A replica of a store that is not made faulty.
    private func plain(_ store: any EventStore, _ name: String? = nil) throws -> EventLog {
        try replica(name, of: store)
    }

    private func same(_ store: any EventStore, _ replicas: EventLog..., line: Int = #line) throws {
        let fresh = try plain(store)
        for log in replicas {
            try log.catchUp()
            try TestSupport.expectEqual(
                try log.chainHead(), try store.end().head, "head of \(log.path)", line: line)
            let found = try log.verify(against: catalogue)
            try expect(found.isSound, "\(log.path): \(found.findings)", line: line)
            for (copy, original) in [(log, fresh), (fresh, log)] {
                if let difference = try CopyDifference.of(copy, fromOriginal: original) {
                    throw Unexpected("line \(line): \(log.path): \(difference)")
                }
            }
        }
    }

    func erasingThroughReplicas() throws {
        let store = try maker.makeStore()
        let (one, two) = (try plain(store), try plain(try maker.another(store, hasKeys: true)))
        for number in 0..<24 {
            _ = try one.append(
                Self.noting(
                    ["p\(number % 4)"], "text \(number)", by: "by \(number % 3)", place: 7,
                    actor: "actor \(number % 2)"))
        }
        let person = try two.erase(
            .tags([Tag("person", "p1")]), reason: "asked", metadata: .init(actor: "clerk"))
        try TestSupport.expectEqual(person.position, Position(25))
        try TestSupport.expectEqual(person.people, 1)
        try expect(person.reach?.epochs == [], "\(person.reach as Any)")
        let event = try one.erase(.position(Position(3)))
        try TestSupport.expectEqual(event.position, Position(26))
        // The other texts of the person, and the integers of the same event, are not kept here.
        try expect(event.rewritten > 0, "\(event)")
        _ = try two.erase(.actor("actor 1"), metadata: .init(actor: "actor 1"))
        _ = try one.append(Self.noting(["p1", "p2"], "anew", actor: "actor 1"))
        for log in [one, two] {
            try log.catchUp()
            try TestSupport.expectEqual(try text(log, Position(1)), "text 0")
            try TestSupport.expectEqual(try text(log, Position(2)), nil)
            try TestSupport.expectEqual(try text(log, Position(3)), nil)
            try TestSupport.expectEqual(try text(log, Position(7)), "text 6")
            try TestSupport.expectEqual(try text(log, Position(25)), "asked")
            try expect(try log.commits.at(Position(2))?.isActorErased == true, "actor")
            try TestSupport.expectEqual(try text(log, try log.head()), "anew")
        }
        try same(store, one, two)
    }

    func keptTexts() throws {
        let store = try maker.makeStore()
        let (one, two) = (try plain(store), try plain(try maker.another(store, hasKeys: true)))
        _ = try one.append((0..<200).map { Self.noting(["p", "x\($0)"], "text \($0)") })
        // The replica that erases is behind, and others write texts of the same person.
        _ = try two.append((200..<210).map { Self.noting(["p"], "text \($0)", actor: "a\($0)") })
        let erased = try one.erase(.tags([Tag("person", "x7")]))
        try TestSupport.expectEqual(erased.rewritten, 209)
        _ = try two.append(Self.noting(["p"], "after"))
        _ = try two.erase(.position(Position(9)))
        for log in [one, two, try plain(store)] {
            try log.catchUp()
            for number in 0..<210 {
                let found = try text(log, Position(UInt64(number) + 1))
                let expected = [7, 8].contains(number) ? nil : "text \(number)"
                try TestSupport.expectEqual(found, expected, "\(log.path): \(number)")
            }
            try TestSupport.expectEqual(try text(log, Position(212)), "after")
        }
        try same(store, one, two)
    }

    func erasuresAtOnce() throws {
        let store = try maker.makeStore()
        let replicas = try (0..<4).map { _ in
            try plain(try maker.another(store, hasKeys: true))
        }
        let people = 8
        _ = try replicas[0].append(
            (0..<(4 * people)).map {
                Self.noting(["p\($0 % people)", "shared"], "text \($0)", by: "by", actor: "kim")
            })
        let failures = SharedFailures()
        Threads.perform(people) { [replicas] thread in
            failures.collect {
                let log = replicas[thread % 4]
                if thread.isMultiple(of: 2) {
                    _ = try log.erase(.tags([Tag("person", "p\(thread)")]))
                } else {
                    _ = try log.erase(.position(Position(UInt64(thread) + 1)))
                }
            }
        }
        try failures.check()
        for log in replicas {
            try log.catchUp()
            for number in 0..<(4 * people) {
                let person = number % people
                let isErased = person.isMultiple(of: 2) || number < people
                try TestSupport.expectEqual(
                    try text(log, Position(UInt64(number) + 1)),
                    isErased ? nil : "text \(number)", "\(log.path): \(number)")
            }
        }
        try same(store, replicas[0], replicas[1], replicas[2], replicas[3])
    }

    func erasingWhileOthersAppend() throws {
        let store = try maker.makeStore()
        let one = try plain(store)
        for start in stride(from: 0, to: 5_000, by: 250) {
            _ = try one.append((start..<start + 250).map { Self.noting(["p"], "text \($0)") })
        }
        for start in stride(from: 0, to: 3_000, by: 250) {
            _ = try one.append(
                (start..<start + 250).map { Self.noting(["n\($0)"], "text of \($0)") })
        }
        let others = try (0..<4).map { _ in try plain(try maker.another(store, hasKeys: true)) }
        let waits = Mutex<[(start: ContinuousClock.Instant, wait: Duration)]>([])
        let isOver = Atomic(false)
        let failures = SharedFailures()
        let erasures = Mutex<[(String, ContinuousClock.Instant, ContinuousClock.Instant)]>([])
        Threads.perform(17) { [others] thread in
            failures.collect {
                guard thread > 0 else {
                    defer { isOver.store(true, ordering: .relaxed) }
                    usleep(300_000)
                    for (name, target) in [
                        ("5,000 kept texts", ErasureTarget.position(Position(77))),
                        ("one person", .tags([Tag("person", "n5")])),
                        ("a person with 5,000 texts", .tags([Tag("person", "p")])),
                    ] {
                        let start = ContinuousClock.now
                        _ = try one.erase(target)
                        erasures.withLock { $0.append((name, start, .now)) }
                    }
                    return
                }
                while !isOver.load(ordering: .relaxed) {
                    let start = ContinuousClock.now
                    do {
                        _ = try others[thread % 4].append(
                            Self.noting(["new \(thread)"], "meanwhile", actor: "actor \(thread)"))
                    } catch let error as AppendError {
                        // On a machine that is busy otherwise, rows may be made for a second.
                        guard case .log(.store(.refused(_, "clock", _))) = error else {
                            throw error
                        }
                    }
                    waits.withLock { $0.append((start, .now - start)) }
                    usleep(2_000)
                }
            }
        }
        try failures.check()
        let all = waits.withLock(\.self)
        func describe(_ waits: [Duration]) -> String {
            let sorted = waits.sorted()
            guard let last = sorted.last else { return "no appends" }
            return "\(sorted.count) appends, half within \(sorted[sorted.count / 2]), all within "
                + "\(last)"
        }
        let spans = erasures.withLock(\.self)
        let before = all.filter { append in
            !spans.contains { append.start + append.wait > $0.1 && append.start < $0.2 }
        }
        print("Appends without an erasure: \(describe(before.map(\.wait)))")
        for (name, start, end) in spans {
            let during = all.filter { $0.start + $0.wait > start && $0.start < end }
            print("Erasing \(name) in \(end - start): \(describe(during.map(\.wait)))")
        }
        for log in [one] + others { try log.catchUp() }
        for position in [1, 77, 5_000] as [UInt64] {
            try TestSupport.expectEqual(try text(others[1], Position(position)), nil)
        }
        try TestSupport.expectEqual(try text(others[1], Position(5_001)), "text of 0")
        try TestSupport.expectEqual(try text(others[1], Position(5_006)), nil)
        try same(store, one, others[2])
    }

    func unheardReplicas() throws {
        let store = try maker.makeStore()
        let one = try plain(store)
        let two = try EventLog.replica(
            of: store, path: folder.path("two"), hasKeys: true, catalogue: catalogue,
            people: Tallies.people, label: "the other machine")
        _ = try one.append(Self.noting(["p"], "text"))
        _ = try one.append(Self.noting(["q"], "text"))
        try two.catchUp()
        let first = try one.erase(.tags([Tag("person", "p")]))
        try TestSupport.expectEqual(
            first.reach?.replicas.map(\.label), ["the other machine"], "\(first)")
        let heardAt = first.reach?.replicas.first?.heardAt ?? Instant(microseconds: 0)
        let age = (first.reach?.askedAt.microseconds ?? 0) - heardAt.microseconds
        try expect((0...600_000_000).contains(age), "\(age)")
        try two.catchUp()
        // Nothing is left to erase, but what is known of replicas is told.
        let again = try one.erase(.tags([Tag("person", "p")]))
        try expect(again.position == nil && again.reach?.replicas == [], "\(again)")
        // A replica without keys is of no concern.
        _ = try replica("bare", of: try maker.another(store, hasKeys: false), hasKeys: false)
        let second = try two.erase(.tags([Tag("person", "q")]))
        try TestSupport.expectEqual(second.reach?.replicas.map(\.label), [""], "\(second)")
        try same(store, one, two)
    }

    func erasingNothing() throws {
        let store = try maker.makeStore()
        let one = try plain(store)
        _ = try one.append(Self.noting(["p"], "text"))
        let head = try store.end().head
        let nothing = try one.erase(
            .tags([Tag("person", "nobody")]), reason: "none", metadata: .init(actor: "new"))
        try expect(nothing.isNothing && nothing.position == nil, "\(nothing)")
        try TestSupport.expectEqual(try store.end().head, head)
        // 2,047 people fill a block; the clerk of the erasure begins the next one.
        for start in stride(from: 2, through: 2_047, by: 250) {
            _ = try one.append(
                (start...min(start + 249, 2_047)).map { Self.noting(["n\($0)"], "text") })
        }
        _ = try one.erase(
            .tags([Tag("person", "p")]), reason: "asked", metadata: .init(actor: "clerk"))
        // The person whose texts are kept gets a slot, which may begin a block as well.
        for start in stride(from: 0, to: 2_045, by: 250) {
            _ = try one.append(
                (start..<min(start + 250, 2_045)).map { Self.noting(["m\($0)"], "text") })
        }
        _ = try one.append([Self.noting(["m0"], "more"), Self.noting(["m1"], "more")])
        let head2 = try one.head()
        _ = try one.erase(.position(head2))
        _ = try one.append(Self.noting(["new", "newer"], "newest", actor: "newer actor"))
        try TestSupport.expectEqual(try text(one, Position(head2.rawValue - 1)), "more")
        try TestSupport.expectEqual(try text(one, head2), nil)
        try same(store, one)
        _ = try one.erase(.tags([Tag("person", "m1")]))
        try same(store, one)
    }
}
