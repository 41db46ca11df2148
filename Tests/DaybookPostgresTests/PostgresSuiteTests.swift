#if PostgreSQL
    import Daybook
    import DaybookLog
    import Synchronization
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    /// Makes logs in the shared server.
    final class PostgresStoreMaker: StoreMaker {
        /// The logs with the files of their keys.
        private let logs = Mutex<[TestLog]>([])

        func makeStore() throws -> any EventStore {
            let log = try TestLog()
            logs.withLock { $0.append(log) }
            return log.store
        }

        func another(_ store: any EventStore, hasKeys: Bool) throws -> any EventStore {
            let log = logs.withLock { logs in logs.first { $0.id == store.logID } }
            guard let log else { return store }
            return hasKeys
                ? try log.store()
                : try PostgresStore(try log.server.address(log.name), deadline: .seconds(10))
        }

        /// Erases through a replica of another machine.
        func erase(_ target: ErasureTarget, in store: any EventStore) throws {
            let folder = try TemporaryFolder()
            let log = try EventLog.replica(
                of: try another(store, hasKeys: true), path: folder.path("erasing"), hasKeys: true,
                catalogue: try Catalogue([Tallies.self]))
            _ = try log.erase(target)
        }
    }

    /// The tests that every store has to pass.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresSuiteTests {
        @Test("What every store has to do", .timeLimit(.minutes(5)), arguments: StoreSuite.cases)
        func holds(_ test: StoreCase) async throws {
            await #expect(throws: Never.self) { try await test.run(on: PostgresStoreMaker()) }
        }
    }
#endif
