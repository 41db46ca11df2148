#if PostgreSQL
    import Daybook

    /// The rows of one copy to standard output in the binary format, kept in memory.
    struct CopiedRows {
        /// The keys of each row: its first column, and its second one if that is an integer too.
        private(set) var keys: [(number: UInt64, field: UInt32)] = []
        /// The end of each row in `bytes`.
        private var ends: [Int] = []
        private var bytes: [UInt8] = []

        var count: Int { keys.count }

        mutating func add(_ number: UInt64, _ field: UInt32, _ row: RawSpan) {
            keys.append((number, field))
            unsafe row.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            ends.append(bytes.count)
        }

        @_lifetime(borrow self) func row(_ index: Int) -> RawSpan {
            let start = index == 0 ? 0 : ends[index - 1]
            return unsafe bytes.contents.bytes.extracting(start..<ends[index])
        }
    }

    /// A reader of the messages of copies in the binary format.
    struct CopyReader {
        /// The number of the copy whose header has been read.
        private var begun = -1
        /// The signature, flags and the size of an extension.
        private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
        private static let headerByteCount = 19

        /// Calls `body` with the keys and the row of each tuple of a message. A tuple has one or
        /// two integers as keys, and a row.
        mutating func read(
            _ copy: Int, _ message: RawSpan,
            _ body: (UInt64, UInt32, RawSpan) throws(PostgresError) -> Void
        ) throws(PostgresError) {
            var at = 0
            if copy != begun {
                try Self.checkHeader(message)
                begun = copy
                at = Self.headerByteCount
            }
            while at < message.byteCount {
                guard at + 2 <= message.byteCount else { throw Self.cut }
                let count: Int16 = PostgresValues.bigEndian(message, at: at)
                at += 2
                if count == -1 {
                    guard at == message.byteCount else { throw Self.cut }
                    return
                }
                guard (2...3).contains(count) else {
                    throw .malformed("a copy has rows of \(count) columns")
                }
                let number = try Self.integer(message, &at)
                let field = count == 3 ? try Self.integer(message, &at) : 0
                let row = try Self.field(message, &at)
                guard let number = UInt64(exactly: number), let field = UInt32(exactly: field)
                else { throw .malformed("a copy has the invalid key \(number)/\(field)") }
                try body(number, field, message.extracting(row))
            }
        }

        /// Checks the header, with which the first message of a copy begins.
        private static func checkHeader(_ message: RawSpan) throws(PostgresError) {
            guard message.byteCount >= headerByteCount else { throw cut }
            for (index, byte) in signature.enumerated() {
                guard PostgresValues.bigEndian(message, at: index, as: UInt8.self) == byte else {
                    throw .malformed("a copy has no signature of the binary format")
                }
            }
            guard PostgresValues.bigEndian(message, at: 11, as: Int64.self) == 0 else {
                throw .malformed("a copy has unknown flags or an unknown extension")
            }
        }

        /// Reads the extent of a value, which must not be null.
        private static func field(
            _ message: RawSpan, _ at: inout Int
        ) throws(PostgresError) -> Range<Int> {
            guard at + 4 <= message.byteCount else { throw cut }
            let size = Int(PostgresValues.bigEndian(message, at: at, as: Int32.self))
            at += 4
            guard size >= 0, size <= message.byteCount - at else { throw cut }
            defer { at += size }
            return at..<at + size
        }

        private static func integer(
            _ message: RawSpan, _ at: inout Int
        ) throws(PostgresError) -> Int64 {
            try PostgresValues.integer(message.extracting(try field(message, &at)))
        }

        /// The error for a message that ends too early.
        private static var cut: PostgresError { .malformed("a copy ends within a row") }
    }
#endif
