#if PostgreSQL
    import DaybookLibC
    import DaybookLog
    import Foundation
    import Synchronization
    import TestSupport

    @testable import DaybookPostgres

    /// A server of PostgreSQL in a temporary folder, which listens on a socket there and on no port.
    ///
    /// As root, it runs as the user `postgres`. It ends with this object or with the tests.
    final class PostgresServer: @unchecked Sendable {
        private let programs: String
        let folder: TemporaryFolder
        private var process: Program?

        /// The folder with initdb and postgres, of the newest version; `nil` if there is none.
        static let programs: String? = {
            let root = "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
                .map { "\(root)/\($0)/bin" }
                .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
        }()

        static var isInstalled: Bool { programs != nil }

        /// The server that most tests share, with the schema in the database `logs`.
        static let shared = Result { try PostgresServer() }

        struct Failed: Error {
            var what: String
        }

        init() throws {
            guard let programs = Self.programs else { throw Failed(what: "no PostgreSQL") }
            self.programs = programs
            folder = try TemporaryFolder()
            if getuid() == 0 {
                guard let account = getpwnam("postgres") else { throw Failed(what: "no account") }
                chown(folder.url.path, account.pointee.pw_uid, account.pointee.pw_gid)
            }
            try runToEnd([
                "initdb", "-D", folder.path("data"), "-U", "daybook", "--auth=trust", "-E", "UTF8",
                "--locale=C", "--no-sync",
            ])
            let settings = """
                listen_addresses = ''
                unix_socket_directories = '\(folder.url.path)'
                max_connections = 100

                """
            let file = try FileHandle(
                forWritingTo: folder.url.appendingPathComponent("data/postgresql.conf"))
            try file.seekToEnd()
            try file.write(contentsOf: Data(settings.utf8))
            try file.close()
            try start()
            try createDatabase("logs")
            _ = try SchemaInstallation.install(at: try address(nil))
        }

        deinit {
            process?.closeInput()
            _ = try? process?.end()
        }

        /// The arguments that run a program of the server under its account.
        func arguments(_ words: [String]) -> [String] {
            let command = ["\(programs)/\(words[0])"] + words.dropFirst()
            guard getuid() == 0 else { return command }
            return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + command
        }

        func runToEnd(_ words: [String]) throws {
            let answer = try Program.run(arguments(words), in: URL(fileURLWithPath: "/"))
            guard answer.code == 0 else { throw Failed(what: "\(words[0]): \(answer.err)") }
        }

        /// Starts the server, again and again while a killed one still has its memory.
        func start() throws {
            let isThere = try Wait.until {
                if process?.isRunning != true { try spawn() }
                return
                    (try? PostgresConnection(address(nil, "postgres"), deadline: .seconds(10)))
                    != nil
            }
            guard isThere else { throw Failed(what: "the server does not start") }
        }

        /// Starts the server, and a shell that ends it once the tests have ended.
        private func spawn() throws {
            let command = arguments(["postgres", "-D", folder.path("data")])
                .joined(separator: " ")
            process = try Program(
                [
                    "/bin/sh", "-c",
                    // A shell gives its jobs no standard input but a descriptor of its own.
                    "exec 3<&0; (read x <&3 || kill -INT $$) & "
                        + "exec \(command) </dev/null >'\(folder.path("output"))' 2>&1 3<&-",
                ], input: .open, in: URL(fileURLWithPath: "/"))
        }

        /// Kills the server at once, and starts it again.
        func crash() throws {
            guard let process else { throw Failed(what: "no server") }
            // The shell ends, since the number of the process may be given to another one.
            try process.send("\n")
            process.kill()
            self.process = nil
            try start()
        }

        /// The address of a log, or of the database.
        func address(_ log: String?, _ database: String = "logs") throws -> PostgresAddress {
            try Self.address(folder.url.path, log, database)
        }

        /// An address whose socket is in a folder.
        static func address(
            _ folder: String, _ log: String?, _ database: String = "logs", user: String = "daybook"
        ) throws -> PostgresAddress {
            let log = log.map { "&log=\($0)" } ?? ""
            return try PostgresAddress("postgres://\(user)@/\(database)?host=\(folder)\(log)")
        }

        func createDatabase(_ name: String) throws {
            try run("create database \(name) encoding 'UTF8' template template0", in: "postgres")
        }

        /// Runs statements as the owner.
        @discardableResult
        func run(_ script: String, in database: String = "logs") throws -> [PostgresResult] {
            let connection = try PostgresConnection(
                try address(nil, database), deadline: .seconds(30))
            return try connection.runScript(script)
        }
    }

    /// A new log of the shared server, its keys, and a store.
    struct TestLog {
        private static let count = Atomic(0)
        let server: PostgresServer
        let folder: TemporaryFolder
        let name: String
        let id: [UInt8]
        let secret = [UInt8](repeating: 7, count: 32)
        let store: PostgresStore

        init(
            _ server: PostgresServer? = nil, isFilling: Bool = false,
            deadline: Duration = .seconds(10)
        ) throws {
            let server = try server ?? PostgresServer.shared.get()
            let number = Self.count.add(1, ordering: .relaxed).newValue
            self.server = server
            folder = try TemporaryFolder()
            name = "log-\(number)"
            id = (0..<16).map { UInt8(truncatingIfNeeded: number + $0) }
            let address = try server.address(name)
            let keys = EpochKeyFile(folder.path("keys"))
            try PostgresStore.createLog(
                at: address, keys: keys, id: id, secret: secret, isFilling: isFilling,
                deadline: deadline)
            store = try PostgresStore(address, keys: keys, deadline: deadline)
        }

        var keys: EpochKeyFile { EpochKeyFile(folder.path("keys")) }

        /// Another store of the log, by way of a folder with a socket.
        func store(
            through folder: String? = nil, deadline: Duration = .seconds(10)
        ) throws -> PostgresStore {
            try PostgresStore(
                try PostgresServer.address(folder ?? server.folder.url.path, name), keys: keys,
                deadline: deadline)
        }
    }
#endif
