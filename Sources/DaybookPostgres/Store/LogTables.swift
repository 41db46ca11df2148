#if PostgreSQL
    import Daybook
    import DaybookLog

    /// The rows of one log in a database, and the connections over which a store reaches them.
    struct LogTables: Sendable {
        let id: [UInt8]
        /// The name of the store in messages.
        let name: String
        /// The number of the log in the tables.
        let log: Int32
        let appends: PostgresLink
        let reads: PostgresLink
        /// The connection on which an erasure is recorded, while others append.
        let erasures: PostgresLink

        /// The start of a transaction that sees the log as of its first statement.
        static let beginReading = PostgresStatement(
            "begin isolation level repeatable read read only")

        var errors: StoreErrors { StoreErrors(name: name) }

        /// Returns a statement whose first parameter is the log.
        func about(_ text: String) -> PostgresStatement {
            var statement = PostgresStatement(text)
            statement.add(log)
            return statement
        }

        func read<Value>(
            _ body: (PostgresConnection) throws(PostgresError) -> Value
        ) throws(LogError) -> Value {
            try errors.mapping { () throws(PostgresError) in try reads.use(body) }
        }

        /// Reads the end of the log with its state.
        func end() throws(LogError) -> StoredEnd {
            try read { (connection) throws(PostgresError) in
                try StoredEnd(
                    try connection.run([about("select * from daybook.head($1)")])[0], of: log)
            }
        }

        /// Runs a statement that returns one truth value.
        func isTrue(_ statement: PostgresStatement) throws(LogError) -> Bool {
            try read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                try result.expect(rows: 1...1, columns: 1)
                return try result.bytes(0, 0) == [1]
            }
        }

        /// Runs a statement that returns texts.
        func texts(_ statement: PostgresStatement) throws(LogError) -> [String] {
            try read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                try result.expect(rows: 0...Int.max, columns: 1)
                var texts: [String] = []
                for row in 0..<result.rowCount { texts.append(try result.text(row, 0)) }
                return texts
            }
        }

        /// Returns the error of a call that the log's state does not allow.
        func refusal(of state: String) -> LogError {
            refusal(
                state,
                state == "filling"
                    ? "the log takes only the commits of the file with which it is filled"
                    : state == "closed"
                        ? "the log is closed and takes no appends"
                        : "the log takes appends, and not the commits of a file any more")
        }

        /// Returns the error of a call that the store refuses.
        func refusal(_ code: String, _ reason: String) -> LogError {
            .store(.refused(name: name, code: code, reason: reason))
        }
    }
#endif
