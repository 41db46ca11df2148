import DaybookLMDB

/// The checksum at the end of every row: 64 bits over its table, key and value.
///
/// A checksum detects damage on a disk, in memory or in a copy, and a row under another key or in
/// another table. An attacker can compute a matching checksum; the chain values detect such a
/// change.
///
/// The algorithm reads sixteen bytes at a time, as two little-endian words, with zeros after the
/// end. It folds each pair into the sum by a 128-bit product, whose halves are combined by XOR.
/// Source of the construction: wyhash by Wang Yi. `docs/format.md` gives the algorithm in a few
/// lines of Python.
@usableFromInline
enum RowChecksum {
    /// The size of a checksum, in bytes.
    @usableFromInline static let byteCount = 8

    /// The first of the two constants from wyhash that are combined with the words.
    @usableFromInline static let firstConstant: UInt64 = 0xA076_1D64_78BD_642F
    /// The second of the two constants from wyhash that are combined with the words.
    @usableFromInline static let secondConstant: UInt64 = 0xE703_7ED1_A0B4_28DB

    /// Returns the checksum of a row with an integer key.
    @inlinable @inline(__always)
    static func sum(_ table: UInt64, _ key: UInt64, _ value: RawSpan) -> UInt64 {
        sum(value, from: foldProduct(table ^ firstConstant, key ^ secondConstant))
    }

    /// Returns the checksum of a row with a byte key.
    @usableFromInline
    static func sum(_ table: UInt64, _ key: RawSpan, _ value: RawSpan) -> UInt64 {
        sum(value, from: sum(key, from: foldProduct(table ^ firstConstant, secondConstant)))
    }

    /// Returns the XOR of the two halves of a 128-bit product.
    @inlinable @inline(__always)
    static func foldProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// Returns the checksum of bytes, which continues the checksum `seed` of earlier data.
    ///
    /// Uses two lanes, so that a product need not wait for the previous one.
    @inlinable
    static func sum(_ bytes: RawSpan, from seed: UInt64) -> UInt64 {
        let count = bytes.byteCount
        var (even, odd) = (seed, seed ^ secondConstant)
        var offset = 0
        while offset + 32 <= count {
            even = foldProduct(word(bytes, offset) ^ firstConstant, word(bytes, offset + 8) ^ even)
            odd = foldProduct(
                word(bytes, offset + 16) ^ secondConstant, word(bytes, offset + 24) ^ odd)
            offset += 32
        }
        while offset < count {
            even = foldProduct(tail(bytes, offset) ^ firstConstant, tail(bytes, offset + 8) ^ even)
            offset += 16
        }
        return foldProduct(even ^ UInt64(count), odd ^ firstConstant)
    }

    /// Returns eight bytes from an offset on as a little-endian integer, without a bounds check.
    @inlinable @inline(__always)
    static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns eight bytes as a little-endian integer; bytes after the end count as zero.
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
    /// Returns the stored form of a value under an integer key: its bytes followed by the checksum.
    consuming func asRow(_ table: LogTable, _ key: UInt64) -> [UInt8] {
        let sum = RowChecksum.sum(table.number, key, rawSpan)
        append(littleEndian: sum)
        return self
    }

    /// Returns the stored form of a value under a byte key: its bytes followed by the checksum.
    consuming func asRow(_ table: LogTable, _ key: RawSpan) -> [UInt8] {
        let sum = RowChecksum.sum(table.number, key, rawSpan)
        append(littleEndian: sum)
        return self
    }
}
