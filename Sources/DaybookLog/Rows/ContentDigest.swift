import Daybook
import DaybookCryptography

/// A SHA-256 digest of bytes that are added piece by piece.
package struct ContentDigest: Sendable {
    private var hasher = SHA256()

    /// Creates the digest of no bytes.
    public init() {}

    /// Continues the digest with bytes.
    public mutating func add(_ bytes: [UInt8]) {
        hasher.update(bytes)
    }

    /// The digest of all bytes added so far, as 64 hexadecimal digits.
    public var text: String { Hexadecimal.text(hasher.finalize()) }
}
