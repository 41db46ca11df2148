import DaybookLMDB

/// The checksum at the end of every row: 64 bits over its table, key and value.
///
/// Detects damage on a disk, in memory or in a copy, and a row under another key or in another
/// table. An attacker can compute a matching checksum; the chain detects such a change.
///
/// Reads sixteen bytes at a time, as two little-endian words, with zeros after the end. Each pair
/// is folded into the sum by a 128-bit product, whose halves are combined by XOR. Source of the
/// construction: wyhash by Wang Yi. `docs/format.md` gives the algorithm in a few lines of Python.
@usableFromInline
enum RowChecksum {
    /// Bytes of a checksum.
    @usableFromInline static let byteCount = 8

    /// The constant of the first lane, from wyhash.
    @usableFromInline static let first: UInt64 = 0xA076_1D64_78BD_642F
    /// The constant of the second lane, from wyhash.
    @usableFromInline static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    /// Returns the checksum of a row with an integer key.
    @inlinable @inline(__always)
    static func sum(_ table: UInt64, _ key: UInt64, _ value: RawSpan) -> UInt64 {
        sum(value, from: fold(table ^ first, key ^ second))
    }

    /// Returns the checksum of a row with a byte key.
    @usableFromInline
    static func sum(_ table: UInt64, _ key: RawSpan, _ value: RawSpan) -> UInt64 {
        sum(value, from: sum(key, from: fold(table ^ first, second)))
    }

    /// Returns the XOR of the halves of a 128-bit product.
    @inlinable @inline(__always)
    static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// Returns the checksum of bytes.
    ///
    /// Uses two lanes, so that consecutive products do not wait for each other.
    @inlinable
    static func sum(_ bytes: RawSpan, from seed: UInt64) -> UInt64 {
        let count = bytes.byteCount
        var (even, odd) = (seed, seed ^ second)
        var offset = 0
        while offset + 32 <= count {
            even = fold(word(bytes, offset) ^ first, word(bytes, offset + 8) ^ even)
            odd = fold(word(bytes, offset + 16) ^ second, word(bytes, offset + 24) ^ odd)
            offset += 32
        }
        while offset < count {
            even = fold(tail(bytes, offset) ^ first, tail(bytes, offset + 8) ^ even)
            offset += 16
        }
        return fold(even ^ UInt64(count), odd ^ first)
    }

    /// Returns the eight bytes at an offset as a little-endian integer, without a bounds check.
    @inlinable @inline(__always)
    static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns the eight bytes at an offset as an integer, with zeros after the end.
    @inlinable
    static func tail(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        let count = bytes.byteCount
        if offset + 8 <= count { return word(bytes, offset) }
        guard offset < count else { return 0 }
        guard count >= 8 else {
            var word: UInt64 = 0
            for index in (offset..<count).reversed() {
                word = word << 8 | UInt64(bytes.integer(at: index, as: UInt8.self))
            }
            return word
        }
        // The last eight bytes, shifted to drop the bytes before the offset.
        return word(bytes, count - 8) >> (8 * UInt64(offset + 8 - count))
    }
}

extension [UInt8] {
    /// Returns the bytes followed by their checksum, as the stored value of a row.
    func asRow(_ table: LogTable, _ key: UInt64) -> [UInt8] {
        followed(by: RowChecksum.sum(table.number, key, rawSpan))
    }

    /// Returns the bytes followed by their checksum, as the stored value of a row.
    func asRow(_ table: LogTable, _ key: RawSpan) -> [UInt8] {
        followed(by: RowChecksum.sum(table.number, key, rawSpan))
    }

    /// Returns the bytes followed by a checksum of 8 bytes.
    private func followed(by sum: UInt64) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(count + RowChecksum.byteCount)
        row.append(contentsOf: self)
        row.append(littleEndian: sum)
        return row
    }
}
