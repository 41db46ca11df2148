#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLibC
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import DaybookLog
    @testable import DaybookPostgres

    /// The transaction that records an erasure, and what is left of one that was given up.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresRecordingTests {
        @Test("What an erasure that was given up has written opens nothing after the next one")
        func givenUp() throws {
            let erasable = try ErasableLog(try TestLog(), people: 30)
            let store = erasable.log.store
            let replica = try erasable.replica("first")
            let reserved = try store.reserveSlots(2)
            let prepared = try #require(
                try store.prepareErasure(of: [3], using: Set(reserved)))
            #expect(prepared.epoch == 1 && prepared.newEpoch == 2 && prepared.unused.isEmpty)
            #expect(try store.beginErasure(prepared))
            store.abandonErasure()
            let erasure = try replica.erase(.tags([Tag("person", "p4")]))
            #expect(erasure.position != nil && erasure.reach?.epochs == [])
            #expect(try erasable.epochs() == ["destroyed", "destroyed", "current"])
            for epoch in 1...2 as ClosedRange<Int32> {
                #expect(throws: EpochKeyError.self) {
                    try erasable.log.keys.key(of: epoch, log: erasable.log.id)
                }
            }
            // The keys of the reserved slots are gone, here and in replicas; those of others are not.
            let keys = try store.keys(fromBlock: 0)
            for slot in reserved {
                #expect(keys.blocks[0][Vault.range(of: slot)].allSatisfy { $0 == 0 })
                let transaction = try replica.file.beginReading()
                #expect(try transaction.key(inSlot: slot, of: replica.file.tables.vault) == nil)
            }
            #expect(keys.blocks[0][Vault.range(of: 3)].contains { $0 != 0 })
            let left = try erasable.log.server.run(
                "select from daybook.reserved_slots where log = \(store.tables.log)")[0]
            #expect(left.rowCount == 0)
            #expect(try erasable.erased(people: 30) == [4])
        }

        @Test("Others append, also by the same store, until an erasure takes the lock")
        func appendsMeanwhile() throws {
            let erasable = try ErasableLog(try TestLog(), people: 30)
            let store = erasable.log.store
            let replica = try erasable.replica("first")
            let prepared = try #require(try store.prepareErasure(of: [3], using: []))
            #expect(try store.beginErasure(prepared))
            let position = Mutex<Position?>(nil)
            Threads.perform(1) { _ in
                let receipt = try? replica.append(erasable.request(["new"], 30))
                position.withLock { $0 = receipt?.last }
            }
            #expect(position.withLock(\.self) == Position(31))
            // Nobody sees what is being recorded, and it cannot be committed without its record.
            #expect(try erasable.epochs() == ["current", "created"])
            #expect(throws: PostgresError.self) {
                try store.tables.erasures.use { (connection) throws(PostgresError) in
                    try connection.run([PostgresStatement("commit")])
                }
            }
            store.abandonErasure()
            #expect(try erasable.epochs() == ["current", "created"])
            #expect(try erasable.erased(people: 30).isEmpty)
        }

        @Test("An erasure that was prepared before another one is prepared anew")
        func overtaken() throws {
            let erasable = try ErasableLog(try TestLog(), people: 30)
            let store = erasable.log.store
            let late = try #require(try store.prepareErasure(of: [3], using: []))
            let slots = try store.reserveSlots(1)
            // It does not know of the slot.
            #expect(try !store.beginErasure(late))
            let again = try #require(try store.prepareErasure(of: [3], using: Set(slots)))
            let other = try erasable.log.store()
            _ = try erasable.replica("first", of: other).erase(.tags([Tag("person", "p4")]))
            #expect(try !store.beginErasure(again))
            #expect(try store.prepareErasure(of: [3], using: Set(slots)) == nil)
            #expect(try erasable.erased(people: 30) == [4])
        }

        @Test("No key is asked for while the log's lock is held")
        func keysBeforeTheLock() throws {
            let erasable = try ErasableLog(try TestLog(), people: 30)
            let keys = WatchedKeys(erasable.log)
            let store = try PostgresStore(
                try erasable.log.server.address(erasable.log.name), keys: keys)
            let replica = try erasable.replica("watched", of: store)
            _ = try erasable.replica("first").erase(.tags([Tag("person", "p4")]))
            #expect(keys.asked == [1])
            let (end, _) = try store.lock(after: .origin)
            #expect(end.epoch == 2 && keys.asked == [1, 2])
            _ = try store.vault.wrapped([Vault.newBlock(1)], for: end)
            store.unlock()
            // A key that is missing is asked for no more than once meanwhile.
            _ = try erasable.replica("first").erase(.tags([Tag("person", "p5")]))
            keys.isGone = true
            for _ in 0..<3 {
                let (end, _) = try store.lock(after: .origin)
                #expect(throws: LogError.self) {
                    try store.vault.wrapped([Vault.newBlock(1)], for: end)
                }
                store.unlock()
            }
            #expect(keys.asked == [1, 2, 3])
            keys.isGone = false
            _ = try replica.erase(.tags([Tag("person", "p6")]))
            #expect(keys.asked.suffix(1) == [3])
            #expect(keys.askedUnderLock.isEmpty)
            #expect(try erasable.erased(people: 30) == [4, 5, 6])
        }
    }

    /// The keys of a log, and whether its lock was held when they were asked for.
    private final class WatchedKeys: EpochKeySource {
        private let log: TestLog
        private let state = Mutex((asked: [Int32](), underLock: [Int32](), isGone: false))

        init(_ log: TestLog) { self.log = log }

        /// The epochs whose keys were asked for.
        var asked: [Int32] { state.withLock { $0.asked } }
        var askedUnderLock: [Int32] { state.withLock { $0.underLock } }
        /// True while no key can be had.
        var isGone: Bool {
            get { state.withLock { $0.isGone } }
            set { state.withLock { $0.isGone = newValue } }
        }

        /// Notes a question for a key.
        private func note(_ epoch: Int32) throws(EpochKeyError) {
            let free = try? log.server.run(
                "select from daybook.heads where log = \(log.store.tables.log) for no key update nowait"
            )
            let isGone = state.withLock { state in
                if free == nil { state.underLock.append(epoch) }
                return state.isGone
            }
            guard !isGone else { throw .command(command: "keys", reason: "is away") }
        }

        func createKey(of epoch: Int32, log id: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            try note(epoch)
            return try log.keys.createKey(of: epoch, log: id)
        }

        func key(of epoch: Int32, log id: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            state.withLock { $0.asked.append(epoch) }
            try note(epoch)
            return try log.keys.key(of: epoch, log: id)
        }

        func destroyCopies(of epochs: [Int32], log: [UInt8]) throws(EpochKeyError) {}

        func destroyKey(of epoch: Int32, log id: [UInt8]) throws(EpochKeyError) {
            try note(epoch)
            try log.keys.destroyKey(of: epoch, log: id)
        }
    }
#endif
