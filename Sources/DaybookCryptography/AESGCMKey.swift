#if canImport(CryptoKit)
    import CryptoKit
#else
    import CDaybookOpenSSL
#endif

/// A key of AES-256-GCM; decryption detects if encrypted bytes were changed or stored elsewhere.
///
/// The result of `seal` is a random nonce (12 bytes), the encrypted bytes, and an authentication
/// tag (16 bytes).
public struct AESGCMKey: Sendable {
    /// Number of bytes in a key.
    public static let byteCount = 32
    /// Number of bytes in a nonce.
    public static let nonceByteCount = 12
    /// Number of bytes in an authentication tag.
    public static let tagByteCount = 16

    private let bytes: [UInt8]

    /// Creates a key from its bytes; `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Encrypts a text of less than 2 GiB, and binds it to the place where it will be stored.
    ///
    /// - Parameter place: the place, such as the key of a row, as additional authenticated data.
    ///   The result does not contain it, and `open` needs the same bytes.
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
            var sealed = RandomBytes.fresh(Self.nonceByteCount)
            Cipher(key: bytes, nonce: sealed, encrypting: true).seal(text, at: place, to: &sealed)
            return sealed
        #endif
    }

    /// Decrypts the result of `seal`; `nil` unless `seal` got the same key and place.
    public func open(_ sealed: [UInt8], at place: [UInt8]) -> [UInt8]? {
        #if canImport(CryptoKit)
            guard sealed.count >= Self.nonceByteCount + Self.tagByteCount else { return nil }
            do {
                let box = try AES.GCM.SealedBox(combined: sealed)
                let key = SymmetricKey(data: bytes)
                return Array(try AES.GCM.open(box, using: key, authenticating: place))
            } catch {
                return nil
            }
        #else
            return sealed.withUnsafeBytes { Opener(self).open($0, at: place) }
        #endif
    }
}

extension AESGCMKey {
    /// Encrypts many texts; prepares libcrypto's context once, and a key only when it changes.
    ///
    /// Must not be shared by threads, nor used after a fork.
    public final class Sealer {
        private var random = RandomBytes()
        #if !canImport(CryptoKit)
            private let cipher = Cipher(key: nil, nonce: nil, encrypting: true)
            /// The bytes of the key that `cipher` uses; empty before the first text.
            private var key: [UInt8] = []
        #endif

        /// Prepares encryption with any key.
        public init() {}

        /// Appends random bytes to `target`, such as a salt.
        public func appendRandomBytes(_ count: Int, to target: inout [UInt8]) {
            random.append(count, to: &target)
        }

        /// Encrypts a text as `AESGCMKey.seal` does.
        public func seal(_ text: [UInt8], with key: AESGCMKey, at place: [UInt8]) -> [UInt8] {
            var sealed: [UInt8] = []
            seal(text, with: key, at: place, appendingTo: &sealed)
            return sealed
        }

        /// Encrypts a text as `AESGCMKey.seal` does, and appends the result to `target`.
        public func seal(
            _ text: [UInt8], with key: AESGCMKey, at place: [UInt8],
            appendingTo target: inout [UInt8]
        ) {
            #if canImport(CryptoKit)
                target += key.seal(text, at: place)
            #else
                let start = target.count
                random.append(AESGCMKey.nonceByteCount, to: &target)
                let isSameKey = self.key == key.bytes
                target.withUnsafeBytes {
                    cipher.begin(key: isSameKey ? nil : key.bytes, nonce: $0, at: start)
                }
                if !isSameKey { self.key = key.bytes }
                cipher.seal(text, at: place, to: &target)
            #endif
        }
    }

    /// Decrypts many texts with one key; prepares libcrypto's context only once, to be faster.
    ///
    /// Must not be shared by threads.
    public final class Opener {
        #if canImport(CryptoKit)
            private let key: AESGCMKey
        #else
            private let cipher: Cipher
        #endif

        /// Prepares decryption with a key.
        public init(_ key: AESGCMKey) {
            #if canImport(CryptoKit)
                self.key = key
            #else
                cipher = Cipher(key: key.bytes, nonce: nil, encrypting: false)
            #endif
        }

        /// Decrypts a result of `AESGCMKey.seal`; `nil` unless `seal` got the same key and place.
        public func open(_ sealed: UnsafeRawBufferPointer, at place: [UInt8]) -> [UInt8]? {
            #if canImport(CryptoKit)
                return key.open(Array(sealed), at: place)
            #else
                let overhead = AESGCMKey.nonceByteCount + AESGCMKey.tagByteCount
                guard sealed.count >= overhead else { return nil }
                cipher.begin(nonce: sealed, at: 0)
                cipher.authenticate(place)
                let end = sealed.count - AESGCMKey.tagByteCount
                var text: [UInt8] = []
                cipher.update(
                    UnsafeRawBufferPointer(rebasing: sealed[AESGCMKey.nonceByteCount..<end]),
                    appendingTo: &text)
                cipher.expect(tag: UnsafeRawBufferPointer(rebasing: sealed[end...]))
                return cipher.finish() ? text : nil
            #endif
        }
    }
}

