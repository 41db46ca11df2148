import DaybookCryptography

/// Why a file is not the key that it should be. No case holds a byte of the file.
public enum HeadKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case notPrivateKey
    case notPublicKey
    /// A private key, where a public one is needed.
    case privateInsteadOfPublic

    public var description: String {
        switch self {
        case .notPrivateKey:
            "is no unencrypted Ed25519 private key in PEM (PKCS#8), as "
                + "'openssl genpkey -algorithm ed25519' writes it"
        case .notPublicKey:
            "is no Ed25519 public key in PEM (SPKI), as 'openssl pkey -pubout' writes it"
        case .privateInsteadOfPublic:
            "is a private key; 'openssl pkey -pubout' gives the public one of it"
        }
    }
}

/// The private key that signs heads.
public struct HeadSigningKey: Sendable {
    fileprivate let key: Ed25519.PrivateKey

    /// PKCS#8 of an Ed25519 key up to its 32 bytes. Source: RFC 8410 section 7.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ]

    /// - Parameter pem: the file, in the form that `openssl genpkey -algorithm ed25519` writes.
    public init(pem: [UInt8]) throws(HeadKeyError) {
        guard
            let bytes = PEM.content(pem, label: "PRIVATE KEY", prefix: Self.prefix),
            let key = Ed25519.PrivateKey(bytes)
        else { throw .notPrivateKey }
        self.key = key
    }

    func signature(of text: String) throws(HeadKeyError) -> [UInt8] {
        guard let signature = key.signature(of: Array(text.utf8)) else { throw .notPrivateKey }
        return signature
    }
}

/// The public key that signed heads are checked with.
public struct HeadVerifyingKey: Sendable {
    fileprivate let key: Ed25519.PublicKey

    /// SPKI of an Ed25519 key up to its 32 bytes. Source: RFC 8410 section 4.
    private static let prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// - Parameter pem: the file, in the form that `openssl pkey -pubout` writes.
    public init(pem: [UInt8]) throws(HeadKeyError) {
        guard let bytes = PEM.content(pem, label: "PUBLIC KEY", prefix: Self.prefix) else {
            throw PEM.isPrivateKey(pem) ? .privateInsteadOfPublic : .notPublicKey
        }
        guard let key = Ed25519.PublicKey(bytes) else { throw .notPublicKey }
        self.key = key
    }

    func isValid(_ signature: [UInt8], of text: String) -> Bool {
        key.isValid(signature, of: Array(text.utf8))
    }
}

/// PEM files of one structure that has a fixed length and a fixed beginning.
///
/// Source: RFC 7468 section 3, the strict form.
private enum PEM {
    static let keyByteCount = 32

    /// The 32 bytes behind `prefix`; `nil` unless the file is these and nothing else.
    static func content(_ file: [UInt8], label: String, prefix: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: file, as: UTF8.self) else { return nil }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last == "" { lines.removeLast() }
        guard lines.count == 3, lines[0] == "-----BEGIN \(label)-----",
            lines[2] == "-----END \(label)-----", let bytes = Base64.bytes(lines[1]),
            bytes.count == prefix.count + keyByteCount, bytes.starts(with: prefix)
        else { return nil }
        return Array(bytes.dropFirst(prefix.count))
    }

    static func isPrivateKey(_ file: [UInt8]) -> Bool {
        String(decoding: file, as: UTF8.self).contains("PRIVATE KEY-----")
    }
}
