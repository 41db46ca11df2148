#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// A SHA-256 digest of bytes that are added piece by piece. A copy continues independently.
///
/// Source: FIPS 180-4. The system's library computes the digest: CryptoKit on Apple's systems,
/// OpenSSL's libcrypto elsewhere.
public struct SHA256: @unchecked Sendable {
    /// Number of bytes in a digest.
    public static let byteCount = 32

    #if canImport(CryptoKit)
        private var hasher = CryptoKit.SHA256()
    #else
        /// libcrypto's digest context, copied before a change if another value shares it.
        ///
        /// Values can therefore be sent to other threads.
        private var context = DigestContext()
    #endif

    /// Creates the digest of no bytes.
    public init() {}

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
            if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
            context.update(bytes)
        #endif
    }

    /// Returns the digest of all bytes added so far, 32 bytes; more bytes may be added afterwards.
    public func finalize() -> [UInt8] {
        var copy = self
        return copy.finish()
    }

    /// Returns the digest of all bytes added so far, 32 bytes, and starts again with no bytes.
    ///
    /// Unlike `finalize`, this needs no copy of the digest context.
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
            hasher = CryptoKit.SHA256()
        #else
            if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
            context.finalize(appendingTo: &target)
            context.begin()
        #endif
    }

    /// Returns the SHA-256 digest of bytes, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(CryptoKit.SHA256.hash(data: bytes))
        #else
            DigestContext.digest(of: bytes)
        #endif
    }
}

#if !canImport(CryptoKit)
    /// A SHA-256 digest that libcrypto computes.
    ///
    /// Its calls fail only if memory or the library is missing, which ends the process.
    final class DigestContext {
        private let context: OpaquePointer

        /// libcrypto's implementation of SHA-256, looked up once.
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

        /// Starts again with no bytes.
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

        /// Allocates a context of libcrypto, for which no algorithm is chosen yet.
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

        /// Appends the digest, 32 bytes; `begin` must be called before more bytes are added.
        func finalize(appendingTo target: inout [UInt8]) {
            target.appendDigest { EVP_DigestFinal_ex(context, $0, nil) }
        }

        /// Returns the SHA-256 digest of bytes in one call, 32 bytes.
        static func digest(of bytes: [UInt8]) -> [UInt8] {
            var digest: [UInt8] = []
            digest.reserveCapacity(SHA256.byteCount)
            digest.appendDigest { room in
                bytes.withUnsafeBytes { bytes in
                    EVP_Digest(bytes.baseAddress, bytes.count, room, nil, sha256, nil)
                }
            }
            return digest
        }
    }

    extension [UInt8] {
        /// Appends the 32 bytes that `body` writes, which returns 1 unless memory is missing.
        ///
        /// Faster than `init(unsafeUninitializedCapacity:)`, which looks for the type of the array.
        mutating func appendDigest(_ body: (UnsafeMutablePointer<UInt8>?) -> CInt) {
            var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            Swift.withUnsafeMutableBytes(of: &digest) { room in
                let isDone = body(room.baseAddress?.assumingMemoryBound(to: UInt8.self))
                guard isDone == 1 else { stopForLackOfMemory() }
                append(contentsOf: UnsafeRawBufferPointer(room))
            }
        }
    }
#endif
