import Daybook
import DaybookCryptography

/// Digests of personal data under a log's secret: HMAC-SHA256 codes.
struct LogDigests: Sendable {
    /// Computes the codes under the secret.
    private let authenticator: HMACSHA256.Keyed

    init(secret: [UInt8]) { authenticator = HMACSHA256.Keyed(secret) }

    /// Returns the row key of a person in `peopleByDigest`: 16 bytes of a digest of the name.
    func person(_ name: String) -> [UInt8] {
        Array(digest("person", Array(name.utf8)).prefix(16))
    }

    /// Returns the digest of an idempotency key as commits store it, 32 bytes.
    ///
    /// The first 16 bytes are the row key in `keysByDigest`.
    func key(_ key: String) -> [UInt8] { digest("key", Array(key.utf8)) }

    /// Returns the digest of the request that an idempotency key identifies, 32 bytes.
    ///
    /// After the salts are erased, nobody can use the digest to check a guess of a text.
    ///
    /// - Parameter salts: the salts of the personal texts of the request's commit, in order.
    func request(_ idempotency: CommandKey, _ salts: [UInt8]) -> [UInt8] {
        authenticator.code(of: idempotency.asked, salts)
    }

    /// Returns HMAC-SHA256 of a word, a zero byte and bytes; 32 bytes.
    ///
    /// - Parameter word: a constant that separates the digests of different uses.
    func digest(_ word: String, _ bytes: [UInt8]) -> [UInt8] {
        var asked: [UInt8] = []
        asked.reserveCapacity(word.utf8.count + 1 + bytes.count)
        asked.append(contentsOf: word.utf8)
        asked.append(0)
        asked.append(contentsOf: bytes)
        return authenticator.code(of: asked)
    }
}
