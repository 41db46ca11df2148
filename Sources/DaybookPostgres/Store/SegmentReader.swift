#if PostgreSQL
    import Daybook
    import DaybookLog

    /// Makes segments of the rows of a log, one ahead of the caller.
    struct SegmentReader: Sendable {
        let tables: LogTables
        private let ahead = ReadAhead()

        init(_ tables: LogTables) { self.tables = tables }

        /// The greatest number of events of a segment, which is made in memory.
        private static let mostEvents = 100_000
        /// The expected size of an event with its commit, in bytes.
        private static let bytesPerEvent = 300
        /// The number of events up to which the rest of a log comes in one round trip.
        private static let tailCount: Int64 = 4_096

        /// The records after a position, up to another one.
        static let recordsText =
            "select letter, number, field, value from daybook.records($1, $2, $3)"

        /// The transaction's records after a position, if at most `tailCount` events follow.
        private static let tailText = """
            select r.letter, r.number, r.field, r.value
            from daybook.end_after($1, $2, $3) as e (through)
            cross join lateral daybook.records($1, $2, e.through) as r
            where (select h.position from daybook.heads as h where h.log = $1) <= $2 + \(tailCount)
            """

        /// Returns the commits after a head, as `EventStore.segment` does.
        func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]? {
            if let made = try madeAhead(after: head, most: most) {
                return readAhead(of: made, most: most)
            }
            var records = tables.about(Self.tailText)
            records.add(Int64(clamping: head.position.rawValue))
            records.add(Int64(max(1, most)))
            let statements = [
                LogTables.beginReading, tables.about("select * from daybook.head($1)"),
                chain(at: head.position), records, PostgresStatement("commit"),
            ]
            let results: [PostgresResult]
            let end: StoreEnd
            (results, end) = try tables.read { (connection) throws(PostgresError) in
                let results = try connection.run(statements)
                return (results, try StoredEnd(results[1], of: tables.log).end)
            }
            try check(head, end, results[2])
            let distance = end.head.position.rawValue - head.position.rawValue
            if distance == 0 { return nil }
            guard distance <= UInt64(Self.tailCount) else {
                let made = try bulkSegment(after: head, most: most)
                return made.map { readAhead(of: $0, most: most) }
            }
            return try segment(of: results[3], after: head, end)
        }

        /// Returns the segment that was made ahead.
        ///
        /// A segment that reached the log's end is returned only if it still does, because callers
        /// take it for the last one.
        private func madeAhead(after head: Head, most: Int) throws(LogError) -> MadeSegment? {
            guard let ready = ahead.take(after: head, most: most), let made = try ready.get() else {
                return nil
            }
            guard made.isLast else { return made }
            return try tables.end().end.head == made.head ? made : nil
        }

        /// Returns the bytes of a segment, and begins to make the next one if there is one.
        private func readAhead(of made: MadeSegment, most: Int) -> [UInt8] {
            guard !made.isLast else { return made.bytes }
            ahead.begin(after: made.head, most: most) { [self] (head, most) in
                do throws(LogError) {
                    return .success(try bulkSegment(after: head, most: most))
                } catch { return .failure(error) }
            }
            return made.bytes
        }

        /// The statement for the chain value of the commit that ends at a position.
        func chain(at position: Position) -> PostgresStatement {
            var statement = tables.about("select daybook.chain_at($1, $2)")
            statement.add(Int64(clamping: position.rawValue))
            return statement
        }

        /// Throws an error unless the log has a head.
        ///
        /// - Parameter result: the answer to `chain(at:)`.
        func check(
            _ head: Head, _ end: StoreEnd, _ result: PostgresResult
        ) throws(LogError) {
            guard head.position > .origin else { return }
            guard end.head.position >= head.position else {
                throw .store(
                    .restored(name: tables.name, end: end.head.position, replica: head.position))
            }
            try tables.errors.mapping { () throws(PostgresError) in
                try result.expect(rows: 1...1, columns: 1)
            }
            guard result.optionalBytes(0, 0) == head.chain else {
                throw .store(.parted(name: tables.name, at: head.position))
            }
        }

        func segment(
            of records: PostgresResult, after head: Head, _ end: StoreEnd
        ) throws(LogError) -> [UInt8] {
            var builder = SegmentBuilder(
                logID: tables.id, after: head, shipment: end.head, peopleCount: end.nextPerson - 1)
            try tables.errors.mapping { () throws(PostgresError) in
                try records.expect(rows: 0...Int.max, columns: 4)
                for row in 0..<records.rowCount { try Self.add(records, row, to: &builder) }
            }
            builder.endBatch()
            return try finish(builder)
        }

        /// The message for a head after the last commit, which is damage.
        static func headAhead(_ head: Position, commits end: Position) -> String {
            "the head of the log is at position \(head), but its commits end at position \(end)"
        }

        /// Ends a segment, which has commits.
        ///
        /// The last chain value of a segment must be the log's. No other check detects commits of
        /// another log, because the rows have no log id.
        func finish(_ builder: consuming SegmentBuilder) throws(LogError) -> [UInt8] {
            let head = builder.head
            guard !builder.isEmpty else {
                throw .store(
                    .damaged(
                        name: tables.name,
                        reason: Self.headAhead(builder.end.position, commits: head.position)))
            }
            if !builder.isLast {
                let result = try tables.read { (connection) throws(PostgresError) in
                    try connection.run([chain(at: head.position)])[0]
                }
                guard result.rowCount == 1, result.optionalBytes(0, 0) == head.chain else {
                    throw .store(
                        .damaged(
                            name: tables.name,
                            reason: "a segment ends with another chain value than the log"))
                }
            }
            do throws(SegmentBuilder.Fault) {
                return try builder.finish()
            } catch {
                throw .store(.damaged(name: tables.name, reason: "\(error)"))
            }
        }

        /// Adds a record to a segment.
        private static func add(
            _ records: PostgresResult, _ row: Int, to builder: inout SegmentBuilder
        ) throws(PostgresError) {
            let letter = try records.text(row, 0)
            let number = try records.integer(row, 1)
            let field = try records.integer(row, 2)
            guard number >= 0, let key = UInt32(exactly: field) else {
                throw .malformed("a record has the invalid key \(number)/\(field)")
            }
            try records.withValue(row, 3) { (value) throws(PostgresError) in
                guard let value else { throw .malformed("a record is null") }
                try mappingFaults { () throws(SegmentBuilder.Fault) in
                    let number = UInt64(number)
                    switch letter {
                    case "P": try builder.addPerson(number, value)
                    case "N": try builder.addName(number, value)
                    case "C": try builder.addCommit(number, value)
                    case "E": try builder.addEvent(number, value)
                    case "T": try builder.addText(number, key, value)
                    default: break
                    }
                }
            }
        }

        /// Evaluates `body`, and reports its faults as damage of the server's rows.
        static func mappingFaults(
            _ body: () throws(SegmentBuilder.Fault) -> Void
        ) throws(PostgresError) {
            do throws(SegmentBuilder.Fault) {
                try body()
            } catch {
                throw .malformed("\(error)")
            }
        }

        /// Returns the commits after a head that the log has, copied table by table.
        ///
        /// One transaction for each segment, so that no long one keeps old rows of `heads`.
        func bulkSegment(after head: Head, most: Int) throws(LogError) -> MadeSegment? {
            let after = head.position.rawValue
            var through = tables.about("select daybook.end_after($1, $2, $3)")
            through.add(Int64(clamping: after))
            through.add(Int64(max(1, min(most, Self.mostEvents))))
            let opening = [
                LogTables.beginReading, tables.about("select * from daybook.head($1)"), through,
            ]
            let builder = try tables.read { (connection) throws(PostgresError) -> SegmentBuilder? in
                let results = try connection.run(opening)
                let end = try StoredEnd(results[1], of: tables.log).end
                try results[2].expect(rows: 1...1, columns: 1)
                let last = UInt64(clamping: try results[2].integer(0, 0))
                guard last > after else {
                    guard end.head.position.rawValue > after else { return nil }
                    throw .malformed(Self.headAhead(end.head.position, commits: Position(after)))
                }
                var segment = BulkSegment(
                    SegmentBuilder(
                        logID: tables.id, after: head, shipment: end.head,
                        peopleCount: end.nextPerson - 1,
                        capacity: Int(clamping: (last - after) * UInt64(Self.bytesPerEvent))))
                _ = try connection.runScript(
                    BulkSegment.script(tables.log, after: after, through: last)
                ) { (copy, message) throws(PostgresError) in try segment.add(copy, message) }
                try segment.beginPeople()
                _ = try connection.runScript(
                    segment.peopleScript(tables.log, after: after, through: last) + "; commit"
                ) { (_, message) throws(PostgresError) in try segment.addPeople(message) }
                return segment.builder
            }
            guard let builder else { return nil }
            return MadeSegment(
                bytes: try finish(builder), head: builder.head, isLast: builder.isLast)
        }
    }
#endif
