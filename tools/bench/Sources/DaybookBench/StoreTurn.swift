#if PostgreSQL
    import DaybookLog
    import DaybookPostgres
    import Foundation

    /// A turn over a log in PostgreSQL, of one process or of several with a replica each.
    struct StoreTurn {
        private static let keysName = "bench.keys"
        private let database: String
        private let logs: Logs
        private let processes: Int

        /// - Parameter target: the folder for replicas and keys, and the folder of the server's
        ///   socket, with a colon in between.
        init(_ target: String, processes: Int) throws {
            let folders = target.split(separator: ":")
            guard folders.count == 2 else { throw Failed(description: usage) }
            logs = try Logs("\(folders[0])")
            database = "postgres://postgres@/postgres?host=\(folders[1])"
            self.processes = processes
        }

        private var keys: StoreKeySource { .file("\(logs.folder)/\(Self.keysName)") }

        /// Seconds that a new log takes for requests; or those that a new replica of it takes.
        func seconds(
            _ requests: [AppendRequest], threads: Int, isPull: Bool
        ) throws -> Double {
            try StoreDriver.postgreSQL.install(at: database)
            let address = database + "&log=bench-\(getpid())"
            try StoreDriver.postgreSQL.createLog(at: address, keys: keys)
            if processes > 1 { return try seconds(requests.count, threads, of: address) }
            return try logs.fresh { path in
                let log = try EventLog.replica(
                    of: address, in: .postgreSQL, path: path, keys: keys)
                let seconds = try AppendRows.append(requests, threads: threads, to: log)
                return isPull ? try pulled(from: address) : seconds
            }
        }

        private func pulled(from address: String) throws -> Double {
            try logs.fresh { path in
                try Measure.seconds {
                    _ = try EventLog.replica(
                        of: address, in: .postgreSQL, path: path, keys: keys)
                }
            }
        }

        /// Seconds that processes with a replica each take together, from when all are ready.
        private func seconds(
            _ count: Int, _ threads: Int, of address: String
        ) throws -> Double {
            let children = try (0..<processes).map { number in
                let (child, input, output) = (Process(), Pipe(), Pipe())
                child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                child.arguments = [
                    "--part", address, logs.folder, "\(number)", "\(count / processes)",
                    "\(threads / processes)",
                ]
                (child.standardInput, child.standardOutput) = (input, output)
                try child.run()
                return (child, input.fileHandleForWriting, output.fileHandleForReading)
            }
            for (_, _, output) in children { _ = output.availableData }
            let seconds = try Measure.seconds {
                for (_, input, _) in children { try input.close() }
                for (child, _, _) in children { child.waitUntilExit() }
            }
            guard children.allSatisfy({ $0.0.terminationStatus == 0 }) else {
                throw Failed(description: "a process has failed")
            }
            return seconds
        }

        /// Appends a part of the requests once standard input has ended.
        static func append(_ arguments: [String]) throws {
            let numbers = arguments.dropFirst(2).compactMap { Int($0) }
            guard numbers.count == 3 else { throw Failed(description: usage) }
            let (part, count, threads) = (numbers[0], numbers[1], numbers[2])
            let path = "\(arguments[1])/part-\(getpid())"
            defer { for suffix in ["", "-lock"] { unlink(path + suffix) } }
            let log = try EventLog.replica(
                of: arguments[0], in: .postgreSQL, path: path,
                keys: .file("\(arguments[1])/\(keysName)"))
            let requests = (1...count).map {
                AppendRequest([Logs.event(UInt64(part * count + $0))])
            }
            print("ready")
            fflush(nil)
            while readLine() != nil {}
            _ = try AppendRows.append(requests, threads: threads, to: log)
        }
    }
#else
    import DaybookLog

    struct StoreTurn {
        init(_ target: String, processes: Int) throws {
            throw Failed(description: "the benchmark was built without the trait PostgreSQL")
        }

        func seconds(
            _ requests: [AppendRequest], threads: Int, isPull: Bool
        ) throws -> Double { 0 }

        static func append(_ arguments: [String]) throws { _ = try Self("", processes: 1) }
    }
#endif
