#if PostgreSQL
    import DaybookPostgres
    import Foundation
    import TestSupport
    import Testing

    /// Connections that are lost between a question and its answer.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct ToolLossTests {
        @Test(
            "A connection cut at a message gives a whole answer or a sentence, and no event twice")
        func cutAppends() throws {
            let log = try ToolLog()
            let machine = try log.machine()
            #expect(try machine.replay("append", input: ToolLog.launch("first")).code == 0)
            // A cut append is asked for until it is known; then the proxy lets nothing through.
            for count in [0, 10, 40, 80, 120, 160, 200, Int.max] {
                let proxy = try CuttingProxy(to: log.server.folder.url.path, after: count, .cut)
                let cut = try log.machine(through: proxy.folder.url.path)
                let line = ToolLog.launch("cut-\(count)", key: "key-\(count)")
                let answer = try cut.replay("append", "--json", input: line)
                proxy.close()
                if count == .max { #expect(answer.code == 0, "\(answer.err)") }
                #expect([0, 2].contains(answer.code), "\(count): \(answer.err)")
                if answer.code == 2 {
                    #expect(answer.out.isEmpty && answer.err.contains("log=\(log.name)"))
                    #expect(
                        answer.err.contains("cannot be reached")
                            || answer.err.contains("the answer of the store was lost"),
                        "\(answer.err)")
                    // The key finds what became of it.
                    let again = try machine.replay("append", "--json", input: line)
                    #expect(again.code == 0, "\(again.err)")
                }
            }
            #expect(try machine.replay("list", "launches", "--json").objects().count == 9)
            let events = try machine.replay("log", "--kind", "launch.app-launched", "--json")
            #expect(try events.objects().count == 9)
        }

        @Test("A reading whose connection is cut answers nothing")
        func cutReadings() throws {
            let log = try ToolLog()
            try log.fill(try log.machine())
            let whole = try log.machine().replay("list", "entry", "--json")
            #expect(whole.code == 0)
            for count in stride(from: 0, to: 60, by: 7) {
                let proxy = try CuttingProxy(
                    to: log.server.folder.url.path, after: count, .cutWithin)
                let answer = try log.machine(through: proxy.folder.url.path)
                    .replay("list", "entry", "--json")
                proxy.close()
                if answer.code == 0 {
                    #expect(answer.out == whole.out)
                } else {
                    #expect(answer.code == 2 && answer.out.isEmpty, "\(answer.err)")
                    #expect(answer.err.contains("cannot be reached"), "\(answer.err)")
                }
            }
        }

        @Test("A server killed after the question was read does not change the answer to it")
        func killedServer() throws {
            let server = try PostgresServer()
            let folder = try TemporaryFolder()
            let machine = try Machine(
                try server.address("home").description, keys: folder.path("keys"))
            #expect(try machine.replay("database", "create", machine.log).code == 0)
            let process = try machine.start(["append", "--each", "--json"])
            try process.send(ToolLog.launch("before"))
            #expect(Wait.until { process.out.last == "\n" })
            try server.crash()
            try process.send(ToolLog.launch("after"))
            let answer = try process.end()
            #expect(answer.code == 0, "\(answer.err)")
            #expect(try answer.objects().count == 2)
            #expect(try machine.replay("list", "launches", "--json").objects().count == 2)
        }
    }
#endif
