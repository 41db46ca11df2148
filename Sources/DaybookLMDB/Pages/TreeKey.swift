/// A key that can be compared with the stored keys of a tree.
protocol TreeKey {
    /// Returns a negative number if the stored key is smaller than this key, and 0 if it is equal.
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int
}

extension UInt64: TreeKey {
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
        guard stored.count == 8 else { throw .corrupted }
        let stored = stored.loadUnaligned(as: UInt64.self)
        return stored == self ? 0 : stored < self ? -1 : 1
    }
}

extension UnsafeRawBufferPointer: TreeKey {
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
        ByteOrder.compare(stored, self)
    }
}

/// An order of the keys of a tree.
protocol KeyOrder {
    /// Returns true if the bytes have a valid length for a key in this order.
    static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Returns a negative number if `a` comes before `b`, and 0 if they are equal.
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int
}

/// The order of keys that are 64-bit integers, stored in the machine's byte order.
enum IntegerOrder: KeyOrder {
    @inline(__always)
    static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.count == 8 }

    @inline(__always)
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        // Keys of another size are not integers.
        guard a.count == 8, b.count == 8 else { return ByteOrder.compare(a, b) }
        let (a, b) = (a.loadUnaligned(as: UInt64.self), b.loadUnaligned(as: UInt64.self))
        return a == b ? 0 : a < b ? -1 : 1
    }
}

/// The lexicographic order of keys by their bytes; a shorter key precedes its extensions.
enum ByteOrder: KeyOrder {
    @inline(__always)
    static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool { true }

    /// Compares eight bytes at a time; the last eight may overlap the eight before them.
    @inline(__always)
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let common = min(a.count, b.count)
        var offset = 0
        while offset < common {
            guard common >= 8 else {
                if a[offset] != b[offset] { return Int(a[offset]) - Int(b[offset]) }
                offset += 1
                continue
            }
            let start = min(offset, common - 8)
            let mine = UInt64(bigEndian: a.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            let others = UInt64(bigEndian: b.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            if mine != others { return mine < others ? -1 : 1 }
            offset = start + 8
        }
        return a.count - b.count
    }
}
