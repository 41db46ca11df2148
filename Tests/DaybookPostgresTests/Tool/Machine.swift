#if PostgreSQL
    import DaybookPostgres
    import Foundation
    import TestSupport

    /// A machine that runs the tool: it has a cache folder of its own, and the keys of a log.
    struct Machine {
        struct Answer {
            var code: Int32
            var out: String
            var err: String

            /// Each line of standard output as a JSON object.
            var objects: [[String: Any]] {
                out.split(separator: "\n").compactMap { line in
                    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
                }
            }
        }

        let folder: TemporaryFolder
        /// Address of the log.
        var log: String
        /// Path of the file of keys; `nil` for a machine without keys.
        var keys: String?
        /// Further variables of the environment.
        var environment: [String: String] = [:]

        init(_ log: String, keys: String?) throws {
            folder = try TemporaryFolder()
            (self.log, self.keys) = (log, keys)
        }

        /// The command `replay` beside the test bundle.
        static var program: URL {
            URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("replay")
        }

        /// The folder in which replicas are kept.
        var cache: String { folder.path("daybook") }

        /// Paths of the replicas in the cache folder.
        var replicas: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
            return names.filter { $0.hasSuffix(".log") }.sorted().map { "\(cache)/\($0)" }
        }

        /// Runs a command to its end.
        func replay(_ arguments: [String], input: String = "") throws -> Answer {
            let files = try TemporaryFolder()
            try Data(input.utf8).write(to: URL(fileURLWithPath: files.path("in")))
            let process = try start(arguments, files)
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try process.run()
            ended.wait()
            process.waitUntilExit()
            return Answer(
                code: process.terminationStatus,
                out: try String(contentsOfFile: files.path("out"), encoding: .utf8),
                err: try String(contentsOfFile: files.path("err"), encoding: .utf8))
        }

        func replay(_ arguments: String..., input: String = "") throws -> Answer {
            try replay(arguments, input: input)
        }

        /// Returns the process of a command, which reads and writes files of a folder.
        func start(_ arguments: [String], _ files: TemporaryFolder) throws -> Process {
            let process = Process()
            process.executableURL = Self.program
            process.arguments = arguments
            var variables = ProcessInfo.processInfo.environment
            variables["XDG_CACHE_HOME"] = folder.url.path
            variables["DAYBOOK_LOG"] = log
            variables["DAYBOOK_KEY_FILE"] = keys
            process.environment = variables.merging(environment) { $1 }
            process.standardInput =
                try? FileHandle(forReadingFrom: URL(fileURLWithPath: files.path("in")))
            for name in ["out", "err"] {
                try Data().write(to: files.url.appendingPathComponent(name))
            }
            process.standardOutput = FileHandle(forWritingAtPath: files.path("out"))
            process.standardError = FileHandle(forWritingAtPath: files.path("err"))
            return process
        }
    }

    /// An empty log of the shared server, made by the tool, and its keys.
    struct ToolLog {
        let folder: TemporaryFolder
        let server: PostgresServer
        let name: String
        let address: String
        var keys: String { folder.path("keys") }

        init() throws {
            folder = try TemporaryFolder()
            server = try PostgresServer.shared.get()
            name = "tool-\(UUID().uuidString.prefix(8).lowercased())"
            address = try server.address(name).description
            let made = try machine().replay("database", "create", address)
            guard made.code == 0 else { throw PostgresServer.Failed(what: made.err) }
        }

        /// A machine with the keys of the log.
        func machine() throws -> Machine { try Machine(address, keys: keys) }

        /// A machine with or without keys, which reaches the log by another folder with a socket.
        func machine(through folder: String, hasKeys: Bool = true) throws -> Machine {
            let address = try PostgresServer.address(folder, name).description
            return try Machine(address, keys: hasKeys ? keys : nil)
        }

        /// Lines of commands and events about a phone, a baby with a name, and a run with places.
        func fill(_ machine: Machine) throws {
            for arguments in [
                ["append", "--each"],
                [
                    "import", "--format", "babyconnect", "--baby", "mia", "--zone",
                    "America/Los_Angeles", Self.document("tour-baby.csv"),
                ],
                ["import", "--format", "gpx", "--user", "kim", Self.document("tour-run.gpx")],
            ] {
                let input =
                    arguments[0] == "append"
                    ? try String(contentsOfFile: Self.document("tour.jsonl"), encoding: .utf8) : ""
                let answer = try machine.replay(arguments, input: input)
                guard answer.code < 2 else { throw PostgresServer.Failed(what: answer.err) }
            }
        }

        static func document(_ name: String) -> String {
            Checkout.root.appending(path: "docs/\(name)").path
        }

        /// A line for `append` about the start of an app.
        static func launch(_ id: String, key: String? = nil) -> String {
            let key = key.map { #""key": "\#($0)", "# } ?? ""
            return #"{\#(key)"command": "launch.launch-app", "at": "2026-03-03T08:15:00Z", "#
                + #""device": "phone", "data": {"launchId": "\#(id)", "appVersion": "1.0.0", "#
                + #""platform": "ios", "firstLaunch": false, "device": "phone"}}"# + "\n"
        }
    }
#endif
