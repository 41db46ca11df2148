import Daybook
import DaybookCryptography

/// SHA-256 over bytes that come piece by piece.
public struct ContentDigest: Sendable {
    private var hasher = SHA256()

    public init() {}

    public mutating func add(_ bytes: [UInt8]) {
        hasher.update(bytes)
    }

    /// 64 hexadecimal digits.
    public var text: String { Hexadecimal.text(hasher.finalize()) }
}
