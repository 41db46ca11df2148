/// A 64-bit FNV-1a hash of bytes: quick and the same on every machine, but not secure.
package struct FNV1a: Hashable, Sendable {
    /// The state of the hash: the offset basis, into which bytes are mixed.
    @usableFromInline var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of the bytes so far.
    @inlinable
    public var value: UInt64 { digest }

    /// Creates the hash of no bytes.
    @inlinable
    public init() {}

    /// Adds a byte.
    @inlinable
    public mutating func add(_ byte: UInt8) {
        digest = (digest ^ UInt64(byte)) &* 0x0100_0000_01B3
    }
}
