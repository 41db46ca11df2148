/// One of the disjoint sets into which all entities are divided, one for each thread.
///
/// An entity's share depends only on the bytes of the entity's id.
package struct EntityShare: Hashable, Sendable {
    /// The index of this share, from 0.
    public let index: Int
    /// The number of shares.
    public let count: Int

    /// The share of all entities, for work that is not divided.
    public static let whole = EntityShare(0, of: 1)

    /// Creates one of `count` shares, with an index from 0 to `count - 1`.
    public init(_ index: Int, of count: Int) {
        precondition(count > 0 && (0..<count).contains(index))
        self.index = index
        self.count = count
    }

    /// True if the entity with an id, in any normalisation form, belongs to this share.
    public func holds(_ id: String) -> Bool { id.nfc.withUTF8Bytes { unsafe holds($0.bytes) } }

    /// True if the entity with an id, in UTF-8 and normalisation form C, belongs to this share.
    public func holds(_ id: RawSpan) -> Bool {
        if count == 1 { return true }
        let hash = id.fnv1aHash
        return Int((hash ^ hash >> 32) % UInt64(count)) == index
    }
}

extension RawSpan {
    /// The FNV-1a hash of the bytes, which is the same on every machine.
    public var fnv1aHash: UInt64 {
        var digest = FNV1a()
        for offset in byteOffsets {
            digest.add(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        return digest.value
    }
}
