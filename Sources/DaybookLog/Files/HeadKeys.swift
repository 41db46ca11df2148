import DaybookCryptography

/// A reason why a file is not the key that is needed to sign or verify heads.
///
/// No case contains bytes of the file, which may be a private key.
public enum HeadKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is not an unencrypted Ed25519 private key in PEM.
    case notPrivateKey
    /// The file is not an Ed25519 public key in PEM.
    case notPublicKey
    /// The file is a private key, but a public key is required.
    case privateInsteadOfPublic

    public var description: String {
        switch self {
        case .notPrivateKey:
            "the file is not an unencrypted Ed25519 private key in PEM (PKCS#8), as "
                + "'openssl genpkey -algorithm ed25519' writes it"
        case .notPublicKey:
            "the file is not an Ed25519 public key in PEM (SPKI), as 'openssl pkey -pubout' "
                + "writes it"
        case .privateInsteadOfPublic:
            "the file is a private key; expected a public key, which 'openssl pkey -pubout' prints"
        }
    }
}

/// An Ed25519 private key that signs heads.
public struct HeadSigningKey: Sendable {
    fileprivate let key: Ed25519.PrivateKey

    /// The fixed PKCS#8 bytes before the 32 bytes of the key. Source: RFC 8410 section 7.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ]

    /// Creates a private key from the content of a PEM file.
    ///
    /// - Parameter pem: the bytes of the file, as `openssl genpkey -algorithm ed25519` writes it.
    public init(pem: [UInt8]) throws(HeadKeyError) {
        guard
            let bytes = PEM.keyBytes(pem, label: "PRIVATE KEY", prefix: Self.prefix),
            let key = Ed25519.PrivateKey(bytes)
        else { throw .notPrivateKey }
        self.key = key
    }

    /// The bytes of the public key; `nil` if the system's library cannot compute them.
    var publicKey: [UInt8]? { key.publicKey }

    /// Returns the signature of a text, 64 bytes.
    func signature(of text: String) throws(HeadKeyError) -> [UInt8] {
        guard let signature = key.signature(of: Array(text.utf8)) else { throw .notPrivateKey }
        return signature
    }
}

/// An Ed25519 public key that verifies signed heads.
public struct HeadVerifyingKey: Sendable {
    fileprivate let key: Ed25519.PublicKey

    /// The fixed SPKI bytes before the 32 bytes of the key. Source: RFC 8410 section 4.
    private static let prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// Creates a public key from the content of a PEM file.
    ///
    /// - Parameter pem: the bytes of the file, as `openssl pkey -pubout` writes it.
    public init(pem: [UInt8]) throws(HeadKeyError) {
        guard let bytes = PEM.keyBytes(pem, label: "PUBLIC KEY", prefix: Self.prefix) else {
            throw PEM.isPrivateKey(pem) ? .privateInsteadOfPublic : .notPublicKey
        }
        guard let key = Ed25519.PublicKey(bytes) else { throw .notPublicKey }
        self.key = key
    }

    /// The bytes of the key.
    var bytes: [UInt8] { key.bytes }

    /// True if the signature of the text was made with this key's private key.
    func isValid(_ signature: [UInt8], of text: String) -> Bool {
        key.isValid(signature, of: Array(text.utf8))
    }
}

/// A parser of PEM files that contain one Ed25519 key after a fixed prefix.
///
/// Source: RFC 7468 section 3, the strict form.
private enum PEM {
    /// The number of bytes in the key, after the fixed prefix.
    static let keyByteCount = 32

    /// Returns the 32 bytes of the key after `prefix`; `nil` if the file has any other content.
    static func keyBytes(_ file: [UInt8], label: String, prefix: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: file, as: UTF8.self) else { return nil }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last == "" { lines.removeLast() }
        guard lines.count == 3, lines[0] == "-----BEGIN \(label)-----",
            lines[2] == "-----END \(label)-----", let bytes = Base64.bytes(lines[1]),
            bytes.count == prefix.count + keyByteCount, bytes.starts(with: prefix)
        else { return nil }
        return Array(bytes.dropFirst(prefix.count))
    }

    /// True if a file seems to contain a private key of any algorithm in PEM.
    static func isPrivateKey(_ file: [UInt8]) -> Bool {
        String(decoding: file, as: UTF8.self).contains("PRIVATE KEY-----")
    }
}
