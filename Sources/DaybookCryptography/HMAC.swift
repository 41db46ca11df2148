#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// HMAC-SHA256: authentication codes that only the owner of a secret key can compute or check.
///
/// Source: RFC 2104; RFC 4231 for test values.
public enum HMACSHA256 {
    /// Returns the authentication code of `bytes`, 32 bytes; the key may have any length.
    public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(
                HMAC<CryptoKit.SHA256>.authenticationCode(
                    for: bytes, using: SymmetricKey(data: key)))
        #else
            [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
                // An empty array may have no address, and without an address for the key, libcrypto
                // uses the last key.
                let code = (key + [0]).withUnsafeBytes { room in
                    HMAC(
                        DigestContext.sha256, room.baseAddress, Int32(key.count), bytes,
                        bytes.count, buffer.baseAddress, nil)
                }
                guard code != nil else { stopForLackOfMemory() }
                count = SHA256.byteCount
            }
        #endif
    }
}
