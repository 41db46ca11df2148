#if PostgreSQL
    import CDaybookSchema
    package import DaybookLog

    /// The tables and functions of logs in a database.
    package enum SchemaInstallation {
        /// The version that this program knows.
        package static let version: Int32 = 1

        /// The statements that create the tables and functions, from the files in `Schema`.
        static let script = unsafe String(cString: daybookSchema())

        /// Installs the schema in one transaction.
        ///
        /// - Returns: false if the database has it already.
        /// - Throws: `.refused` if it has another version, or the user may not create it.
        package static func install(
            at address: PostgresAddress, deadline: Duration = .seconds(60)
        ) throws(LogError) -> Bool {
            try StoreErrors(name: address.description).mapping { () throws(PostgresError) in
                let connection = try PostgresConnection(address, deadline: deadline)
                if let found = try installedVersion(connection) {
                    try check(found)
                    return false
                }
                _ = try connection.runScript(
                    "begin;\nset local client_min_messages = warning;\n" + script + "commit")
                return true
            }
        }

        /// Returns advice about settings of the server.
        package static func advice(
            at address: PostgresAddress, deadline: Duration = .seconds(10)
        ) throws(LogError) -> [String] {
            let setting = try StoreErrors(name: address.description).mapping {
                () throws(PostgresError) in
                let connection = try PostgresConnection(address, deadline: deadline)
                let select = PostgresStatement(
                    "select current_setting('max_prepared_transactions')")
                return try connection.run([select])[0].text(0, 0)
            }
            guard setting != "0" else { return [] }
            return [
                "the server has max_prepared_transactions = \(setting), so that a transaction which "
                    + "is prepared and forgotten can hold a log until somebody ends it "
                    + "(pg_prepared_xacts); set it to 0 unless other programs need it"
            ]
        }

        /// Throws an error unless the database has the schema in the version of this program.
        static func check(_ connection: PostgresConnection) throws(PostgresError) {
            guard let found = try installedVersion(connection) else {
                throw .refused(
                    state: "schema",
                    "the database has no tables for logs; its owner installs them with "
                        + "'replay database install URL'")
            }
            try check(found)
        }

        private static func check(_ found: Int32) throws(PostgresError) {
            guard found == version else {
                throw .refused(
                    state: "schema",
                    "the database has version \(found) of the tables for logs, but this program "
                        + "knows version \(version)")
            }
        }

        /// Returns the version that is installed; `nil` for none.
        private static func installedVersion(
            _ connection: PostgresConnection
        ) throws(PostgresError) -> Int32? {
            let exists = try connection.run(
                [PostgresStatement("select to_regclass('daybook.schema_version') is not null")])[0]
            try exists.expect(rows: 1...1, columns: 1)
            guard try exists.bytes(0, 0) == [1] else { return nil }
            let result = try connection.run(
                [PostgresStatement("select version from daybook.schema_version")])[0]
            try result.expect(rows: 1...1, columns: 1)
            return Int32(clamping: try result.integer(0, 0))
        }
    }
#endif
