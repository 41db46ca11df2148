#if PostgreSQL
    import DaybookPostgres
    import Foundation
    import TestSupport
    import Testing

    /// Refusals of the tool over a log in a database, each a sentence on standard error.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct ToolRefusalTests {
        /// A command that is refused.
        struct Refusal: CustomTestStringConvertible {
            var testDescription: String
            var arguments: [String] = ["stat"]
            var code: Int32 = 2
            /// Parts of standard error.
            var parts: [String]
            /// Changes the machine on which the command runs.
            var change: @Sendable (inout Machine, ToolLog) throws -> Void = { _, _ in }
        }

        /// A line of a file of keys.
        private static func keyFile(_ line: (String) -> String, _ log: ToolLog) throws -> String {
            let text = try String(contentsOfFile: log.keys, encoding: .utf8)
            let lines = text.split(separator: "\n").map(String.init)
            let path = log.folder.path("other-keys")
            try (lines[0] + "\n" + line(lines[1]) + "\n").write(
                toFile: path, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
            return path
        }

        static let refusals = [
            Refusal(
                testDescription: "A server that is not there",
                parts: ["the store cannot be reached, so nothing was written", "/nowhere"]
            ) { machine, log in
                machine.log = try PostgresServer.address("/nowhere", log.name).description
            },
            Refusal(
                testDescription: "A log that is not there",
                parts: [
                    "log=nobody: the store has no such log; 'replay database list' shows the logs"
                ]
            ) { machine, log in
                machine.log = try log.server.address("nobody").description
            },
            Refusal(
                testDescription: "A database without a name of a log",
                parts: ["the address names no log; expected ?log=NAME at its end"]
            ) { machine, log in
                machine.log = try log.server.address(nil).description
            },
            Refusal(
                testDescription: "An address with a password, which is not shown",
                parts: ["an address with a password is not taken", "PGPASSFILE"]
            ) { machine, _ in
                machine.log = "postgres://kim:hush@db.example/diary?log=home"
            },
            Refusal(
                testDescription: "A database without the schema",
                parts: ["has no tables for logs; its owner installs them with 'replay database in"]
            ) { machine, log in
                machine.log = try PostgresServer.address(
                    log.server.folder.url.path, log.name, "postgres"
                ).description
            },
            Refusal(
                testDescription: "A file of keys that is not there", parts: ["No such file"]
            ) { machine, log in
                machine.keys = log.folder.path("nothing")
            },
            Refusal(
                testDescription: "A file of keys that others can read",
                parts: ["others than the owner have access to the file of keys; use chmod 600"]
            ) { machine, log in
                machine.keys = try keyFile({ $0 }, log)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o640], ofItemAtPath: machine.keys ?? "")
            },
            Refusal(
                testDescription: "A key of another log", arguments: ["append"],
                parts: ["the key of epoch 1 is not that of the log"]
            ) { machine, log in
                machine.keys = try keyFile(
                    { $0.dropLast(64) + String(repeating: "5a", count: 32) }, log)
            },
            Refusal(
                testDescription: "A file without the key of the log",
                parts: ["there is no key of epoch 1 of the log"]
            ) { machine, log in
                machine.keys = try keyFile(
                    { String(repeating: "0", count: 32) + $0.dropFirst(32) }, log)
            },
            Refusal(
                testDescription: "A key command that fails",
                arguments: ["stat", "--key-command", "exit 4 #"],
                parts: ["the key command 'exit 4 #' ended with 4 after 'get'"]
            ) { machine, _ in machine.keys = nil },
            Refusal(
                testDescription: "Two places of keys",
                arguments: ["stat", "--key-file", "a", "--key-command", "b"],
                parts: ["--key-file and --key-command contradict each other"]),
            Refusal(
                testDescription: "Two places of keys in the environment",
                parts: ["the variables DAYBOOK_KEY_FILE and DAYBOOK_KEY_COMMAND contradict"]
            ) { machine, _ in machine.environment["DAYBOOK_KEY_COMMAND"] = "b" },
            Refusal(
                testDescription: "A head file", arguments: ["stat", "--head-file", "head"],
                parts: ["a log in a database has no head file"]),
            Refusal(
                testDescription: "A log that exists already", arguments: ["database", "create"],
                parts: ["there is a log of this name already"]),
            Refusal(
                testDescription: "A new log without a place for its keys",
                arguments: ["database", "create"],
                parts: ["a new log needs a place for its keys; give --key-file FILE"]
            ) { machine, _ in machine.keys = nil },
            Refusal(
                testDescription: "A database that is not there", arguments: ["database", "list"],
                parts: ["the store cannot be reached"]
            ) { machine, log in
                machine.log = try PostgresServer.address(
                    log.server.folder.url.path, nil, "nowhere"
                ).description
            },
            Refusal(
                testDescription: "A cache folder that cannot be made", parts: ["cannot be created"]
            ) { machine, _ in machine.environment["XDG_CACHE_HOME"] = "/dev/null" },
        ]

        @Test("The tool refuses with a sentence, and writes nothing", arguments: refusals)
        func refuses(_ refusal: Refusal) throws {
            let log = try ToolLog()
            var machine = try log.machine()
            try refusal.change(&machine, log)
            var arguments = refusal.arguments
            if arguments[0] == "database" { arguments.append(machine.log) }
            let answer = try machine.replay(arguments, input: ToolLog.launch("a"))
            #expect(answer.code == refusal.code, "\(answer.err)")
            #expect(answer.out.isEmpty)
            for part in refusal.parts { #expect(answer.err.contains(part), "\(answer.err)") }
            #expect(!answer.err.contains("hush"))
            #expect(machine.replicas.isEmpty || machine.replicas.count == 1)
            // The log is as it was, and can be used.
            let later = try log.machine().replay("append", "--json", input: ToolLog.launch("b"))
            #expect(try later.code == 0 && later.objects().first?["first"] as? Int == 1, "\(later)")
        }

        /// A database whose log is reached by an address that does not name the database.
        private func history() throws -> (
            server: PostgresServer, machine: Machine, names: [String]
        ) {
            let server = try PostgresServer.shared.get()
            let number = UUID().uuidString.prefix(8).lowercased()
            let names = ["one", "two"].map { "\($0)_\(number)" }
            try server.createDatabase(names[0])
            let folder = server.folder.url.path
            let keys = try TemporaryFolder()
            var machine = try Machine(
                "postgres://daybook@/?host=\(folder)&log=home", keys: keys.path("keys"))
            machine.environment["PGDATABASE"] = names[0]
            for arguments in [["install"], ["create", "--key-file", machine.folder.path("keys")]] {
                let answer = try machine.replay(
                    ["database", arguments[0], machine.log] + arguments.dropFirst())
                guard answer.code == 0 else { throw PostgresServer.Failed(what: answer.err) }
            }
            machine.keys = machine.folder.path("keys")
            return (server, machine, names)
        }

        @Test("A log that was restored or rewritten is refused with the position")
        func otherHistories() throws {
            var (server, machine, names) = try history()
            for id in ["a", "b", "c"] {
                #expect(try machine.replay("append", input: ToolLog.launch(id)).code == 0)
            }
            // The state to which the database is restored.
            try server.run("create database \(names[1]) template \(names[0])", in: "postgres")
            for id in ["d", "e"] {
                #expect(try machine.replay("append", input: ToolLog.launch(id)).code == 0)
            }
            let file = machine.folder.path("mine.log")
            #expect(try machine.replay("pull", machine.log, "--log", file).code == 0)
            machine.environment["PGDATABASE"] = names[1]
            let replica = try #require(machine.replicas.first)
            func expect(_ sentence: String) throws {
                for command in [["stat"], ["append"]] {
                    let answer = try machine.replay(command, input: ToolLog.launch("x"))
                    #expect(answer.code == 3 && answer.out.isEmpty, "\(answer)")
                    #expect(answer.err.contains(sentence), "\(answer.err)")
                    #expect(
                        answer.err.contains("delete the replica \(replica) to follow the database"))
                }
                let pulled = try machine.replay("pull", machine.log, "--log", file)
                #expect(pulled.code == 3 && pulled.err.contains(sentence), "\(pulled.err)")
                #expect(pulled.err.contains("pull into another file"), "\(pulled.err)")
            }
            try expect(
                "the store's log ends at position 5, but the replica at position 9: the store was "
                    + "restored to an earlier state")
            var other = machine
            other.environment["XDG_CACHE_HOME"] = machine.folder.path("other")
            for id in ["f", "g", "h"] {
                #expect(try other.replay("append", input: ToolLog.launch(id)).code == 0)
            }
            try expect("the histories of the store and of the replica part at position 6")
            // As advised.
            try FileManager.default.removeItem(atPath: replica)
            #expect(try machine.replay("log", "--json").objects().count == 11)
        }

        @Test("Another log, or another file, in place of the replica is refused and kept")
        func otherFiles() throws {
            let (log, foreign) = (try ToolLog(), try ToolLog())
            let (machine, other) = (try log.machine(), try foreign.machine())
            for machine in [machine, other] {
                #expect(try machine.replay("append", input: ToolLog.launch("a")).code == 0)
            }
            let replica = try #require(machine.replicas.first)
            let files: [(String, Int32, String)] = [
                (other.replicas[0], 3, "the replica is of the log"),
                (ToolLog.document("tour.jsonl"), 3, "is not an LMDB file"),
            ]
            for (file, code, sentence) in files {
                for path in [replica, replica + "-lock"] {
                    try? FileManager.default.removeItem(atPath: path)
                }
                try FileManager.default.copyItem(atPath: file, toPath: replica)
                let before = FileManager.default.contents(atPath: replica)
                let answer = try machine.replay("stat")
                #expect(answer.code == code && answer.err.contains(sentence), "\(answer.err)")
                #expect(FileManager.default.contents(atPath: replica) == before)
            }
        }

        @Test("Another version of the schema is refused with both versions")
        func otherSchema() throws {
            let (server, machine, names) = try history()
            try server.run("update daybook.schema_version set version = 9", in: names[0])
            for command in [["stat"], ["database", "list", machine.log]] {
                let answer = try machine.replay(command)
                #expect(answer.code == 2, "\(answer.err)")
                #expect(
                    answer.err.contains(
                        "the database has version 9 of the tables for logs, but this program knows "
                            + "version 1"), "\(answer.err)")
            }
        }

        @Test("Databases are listed as text and JSON, and installed once")
        func database() throws {
            let (_, machine, _) = try history()
            let again = try machine.replay("database", "install", machine.log)
            #expect(again.code == 0 && again.out.contains("the tables are installed already"))
            #expect(try machine.replay("append", input: ToolLog.launch("a")).code == 0)
            let text = try machine.replay("database", "list", machine.log)
            #expect(text.out.split(separator: "\n").count == 2, "\(text.out)")
            let listed = try machine.replay("database", "list", machine.log, "--json").objects()
            #expect(listed.count == 1)
            #expect(listed.first?["log"] as? String == "home")
            #expect(listed.first?["state"] as? String == "open")
            #expect(listed.first?["events"] as? Int == 1)
            let status = try machine.replay("stat", "--json").objects().first
            #expect(listed.first?["id"] as? String == status?["id"] as? String)
            #expect(
                listed.first?["headAtPosition"] as? String == status?["headAtPosition"] as? String)
        }
    }
#endif
