#if PostgreSQL
    import Daybook
    import DaybookLog
    import DaybookPostgres
    import TestSupport
    import Testing

    /// A log in PostgreSQL as an app opens it.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct AppLogTests {
        private let folder: TemporaryFolder
        private let address: String
        private let keys: StoreKeySource

        init() throws {
            folder = try TemporaryFolder()
            let server = try PostgresServer.shared.get()
            address = "\(try server.address("app-\(UInt64.random(in: 0 ... .max))"))"
            keys = .file(folder.path("app.keys"))
            #expect(try !StoreDriver.postgreSQL.install(at: address).isNew)
            try StoreDriver.postgreSQL.createLog(at: address, keys: keys)
        }

        private func replica(
            _ name: String, keys: StoreKeySource?
        ) throws(LogError) -> EventLog {
            try EventLog.replica(
                of: address, in: .postgreSQL, path: folder.path(name), keys: keys)
        }

        @Test("An app appends to one replica, and another one has it after catching up")
        func appends() throws {
            let (one, two) = (
                try replica("one", keys: keys), try replica("two", keys: nil)
            )
            let receipt = try one.append(StoreSuite.counting("a", "b"))
            #expect(try two.head() == .origin)
            let head = try two.catchUp()
            #expect(head.position == receipt?.last)
            #expect(try one.catchUp() == head)
            #expect(throws: AppendError.self) {
                _ = try two.append(StoreSuite.counting("c"))
            }
        }

        @Test("A file that is no replica of the log is refused, and stays as it is")
        func foreignFiles() throws {
            let plain = folder.path("plain")
            _ = try EventLog(path: plain, access: .create)
                .append(StoreSuite.counting("a"))
            let error = #expect(throws: LogError.self) {
                _ = try replica("plain", keys: keys)
            }
            #expect("\(try #require(error))".contains("no replica, so it is not overwritten"))
            #expect(try EventLog(path: plain, access: .read).head() == Position(1))
            _ = try replica("one", keys: keys)
            let other = address + "-other"
            try StoreDriver.postgreSQL.createLog(at: other, keys: keys)
            let otherError = #expect(throws: LogError.self) {
                _ = try EventLog.replica(
                    of: other, in: .postgreSQL, path: folder.path("one"), keys: keys)
            }
            #expect("\(try #require(otherError))".contains("but the log in the database is"))
        }

        @Test("A log that is not there, and an address without a log, are said to be")
        func missingLogs() throws {
            for (wrong, message) in [
                (address + "x", "the store has no such log"),
                ("mysql://db/logs?log=a", "postgres://"),
            ] {
                let error = #expect(throws: LogError.self) {
                    _ = try EventLog.replica(
                        of: wrong, in: .postgreSQL, path: folder.path("new"), keys: keys)
                }
                #expect("\(try #require(error))".contains(message), "\(error as Any)")
            }
        }
    }
#endif
