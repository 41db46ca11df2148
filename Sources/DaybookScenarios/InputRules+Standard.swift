public import Daybook
import DaybookCryptography

extension InputRules {
    /// The standard rules: SHA-256 for digests, and Unicode normalisation form C for texts.
    public static let standard = InputRules(
        digest: { text in
            SHA256.hash(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        },
        normalise: \.nfc)
}
