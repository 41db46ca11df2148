#if PostgreSQL
    /// A statement with its parameters, in the binary forms of their types.
    struct PostgresStatement {
        let text: String
        private(set) var types: [UInt32] = []
        private(set) var lengths: [Int32] = []
        /// The offset of each parameter in `bytes`.
        private(set) var starts: [Int] = []
        /// The bytes of all parameters, after one byte that gives empty parameters an address too.
        private(set) var bytes: [UInt8] = [0]

        /// The type numbers (OIDs) of PostgreSQL.
        private enum TypeNumber {
            static let int4: UInt32 = 23
            static let int8: UInt32 = 20
            static let bytea: UInt32 = 17
            static let text: UInt32 = 25
            static let int4s: UInt32 = 1007
            static let int8s: UInt32 = 1016
            static let byteas: UInt32 = 1001
            static let texts: UInt32 = 1009
        }

        init(_ text: String) { self.text = text }

        /// Adds a parameter whose bytes `body` appends.
        private mutating func add(_ type: UInt32, _ body: (inout [UInt8]) -> Void) {
            types.append(type)
            starts.append(bytes.count)
            let start = bytes.count
            body(&bytes)
            lengths.append(Int32(clamping: bytes.count - start))
        }

        mutating func add(_ value: Int32) { add(TypeNumber.int4) { $0.append(bigEndian: value) } }

        mutating func add(_ value: Int64) { add(TypeNumber.int8) { $0.append(bigEndian: value) } }

        mutating func add(_ value: [UInt8]) { add(TypeNumber.bytea) { $0 += value } }

        mutating func add(_ value: String) { add(TypeNumber.text) { $0 += value.utf8 } }

        mutating func add(_ values: some Collection<Int32>) {
            addArray(TypeNumber.int4s, of: TypeNumber.int4, values) { value, bytes in
                bytes.append(bigEndian: Int32(4))
                bytes.append(bigEndian: value)
            }
        }

        mutating func add(_ values: some Collection<Int64>) {
            addArray(TypeNumber.int8s, of: TypeNumber.int8, values) { value, bytes in
                bytes.append(bigEndian: Int32(8))
                bytes.append(bigEndian: value)
            }
        }

        mutating func add(_ values: some Collection<[UInt8]>) {
            addArray(TypeNumber.byteas, of: TypeNumber.bytea, values) { value, bytes in
                bytes.append(bigEndian: Int32(clamping: value.count))
                bytes += value
            }
        }

        mutating func add(_ values: some Collection<String>) {
            addArray(TypeNumber.texts, of: TypeNumber.text, values) { value, bytes in
                bytes.append(bigEndian: Int32(clamping: value.utf8.count))
                bytes += value.utf8
            }
        }

        /// Adds an array of one dimension: number of dimensions, whether it has nulls, type of the
        /// elements, number of elements, first index, and each element after its length.
        private mutating func addArray<Values: Collection>(
            _ type: UInt32, of elementType: UInt32, _ values: Values,
            _ append: (Values.Element, inout [UInt8]) -> Void
        ) {
            add(type) { bytes in
                bytes.append(bigEndian: Int32(values.isEmpty ? 0 : 1))
                bytes.append(bigEndian: Int32(0))
                bytes.append(bigEndian: elementType)
                guard !values.isEmpty else { return }
                bytes.append(bigEndian: Int32(clamping: values.count))
                bytes.append(bigEndian: Int32(1))
                for value in values { append(value, &bytes) }
            }
        }
    }

    extension [UInt8] {
        /// Appends the bytes of an integer in the order of networks.
        mutating func append(bigEndian value: some FixedWidthInteger & BitwiseCopyable) {
            unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
        }
    }
#endif
