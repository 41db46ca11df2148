#if PostgreSQL
    import Daybook
    import DaybookCryptography
    package import DaybookLog

    extension PostgresStore {
        /// Returns the logs of a database, by name.
        package static func logs(
            at address: PostgresAddress, deadline: Duration = usualDeadline
        ) throws(LogError) -> [StoredLog] {
            let list = PostgresStatement(
                """
                select l.name, l.id, (e.log_end).*
                from daybook.logs as l cross join lateral daybook.log_named(l.name) as e
                order by l.name
                """)
            return try StoreErrors(name: address.description).mapping { () throws(PostgresError) in
                let connection = try PostgresConnection(address, deadline: deadline)
                try SchemaInstallation.check(connection)
                let result = try connection.run([list])[0]
                try result.expect(rows: 0...Int.max, columns: 2 + StoredEnd.columnCount)
                var logs: [StoredLog] = []
                for row in 0..<result.rowCount {
                    let end = try StoredEnd(result, row: row, from: 2)
                    logs.append(
                        StoredLog(
                            name: try result.text(row, 0), id: try result.bytes(row, 1),
                            end: end.end, state: end.state))
                }
                return logs
            }
        }

        /// Creates an empty log, whose secret is encrypted under the key of its epoch 1.
        ///
        /// - Parameters:
        ///   - id: the log's id, 16 bytes, and `secret`, 32 bytes; random for a new log.
        ///   - isFilling: true for a log that gets the commits of one file first.
        package static func createLog(
            at address: PostgresAddress, keys: any EpochKeySource,
            id: [UInt8] = RandomBytes.fresh(16), secret: [UInt8] = RandomBytes.fresh(32),
            isFilling: Bool = false, deadline: Duration = usualDeadline
        ) throws(LogError) {
            let errors = StoreErrors(name: address.description)
            guard let name = address.log else {
                throw .store(
                    .refused(
                        name: address.description, code: "address",
                        reason: "the address names no log; expected ?log=NAME at its end"))
            }
            var find = PostgresStatement("select log from daybook.log_named($1)")
            find.add(name)
            let connection = try errors.mapping { () throws(PostgresError) in
                let connection = try PostgresConnection(address, deadline: deadline)
                try SchemaInstallation.check(connection)
                guard try connection.run([find])[0].rowCount == 0 else {
                    throw .refused(state: "exists", "there is a log of this name already")
                }
                return connection
            }
            let bytes: [UInt8]
            do throws(EpochKeyError) {
                bytes = try keys.createKey(of: 1, log: id)
            } catch {
                throw .store(.keys(name: address.description, reason: "\(error)"))
            }
            guard let key = AESGCMKey(bytes) else {
                throw .store(.keys(name: address.description, reason: "the key has not 32 bytes"))
            }
            var create = PostgresStatement("select daybook.create_log($1, $2, $3, $4, $5)")
            create.add(name)
            create.add(id)
            create.add(EpochKeyring.proof(of: bytes))
            create.add(WrappedBlock.seal(secret, -1, 1, of: id, with: key))
            create.add(isFilling ? "filling" : "open")
            try errors.mapping { () throws(PostgresError) in _ = try connection.run([create]) }
        }
    }
#endif
