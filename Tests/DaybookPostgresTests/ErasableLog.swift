#if PostgreSQL
    import Daybook
    import DaybookLibC
    import DaybookLog
    import Foundation
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    /// A log with people, some of whom are erased.
    struct ErasableLog {
        let log: TestLog
        let folder: TemporaryFolder
        let catalogue: Catalogue

        init(_ log: TestLog, people: Int = 2_100) throws {
            self.log = log
            folder = try TemporaryFolder()
            catalogue = try Catalogue([Tallies.self])
            let first = try replica("first")
            for start in stride(from: 0, to: people, by: 700) {
                _ = try first.append(
                    (start..<min(start + 700, people)).map { number in
                        request(["p\(number)", "shared \(number % 7)"], number)
                    })
            }
        }

        func request(_ people: [String], _ number: Int) -> AppendRequest {
            AppendRequest(
                [
                    NewEvent(
                        Tally.Noted(people, text(number)), occurredAt: .init(microseconds: 0))
                ], metadata: CommitMetadata(actor: "clerk"))
        }

        func text(_ number: Int) -> String { "the words about person number \(number)." }

        func replica(
            _ name: String, of store: PostgresStore? = nil, longestDoubt: Duration = .seconds(5)
        ) throws -> EventLog {
            try EventLog.replica(
                of: store ?? log.store, path: folder.path(name), hasKeys: true,
                catalogue: catalogue, people: Tallies.people, longestDoubt: longestDoubt)
        }

        /// The persons whose text cannot be read, by a new replica; the others' are checked.
        func erased(_ name: String = UUID().uuidString, people: Int = 2_100) throws -> Set<Int> {
            let log = try replica(name)
            var erased: Set<Int> = []
            for number in 0..<people {
                let found = try log.people.text(at: Position(UInt64(number) + 1), field: 0)
                if found == nil { erased.insert(number) } else { #expect(found == text(number)) }
            }
            let verified = try log.verify(against: catalogue)
            #expect(verified.isSound, "\(verified.findings)")
            return erased
        }

        /// The states of the log's epochs, in order.
        func epochs() throws -> [String] {
            let result = try log.server.run(
                "select state from daybook.epochs as e join daybook.logs as l using (log) "
                    + "where l.name = '\(log.name)' order by epoch")[0]
            return try (0..<result.rowCount).map { try result.text($0, 0) }
        }
    }

    /// A standby of a server, in its folder.
    final class Standby {
        let path: String
        private let server: PostgresServer
        private let name: String
        private var process: Program?

        init(of server: PostgresServer, named name: String) throws {
            self.server = server
            self.name = name
            path = server.folder.path("standby-\(name)")
            try server.runToEnd([
                "pg_basebackup", "-D", path, "-R", "-c", "fast", "-X", "stream", "--no-sync", "-d",
                "host=\(server.folder.url.path) user=daybook application_name=\(name)",
            ])
            try start()
        }

        /// Starts the standby, and waits until the server knows it.
        func start() throws {
            process = try Program(
                server.arguments(["postgres", "-D", path, "-c", "unix_socket_directories=\(path)"]),
                in: URL(fileURLWithPath: "/"))
            let isStreaming = try Wait.until {
                try server.run(
                    "select from pg_stat_replication where application_name = '\(name)' "
                        + "and state = 'streaming'")[0].rowCount > 0
            }
            guard isStreaming else {
                throw PostgresServer.Failed(what: "the standby does not start")
            }
        }

        func stop() {
            guard let process, process.isRunning else { return }
            process.signal(SIGINT)
            _ = try? process.end()
        }
    }
#endif
