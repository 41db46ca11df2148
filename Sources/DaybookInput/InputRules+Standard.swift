public import Daybook
import DaybookCryptography

extension InputRules {
    /// The default rules: a digest is the first 8 bytes of a text's SHA-256, and texts are
    /// normalised to Unicode form C.
    public static let standard = InputRules(
        digest: { text in
            SHA256.hash(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        },
        normalise: \.nfc)
}
