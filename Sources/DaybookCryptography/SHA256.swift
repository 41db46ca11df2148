#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// A running SHA-256 digest of bytes that are added in pieces. A copy continues independently.
///
/// Source: FIPS 180-4. The system's library computes it: CryptoKit, elsewhere OpenSSL's libcrypto.
public struct SHA256: @unchecked Sendable {
    /// Number of bytes in a digest.
    public static let byteCount = 32

    #if canImport(CryptoKit)
        private var hasher = CryptoKit.SHA256()
    #else
        /// Changed only while this value is its sole owner, so that values can be sent to other
        /// threads.
        private var context = DigestContext()
    #endif

    /// Creates the digest of no bytes.
    public init() {}

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            hasher.update(bufferPointer: bytes)
        #else
            if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
            context.update(bytes)
        #endif
    }

    /// Returns the digest of the bytes so far; more bytes may still be added.
    public func finalize() -> [UInt8] {
        #if canImport(CryptoKit)
            Array(hasher.finalize())
        #else
            DigestContext(copying: context).finalize()
        #endif
    }

    /// Returns the digest of the bytes so far, and begins the digest of no bytes anew.
    ///
    /// Unlike `finalize`, it needs no copy of the running digest.
    public mutating func finish() -> [UInt8] {
        #if canImport(CryptoKit)
            defer { hasher = CryptoKit.SHA256() }
            return finalize()
        #else
            if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
            defer { context.begin() }
            return context.finalize()
        #endif
    }

    /// Returns the digest of bytes, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(CryptoKit.SHA256.hash(data: bytes))
        #else
            DigestContext.digest(of: bytes)
        #endif
    }
}

#if !canImport(CryptoKit)
    /// A running digest of libcrypto. Its calls fail only if memory or the library is missing.
    final class DigestContext {
        private let context: OpaquePointer

        /// SHA-256 of the library's default provider, looked up once.
        nonisolated(unsafe) static let sha256: OpaquePointer = {
            guard let digest = EVP_MD_fetch(nil, "SHA256", nil) else {
                preconditionFailure("libcrypto has no SHA-256")
            }
            return digest
        }()

        init() {
            context = Self.newContext()
            begin()
        }

        /// Begins the digest of no bytes.
        func begin() {
            let isReady = EVP_DigestInit_ex(context, Self.sha256, nil)
            guard isReady == 1 else { stopForLackOfMemory() }
        }

        init(copying other: DigestContext) {
            context = Self.newContext()
            let isCopied = EVP_MD_CTX_copy_ex(context, other.context)
            guard isCopied == 1 else { stopForLackOfMemory() }
        }

        deinit { EVP_MD_CTX_free(context) }

        /// Allocates a context of libcrypto without a digest.
        private static func newContext() -> OpaquePointer {
            guard let context = EVP_MD_CTX_new() else {
                stopForLackOfMemory()
            }
            return context
        }

        func update(_ bytes: UnsafeRawBufferPointer) {
            let isAdded = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            guard isAdded == 1 else { stopForLackOfMemory() }
        }

        /// Returns the digest; no bytes may be added before `begin`.
        func finalize() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
                let isDone = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
                guard isDone == 1 else { stopForLackOfMemory() }
                count = SHA256.byteCount
            }
        }

        /// Returns the SHA-256 digest of bytes in one call, 32 bytes.
        static func digest(of bytes: [UInt8]) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
                let isDone = bytes.withUnsafeBytes { bytes in
                    EVP_Digest(
                        bytes.baseAddress, bytes.count, buffer.baseAddress, nil, sha256, nil)
                }
                guard isDone == 1 else { stopForLackOfMemory() }
                count = SHA256.byteCount
            }
        }
    }
#endif
