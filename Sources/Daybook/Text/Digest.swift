/// The first 8 bytes of a SHA-256, stored in place of a secret or large value.
///
/// The text of a digest is `sha256:` and 16 hexadecimal digits. If an input has any other text in
/// the place of a digest, the reader replaces the text with its digest, so that a secret in an
/// input does not reach the log.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The eight bytes of the digest as one big-endian number.
    public var bits: UInt64

    /// Creates a digest from its eight bytes as one big-endian number.
    @inlinable public init(bits: UInt64) { self.bits = bits }

    /// Reads a digest from `sha256:` and 16 hexadecimal digits; `nil` for any other text.
    public init?(text: String) {
        guard text.hasPrefix("sha256:"), text.utf8.count == 23,
            let bytes = Hexadecimal.bytes(text.dropFirst(7))
        else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates a digest from the first eight bytes of a hash.
    public init(first bytes: [UInt8]) { bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    public var description: String { "sha256:" + digits }

    /// The 16 hexadecimal digits of the digest.
    package var digits: String {
        unsafe withUnsafeBytes(of: bits.bigEndian) { unsafe Hexadecimal.text($0) }
    }
}
