#if PostgreSQL
    import DaybookLibC

    /// A connection that is opened on first use, and again after a loss. One thread uses it at a
    /// time. A thread may also keep it between its calls, for a transaction over several of them.
    final class PostgresLink: @unchecked Sendable {
        private let address: PostgresAddress
        private let deadline: Duration
        /// Protects `holder` and `depth`; threads wait on it for the connection.
        private let monitor = Monitor()
        private var holder: pthread_t?
        private var depth = 0
        /// True once the holder has used the connection, so that it may have a transaction.
        private var isUsed = false
        /// Used by the holder only.
        private var connection: PostgresConnection?

        init(_ address: PostgresAddress, deadline: Duration) {
            self.address = address
            self.deadline = deadline
        }

        /// True if the calling thread has the connection.
        var isHeld: Bool {
            monitor.lock()
            defer { monitor.unlock() }
            return holder.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        }

        /// Waits until no other thread has the connection, and takes it until `release`.
        func acquire() {
            monitor.lock()
            defer { monitor.unlock() }
            while let holder, pthread_equal(holder, pthread_self()) == 0 { monitor.wait() }
            holder = pthread_self()
            if depth == 0 { isUsed = false }
            depth += 1
        }

        /// Ends one `acquire` of the calling thread.
        func release() {
            monitor.lock()
            defer { monitor.unlock() }
            depth -= 1
            guard depth == 0 else { return }
            holder = nil
            monitor.wakeAll()
        }

        /// Calls `body` with the connection; ends a transaction that an error has left open.
        ///
        /// Connects if there is no connection; throws if the thread keeps one that was lost.
        func use<Value>(
            _ body: (PostgresConnection) throws(PostgresError) -> Value
        ) throws(PostgresError) -> Value {
            let isKept = isHeld
            acquire()
            defer { release() }
            let connection = try connected(isKept && isUsed)
            isUsed = true
            do throws(PostgresError) { return try body(connection) } catch {
                if connection.isBroken || error.endsSession {
                    self.connection = nil
                } else if connection.isInTransaction {
                    rollBack()
                }
                throw error
            }
        }

        /// Rolls the open transaction back; if that fails, closes the connection, so that the
        /// server rolls back.
        func rollBack() {
            guard let connection else { return }
            do throws(PostgresError) {
                _ = try connection.run([PostgresStatement("rollback")])
            } catch { self.connection = nil }
        }

        /// Returns the connection, or a new one after a loss.
        private func connected(_ isKept: Bool) throws(PostgresError) -> PostgresConnection {
            if let connection, connection.isAlive() { return connection }
            let hadTransaction = isKept && connection != nil
            connection = nil
            guard !hadTransaction else {
                throw .notConnected("the server has ended the transaction")
            }
            let connection = try PostgresConnection(address, deadline: deadline)
            self.connection = connection
            return connection
        }
    }
#endif
