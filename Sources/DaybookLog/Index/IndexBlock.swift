import Daybook
import DaybookLMDB

/// A tag or a kind, as the keys of the table `index` begin with it.
///
/// A byte of category, `k` or `t`; the row of `names`, 2 bytes big-endian, or the tag in UTF-8; a
/// zero byte. A position follows, 8 bytes big-endian.
struct IndexKey: Hashable {
    let prefix: [UInt8]

    static let kindCategory: UInt8 = 0x6B
    static let tagCategory: UInt8 = 0x74

    init(_ tag: Tag) {
        self = tag.text.withUTF8Bytes { IndexKey(tag: unsafe $0.bytes) }
    }

    /// - Parameter tag: the UTF-8 of a tag.
    init(tag: RawSpan) {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(tag.byteCount + 2)
        prefix.append(Self.tagCategory)
        unsafe tag.withUnsafeBytes { unsafe prefix.append(contentsOf: $0) }
        prefix.append(0)
        self.prefix = prefix
    }

    init(kind row: UInt16) {
        prefix = [Self.kindCategory, UInt8(row >> 8), UInt8(row & 0xFF), 0]
    }

    /// The row of a kind; `nil` for a tag.
    var kind: UInt16? {
        prefix.first == Self.kindCategory ? UInt16(prefix[1]) << 8 | UInt16(prefix[2]) : nil
    }

    /// The UTF-8 of a tag.
    var tag: [UInt8] { Array(prefix.dropFirst().dropLast()) }

    /// The key of the block that ends with a position.
    func key(endingAt position: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(prefix.count + 8)
        key.append(contentsOf: prefix)
        key.append(littleEndian: position.byteSwapped)
        return key
    }

    /// The key of the summary, behind those of all blocks.
    var summaryKey: [UInt8] { key(endingAt: .max) }

    /// The position that a key of the table ends with.
    static func position(of key: RawSpan) -> UInt64 {
        key.byteCount < 8 ? 0 : key.integer(at: key.byteCount - 8, as: UInt64.self).byteSwapped
    }
}

/// Some successive positions of one tag or kind: a row of `index`, under the last of them.
///
/// The position before the first one (0 for none), 8 bytes; then each as its distance from the one
/// before, LEB128. So a block that is missing shows in the one behind it.
struct IndexBlock {
    /// Positions of a block, at most: their bytes stay on the page of their key.
    static let limit = 512

    static func bytes(_ positions: ArraySlice<UInt64>, after previous: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        // Distances of most tags take one byte or two.
        bytes.reserveCapacity(16 + 2 * positions.count)
        bytes.append(littleEndian: previous)
        var last = previous
        for position in positions {
            var rest = position - last
            while rest > 127 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
            last = position
        }
        return bytes
    }

    /// The position before the first one of a block.
    static func previous(_ value: RawSpan) throws(CorruptRecord) -> UInt64 {
        guard value.byteCount > 8 else {
            throw .truncated(["previous": 8, "positions": 9], bytes: value.byteCount)
        }
        return value.integer(at: 0)
    }

    /// Shows the positions of a block that ends with `last`, until `body` returns `false`.
    ///
    /// - Returns: whether it was not stopped.
    static func forEach(
        _ value: RawSpan, endingAt last: UInt64, _ body: (UInt64) -> Bool
    ) throws(CorruptRecord) -> Bool {
        var position = try previous(value)
        var offset = 8
        let count = value.byteCount
        while offset < count {
            var (distance, shift) = (UInt64(0), UInt64(0))
            while true {
                guard offset < count, shift < 63 else {
                    throw .truncated(field: "positions", needs: offset + 1, bytes: count)
                }
                let byte = value.integer(at: offset, as: UInt8.self)
                offset += 1
                distance |= UInt64(byte & 127) << shift
                if byte < 128 { break }
                shift += 7
            }
            let (next, overflows) = position.addingReportingOverflow(distance)
            guard distance > 0, !overflows, next <= last else {
                throw .invalid(
                    field: "positions", found: "\(distance) after \(position)",
                    expected: "a distance that does not lead past \(last)")
            }
            position = next
            guard body(position) else { return false }
        }
        guard position == last else {
            throw .invalid(field: "positions", found: "\(position) last", expected: "\(last)")
        }
        return true
    }
}

/// How far the positions of one tag or kind are indexed: the row behind its blocks.
struct IndexSummary: Hashable {
    /// The last position indexed.
    var last: UInt64
    /// Positions indexed.
    var count: UInt64

    static let byteCount = 16

    init(last: UInt64, count: UInt64) {
        self.last = last
        self.count = count
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount == Self.byteCount else {
            throw .size("summary", bytes.byteCount, expected: Self.byteCount)
        }
        last = bytes.integer(at: 0)
        count = bytes.integer(at: 8)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(littleEndian: last)
        bytes.append(littleEndian: count)
        return bytes
    }
}
