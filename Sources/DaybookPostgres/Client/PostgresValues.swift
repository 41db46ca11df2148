#if PostgreSQL
    /// Decoding of values in the binary forms of their types.
    enum PostgresValues {
        /// Decodes `smallint`, `integer` or `bigint` from bytes of that size.
        static func integer(_ bytes: RawSpan) throws(PostgresError) -> Int64 {
            switch bytes.byteCount {
            case 2: return Int64(bigEndian(bytes, at: 0, as: Int16.self))
            case 4: return Int64(bigEndian(bytes, at: 0, as: Int32.self))
            case 8: return bigEndian(bytes, at: 0, as: Int64.self)
            default: throw .malformed("an integer has \(bytes.byteCount) bytes, expected 2, 4 or 8")
            }
        }

        /// Decodes an array of integers of one dimension; `nil` stands for null.
        static func integers(_ bytes: RawSpan) throws(PostgresError) -> [Int64?] {
            guard bytes.byteCount >= 12 else { throw .malformed("an array ends within its header") }
            let dimensions: Int32 = bigEndian(bytes, at: 0)
            if dimensions == 0 { return [] }
            guard dimensions == 1, bytes.byteCount >= 20 else {
                throw .malformed("an array has \(dimensions) dimensions, expected 1")
            }
            let count: Int32 = bigEndian(bytes, at: 12)
            var values: [Int64?] = []
            var at = 20
            while at + 4 <= bytes.byteCount, values.count < Int(count) {
                let size = Int(bigEndian(bytes, at: at, as: Int32.self))
                at += 4
                guard size >= 0 else {
                    values.append(nil)
                    continue
                }
                guard size <= bytes.byteCount - at else { break }
                values.append(try integer(bytes.extracting(at..<at + size)))
                at += size
            }
            guard values.count == Int(count), at == bytes.byteCount else {
                throw .malformed("an array of \(count) elements ends after \(values.count)")
            }
            return values
        }

        /// Reads a big-endian integer; traps if there are too few bytes.
        static func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
            _ bytes: RawSpan, at offset: Int, as type: Value.Type = Value.self
        ) -> Value {
            precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= bytes.byteCount)
            return unsafe Value(
                bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
        }
    }
#endif
