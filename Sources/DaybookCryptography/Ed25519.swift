#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// Ed25519 signatures of 64 bytes, made and checked with keys of 32 bytes.
///
/// Source: RFC 8032.
public enum Ed25519 {
    static let keyByteCount = 32
    static let signatureByteCount = 64

    /// A private key, which makes signatures.
    public struct PrivateKey: Sendable {
        private let bytes: [UInt8]

        /// Creates a key from its seed; `nil` unless the seed has 32 bytes.
        ///
        /// - Parameter bytes: the seed, which is the key's content in a PKCS#8 file.
        public init?(_ bytes: [UInt8]) {
            guard bytes.count == keyByteCount else { return nil }
            self.bytes = bytes
        }

        /// The bytes of the public key of this private key; `nil` if the system's library fails.
        public var publicKey: [UInt8]? {
            #if canImport(CryptoKit)
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
                return (key?.publicKey.rawRepresentation).map { Array($0) }
            #else
                withKey { key, _ in
                    var count = keyByteCount
                    var publicKey = [UInt8](repeating: 0, count: count)
                    guard EVP_PKEY_get_raw_public_key(key, &publicKey, &count) == 1,
                        count == keyByteCount
                    else { return nil }
                    return publicKey
                }
            #endif
        }

        /// Signs a text.
        ///
        /// - Returns: the signature, 64 bytes; `nil` if the system's library cannot sign.
        public func signature(of text: [UInt8]) -> [UInt8]? {
            #if canImport(CryptoKit)
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
                return (try? key?.signature(for: text)).map { Array($0) }
            #else
                withKey { key, context in
                    var count = signatureByteCount
                    var signature = [UInt8](repeating: 0, count: count)
                    guard
                        EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
                        EVP_DigestSign(context, &signature, &count, text, text.count) == 1
                    else { return nil }
                    return count == signatureByteCount ? signature : nil
                }
            #endif
        }

        #if !canImport(CryptoKit)
            /// Calls `body` with this key and a new digest context of libcrypto, and then frees
            /// both.
            ///
            /// - Returns: the result of `body`; `nil` if `body` returns `nil` or libcrypto fails.
            private func withKey<T>(_ body: (OpaquePointer, OpaquePointer) -> T?) -> T? {
                Ed25519.withContext(
                    EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count), body)
            }
        #endif
    }

    /// A public key, which checks signatures.
    public struct PublicKey: Sendable {
        /// The 32 bytes of the key.
        public let bytes: [UInt8]

        /// Creates a key from its bytes; `nil` unless there are 32 of them.
        public init?(_ bytes: [UInt8]) {
            guard bytes.count == keyByteCount else { return nil }
            self.bytes = bytes
        }

        /// True if the signature of the text was made with this key's private key.
        public func isValid(_ signature: [UInt8], of text: [UInt8]) -> Bool {
            #if canImport(CryptoKit)
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
                return key?.isValidSignature(signature, for: text) ?? false
            #else
                Ed25519.withContext(
                    EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
                ) { key, context in
                    guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else {
                        return false
                    }
                    return EVP_DigestVerify(
                        context, signature, signature.count, text, text.count) == 1
                } ?? false
            #endif
        }
    }

    #if !canImport(CryptoKit)
        /// Calls `body` with a key and a new digest context of libcrypto, and then frees both.
        ///
        /// - Returns: the result of `body`; `nil` if `body` returns `nil` or libcrypto fails.
        private static func withContext<T>(
            _ key: OpaquePointer?, _ body: (OpaquePointer, OpaquePointer) -> T?
        ) -> T? {
            guard let key = key else { return nil }
            defer { EVP_PKEY_free(key) }
            guard let context = EVP_MD_CTX_new() else { return nil }
            defer { EVP_MD_CTX_free(context) }
            return body(key, context)
        }
    #endif
}
