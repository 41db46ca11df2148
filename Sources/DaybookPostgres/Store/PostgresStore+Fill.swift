#if PostgreSQL
    import Daybook
    package import DaybookLog

    extension PostgresStore: FillableStore {
        /// Opens the log that an address names, to be filled from a file; creates a missing one.
        ///
        /// - Throws: `.refused` with the code `replica` if it is missing and the file is a replica,
        ///   whose log continues elsewhere.
        package static func toFill(
            at address: PostgresAddress, keys: any EpochKeySource, from log: EventLog,
            deadline: Duration = .seconds(60)
        ) throws(LogError) -> PostgresStore {
            do throws(LogError) {
                return try PostgresStore(address, keys: keys, deadline: deadline)
            } catch {
                guard case .store(.noLog) = error else { throw error }
            }
            guard !log.isReplica else {
                throw .store(
                    .refused(
                        name: log.path, code: "replica",
                        reason:
                            "the file is a replica, whose log goes on elsewhere, so that it cannot "
                            + "become the log \(address)"))
            }
            try createLog(
                at: address, keys: keys, id: log.file.identifier, secret: log.file.secret,
                isFilling: true, deadline: deadline)
            return try PostgresStore(address, keys: keys, deadline: deadline)
        }

        package func state() throws(LogError) -> StoreState {
            let name = try tables.end().state
            guard let state = StoreState(rawValue: name) else {
                throw .store(.damaged(name: self.name, reason: "its state is '\(name)'"))
            }
            return state
        }

        package func fill(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
            try append(batch, to: .filling)
        }

        package func fill(
            people: [(number: UInt32, row: [UInt8])], blocks: [(number: UInt64, row: [UInt8])]
        ) throws(LogError) {
            guard !people.isEmpty || !blocks.isEmpty else { return }
            let wrapped = try vault.wrapped(blocks, under: try end().epoch)
            var statement = tables.about("select daybook.fill_people($1, $2, $3, $4, $5)")
            statement.add(people.map { Int64($0.number) })
            statement.add(people.map(\.row))
            statement.add(blocks.map { Int64(clamping: $0.number) })
            statement.add(wrapped)
            try run(statement)
        }

        package func endFilling(
            at head: Head, nextPerson: UInt64, nextSlot: UInt64
        ) throws(LogError) {
            var statement = tables.about("select daybook.end_filling($1, $2, $3, $4, $5)")
            statement.add(Int64(clamping: head.position.rawValue))
            statement.add(head.chain)
            statement.add(Int64(clamping: nextPerson))
            statement.add(Int64(clamping: nextSlot))
            try run(statement)
        }

        /// Runs a repeatable statement that returns no rows.
        private func run(_ statement: PostgresStatement) throws(LogError) {
            try tables.errors.mapping { () throws(PostgresError) in
                try tables.appends.use { (connection) throws(PostgresError) in
                    _ = try connection.run([statement])
                }
            }
        }
    }
#endif