#if !canImport(CryptoKit)
    /// A libcrypto context that encrypts or decrypts one text at a time with AES-256-GCM.
    ///
    /// All calls except `finish` fail only if memory or the library is missing, which ends the
    /// process.
    private final class Cipher {
        private let context: OpaquePointer

        /// libcrypto's implementation of AES-256-GCM, looked up once.
        private nonisolated(unsafe) static let aes256GCM: OpaquePointer = {
            guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
                preconditionFailure("libcrypto has no AES-256-GCM")
            }
            return cipher
        }()

        init(key: [UInt8]?, nonce: [UInt8]?, encrypting: Bool) {
            guard let context = EVP_CIPHER_CTX_new() else {
                stopForLackOfMemory()
            }
            self.context = context
            let isReady = EVP_CipherInit_ex2(
                context, Self.aes256GCM, key, nonce, encrypting ? 1 : 0, nil)
            guard isReady == 1 else { stopForLackOfMemory() }
        }

        /// Begins the next text with a new nonce, and with a new key unless it is `nil`.
        ///
        /// - Parameter start: the offset in `bytes` of the nonce's 12 bytes.
        func begin(key: [UInt8]? = nil, nonce bytes: UnsafeRawBufferPointer, at start: Int) {
            let nonce = bytes[start..<start + AESGCMKey.nonceByteCount]
            let isReady = EVP_CipherInit_ex2(
                context, nil, key, UnsafeRawBufferPointer(rebasing: nonce).address, -1, nil)
            guard isReady == 1 else { stopForLackOfMemory() }
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        /// Encrypts a text, and appends the encrypted bytes and the authentication tag to `target`.
        func seal(_ text: [UInt8], at place: [UInt8], to target: inout [UInt8]) {
            authenticate(place)
            text.withUnsafeBytes { update($0, appendingTo: &target) }
            guard finish() else { stopForLackOfMemory() }
            appendTag(to: &target)
        }

        /// Adds the place of the text as additional authenticated data; call it before `update`.
        func authenticate(_ place: [UInt8]) {
            var count: Int32 = 0
            let isAdded = EVP_CipherUpdate(context, nil, &count, place, Int32(place.count))
            guard isAdded == 1 else { stopForLackOfMemory() }
        }

        /// Appends the next bytes of the text, encrypted or decrypted, to `target`.
        func update(_ bytes: UnsafeRawBufferPointer, appendingTo target: inout [UInt8]) {
            guard !bytes.isEmpty else { return }
            let start = target.count
            target.append(contentsOf: bytes)
            // As many bytes as before, so that they can be written over the bytes themselves.
            target.withUnsafeMutableBufferPointer { target in
                let room = target.baseAddress.map { $0 + start }
                var written: Int32 = 0
                let isDone = EVP_CipherUpdate(context, room, &written, room, Int32(bytes.count))
                guard isDone == 1, Int(written) == bytes.count else { stopForLackOfMemory() }
            }
        }

        /// Sets the authentication tag that `finish` checks after decrypting.
        func expect(tag: UnsafeRawBufferPointer) {
            // The library copies the tag.
            let start = UnsafeMutableRawPointer(mutating: tag.baseAddress)
            let isSet = EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), start)
            guard isSet == 1 else { stopForLackOfMemory() }
        }

        /// Ends the text; returns `false` if a decrypted text does not match the expected tag.
        func finish() -> Bool {
            var count: Int32 = 0
            var rest: (UInt64, UInt64) = (0, 0)
            return withUnsafeMutableBytes(of: &rest) {
                EVP_CipherFinal_ex(context, $0.address, &count) == 1
            }
        }

        /// Appends the authentication tag of the encrypted text, after `finish`, to `target`.
        func appendTag(to target: inout [UInt8]) {
            var tag: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &tag) { room in
                let isRead = EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, Int32(room.count), room.baseAddress)
                guard isRead == 1 else { stopForLackOfMemory() }
                target.append(contentsOf: UnsafeRawBufferPointer(room))
            }
        }
    }

    extension UnsafeRawBufferPointer {
        fileprivate var address: UnsafePointer<UInt8>? {
            baseAddress?.assumingMemoryBound(to: UInt8.self)
        }
    }

    extension UnsafeMutableRawBufferPointer {
        fileprivate var address: UnsafeMutablePointer<UInt8>? {
            baseAddress?.assumingMemoryBound(to: UInt8.self)
        }
    }
#endif
