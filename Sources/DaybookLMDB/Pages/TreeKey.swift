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
        let (aCount, bCount) = (a.count, b.count)
        let common = min(aCount, bCount)
        guard common >= 8, let a = a.baseAddress, let b = b.baseAddress else {
            for offset in 0..<common where a[offset] != b[offset] {
                return Int(a[offset]) - Int(b[offset])
            }
            return aCount - bCount
        }
        var offset = 0
        while true {
            let mine = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let others = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if mine != others {
                return UInt64(bigEndian: mine) < UInt64(bigEndian: others) ? -1 : 1
            }
            offset &+= 8
            guard offset < common else { return aCount - bCount }
            offset = min(offset, common - 8)
        }
    }
}
