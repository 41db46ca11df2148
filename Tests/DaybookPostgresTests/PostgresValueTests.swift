#if PostgreSQL
    import DaybookLMDB
    import Testing

    @testable import DaybookPostgres

    /// Values in the binary forms of their types, and answers that are malformed.
    struct PostgresValueTests {
        @Test(
            "Integers of two, four and eight bytes are read, and no others",
            arguments: [
                ([0xFF, 0xFE], -2), ([0, 0, 1, 0], 256),
                ([0x80, 0, 0, 0, 0, 0, 0, 0], .min), ([], nil), ([1], nil),
                ([0, 0, 0, 0, 0, 0, 0, 0, 1], nil),
            ] as [([UInt8], Int64?)])
        func integers(_ bytes: [UInt8], _ value: Int64?) {
            #expect((try? PostgresValues.integer(bytes.rawSpan)) == value)
        }

        /// The bytes of `{7, null, -1}` as `bigint[]`.
        private static let list: [UInt8] =
            [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 1]
            + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7] + [0xFF, 0xFF, 0xFF, 0xFF]
            + [0, 0, 0, 8] + [UInt8](repeating: 0xFF, count: 8)

        @Test("An array is read with its nulls, and refused where it ends early or goes on")
        func arrays() throws {
            let list = Self.list
            #expect(try PostgresValues.integers(list.rawSpan) == [7, nil, -1])
            #expect(try PostgresValues.integers([UInt8](repeating: 0, count: 12).rawSpan) == [])
            for count in 0..<list.count {
                let cut = Array(list[..<count])
                #expect(throws: PostgresError.self) { try PostgresValues.integers(cut.rawSpan) }
            }
            let longer = list + [0]
            #expect(throws: PostgresError.self) { try PostgresValues.integers(longer.rawSpan) }
            for (offset, byte) in [(3, 2), (15, 4), (15, 2), (12, 0x80), (23, 7), (20, 0x7F)] {
                var changed = list
                changed[offset] = UInt8(byte)
                #expect(throws: PostgresError.self) { try PostgresValues.integers(changed.rawSpan) }
            }
        }

        @Test("Arrays are sent with their dimension, and empty ones without any")
        func sentArrays() {
            var statement = PostgresStatement("")
            statement.add([[7], []] as [[UInt8]])
            statement.add([] as [Int64])
            #expect(statement.types == [1001, 1016])
            #expect(statement.lengths == [29, 12])
            #expect(
                Array(statement.bytes[statement.starts[0]..<statement.starts[1]]) == [
                    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0,
                    0, 0, 0,
                ])
        }

        /// The first message of a copy with two rows: (5, 'ab') and (6, 1, '').
        private static let copy: [UInt8] =
            Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            + [0, 2, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 2, 0x61, 0x62]
            + [0, 3, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0]

        /// The rows of messages of one copy.
        private func rows(_ messages: [[UInt8]]) throws(PostgresError) -> [String] {
            var reader = CopyReader()
            var rows: [String] = []
            for message in messages {
                try reader.read(0, message.rawSpan) { (number, field, row) throws(PostgresError) in
                    let bytes = row.withUnsafeBytes { Array($0) }
                    rows.append("\(number)/\(field): \(bytes)")
                }
            }
            return rows
        }

        @Test("A copy is read whether its header, rows and end come together or not")
        func copies() throws {
            let copy = Self.copy, end: [UInt8] = [0xFF, 0xFF]
            let wanted = ["5/0: [97, 98]", "6/1: []"]
            #expect(try rows([copy + end]) == wanted)
            #expect(
                try rows([Array(copy[..<19]), Array(copy[19..<35]), Array(copy[35...]), end])
                    == wanted)
        }

        @Test("A copy that ends within a row, or has another form, is refused")
        func malformedCopies() {
            let copy = Self.copy
            for count in 0..<copy.count where ![19, 35].contains(count) {
                #expect(throws: PostgresError.self) { try rows([Array(copy[..<count])]) }
            }
            for (offset, byte) in [
                (0, 0), (14, 1), (18, 1), (20, 1), (20, 4), (24, 3), (30, 0xFF), (32, 0x7F),
            ] {
                var changed = copy
                changed[offset] = UInt8(byte)
                #expect(throws: PostgresError.self) { try rows([changed]) }
            }
            #expect(throws: PostgresError.self) { try rows([copy + [0xFF, 0xFF, 0]]) }
        }
    }
#endif
