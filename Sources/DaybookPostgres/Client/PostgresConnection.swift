#if PostgreSQL
    import CDaybookPQ
    import DaybookLibC

    /// A connection to a server, for one thread at a time.
    ///
    /// Statements are sent together (pipeline mode) and without names, because a pooler may give
    /// each transaction another session. No call waits longer than the deadline.
    @safe final class PostgresConnection {
        private let handle: OpaquePointer
        /// The longest time that a call may take.
        private let deadline: Duration
        /// True after an error that makes the server's next message unpredictable.
        private(set) var isBroken = false

        init(_ address: PostgresAddress, deadline: Duration) throws(PostgresError) {
            var names = address.parameters.map(\.name)
            var values = address.parameters.map(\.value)
            for (name, value) in [
                ("client_encoding", "UTF8"), ("fallback_application_name", "daybook"),
            ] {
                names.append(name)
                values.append(value)
            }
            guard let handle = unsafe Self.start(names, values) else {
                throw .notConnected("no memory")
            }
            do throws(PostgresError) {
                unsafe try Self.finishConnecting(handle, until: .now + deadline)
            } catch {
                unsafe PQfinish(handle)
                throw error
            }
            self.deadline = deadline
            unsafe self.handle = handle
        }

        deinit { unsafe PQfinish(handle) }

        /// Begins to connect; the environment supplies the parameters that are missing.
        private static func start(_ names: [String], _ values: [String]) -> OpaquePointer? {
            unsafe withCStrings(names) { names in
                unsafe withCStrings(values) { values in
                    unsafe PQconnectStartParams(names, values, 1)
                }
            }
        }

        /// Calls `body` with a null-terminated list of C strings.
        private static func withCStrings<Result>(
            _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
        ) -> Result {
            let copies = unsafe texts.map { unsafe strdup($0) }
            defer { unsafe copies.forEach { unsafe free($0) } }
            let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                guard let first = pointers.baseAddress else {
                    preconditionFailure("the list has an end")
                }
                return unsafe body(first)
            }
        }

        /// Completes the connection, makes its calls non-blocking, and drops notices.
        private static func finishConnecting(
            _ handle: OpaquePointer, until: ContinuousClock.Instant
        ) throws(PostgresError) {
            var status = PGRES_POLLING_WRITING
            while status != PGRES_POLLING_OK {
                guard unsafe PQstatus(handle) != CONNECTION_BAD, status != PGRES_POLLING_FAILED
                else { throw .notConnected(unsafe message(of: handle)) }
                let isReading = status == PGRES_POLLING_READING
                guard unsafe wait(for: isReading ? POLLIN : POLLOUT, on: handle, until: until)
                else { throw .notConnected("the server does not answer in time") }
                status = unsafe PQconnectPoll(handle)
            }
            unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
            guard unsafe PQsetnonblocking(handle, 1) == 0 else {
                throw .notConnected(unsafe message(of: handle))
            }
        }

        /// Waits until the socket can be read or written; false if the time ends first.
        private static func wait(
            for events: Int32, on handle: OpaquePointer, until: ContinuousClock.Instant
        ) -> Bool {
            while true {
                let rest = ContinuousClock.now.duration(to: until)
                guard rest > .zero else { return false }
                let (seconds, fraction) = rest.components
                // A little later than the end, so that no time is spent in looking.
                let milliseconds = seconds * 1_000 + fraction / 1_000_000_000_000_000 + 1
                var socket = pollfd(
                    fd: unsafe PQsocket(handle), events: Int16(truncatingIfNeeded: events),
                    revents: 0)
                let found = unsafe poll(&socket, 1, Int32(clamping: milliseconds))
                if found > 0 { return true }
                guard found == 0 || errno == EINTR else { return false }
            }
        }

        private static func message(of handle: OpaquePointer) -> String {
            let text = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
            return text.isEmpty ? "the connection was lost" : text.trimmedLine
        }

        /// Marks the connection as unusable, and returns the error of a lost connection.
        private func lost() -> PostgresError {
            isBroken = true
            return .lost(unsafe Self.message(of: handle))
        }

        /// Waits for the socket; throws an error at the deadline.
        private func wait(for events: Int32, until: ContinuousClock.Instant) throws(PostgresError) {
            guard unsafe Self.wait(for: events, on: handle, until: until) else {
                isBroken = true
                throw .lost("the server did not answer in time")
            }
        }

        /// True if a transaction is open, or has failed and must be rolled back.
        var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }

        /// True unless the server has closed the connection while it was idle.
        func isAlive() -> Bool {
            while !isBroken {
                var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&socket, 1, 0) > 0 else { break }
                guard unsafe PQconsumeInput(handle) == 1, unsafe PQstatus(handle) == CONNECTION_OK
                else {
                    isBroken = true
                    break
                }
            }
            return !isBroken
        }
    }

    // Statements in pipeline mode.
    extension PostgresConnection {
        /// Sends statements together, and returns the rows of each. They are one transaction unless
        /// they begin and end one. After the first error the server skips the others.
        func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
            let until = ContinuousClock.now + deadline
            if unsafe PQpipelineStatus(handle) == PQ_PIPELINE_OFF {
                guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
            }
            for statement in statements { try send(statement) }
            guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
            try flush(until)
            var results: [PostgresResult] = []
            var failure: PostgresError?
            do throws(PostgresError) {
                for _ in statements {
                    guard let result = unsafe try result(until) else { throw lost() }
                    do throws(PostgresError) {
                        results.append(unsafe try Self.checked(result))
                    } catch { failure = failure ?? error }
                    // Null ends the results of a statement.
                    let end = unsafe try self.result(until)
                    unsafe PQclear(end)
                }
                let end = unsafe try result(until)
                defer { unsafe PQclear(end) }
                guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
            } catch {
                // The first error says more than that of the connection, which is lost too.
                throw failure ?? error
            }
            if let failure { throw failure }
            return results
        }

        /// Queues a statement.
        private func send(_ statement: PostgresStatement) throws(PostgresError) {
            let formats = [Int32](repeating: 1, count: statement.types.count)
            let isSent = unsafe statement.bytes.withUnsafeBytes { bytes in
                let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                let values = unsafe statement.starts.map { start in
                    unsafe base.map { unsafe UnsafePointer($0 + start) }
                }
                return unsafe PQsendQueryParams(
                    handle, statement.text, Int32(clamping: statement.types.count),
                    statement.types, values, statement.lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
        }

        /// Sends the queued statements, and reads the answers that arrive meanwhile.
        private func flush(_ until: ContinuousClock.Instant) throws(PostgresError) {
            while true {
                let left = unsafe PQflush(handle)
                if left == 0 { return }
                guard left == 1 else { throw lost() }
                try wait(for: POLLIN | POLLOUT, until: until)
                guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
            }
        }

        /// Returns the next result, which the caller must clear; null at the end of a statement.
        private func result(
            _ until: ContinuousClock.Instant
        ) throws(PostgresError) -> OpaquePointer? {
            while unsafe PQisBusy(handle) == 1 {
                try wait(for: POLLIN, until: until)
                guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
            }
            return unsafe PQgetResult(handle)
        }

        /// Returns a result with rows; throws the error of a result without rows, and frees it.
        private static func checked(_ result: OpaquePointer) throws(PostgresError) -> PostgresResult
        {
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_COPY_OUT:
                return unsafe PostgresResult(result)
            case PGRES_PIPELINE_ABORTED:
                unsafe PQclear(result)
                throw .malformed("the statement was skipped")
            default:
                let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C")))
                let primary = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "M")))
                let text = unsafe primary ?? PQresultErrorMessage(result)
                let message = unsafe text.map { unsafe String(cString: $0).trimmedLine } ?? ""
                let error: PostgresError =
                    unsafe state.map { unsafe .refused(state: String(cString: $0), message) }
                    ?? .lost(message)
                unsafe PQclear(result)
                throw error
            }
        }
    }

    // Scripts and copies, one after another.
    extension PostgresConnection {
        /// Runs statements that a semicolon separates, without parameters, as one transaction.
        ///
        /// `onCopy` gets each message of the copies to standard output, and its copy's number.
        func runScript(
            _ script: String, onCopy: (Int, RawSpan) throws(PostgresError) -> Void = { _, _ in }
        ) throws(PostgresError) -> [PostgresResult] {
            if unsafe PQpipelineStatus(handle) != PQ_PIPELINE_OFF {
                guard unsafe PQexitPipelineMode(handle) == 1 else { throw lost() }
            }
            guard unsafe PQsendQuery(handle, script) == 1 else { throw lost() }
            try flush(.now + deadline)
            var results: [PostgresResult] = []
            var failure: PostgresError?
            var copyCount = 0
            while let result = unsafe try result(.now + deadline) {
                let isCopy = unsafe PQresultStatus(result) == PGRES_COPY_OUT
                do throws(PostgresError) {
                    results.append(unsafe try Self.checked(result))
                    if isCopy {
                        try takeCopy(copyCount, onCopy)
                        copyCount += 1
                    }
                } catch {
                    failure = failure ?? error
                    // The rest of the copy would have to be read to its end.
                    if isCopy { isBroken = true }
                    if isBroken { break }
                }
            }
            if let failure { throw failure }
            return results
        }

        /// Passes each message of a copy to `body`.
        private func takeCopy(
            _ number: Int, _ body: (Int, RawSpan) throws(PostgresError) -> Void
        ) throws(PostgresError) {
            while true {
                var buffer: UnsafeMutablePointer<CChar>?
                let count = unsafe PQgetCopyData(handle, &buffer, 1)
                switch count {
                case 0:
                    try wait(for: POLLIN, until: .now + deadline)
                    guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
                case -1: return
                case 1...:
                    defer { unsafe PQfreemem(buffer) }
                    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: Int(count))
                    try body(number, unsafe RawSpan(_unsafeBytes: bytes))
                default: throw lost()
                }
            }
        }
    }
#endif
