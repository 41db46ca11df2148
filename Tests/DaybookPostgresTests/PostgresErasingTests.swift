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

    /// Erasures of logs in a database, which are cut, killed and searched for.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"), .serialized)
    struct PostgresErasingTests {
        @Test(
            "What every erasure does", .timeLimit(.minutes(5)), arguments: StoreSuite.erasingCases)
        func holds(_ test: StoreCase) async throws {
            try await test.run(on: PostgresStoreMaker())
        }

        @Test(
            "An erasure that is cut at any message loses no kept text, and is finished by the next",
            .timeLimit(.minutes(5)))
        func cuts() throws {
            let erasable = try ErasableLog(try TestLog())
            var erased: Set<Int> = []
            var outcomes = (failed: 0, left: 0, done: 0)
            var person = 0
            // Until some erasures were not cut any more.
            for cut in stride(from: 20, to: 2_000, by: Cases.areAll ? 13 : 41)
            where outcomes.done < 5 {
                // Up to date, so that most messages are those of the erasure.
                _ = try erasable.replica("cut")
                let proxy = try CuttingProxy(
                    to: erasable.log.server.folder.url.path, after: cut,
                    cut.isMultiple(of: 2) ? .cut : .cutWithin)
                defer { proxy.close() }
                do {
                    let store = try erasable.log.store(through: proxy.folder.url.path)
                    let log = try erasable.replica(
                        "cut", of: store, longestDoubt: .milliseconds(200))
                    let target: ErasureTarget =
                        person.isMultiple(of: 3)
                        ? .position(Position(UInt64(person) + 1))
                        : .tags([Tag("person", "p\(person)")])
                    let erasure = try log.erase(target)
                    if erasure.reach?.epochs == [] {
                        outcomes.done += 1
                    } else {
                        outcomes.left += 1
                    }
                    erased.insert(person)
                } catch is LogError {
                    outcomes.failed += 1
                } catch AppendError.log(.store) {
                    outcomes.failed += 1
                }
                // Opening it elsewhere finishes what is recorded.
                let found = try erasable.erased("check", people: 700)
                #expect(erased.isSubset(of: found))
                #expect(found.isSubset(of: erased.union([person])))
                erased = found
                let epochs = try erasable.epochs()
                #expect(
                    epochs.filter { $0 != "created" }.dropLast().allSatisfy { $0 == "destroyed" })
                #expect(epochs.contains("current"))
                person += 1
            }
            print("Erasures that were cut: \(outcomes)")
            #expect(outcomes.failed > 0 && outcomes.done > 0)
            #expect(erased.count > 3)
        }

        @Test("An erasure during which the server is killed is recorded as a whole or not at all")
        func crashes() throws {
            let server = try PostgresServer()
            let erasable = try ErasableLog(try TestLog(server))
            var erased: Set<Int> = []
            for round in 0..<(Cases.areAll ? 20 : 4) {
                let failures = Mutex<String?>(nil)
                Threads.perform(2) { thread in
                    if thread == 0 {
                        usleep(UInt32(round * 7_000 % 60_000))
                        do { try server.crash() } catch { failures.withLock { $0 = "\(error)" } }
                    } else {
                        _ = try? erasable.replica("crash").erase(
                            .tags([Tag("person", "p\(round)")]))
                    }
                }
                #expect(failures.withLock(\.self) == nil)
                let found = try erasable.erased("check")
                #expect(erased.isSubset(of: found) && found.isSubset(of: erased.union([round])))
                let again = try erasable.replica("crash").erase(.tags([Tag("person", "p\(round)")]))
                #expect(again.reach?.epochs == [])
                erased = found.union([round])
                #expect(try erasable.erased("check") == erased)
            }
            let epochs = try erasable.epochs()
            #expect(epochs.filter { $0 == "leaving" } == [])
        }

        @Test("Nothing in data folder, WAL, standby and backup opens an erased text")
        func searched() throws {
            let server = try PostgresServer()
            let erasable = try ErasableLog(try TestLog(server))
            let log = erasable.log
            let standby = try Standby(of: server, named: "near")
            defer { standby.stop() }
            let replica = try erasable.replica("first")
            let person = try #require(try replica.slotAndKey(of: "person:p7"))
            let wrapped = try blocks(log)
            let backup = server.folder.path("backup")
            try server.runToEnd([
                "pg_basebackup", "-D", backup, "-h", server.folder.url.path, "-U", "daybook",
                "-c", "fast", "-X", "stream", "--no-sync",
            ])
            let before = try EpochKeyFile(log.folder.path("keys")).key(of: 1, log: log.id)
            log.store.standbys = ["near"]
            var erasure = try replica.erase(.tags([Tag("person", "p7")]))
            let isDone = try Wait.until {
                if erasure.reach?.epochs == [] { return true }
                erasure = try replica.erase(.tags([Tag("person", "p7")]))
                return false
            }
            #expect(isDone)
            try server.run("checkpoint")
            let folders = [
                server.folder.path("data"), standby.path, backup, log.folder.url.path,
                erasable.folder.url.path,
            ]
            let gone = [
                person.key, Array("the words about person number 7.".utf8),
                before, Array(Hexadecimal.text(before).utf8),
            ]
            for folder in folders {
                for (index, needle) in gone.enumerated() {
                    #expect(try !Self.contains(folder, needle), "\(folder): \(index)")
                }
            }
            // The old block is still there, and no key that is left opens it.
            let old = try #require(wrapped.first { $0.block == 0 })
            #expect(try Self.contains(backup, Array(old.value[2_100..<2_400])))
            #expect(try Self.contains(server.folder.path("data"), Array(old.value[2_100..<2_400])))
            let keys = EpochKeyFile(log.folder.path("keys"))
            #expect(
                throws: EpochKeyError.destroyed(
                    source: keys.path, epoch: 1, log: Hexadecimal.text(log.id))
            ) { try keys.key(of: 1, log: log.id) }
            let left = try keys.key(of: 2, log: log.id)
            let key = try #require(AESGCMKey(left))
            for epoch in 1...2 as ClosedRange<Int32> {
                #expect(WrappedBlock.open(old.value, 0, epoch, of: log.id, with: key) == nil)
            }
            // The current block opens, without the erased key.
            let new = try #require(try blocks(log).first { $0.block == 0 })
            let plain = try #require(
                WrappedBlock.open(new.value, 0, 2, of: log.id, with: key))
            #expect(plain[Vault.range(of: person.slot)].allSatisfy { $0 == 0 })
            #expect(plain[Vault.range(of: person.slot + 1)].contains { $0 != 0 })
        }

        @Test("A standby that lags is named, and holds back the destruction of the key")
        func lateStandby() throws {
            let server = try PostgresServer()
            let erasable = try ErasableLog(try TestLog(server), people: 40)
            let keys = EpochKeyFile(erasable.log.folder.path("keys"))
            let standby = try Standby(of: server, named: "far")
            let other = try Standby(of: server, named: "other")
            defer { other.stop() }
            standby.stop()
            erasable.log.store.standbys = ["far"]
            let log = try erasable.replica("first")
            let first = try log.erase(.tags([Tag("person", "p1")]))
            #expect(first.reach?.epochs == [.init(1, .standbys(["far"]))])
            #expect(first.reach?.otherStandbys == ["other"])
            #expect(try keys.key(of: 1, log: erasable.log.id).count == 32)
            // Another erasure goes on meanwhile, and a program that knows no standby waits as well.
            let second = try log.erase(.tags([Tag("person", "p2")]))
            #expect(second.reach?.epochs.map(\.number) == [1, 2])
            erasable.log.store.standbys = nil
            _ = try erasable.replica("elsewhere")
            #expect(try keys.key(of: 1, log: erasable.log.id).count == 32)
            #expect(try erasable.epochs() == ["leaving", "leaving", "current"])
            try standby.start()
            defer { standby.stop() }
            #expect(try Wait.until { try erasable.log.store.finishErasures() == [] })
            #expect(try erasable.epochs() == ["destroyed", "destroyed", "current"])
            #expect(throws: EpochKeyError.self) { try keys.key(of: 2, log: erasable.log.id) }
            // A standby that is gone for good is not waited for once it is no longer named.
            standby.stop()
            erasable.log.store.standbys = ["far", "gone"]
            let third = try log.erase(.tags([Tag("person", "p3")]))
            #expect(third.reach?.epochs == [.init(3, .standbys(["far", "gone"]))])
            erasable.log.store.standbys = []
            #expect(try erasable.log.store.finishErasures() == [])
        }

        @Test("Without the keys nothing is erased, and the reason is said")
        func keys() throws {
            let erasable = try ErasableLog(try TestLog(), people: 10)
            let log = erasable.log
            // Another key under the same epoch.
            let wrong = EpochKeyFile(log.folder.path("wrong"))
            _ = try wrong.createKey(of: 1, log: log.id)
            let store = try PostgresStore(try log.server.address(log.name), keys: wrong)
            var error: (any Error)? = #expect(throws: LogError.self) {
                try erasable.replica("wrong", of: store)
            }
            #expect("\(error as Any)".contains("is not that of the log"))
            // The first machine erases; the second one has a file without the new key.
            let second = EpochKeyFile(log.folder.path("second"))
            try FileManager.default.copyItem(atPath: log.keys.path, toPath: second.path)
            let other = try PostgresStore(try log.server.address(log.name), keys: second)
            let late = try erasable.replica("late", of: other)
            _ = try erasable.replica("first").erase(.tags([Tag("person", "p1")]))
            error = #expect(throws: AppendError.self) {
                try late.erase(.tags([Tag("person", "p2")]))
            }
            #expect("\(error as Any)".contains("there is no key of epoch 2"))
            #expect(try erasable.erased(people: 10) == [1])
            // It appends all the same, and carries the erasure out.
            _ = try late.append(erasable.request(["p3"], 3))
            #expect(try late.people.text(at: Position(2), field: 0) == nil)
            // A key command that fails to destroy is named; the erasure is recorded.
            let stuck = StuckKeys(log.keys)
            let third = try PostgresStore(try log.server.address(log.name), keys: stuck)
            let erasure = try erasable.replica("third", of: third).erase(
                .tags([Tag("person", "p4")]))
            #expect(erasure.position != nil)
            guard case .failed(let reason)? = erasure.reach?.epochs.first?.reason else {
                Issue.record("\(erasure)")
                return
            }
            #expect(reason.contains("is stuck"))
            #expect(try log.store.finishErasures() == [])
            #expect(try erasable.erased(people: 10) == [1, 4])
        }

        /// The wrapped blocks of a log.
        private func blocks(
            _ log: TestLog
        ) throws -> [(block: Int64, epoch: Int32, value: [UInt8])] {
            try log.store.tables.read { (connection) throws(PostgresError) in
                try StoredKeys.blocks(
                    try connection.run([
                        log.store.tables.about(
                            "select block, epoch, value from daybook.vault where log = $1")
                    ])[0])
            }
        }

        /// True if any file of a folder has some bytes.
        private static func contains(_ folder: String, _ needle: [UInt8]) throws -> Bool {
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            let needle = Data(needle)
            for name in files {
                let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
                guard let data = try? Data(contentsOf: url, options: .alwaysMapped) else {
                    continue
                }
                if data.range(of: needle) != nil { return true }
            }
            return false
        }
    }

    /// Keys of a command that destroys none.
    private struct StuckKeys: EpochKeySource {
        let keys: EpochKeyFile

        init(_ keys: EpochKeyFile) { self.keys = keys }

        func createKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            try keys.createKey(of: epoch, log: log)
        }

        func key(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            try keys.key(of: epoch, log: log)
        }

        func destroyCopies(of epochs: [Int32], log: [UInt8]) throws(EpochKeyError) {}

        func destroyKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) {
            throw .command(command: "keys", reason: "is stuck")
        }
    }

    extension EventLog {
        /// The key slot of a person and the key in it.
        fileprivate func slotAndKey(of name: String) throws -> (slot: UInt32, key: [UInt8])? {
            let transaction = try file.beginReading()
            guard let number = try file.personNumber(name, in: transaction) else { return nil }
            let slot = try file.tables.person(number, in: transaction).slot
            let keys = try ReplicaKeys(of: self, .origin, in: transaction)
            let block = keys.blocks[Int(Vault.block(of: slot))]
            return (slot, Array(block[Vault.range(of: slot)].prefix(32)))
        }
    }
#endif
