/// One of several shares of all entities, for threads that divide them among themselves.
///
/// The share of an id depends only on its bytes.
public struct EntityShare: Hashable, Sendable {
    /// The number of this share, from 0.
    public let index: Int
    /// The number of shares.
    public let count: Int

    /// All entities are in the one share there is.
    public static let whole = EntityShare(0, of: 1)

    public init(_ index: Int, of count: Int) {
        precondition(count > 0 && (0..<count).contains(index))
        self.index = index
        self.count = count
    }

    /// - Parameter id: in any normalisation form.
    public func holds(_ id: String) -> Bool {
        id.nfc.withUTF8Bytes { unsafe holds($0.bytes) }
    }

    /// - Parameter id: the UTF-8 of an id in normalisation form C.
    public func holds(_ id: RawSpan) -> Bool {
        if count == 1 { return true }
        let hash = id.spread
        return Int((hash ^ hash >> 32) % UInt64(count)) == index
    }
}

extension RawSpan {
    /// The FNV-1a digest of the bytes, which spreads ids evenly and is the same everywhere.
    public var spread: UInt64 {
        var digest = FNV1a()
        for offset in byteOffsets {
            digest.add(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        return digest.value
    }
}
