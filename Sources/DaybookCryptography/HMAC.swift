/// HMAC-SHA256: authentication codes that only the owner of a secret key can compute or check.
///
/// Source: RFC 2104; RFC 4231 for test values.
public enum HMACSHA256 {
    /// Returns the authentication code of `bytes`, 32 bytes; the key may have any length.
    public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Keyed(key).code(of: bytes)
    }

    /// Computes many authentication codes with one key; prepares the key only once, to be faster.
    public final class Keyed: Sendable {
        /// The digest of the key's first form, which continues with the bytes.
        private let inner: SHA256
        /// The digest of the key's second form, which continues with the inner digest.
        private let outer: SHA256

        /// Prepares a key of any length.
        public init(_ key: [UInt8]) {
            var block = key.count > SHA256.blockByteCount ? SHA256.hash(key) : key
            block += [UInt8](repeating: 0, count: SHA256.blockByteCount - block.count)
            var (inner, outer) = (SHA256(), SHA256())
            inner.update(block.map { $0 ^ 0x36 })
            outer.update(block.map { $0 ^ 0x5C })
            (self.inner, self.outer) = (inner, outer)
        }

        /// Returns the authentication code of two parts, one after the other; 32 bytes.
        public func code(of first: [UInt8], _ second: [UInt8] = []) -> [UInt8] {
            var (inner, outer) = (inner, outer)
            inner.update(first)
            inner.update(second)
            outer.update(inner.finish())
            return outer.finish()
        }
    }
}
