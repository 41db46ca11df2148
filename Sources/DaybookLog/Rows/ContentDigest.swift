import Daybook
import DaybookCryptography

/// An incremental SHA-256 digest of bytes.
package struct ContentDigest: Sendable {
    private var hasher = SHA256()

    /// Creates the digest of no bytes.
    public init() {}

    /// Adds bytes to the digest.
    public mutating func add(_ bytes: [UInt8]) {
        hasher.update(bytes)
    }

    /// The digest of the bytes so far, as 64 hexadecimal digits.
    public var text: String { Hexadecimal.text(hasher.finalize()) }
}
