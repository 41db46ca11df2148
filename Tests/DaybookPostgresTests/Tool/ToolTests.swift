#if PostgreSQL
    import DaybookLibC
    import Foundation
    import TestSupport
    import Testing

    /// Whole commands over a log in a database.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct ToolTests {
        /// Returns the permissions of a file.
        private func mode(_ path: String) -> mode_t? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        }

        @Test("Commands answer byte for byte alike from the database and from a file")
        func answersAreAlike() throws {
            let log = try ToolLog()
            let (machine, other) = (try log.machine(), try log.machine())
            try log.fill(machine)
            let file = log.folder.path("pulled.log")
            let pulled = try other.replay(
                "pull", log.address, "--log", file, "--texts", log.keys, "--json")
            #expect(pulled.code == 0, "\(pulled.err)")
            #expect(try pulled.objects().first?["texts"] as? Bool == true)
            var local = other
            local.log = file
            for command in [
                ["log", "--json", "--chain"], ["log"], ["verify", "--json"],
                ["verify", "--digests"], ["list", "entry"], ["state", "session", "phone-1"],
                ["history", "splash", "tuesday"], ["blame", "session", "phone-1", "whyLogin"],
                ["audit", "--json"], ["report", "daily", "--baby", "mia", "--date", "2020-03-08"],
                ["transitions"], ["export", "--format", "sql", "--texts"],
                ["view", "session", "phone-1", "--json"], ["trace", "splash", "--digest"],
                ["compare", log.address, file, "--projection", "session"],
            ] {
                let expected = try local.replay(command)
                let found = try machine.replay(command)
                #expect(found.out == expected.out, "\(command)")
                #expect(found.code == expected.code, "\(command): \(found.err)")
                #expect(found.code < 2, "\(command): \(found.err)")
            }
        }

        @Test("A replica lies in the cache folder, where only its owner can read it")
        func replicaIsPrivate() throws {
            let log = try ToolLog()
            var machine = try log.machine()
            try log.fill(machine)
            #expect(mode(machine.cache) == 0o700)
            let replica = try #require(machine.replicas.first)
            #expect(machine.replicas.count == 1 && replica.hasSuffix("-keys.log"))
            #expect(mode(replica) == 0o600)
            #expect(mode(replica + "-lock") == 0o600)
            #expect(mode(log.keys) == 0o600)
            machine.keys = nil
            #expect(try machine.replay("stat").code == 0)
            let plain = try #require(machine.replicas.first { !$0.hasSuffix("-keys.log") })
            #expect(mode(plain) == 0o600)
            // A deleted replica is made again.
            for path in machine.replicas { try FileManager.default.removeItem(atPath: path) }
            let events = try machine.replay("log", "--json").objects().count
            #expect(events > 100)
            // Others must not be able to put another replica in its place.
            chmod(machine.cache, 0o770)
            let refused = try machine.replay("stat")
            #expect(refused.code == 2)
            #expect(refused.err.contains("that nobody else may write to"), "\(refused.err)")
        }

        @Test("Without keys, texts are not here, and what needs them is refused")
        func withoutKeys() throws {
            let log = try ToolLog()
            var machine = try log.machine()
            try log.fill(machine)
            machine.keys = nil
            #expect(try machine.replay("verify").code == 0)
            #expect(try machine.replay("history", "splash", "tuesday").code == 0)
            let advice = "give --key-file FILE or --key-command COMMAND, or set DAYBOOK_KEY_FILE"
            for (arguments, code, sentence) in [
                (["append"], 2, "an append needs the keys of the log; " + advice),
                (
                    [
                        "import", "--dry-run", "--format", "babyconnect", "--baby", "mia",
                        ToolLog.document("tour-baby.csv"),
                    ], 2, "a trial of an import needs the keys of the log; " + advice
                ),
                (
                    ["report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue"], 2,
                    "an append needs the keys of the log"
                ),
                (["audit"], 1, "an audit judges personal texts, names or places, which are not"),
                (["export", "--format", "sql"], 1, "an export has personal texts, names or"),
            ] as [([String], Int32, String)] {
                let answer = try machine.replay(arguments, input: ToolLog.launch("x"))
                #expect(answer.code == code, "\(arguments): \(answer.err)")
                #expect(answer.err.contains(sentence), "\(arguments): \(answer.err)")
                #expect(answer.err.contains(log.address) && answer.out.isEmpty)
            }
        }

        @Test("Two machines decide on one log, and both have every decision")
        func twoMachines() async throws {
            let log = try ToolLog()
            let machines = [try log.machine(), try log.machine()]
            await withTaskGroup(of: Void.self) { group in
                for (number, machine) in machines.enumerated() {
                    group.addTask {
                        for index in 0..<12 {
                            let answer = try? machine.replay(
                                "append", "--each", "--json",
                                input: ToolLog.launch("both-\(index)")
                                    + ToolLog.launch("\(number)-\(index)"))
                            #expect(answer?.code ?? 3 < 2, "\(answer?.err ?? "")")
                        }
                    }
                }
            }
            let answers = try machines.map { try $0.replay("log", "--json", "--chain") }
            #expect(answers[0].out == answers[1].out && answers[0].code == 0)
            let launches = try machines[0].replay("list", "launches", "--json").objects()
            #expect(launches.count == 36)
            let events = try answers[0].objects().filter {
                $0["kind"] as? String == "launch.app-launched.v1"
            }
            #expect(events.count == 36, "each launch is decided once")
            #expect(try machines[1].replay("verify").code == 0)
        }

        @Test("Followers see the appends of other machines")
        func follow() throws {
            let log = try ToolLog()
            let (reader, writer) = (try log.machine(), try log.machine())
            #expect(try writer.replay("append", input: ToolLog.launch("first")).code == 0)
            let process = try reader.start(["log", "--follow", "--json"])
            defer { process.kill() }
            #expect(Wait.until { process.out.contains("first") })
            #expect(try writer.replay("append", input: ToolLog.launch("second")).code == 0)
            #expect(Wait.until { process.out.contains("second") })
        }

        @Test("A pull into a file is resumed, and never writes over a log of its own")
        func pull() throws {
            let log = try ToolLog()
            let machine = try log.machine()
            let file = log.folder.path("mine.log")
            #expect(try machine.replay("append", input: ToolLog.launch("a")).code == 0)
            let first = try machine.replay("pull", log.address, "--log", file, "--json")
            #expect(first.code == 0, "\(first.err)")
            #expect(try first.objects().first?["events"] as? Int == 1)
            #expect(try first.objects().first?["texts"] as? Bool == false)
            #expect(mode(file) == 0o600)
            #expect(try machine.replay("append", input: ToolLog.launch("b")).code == 0)
            let second = try machine.replay("pull", log.address, "--log", file, "--json")
            #expect(try second.objects().first?["events"] as? Int == 2)
            let third = try machine.replay("pull", log.address, "--log", file)
            #expect(third.out.contains("0 new events") && third.code == 0)
            #expect(third.err.contains("texts, names and places are not here"))
            let with = try machine.replay(
                "pull", log.address, "--log", file, "--texts", log.keys, "--json")
            #expect(try with.objects().first?["texts"] as? Bool == true, "\(with.err)")
            let without = try machine.replay("pull", log.address, "--log", file)
            #expect(without.code == 2)
            #expect(without.err.contains("name their file with --texts"), "\(without.err)")
            let own = log.folder.path("own.log")
            var local = machine
            local.log = own
            #expect(try local.replay("append", input: ToolLog.launch("own")).code == 0)
            let refused = try machine.replay("pull", log.address, "--log", own)
            #expect(refused.code == 2)
            #expect(refused.err.contains("no replica, so it is not overwritten"))
            let target = try machine.replay("pull", log.folder.path("segments"))
            #expect(target.code == 2)
            #expect(target.err.contains("'pull' writes a replica in a file"), "\(target.err)")
        }
    }
#endif
