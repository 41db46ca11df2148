public import Daybook

/// A head of one log, signed with Ed25519 at some time.
///
/// As text one line, `daybook-head-v1 LOG POSITION:CHAIN TIME SIGNATURE`: the log's id in 32
/// hexadecimal digits, the time in RFC 3339 as `Timestamp.text` writes it, the signature in base64.
/// Signed are the bytes of the line before the space that precedes the signature.
public struct SignedHead: Hashable, Sendable, CustomStringConvertible {
    /// The log's id.
    public let log: String
    public let head: Head
    /// The signer's clock.
    public let signedAt: Instant
    let signature: [UInt8]

    /// Keeps a signature of anything else from passing for one of a head, and other versions apart.
    static let context = "daybook-head-v1"

    /// Signs the head of a log.
    public init(
        _ head: Head, of log: String, at signedAt: Instant, with key: HeadSigningKey
    ) throws(HeadKeyError) {
        self.log = log
        self.head = head
        self.signedAt = signedAt
        signature = try key.signature(of: Self.signedText(log, head, signedAt))
    }

    /// `nil` unless `line` is a signed head in the one form that `description` gives. The signature
    /// may be of anybody.
    public init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == Self.context,
            Hexadecimal.bytes(words[1])?.count == 16, let head = Head(words[2]),
            let time = Timestamp.parse(String(words[3])), Timestamp.text(time.instant) == words[3],
            let signature = Base64.bytes(words[4]), signature.count == 64
        else { return nil }
        log = String(words[1])
        self.head = head
        signedAt = time.instant
        self.signature = signature
    }

    /// `true` where the holder of the private key signed exactly this head, log and time.
    public func isSigned(by key: HeadVerifyingKey) -> Bool {
        key.isValid(signature, of: Self.signedText(log, head, signedAt))
    }

    public var description: String {
        Self.signedText(log, head, signedAt) + " " + Base64.text(signature)
    }

    private static func signedText(_ log: String, _ head: Head, _ time: Instant) -> String {
        "\(context) \(log) \(head) \(Timestamp.text(time))"
    }
}
