import Synchronization

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
        Keyed(key).code(of: bytes)
    }

    /// Computes many authentication codes with one key; prepares the key only once, to be faster.
    public final class Keyed: Sendable {
        #if canImport(CryptoKit)
            private let key: SymmetricKey
        #else
            /// libcrypto's context with the key, which one thread uses at a time.
            private let context: Mutex<KeyedContext>
        #endif

        /// Creates codes with a key of any length, which the first code prepares.
        public init(_ key: [UInt8]) {
            #if canImport(CryptoKit)
                self.key = SymmetricKey(data: key)
            #else
                context = Mutex(KeyedContext(key))
            #endif
        }

        /// Returns the authentication code of two parts, one after the other; 32 bytes.
        public func code(of first: [UInt8], _ second: [UInt8] = []) -> [UInt8] {
            #if canImport(CryptoKit)
                var code = HMAC<CryptoKit.SHA256>(key: key)
                code.update(data: first)
                code.update(data: second)
                return Array(code.finalize())
            #else
                context.withLock { $0.code(of: first, second) }
            #endif
        }
    }
}

#if !canImport(CryptoKit)
    /// A context of libcrypto that keeps its key from one code to the next.
    ///
    /// Its calls fail only if memory or the library is missing, which ends the process.
    private struct KeyedContext: ~Copyable {
        private let key: [UInt8]
        /// The context with the key; `nil` before the first code.
        private var context: OpaquePointer?

        init(_ key: [UInt8]) { self.key = key }

        deinit { HMAC_CTX_free(context) }

        /// Returns a new context with the key.
        private func newContext() -> OpaquePointer {
            guard let context = HMAC_CTX_new() else { stopForLackOfMemory() }
            // An empty array may have no address, which would mean the last key.
            let isReady = (key + [0]).withUnsafeBytes { room in
                HMAC_Init_ex(
                    context, room.baseAddress, Int32(key.count), DigestContext.sha256, nil)
            }
            guard isReady == 1 else { stopForLackOfMemory() }
            return context
        }

        /// Returns the authentication code of two parts, one after the other; 32 bytes.
        mutating func code(of first: [UInt8], _ second: [UInt8]) -> [UInt8] {
            let context = context ?? newContext()
            self.context = context
            // Starts again with the same key.
            guard HMAC_Init_ex(context, nil, 0, nil, nil) == 1 else { stopForLackOfMemory() }
            update(context, first)
            update(context, second)
            var code: [UInt8] = []
            code.reserveCapacity(SHA256.byteCount)
            code.appendDigest { HMAC_Final(context, $0, nil) }
            return code
        }

        private func update(_ context: OpaquePointer, _ part: [UInt8]) {
            guard !part.isEmpty else { return }
            guard HMAC_Update(context, part, part.count) == 1 else { stopForLackOfMemory() }
        }
    }
#endif
