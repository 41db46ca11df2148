#if PostgreSQL
    package import Daybook
    public import DaybookLog
    import Synchronization

    /// A log in a database of PostgreSQL, in the tables that `SchemaInstallation` makes.
    ///
    /// It has three connections, for appends, for reading and for erasures, each opened on first
    /// use. The role `daybook_append` suffices, and `daybook_read` to read without keys.
    public final class PostgresStore: EventStore {
        package var logID: [UInt8] { tables.id }
        package var name: String { tables.name }
        let tables: LogTables
        let vault: StoredKeys
        let segments: SegmentReader
        /// The names of the standbys for which an erasure waits before it destroys a key; `nil`
        /// means the standbys of the current erasure.
        package var standbys: [String]? {
            get { namedStandbys.withLock { $0 } }
            set { namedStandbys.withLock { $0 = newValue } }
        }
        private let namedStandbys = Mutex<[String]?>(nil)

        /// The longest time that a call waits for the server.
        package static let usualDeadline = Duration.seconds(3)

        /// Connects to a database, and finds the log that the address names.
        ///
        /// - Parameter keys: where the keys of epochs are, with which the log's secret and the keys
        ///   of people are encrypted; `nil` to go without them.
        package init(
            _ address: PostgresAddress, keys: (any EpochKeySource)? = nil,
            deadline: Duration = usualDeadline
        ) throws(LogError) {
            guard let log = address.log else {
                throw .store(
                    .refused(
                        name: address.description, code: "address",
                        reason: "the address names no log; expected ?log=NAME at its end"))
            }
            let errors = StoreErrors(name: address.description)
            let reads = PostgresLink(address, deadline: deadline)
            // All later calls use this number, so the answer has it twice, with the name as it arrived.
            var statement = PostgresStatement(
                "select l.log, l.id, (l.log_end).log, $1::text from daybook.log_named($1) as l")
            statement.add(log)
            let found = try errors.mapping { () throws(PostgresError) -> (Int32, [UInt8])? in
                try reads.use { (connection) throws(PostgresError) -> (Int32, [UInt8])? in
                    try SchemaInstallation.check(connection)
                    let result = try connection.run([statement])[0]
                    try result.expect(rows: 0...1, columns: 4)
                    guard result.rowCount == 1 else { return nil }
                    let number = try result.integer(0, 0)
                    guard try result.integer(0, 2) == number, try result.text(0, 3) == log else {
                        throw .malformed("an answer is about another log than '\(log)'")
                    }
                    return (Int32(clamping: number), try result.bytes(0, 1))
                }
            }
            guard let (number, id) = found else { throw .store(.noLog(name: address.description)) }
            tables = LogTables(
                id: id, name: address.description, log: number,
                appends: PostgresLink(address, deadline: deadline), reads: reads,
                erasures: PostgresLink(address, deadline: deadline))
            vault = StoredKeys(tables: tables, keyring: keys.map { EpochKeyring($0, logID: id) })
            segments = SegmentReader(tables)
        }

        package func end() throws(LogError) -> StoreEnd {
            try tables.end().end
        }

        package func outcomes(
            of digests: [[UInt8]]
        ) throws(LogError) -> (end: StoreEnd, firsts: [UInt64?]) {
            var statement = tables.about(
                "select (o.log_end).*, o.firsts from daybook.outcomes($1, $2) as o")
            statement.add(digests)
            return try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                let firsts = try result.integers(0, StoredEnd.columnCount)
                guard firsts.count == digests.count else {
                    throw .malformed("\(firsts.count) outcomes for \(digests.count) requests")
                }
                let end = try StoredEnd(result, of: tables.log).end
                return (end, firsts.map { $0.map { UInt64(clamping: $0) } })
            }
        }

        package func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]? {
            try segments.segment(after: head, most: most)
        }

        package func keys(fromBlock first: UInt64) throws(LogError) -> StoreKeys {
            try vault.keys(fromBlock: first)
        }

        package func wait(
            after position: Position, atMost duration: Duration
        ) throws(LogError) -> Bool {
            let until = ContinuousClock.now + duration
            let look = tables.about("select position from daybook.heads where log = $1")
            while true {
                let found = try tables.read { (connection) throws(PostgresError) in
                    let result = try connection.run([look])[0]
                    try result.expect(rows: 1...1, columns: 1)
                    return try result.integer(0, 0)
                }
                if UInt64(clamping: found) > position.rawValue { return true }
                let rest = ContinuousClock.now.duration(to: until)
                guard rest > .zero else { return false }
                Pause.sleep(min(rest, .milliseconds(20)))
            }
        }
    }
#else
    /// A log in a database of PostgreSQL.
    @available(
        *, unavailable,
        message: "turn on the trait 'PostgreSQL' of the package 'daybook' to use PostgresStore"
    )
    public final class PostgresStore {}
#endif
