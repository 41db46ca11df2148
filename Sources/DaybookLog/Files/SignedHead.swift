public import Daybook

/// A head of a log, with the time of signing and an Ed25519 signature of both.
///
/// The text form is one line, `daybook-head-v1 LOG POSITION:CHAIN TIME SIGNATURE`: the log's id in
/// 32 hexadecimal digits, the head, the time in RFC 3339 as `Timestamp.text` writes it, the
/// signature in base64. The signature covers the bytes of the line before the space in front of it.
public struct SignedHead: Hashable, Sendable, CustomStringConvertible {
    /// The log's id, as 32 hexadecimal digits.
    public let log: String
    /// The signed head.
    public let head: Head
    /// The time of signing, by the signer's clock.
    public let signedAt: Instant
    /// The Ed25519 signature, 64 bytes.
    let signature: [UInt8]

    /// The first word of the signed text: the name and version of the text form.
    static let formatName = "daybook-head-v1"

    /// Signs the head of a log.
    public init(
        _ head: Head, of log: String, at signedAt: Instant, with key: HeadSigningKey
    ) throws(HeadKeyError) {
        self.log = log
        self.head = head
        self.signedAt = signedAt
        signature = try key.signature(of: Self.signedText(log, head, signedAt))
    }

    /// Parses a signed head; `nil` unless `line` has exactly the form of `description`.
    ///
    /// Does not check the signature; see `isSigned(by:)`.
    public init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == Self.formatName,
            Hexadecimal.bytes(words[1])?.count == 16, let head = Head(words[2]),
            let time = Timestamp.parse(String(words[3])), Timestamp.text(time.instant) == words[3],
            let signature = Base64.bytes(words[4]), signature.count == 64
        else { return nil }
        log = String(words[1])
        self.head = head
        signedAt = time.instant
        self.signature = signature
    }

    /// True if the signature of head, log id and time was made with the private key of `key`.
    public func isSigned(by key: HeadVerifyingKey) -> Bool {
        key.isValid(signature, of: Self.signedText(log, head, signedAt))
    }

    public var description: String {
        Self.signedText(log, head, signedAt) + " " + Base64.text(signature)
    }

    /// Returns the text that the signature covers.
    private static func signedText(_ log: String, _ head: Head, _ time: Instant) -> String {
        "\(formatName) \(log) \(head) \(Timestamp.text(time))"
    }
}
