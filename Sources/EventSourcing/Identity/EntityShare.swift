/// One of several shares of all entities, for threads that divide them among themselves.
///
/// Which share an id is in depends on nothing but its bytes.
public struct EntityShare: Hashable, Sendable {
    public let index: Int
    public let count: Int

    /// All entities are in the one share there is.
    public static let whole = EntityShare(0, of: 1)

    public init(_ index: Int, of count: Int) {
        precondition(count > 0 && (0..<count).contains(index))
        self.index = index
        self.count = count
    }

    public func holds(_ id: String) -> Bool { unsafe holds(id.utf8Span.span.bytes) }

    /// - Parameter id: its UTF-8.
    public func holds(_ id: RawSpan) -> Bool {
        if count == 1 { return true }
        let hash = id.spread
        return Int((hash ^ hash >> 32) % UInt64(count)) == index
    }
}

extension RawSpan {
    /// A number that looks like chance and is the same everywhere (FNV-1a).
    public var spread: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for offset in byteOffsets {
            let byte = unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
        }
        return hash
    }
}
