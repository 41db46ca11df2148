#if PostgreSQL
    import CDaybookPQ

    /// The rows that a statement has returned, in the binary forms of their types.
    @safe final class PostgresResult {
        private let result: OpaquePointer
        let rowCount: Int
        let columnCount: Int

        /// Takes a result of libpq, which this object frees.
        init(_ result: OpaquePointer) {
            unsafe self.result = result
            rowCount = Int(unsafe PQntuples(result))
            columnCount = Int(unsafe PQnfields(result))
        }

        deinit { unsafe PQclear(result) }

        /// Calls `body` with the bytes of a value; `nil` for null.
        func withValue<Value, Failure: Error>(
            _ row: Int, _ column: Int, _ body: (RawSpan?) throws(Failure) -> Value
        ) throws(Failure) -> Value {
            let (row, column) = (Int32(clamping: row), Int32(clamping: column))
            guard unsafe PQgetisnull(result, row, column) == 0 else { return try body(nil) }
            let bytes = unsafe UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column),
                count: Int(PQgetlength(result, row, column)))
            return try body(unsafe RawSpan(_unsafeBytes: bytes))
        }

        /// Throws an error unless the numbers of rows and columns are as expected.
        func expect(rows: ClosedRange<Int>, columns: Int) throws(PostgresError) {
            guard rows.contains(rowCount), columnCount == columns else {
                throw .malformed(
                    "an answer has \(rowCount) rows of \(columnCount) columns, expected "
                        + "\(rows.lowerBound) to \(rows.upperBound) of \(columns)")
            }
        }

        func integer(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
            guard let value = try optionalInteger(row, column) else { throw Self.null(column) }
            return value
        }

        func optionalInteger(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
            try withValue(row, column) { (bytes) throws(PostgresError) in
                guard let bytes else { return nil }
                return try PostgresValues.integer(bytes)
            }
        }

        func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
            guard let value = optionalBytes(row, column) else { throw Self.null(column) }
            return value
        }

        func optionalBytes(_ row: Int, _ column: Int) -> [UInt8]? {
            withValue(row, column) { bytes in
                guard let bytes else { return nil }
                return unsafe bytes.withUnsafeBytes { unsafe Array($0) }
            }
        }

        func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
            String(decoding: try bytes(row, column), as: UTF8.self)
        }

        /// Returns an array of integers, with `nil` for null.
        func integers(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?] {
            try withValue(row, column) { (bytes) throws(PostgresError) in
                guard let bytes else { throw Self.null(column) }
                return try PostgresValues.integers(bytes)
            }
        }

        private static func null(_ column: Int) -> PostgresError {
            .malformed("column \(column + 1) of an answer is null")
        }
    }
#endif
