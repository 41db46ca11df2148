#if PostgreSQL
    import DaybookLibC
    import DaybookLog

    /// A conversion of errors of the server to errors of a named store.
    struct StoreErrors {
        var name: String

        /// Evaluates `body`, which appends nothing.
        func mapping<Value>(
            _ body: () throws(PostgresError) -> Value
        ) throws(LogError) -> Value {
            do throws(PostgresError) {
                return try body()
            } catch {
                throw storeError(error)
            }
        }

        /// The error of a call that appends nothing.
        func storeError(_ error: PostgresError) -> LogError {
            switch error {
            case .notConnected(let reason), .lost(let reason):
                .store(.unreachable(name: name, reason: reason))
            case .refused(_, let reason) where error.endsSession:
                .store(.unreachable(name: name, reason: reason))
            // The lock was not given in time, or a transaction was silent for too long.
            case .refused("55P03", let reason), .refused("25P03", let reason):
                .store(.unreachable(name: name, reason: reason))
            case .refused(let state, let reason):
                .store(.refused(name: name, code: state, reason: reason))
            case .malformed(let reason): .store(.damaged(name: name, reason: reason))
            }
        }

        /// The error of an append, whose commits may be written unless the server has refused them.
        func appendError(_ error: PostgresError) -> LogError {
            switch error {
            case .lost(let reason), .malformed(let reason):
                .store(.unknown(name: name, reason: reason))
            case .refused(_, let reason) where error.endsSession:
                .store(.unknown(name: name, reason: reason))
            case .notConnected, .refused: storeError(error)
            }
        }
    }

    /// Sleeping on a thread that may block.
    enum Pause {
        /// Sleeps for a duration, or less if a signal comes.
        static func sleep(_ duration: Duration) {
            let (seconds, fraction) = duration.components
            var time = timespec()
            time.tv_sec = Int(clamping: seconds)
            time.tv_nsec = Int(clamping: fraction / 1_000_000_000)
            _ = unsafe nanosleep(&time, nil)
        }
    }
#endif
