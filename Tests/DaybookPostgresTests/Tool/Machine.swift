#if PostgreSQL
    import DaybookPostgres
    import Foundation
    import TestSupport

    /// A machine that runs the tool: it has a cache folder of its own, and the keys of a log.
    struct Machine {
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

        /// The folder in which replicas are kept.
        var cache: String { folder.path("daybook") }

        /// Paths of the replicas in the cache folder.
        var replicas: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
            return names.filter { $0.hasSuffix(".log") }.sorted().map { "\(cache)/\($0)" }
        }

        /// Runs a command to its end.
        func replay(_ arguments: [String], input: String = "") throws -> Program.Answer {
            try start(arguments, input: .text(input)).end()
        }

        func replay(_ arguments: String..., input: String = "") throws -> Program.Answer {
            try replay(arguments, input: input)
        }

        func start(_ arguments: [String], input: Program.Input = .open) throws -> Program {
            let own: [String: String?] = [
                "XDG_CACHE_HOME": folder.url.path, "DAYBOOK_LOG": log, "DAYBOOK_KEY_FILE": keys,
            ]
            return try Program(
                [Program.replay.path] + arguments, input: input,
                environment: own.merging(environment) { $1 })
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
