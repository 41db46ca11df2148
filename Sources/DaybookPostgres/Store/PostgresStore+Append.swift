#if PostgreSQL
    import Daybook
    package import DaybookLog

    extension PostgresStore {
        package func append(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
            try append(batch, to: .open)
        }

        /// Appends commits to a log in the given state.
        func append(
            _ batch: StoreBatch, to state: StoreState
        ) throws(LogError) -> StoreAnswer {
            try appended(batch, to: state, on: tables.appends) { () throws(LogError) in
                try statement(appending: batch, to: state)
            }
        }

        /// Sends a statement that appends the commits of a batch, and ends the transaction that this
        /// thread has on the connection.
        func appended(
            _ batch: StoreBatch, to state: StoreState = .open, on link: PostgresLink,
            by make: () throws(LogError) -> PostgresStatement
        ) throws(LogError) -> StoreAnswer {
            let isLocked = link.isHeld
            var isSent = false
            defer {
                if isLocked {
                    if !isSent { link.rollBack() }
                    link.release()
                }
            }
            var statements = [try make()]
            if isLocked { statements.append(PostgresStatement("commit")) }
            let answer: (StoreAnswer.Result, StoredEnd, [StoreAnswer.Outcome])
            do throws(PostgresError) {
                isSent = true
                answer = try link.use { (connection) throws(PostgresError) in
                    try self.answer(
                        try connection.run(statements)[0], commitCount: batch.commits.count)
                }
            } catch { throw tables.errors.appendError(error) }
            let found = answer.1.state
            if answer.0 == .moved, found != state.rawValue { throw tables.refusal(of: found) }
            return StoreAnswer(answer.0, end: answer.1.end, outcomes: answer.2)
        }

        package func lock(
            after head: Head
        ) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
            try takeLock { () throws(LogError) in
                let found = try locked(after: head, on: tables.appends, [Self.beginAppending])
                return (found, found.end)
            }
        }

        /// Takes the lock for a call that needs only the log's end.
        func lockHead() throws(LogError) -> StoredEnd {
            try takeLock { () throws(LogError) in
                let end = try tables.errors.mapping { () throws(PostgresError) in
                    try tables.appends.use { (connection) throws(PostgresError) in
                        try StoredEnd(
                            try connection.run([Self.beginAppending, tables.about(Self.lockText)])[
                                1], of: tables.log)
                    }
                }
                return (end, end.end)
            }
        }

        private static let beginAppending = PostgresStatement(
            "begin isolation level read committed")
        private static let lockText = "select * from daybook.lock_head($1)"

        /// Fetches all keys that are needed under the lock, and then calls `body`, which takes it.
        /// A key command may take seconds, which no other writer should wait for.
        private func takeLock<Value>(
            _ body: () throws(LogError) -> (Value, StoreEnd)
        ) throws(LogError) -> Value {
            var attempts = 0
            while true {
                tables.appends.acquire()
                do throws(LogError) {
                    let (found, end) = try body()
                    attempts += 1
                    guard let keyring = vault.keyring, attempts < 5,
                        !keyring.hasAsked(for: end.epoch)
                    else { return found }
                    unlock()
                    try vault.fetchKeys(keyring)
                } catch {
                    unlock()
                    throw error
                }
            }
        }

        /// Takes the lock, and reads the commits that the caller lacks.
        ///
        /// - Parameter opening: the statements that begin a transaction, if none is open.
        func locked(
            after head: Head, on link: PostgresLink, _ opening: [PostgresStatement]
        ) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
            var records = tables.about(SegmentReader.recordsText)
            records.add(Int64(clamping: head.position.rawValue))
            records.add(Int64.max)
            let statements =
                opening + [tables.about(Self.lockText), segments.chain(at: head.position), records]
            let results: [PostgresResult]
            let end: StoredEnd
            (results, end) = try tables.errors.mapping { () throws(PostgresError) in
                let results = try link.use { (connection) throws(PostgresError) in
                    Array(try connection.run(statements).suffix(3))
                }
                return (results, try StoredEnd(results[0], of: tables.log))
            }
            try segments.check(head, end.end, results[1])
            guard end.end.head.position > head.position else { return (end.end, nil) }
            return (end.end, try segments.segment(of: results[2], after: head, end.end))
        }

        package func unlock() {
            guard tables.appends.isHeld else { return }
            tables.appends.rollBack()
            tables.appends.release()
        }

        private func statement(
            appending batch: StoreBatch, to state: StoreState
        ) throws(LogError) -> PostgresStatement {
            let end = batch.end
            let blocks = try vault.wrapped(batch.blocks, for: end)
            var statement = tables.about(Self.appendText)
            statement.add(Int64(clamping: end.head.position.rawValue))
            statement.add(end.head.chain)
            statement.add(Int32(clamping: end.nextName))
            statement.add(Int64(clamping: end.nextPerson))
            statement.add(Int64(clamping: end.nextSlot))
            statement.add(end.epoch)
            statement.add(state.rawValue)
            statement.add(batch.commits.map(\.group))
            statement.add(batch.commits.map(\.row))
            statement.add(batch.commits.map(\.digest))
            statement.add(batch.events)
            statement.add(batch.names)
            statement.add(batch.people.map { Int32(clamping: $0.commit + 1) })
            statement.add(batch.people.map { Int64($0.number) })
            statement.add(batch.people.map(\.replaced))
            statement.add(batch.people.map(\.row))
            statement.add(batch.texts.map { Int64(clamping: $0.position) })
            statement.add(batch.texts.map { Int64($0.field) })
            statement.add(batch.texts.map(\.row))
            statement.add(blocks)
            statement.add(batch.conditions.map(\.group))
            statement.add(batch.conditions.map { Int64(clamping: $0.after) })
            statement.add(
                batch.conditions.map { item in
                    "{\(item.kinds.map { "\($0)" }.joined(separator: ","))}"
                })
            statement.add(
                batch.conditions.map { item in
                    let tags = item.tags.map { "\"\\\\x\(Hexadecimal.text($0))\"" }
                    return "{\(tags.joined(separator: ","))}"
                })
            return statement
        }

        private static let appendText = """
            select (a.log_end).*, a.result, a.outcomes, a.places
            from daybook.append(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                $19, $20, $21, $22, $23, $24, $25) as a
            """

        private func answer(
            _ result: PostgresResult, commitCount: Int
        ) throws(PostgresError) -> (StoreAnswer.Result, StoredEnd, [StoreAnswer.Outcome]) {
            try result.expect(rows: 1...1, columns: StoredEnd.columnCount + 3)
            let end = try StoredEnd(result, of: tables.log)
            let name = try result.text(0, StoredEnd.columnCount)
            let kind: StoreAnswer.Result
            switch name {
            case "appended": kind = .appended
            case "moved": kind = .moved
            case "clock": kind = .clock
            case "behind": kind = .behind
            default: throw .malformed("an append has the unknown result '\(name)'")
            }
            let codes = try result.integers(0, StoredEnd.columnCount + 1)
            let places = try result.integers(0, StoredEnd.columnCount + 2)
            guard codes.count == commitCount, places.count == commitCount else {
                throw .malformed("\(codes.count) outcomes for \(commitCount) commits")
            }
            var outcomes: [StoreAnswer.Outcome] = []
            for (code, place) in zip(codes, places) {
                let place = UInt64(clamping: place ?? 0)
                switch code {
                case 1: outcomes.append(.written(place))
                case 2: outcomes.append(.repeated(place))
                case 3: outcomes.append(.forbidden(place))
                case 4: outcomes.append(.unwritten)
                default: throw .malformed("an outcome has the unknown code \(code ?? 0)")
                }
            }
            return (kind, end, outcomes)
        }
    }
#endif
