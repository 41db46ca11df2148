#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// A key of AES-256-GCM, which keeps bytes secret and notices where they were changed or moved.
///
/// A sealed text is a nonce of 12 bytes, made anew each time, the encrypted bytes, and a tag of 16.
/// Source: NIST SP 800-38D.
public struct AESGCMKey: Sendable {
    public static let byteCount = 32
    public static let nonceByteCount = 12
    public static let tagByteCount = 16

    private let bytes: [UInt8]

    /// - Returns: `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Encrypts a text of less than 2 GiB for one place.
    ///
    /// - Parameter place: opens it again, and is not part of what is returned.
    public func seal(_ text: [UInt8], at place: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            do {
                let key = SymmetricKey(data: bytes)
                let box = try AES.GCM.seal(text, using: key, authenticating: place)
                return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
            } catch {
                preconditionFailure("AES-GCM takes every text of less than 64 GiB: \(error)")
            }
        #else
            var system = SystemRandomNumberGenerator()
            let nonce = (0..<Self.nonceByteCount).map { _ in
                UInt8.random(in: .min ... .max, using: &system)
            }
            let cipher = Cipher(key: bytes, nonce: nonce, encrypting: true)
            cipher.authenticate(place)
            let sealed = cipher.update(text)
            guard cipher.finish() else { preconditionFailure("libcrypto cannot encrypt") }
            return nonce + sealed + cipher.tag()
        #endif
    }

    /// The text; `nil` where these are not the bytes that were sealed at that place.
    public func open(_ sealed: [UInt8], at place: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceByteCount + Self.tagByteCount else { return nil }
        #if canImport(CryptoKit)
            do {
                let box = try AES.GCM.SealedBox(combined: sealed)
                let key = SymmetricKey(data: bytes)
                return Array(try AES.GCM.open(box, using: key, authenticating: place))
            } catch {
                return nil
            }
        #else
            let cipher = Cipher(
                key: bytes, nonce: Array(sealed.prefix(Self.nonceByteCount)), encrypting: false)
            cipher.authenticate(place)
            let encrypted = sealed.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount)
            let text = cipher.update(Array(encrypted))
            cipher.expect(tag: Array(sealed.suffix(Self.tagByteCount)))
            return cipher.finish() ? text : nil
        #endif
    }
}

#if !canImport(CryptoKit)
    /// One text on its way through AES-256-GCM of libcrypto, whose calls fail only where memory or
    /// the library is missing; but `finish`.
    private final class Cipher {
        private let context: OpaquePointer

        private nonisolated(unsafe) static let aes256GCM: OpaquePointer = {
            guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
                preconditionFailure("libcrypto has no AES-256-GCM")
            }
            return cipher
        }()

        init(key: [UInt8], nonce: [UInt8], encrypting: Bool) {
            guard let context = EVP_CIPHER_CTX_new() else {
                preconditionFailure("There is no memory for a cipher")
            }
            self.context = context
            let isReady = EVP_CipherInit_ex2(
                context, Self.aes256GCM, key, nonce, encrypting ? 1 : 0, nil)
            precondition(isReady == 1, "libcrypto cannot begin a cipher")
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        /// Binds what follows to a place.
        func authenticate(_ place: [UInt8]) {
            var count: Int32 = 0
            let isAdded = EVP_CipherUpdate(context, nil, &count, place, Int32(place.count))
            precondition(isAdded == 1, "libcrypto cannot authenticate")
        }

        func update(_ bytes: [UInt8]) -> [UInt8] {
            guard !bytes.isEmpty else { return [] }
            return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                var written: Int32 = 0
                let isDone = EVP_CipherUpdate(
                    context, buffer.baseAddress, &written, bytes, Int32(bytes.count))
                precondition(isDone == 1, "libcrypto cannot encrypt or decrypt")
                count = Int(written)
            }
        }

        /// Names the tag that `finish` checks while decrypting.
        func expect(tag: [UInt8]) {
            var tag = tag
            let isSet = EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
            precondition(isSet == 1, "libcrypto does not take a tag")
        }

        /// Ends the text; `false` where it is not what was sealed.
        func finish() -> Bool {
            var count: Int32 = 0
            var rest = [UInt8](repeating: 0, count: AESGCMKey.tagByteCount)
            return EVP_CipherFinal_ex(context, &rest, &count) == 1
        }

        /// The tag of what was encrypted.
        func tag() -> [UInt8] {
            var tag = [UInt8](repeating: 0, count: AESGCMKey.tagByteCount)
            let isRead = EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag)
            precondition(isRead == 1, "libcrypto gives no tag")
            return tag
        }
    }
#endif
