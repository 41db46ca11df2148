#if PostgreSQL
    import Daybook
    import DaybookLog
    import Foundation
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    /// Batches of a writer with a fault, and databases that are not as they should be.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresFaultTests {
        struct Fault: CustomTestStringConvertible {
            var testDescription: String
            var spoil: @Sendable (inout StoreBatch) -> Void

            init(_ sentence: String, _ spoil: @escaping @Sendable (inout StoreBatch) -> Void) {
                testDescription = sentence
                self.spoil = spoil
            }
        }

        static let faults = [
            Fault("a commit of another layout") { $0.commits[0].row[12] = 2 },
            Fault("a commit without events") { $0.commits[0].row[8] = 0 },
            Fault("a commit of more events") { $0.commits[0].row[8] = 2 },
            Fault("another chain value") { $0.commits[0].row[20] ^= 1 },
            Fault("another digest of a key") { $0.commits[0].digest[3] ^= 1 },
            Fault("a digest that is too short") { $0.commits[0].digest.removeLast() },
            Fault("a commit that ends early") { $0.commits[0].row.removeLast(90) },
            Fault("an event of another time") { $0.events[0][0] ^= 1 },
            Fault("an event of another place in its commit") { $0.events[0][24] ^= 1 },
            Fault("an unknown kind") { $0.events[0][17] = 200 },
            Fault("an unknown zone") { $0.events[0][19] = 200 },
            Fault("tags of another length") { $0.events[0][32] ^= 1 },
            Fault("more tags") { $0.events[0][28] = 9 },
            Fault("a changed tag") { $0.events[0][34] ^= 1 },
            Fault("an event that ends early") { $0.events[0].removeLast(3) },
            Fault("a missing event") { $0.events.removeLast() },
            Fault("a name that is not used") { $0.names.append($0.names[0]) },
            Fault("another name") { $0.names[0][10] ^= 1 },
            Fault("a person with another number") { $0.people[0].number = 7 },
            Fault("a slot that is not the next one") { $0.people[0].row[8] = 7 },
            Fault("a person whose row another writer changed") {
                $0.people[0].replaced = Array(repeating: 1, count: 8)
            },
            Fault("a missing block of keys") { $0.blocks = [] },
            Fault("a text of an earlier event") { $0.texts[0].position = 1 },
        ]

        @Test("A writer's fault is refused, and nothing is written", arguments: faults)
        func fault(_ fault: Fault) throws {
            let log = try TestLog()
            let before = try log.store.append([Request()]).end
            let request = Request(kind: "test.b.v1", key: "k", peopleCount: 1, texts: [1])
            let sound = try log.store.maker().batch([request])
            var batch = sound
            fault.spoil(&batch)
            let error = #expect(throws: LogError.self) { try log.store.append(batch) }
            guard case .store(.refused(_, "DAY03", let reason)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.hasPrefix("the writer has a fault: "))
            #expect(try log.store.end().isSame(as: before))
            #expect(try log.store.append(sound).outcomes == [.written(2)])
        }

        @Test("A changed bit of a row that the chain covers is refused")
        func changedBits() throws {
            let log = try TestLog()
            var generator = SeededGenerator(seed: 2_911)
            let before = try log.store.append([Request()]).end
            let batch = try log.store.maker().batch([
                Request(kind: "test.b.v1", key: "k"), Request("t:9", payload: Array(1...30)),
            ])
            for _ in Cases.sample(0..<200) {
                var changed = batch
                let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
                let row = Int.random(in: 0..<2, using: &generator)
                if Bool.random(using: &generator) {
                    let count = changed.commits[row].row.count - 8
                    changed.commits[row].row[Int.random(in: 0..<count, using: &generator)] ^= bit
                } else {
                    let count = changed.events[row].count - 8
                    changed.events[row][Int.random(in: 0..<count, using: &generator)] ^= bit
                }
                #expect(throws: LogError.self) { try log.store.append(changed) }
            }
            #expect(try log.store.end().isSame(as: before))
        }

        @Test("A store without keys reads, and appends only what needs no key")
        func withoutKeys() throws {
            let log = try TestLog()
            let bare = try PostgresStore(try log.server.address(log.name))
            #expect(try bare.append([Request()]).outcomes == [.written(1)])
            let error = #expect(throws: LogError.self) {
                try bare.append([Request(peopleCount: 1)])
            }
            guard case .store(.keys) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(throws: LogError.self) { try bare.keys(fromBlock: 0) }
        }

        @Test("Addresses of no log, of no name and of no server are refused with their reasons")
        func addresses() throws {
            let server = try PostgresServer.shared.get()
            let none = try server.address("nothing")
            #expect(throws: LogError.store(.noLog(name: none.description))) {
                try PostgresStore(none)
            }
            let unnamed = #expect(throws: LogError.self) {
                try PostgresStore(try server.address(nil))
            }
            guard case .store(.refused(_, "address", _)) = unnamed else {
                Issue.record("\(String(describing: unnamed))")
                return
            }
            let folder = try TemporaryFolder()
            let nobody = #expect(throws: LogError.self) {
                try PostgresStore(try PostgresServer.address(folder.url.path, "x"))
            }
            guard case .store(.unreachable(_, let reason)) = nobody else {
                Issue.record("\(String(describing: nobody))")
                return
            }
            #expect(!reason.contains("\n"))
        }

        @Test("The schema is installed once, and another version is refused with both numbers")
        func schema() throws {
            let server = try PostgresServer.shared.get()
            try server.createDatabase("fresh")
            let address = try server.address(nil, "fresh")
            let missing = #expect(throws: LogError.self) { try PostgresStore.logs(at: address) }
            guard case .store(.refused(_, "schema", let reason)) = missing else {
                Issue.record("\(String(describing: missing))")
                return
            }
            #expect(reason.contains("replay database install URL"))
            #expect(try SchemaInstallation.install(at: address))
            #expect(try !SchemaInstallation.install(at: address))
            #expect(try PostgresStore.logs(at: address).isEmpty)
            try server.run("update daybook.schema_version set version = 7", in: "fresh")
            for call in [
                { _ = try SchemaInstallation.install(at: address) },
                { _ = try PostgresStore.logs(at: address) },
            ] {
                let error = #expect(throws: LogError.self) { try call() }
                guard case .store(.refused(_, "schema", let reason)) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(
                    reason
                        == "the database has version 7 of the tables for logs, but this program "
                        + "knows version 1")
            }
        }

        @Test("A server on which a transaction can be prepared is named at the installation")
        func preparedTransactions() throws {
            let server = try PostgresServer()
            let address = try server.address(nil)
            #expect(try StoreDriver.postgreSQL.install(at: address.description).advice == [])
            try server.run("alter system set max_prepared_transactions = 3")
            try server.crash()
            let installation = try StoreDriver.postgreSQL.install(at: address.description)
            #expect(!installation.isNew)
            #expect(installation.advice.count == 1)
            #expect(installation.advice[0].contains("max_prepared_transactions = 3"))
        }

        @Test("Logs are listed by name with their ends, and a name is given once")
        func logs() throws {
            let server = try PostgresServer.shared.get()
            try server.createDatabase("listed")
            _ = try SchemaInstallation.install(at: try server.address(nil, "listed"))
            let folder = try TemporaryFolder()
            let keys = EpochKeyFile(folder.path("keys"))
            for name in ["b", "a%20%26%25"] {
                try PostgresStore.createLog(at: try server.address(name, "listed"), keys: keys)
            }
            let store = try PostgresStore(try server.address("a%20%26%25", "listed"), keys: keys)
            try store.append([Request()])
            let logs = try PostgresStore.logs(at: try server.address(nil, "listed"))
            #expect(logs.map(\.name) == ["a &%", "b"])
            #expect(logs.map(\.end.head.position) == [Position(1), .origin])
            #expect(logs.map(\.state) == ["open", "open"])
            let again = #expect(throws: LogError.self) {
                try PostgresStore.createLog(at: try server.address("b", "listed"), keys: keys)
            }
            guard case .store(.refused(_, "exists", _)) = again else {
                Issue.record("\(String(describing: again))")
                return
            }
        }

        @Test("A user who may only read cannot append, and is told so by the server")
        func roles() throws {
            let log = try TestLog()
            try log.store.append([Request()])
            try log.server.run("create role reader login in role daybook_read")
            let address = try PostgresServer.address(
                log.server.folder.url.path, log.name, user: "reader")
            let store = try PostgresStore(address, keys: log.keys)
            #expect(try store.segment(after: .origin, most: 10) != nil)
            #expect(try store.segments.bulkSegment(after: .origin, most: 10) != nil)
            let batch = try log.store.maker().batch([Request()])
            for call in [
                { _ = try store.append(batch) }, { _ = try store.lock(after: .origin) },
                { _ = try store.keys(fromBlock: 0) },
                {
                    try store.note(
                        StoreReplica(
                            id: Self.secret(), label: "", position: .origin,
                            erasedThrough: .origin))
                },
            ] {
                let error = #expect(throws: LogError.self) { try call() }
                guard case .store(.refused(_, "42501", _)) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }

        /// A new secret of a replica.
        private static func secret() -> [UInt8] {
            (0..<16).map { _ in UInt8.random(in: 0...255) }
        }

        @Test("A replica reports for itself alone, and invented replicas fill no answer")
        func reports() throws {
            let log = try TestLog()
            try log.store.append([Request(), Request()])
            let secrets = (0..<2).map { _ in Self.secret() }
            func replica(_ secret: [UInt8], _ erased: UInt64 = 0, at position: UInt64 = 2)
                -> StoreReplica
            {
                StoreReplica(
                    id: secret, label: "", position: Position(position),
                    erasedThrough: Position(erased))
            }
            for secret in secrets { try log.store.note(replica(secret)) }
            #expect(try log.store.reach(of: Position(1)).replicas.count == 2)
            // What the table shows of a replica is not its secret, and opens nothing.
            for shown in try log.store.reach(of: Position(1)).replicas {
                let id = try #require(Hexadecimal.bytes(shown.id))
                #expect(!secrets.contains(id))
                try log.store.note(replica(id, 1))
            }
            #expect(try log.store.reach(of: Position(1)).replicas.count == 2)
            try log.store.note(replica(secrets[0], 1))
            #expect(try log.store.reach(of: Position(1)).replicas.count == 1)
            // No replica is after the log's end, or has carried out what comes later.
            for (erased, position) in [(0, 3), (2, 1)] as [(UInt64, UInt64)] {
                #expect(throws: LogError.self) {
                    try log.store.note(replica(secrets[0], erased, at: position))
                }
            }
            for _ in 0..<120 { try log.store.note(replica(Self.secret(), 1)) }
            let rest = try log.store.reach(of: Position(1)).replicas
            #expect(rest.count == 2)
            #expect(rest.contains { $0.label.hasPrefix("more than 100 replicas of the user") })
            // The known ones report as before.
            try log.store.note(replica(secrets[1], 1))
            #expect(try log.store.reach(of: Position(1)).replicas.count == 1)
        }

        @Test("A head that no commits back is an error, for a new replica and an old one")
        func headAhead() throws {
            let log = try TestLog()
            try log.store.append([Request(), Request()])
            let end = try log.store.end().head
            for position in [99, 99_999] {
                // The server has the logs of other tests too.
                try log.server.run(
                    "update daybook.heads set position = \(position) where log = "
                        + "(select log from daybook.logs where name = '\(log.name)')")
                #expect(try log.store.segment(after: .origin, most: 1_000) != nil)
                let error = #expect(throws: LogError.self) {
                    _ = try log.store.segment(after: end, most: 1_000)
                }
                guard case .store(.damaged(_, let reason)) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.contains("at position \(position), but its commits end at"))
            }
        }
    }
#endif
