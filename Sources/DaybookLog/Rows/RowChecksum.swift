import DaybookLMDB

/// The checksum behind every row: 64 bits over its table, its key and its value.
///
/// It finds what went wrong on a disk, in memory or in a copy, also a row that lies under another
/// key or in another table. It is no defence against somebody who computes it anew; the chain is.
///
/// Bytes go in sixteen at a time, as two little-endian words, zeros behind the end; each pair is
/// folded into the sum by a product of 128 bits, whose halves are combined by XOR. Source of the
/// construction: wyhash by Wang Yi. `docs/format.md` gives it in a few lines of Python.
@usableFromInline
enum RowChecksum {
    @usableFromInline static let byteCount = 8

    @usableFromInline static let first: UInt64 = 0xA076_1D64_78BD_642F
    @usableFromInline static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    /// The sum of a row with an integer key.
    @inlinable @inline(__always)
    static func sum(_ table: UInt64, _ key: UInt64, _ value: RawSpan) -> UInt64 {
        sum(value, from: fold(table ^ first, key ^ second))
    }

    /// The sum of a row whose key is bytes.
    @usableFromInline
    static func sum(_ table: UInt64, _ key: RawSpan, _ value: RawSpan) -> UInt64 {
        sum(value, from: sum(key, from: fold(table ^ first, second)))
    }

    @inlinable @inline(__always)
    static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// Two lanes, since one product waits for the one before it.
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

    @inlinable @inline(__always)
    static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// The word at an offset, zeros behind the end.
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
        // The last eight bytes of all, less those before the offset.
        return word(bytes, count - 8) >> (8 * UInt64(offset + 8 - count))
    }
}

extension [UInt8] {
    /// The bytes as the value of a row: with their checksum behind them.
    func asRow(_ table: LogTable, _ key: UInt64) -> [UInt8] {
        followed(by: RowChecksum.sum(table.number, key, rawSpan))
    }

    func asRow(_ table: LogTable, _ key: RawSpan) -> [UInt8] {
        followed(by: RowChecksum.sum(table.number, key, rawSpan))
    }

    private func followed(by sum: UInt64) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(count + RowChecksum.byteCount)
        row.append(contentsOf: self)
        row.append(littleEndian: sum)
        return row
    }
}
