import Daybook
import DaybookLMDB

/// A tag or event kind, in the form with which its row keys in the table `index` begin.
///
/// The prefix consists of a category byte, `k` for a kind or `t` for a tag; the kind's row in
/// `names`, 2 bytes big-endian, or the tag in UTF-8; a zero byte. In a row key, a position follows,
/// 8 bytes big-endian.
struct IndexKey: Hashable {
    /// The bytes before the position in a row key of the index.
    let prefix: [UInt8]

    /// The first byte of a kind's prefix, `k`.
    static let kindCategory: UInt8 = 0x6B
    /// The first byte of a tag's prefix, `t`.
    static let tagCategory: UInt8 = 0x74

    init(_ tag: Tag) {
        self = tag.text.withUTF8Bytes { IndexKey(tag: unsafe $0.bytes) }
    }

    /// Creates the key from the bytes with which row keys of the tag or event kind begin.
    init(prefix: [UInt8]) {
        self.prefix = prefix
    }

    /// Creates the prefix of a tag, given by its UTF-8.
    init(tag: RawSpan) {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(tag.byteCount + 2)
        prefix.append(Self.tagCategory)
        unsafe tag.withUnsafeBytes { unsafe prefix.append(contentsOf: $0) }
        prefix.append(0)
        self.prefix = prefix
    }

    /// Creates the prefix of an event kind, given by its row in `names`.
    init(kind row: UInt16) {
        prefix = [Self.kindCategory, UInt8(row >> 8), UInt8(row & 0xFF), 0]
    }

    /// The event kind's row in `names`; `nil` for a tag.
    var kindRow: UInt16? {
        prefix.first == Self.kindCategory ? UInt16(prefix[1]) << 8 | UInt16(prefix[2]) : nil
    }

    /// The UTF-8 of the tag; meaningless for an event kind.
    var tag: [UInt8] { Array(prefix.dropFirst().dropLast()) }

    /// Returns the row key of the block whose last position is `position`.
    func key(endingAt position: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(prefix.count + 8)
        key.append(contentsOf: prefix)
        key.append(littleEndian: position.byteSwapped)
        return key
    }

    /// The row key of the summary, which sorts after the keys of all blocks.
    var summaryKey: [UInt8] { key(endingAt: .max) }

    /// Returns the position at the end of a row key; 0 if the key is too short.
    static func position(of key: RawSpan) -> UInt64 {
        key.byteCount < 8 ? 0 : key.integer(at: key.byteCount - 8, as: UInt64.self).byteSwapped
    }
}

/// A row of the table `index`: successive positions of one tag or event kind.
///
/// The row is stored under the last of its positions. It contains the last position of the previous
/// block (0 for the first block), 8 bytes; then, for each position, its distance from the previous
/// position, in LEB128. A missing block is therefore detected when the next block is read.
struct IndexBlock {
    /// The maximum number of positions in a block, so that a block fits on the page of its row key.
    static let maxPositions = 512

    /// Encodes ascending positions as a block.
    ///
    /// - Parameter previous: the last position of the previous block; 0 if there is none.
    static func bytes(_ positions: ArraySlice<UInt64>, after previous: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        // Most distances take one or two bytes.
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

    /// Reads the last position of the previous block from a block; 0 if there is none.
    static func lastOfPreviousBlock(_ value: RawSpan) throws(CorruptRecord) -> UInt64 {
        guard value.byteCount > 8 else {
            throw .truncated(["previous": 8, "positions": 9], bytes: value.byteCount)
        }
        return value.integer(at: 0)
    }

    /// Calls `body` with the positions of a block, ascending, until it returns `false`.
    ///
    /// - Parameter last: the position in the row key, which must be the last one of the block.
    /// - Returns: `false` if `body` returned `false`.
    static func forEach(
        _ value: RawSpan, endingAt last: UInt64, _ body: (UInt64) -> Bool
    ) throws(CorruptRecord) -> Bool {
        var position = try lastOfPreviousBlock(value)
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
            throw .invalid(
                field: "positions", found: "\(position) as the last one", expected: "\(last)")
        }
        return true
    }
}

/// A row of the table `index` after all blocks of a tag or kind, with the count of positions.
struct IndexSummary: StoredRow, Hashable {
    static var tableName: String { "index" }

    /// The last indexed position of the tag or kind.
    var last: UInt64
    /// The number of indexed positions of the tag or kind.
    var count: UInt64

    /// The size of a stored summary without its checksum, in bytes.
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

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(littleEndian: last)
        bytes.append(littleEndian: count)
        return bytes
    }
}
