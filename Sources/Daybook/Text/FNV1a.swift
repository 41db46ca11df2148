/// A 64-bit FNV-1a hash of bytes. It is fast and equal on every machine, but not secure.
package struct FNV1a: Hashable, Sendable {
    /// The hash of the bytes added so far; at first the offset basis that FNV-1a defines.
    @usableFromInline var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of all bytes added so far.
    @inlinable public var value: UInt64 { digest }

    /// Creates a hash to which no bytes are added yet.
    @inlinable public init() {}

    /// Adds a byte to those that are hashed.
    @inlinable
    public mutating func add(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x0100_0000_01B3 }
}
