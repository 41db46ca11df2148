#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// A SHA-256 digest of bytes that are added piece by piece. A copy continues independently.
///
/// Source: FIPS 180-4. The system's library computes the digest: CryptoKit on Apple's systems,
/// OpenSSL's libcrypto elsewhere.
public struct SHA256: Sendable {
    /// Number of bytes in a digest.
    public static let byteCount = 32
    /// Number of bytes that the digest takes in at once.
    static let blockByteCount = 64

    #if canImport(CryptoKit)
        private var hasher = CryptoKit.SHA256()
    #else
        /// libcrypto's state of the digest, of whose calls none can fail.
        private var state = SHA256_CTX()
    #endif

    /// Creates the digest of no bytes.
    public init() { begin() }

    /// Starts again with no bytes.
    private mutating func begin() {
        #if canImport(CryptoKit)
            hasher = CryptoKit.SHA256()
        #else
            _ = SHA256_Init(&state)
        #endif
    }

    /// Continues the digest with bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Continues the digest with bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Continues the digest with bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            hasher.update(bufferPointer: bytes)
        #else
            _ = SHA256_Update(&state, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Returns the digest of all bytes added so far, 32 bytes; more bytes may be added afterwards.
    public func finalize() -> [UInt8] {
        var copy = self
        return copy.finish()
    }

    /// Returns the digest of all bytes added so far, 32 bytes, and starts again with no bytes.
    public mutating func finish() -> [UInt8] {
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.byteCount)
        finish(appendingTo: &digest)
        return digest
    }

    /// Appends the digest of all bytes added so far, 32 bytes, and starts again with no bytes.
    public mutating func finish(appendingTo target: inout [UInt8]) {
        #if canImport(CryptoKit)
            target.append(contentsOf: hasher.finalize())
        #else
            var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            Swift.withUnsafeMutableBytes(of: &digest) { room in
                _ = SHA256_Final(room.baseAddress?.assumingMemoryBound(to: UInt8.self), &state)
                target.append(contentsOf: UnsafeRawBufferPointer(room))
            }
        #endif
        begin()
    }

    /// Returns the SHA-256 digest of bytes, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }
}
