#if PostgreSQL
    import Daybook
    import DaybookLog

    /// The end of a log, as the schema's functions return it, with the state of the log.
    struct StoredEnd: Equatable {
        var end: StoreEnd
        /// `open`, `filling` or `closed`; only an open log accepts appends.
        var state: String

        /// The number of columns of an end.
        static let columnCount = 10

        /// Reads the first columns of the only row of a result, which must be about a log.
        init(_ result: PostgresResult, of log: Int32) throws(PostgresError) {
            guard result.rowCount == 1 else {
                throw .malformed("an answer lacks columns of a log's end")
            }
            try self.init(result, row: 0, from: 0)
            let found = try result.integer(0, Self.columnCount - 1)
            guard found == log else {
                throw .malformed("an answer is about the log \(found), not \(log)")
            }
        }

        /// Reads the columns of an end from one of the rows of a result.
        init(_ result: PostgresResult, row: Int, from column: Int) throws(PostgresError) {
            guard result.columnCount >= column + Self.columnCount else {
                throw .malformed("an answer lacks columns of a log's end")
            }
            func integer(_ index: Int, _ range: ClosedRange<Int64>) throws(PostgresError) -> Int64 {
                let value = try result.integer(row, column + index)
                guard range.contains(value) else {
                    throw .malformed("column \(index + 1) of a log's end is \(value)")
                }
                return value
            }
            let position = Position(UInt64(try integer(0, 0...(.max - 1))))
            guard let head = Head(position, chain: try result.bytes(row, column + 1)) else {
                throw .malformed("the chain value of a log's end does not fit its position")
            }
            let recordedAt = try result.integer(row, column + 2)
            end = StoreEnd(
                head: head,
                recordedAt: recordedAt == .min ? nil : Instant(microseconds: recordedAt),
                nextName: UInt32(try integer(3, 1...65_536)),
                nextPerson: UInt64(try integer(4, 1...4_294_967_296)),
                nextSlot: UInt64(try integer(5, 1...4_294_967_296)),
                epoch: Int32(try integer(6, 1...Int64(Int32.max))),
                clock: Instant(microseconds: try result.integer(row, column + 8)))
            state = try result.text(row, column + 7)
        }
    }
#endif
