import Daybook
import DaybookCryptography

/// The size and root of the tree over a log's commits, as a checkpoint that can be signed.
///
/// The text form has a line each with `daybook/` and the log's id, the number of commits and the
/// root in base64. Signatures follow after an empty line, each on a line of its own. The signature
/// of a log's head key is Ed25519 over the three lines, under the name in the first line. Other
/// signatures, such as those of witnesses, are kept.
///
/// Source of the form: C2SP signed-note and tlog-checkpoint.
public struct TreeNote: Hashable, Sendable, CustomStringConvertible {
    /// The log's id, as 32 hexadecimal digits.
    public let log: String
    /// The number of commits in the tree.
    public let size: UInt64
    /// The root of the tree, 32 bytes.
    public let root: [UInt8]
    /// The signatures, in the order of their lines.
    private(set) var signatures: [Signature] = []

    /// A signature line.
    struct Signature: Hashable, Sendable {
        /// The name of the key.
        var name: String
        /// The key's id, 4 bytes, then the signature.
        var bytes: [UInt8]

        static let mark = "\u{2014}"
        /// The largest number of signatures of a note.
        static let limit = 16
    }

    /// The text before the log's id in the first line, and in the name of the log's key.
    static let originPrefix = "daybook/"
    /// The byte that names the algorithm Ed25519 in the id of a key.
    private static let algorithm: UInt8 = 1

    init(log identifier: [UInt8], size: UInt64, root: [UInt8]) {
        self.init(log: Hexadecimal.text(identifier), size: size, root: root, signatures: [])
    }

    init(log: String, size: UInt64, root: [UInt8], signatures: [Signature]) {
        self.log = log
        self.size = size
        self.root = root
        self.signatures = signatures
    }

    /// Returns the note with the signature of a head key.
    public func signed(by key: HeadSigningKey) throws(HeadKeyError) -> TreeNote {
        guard let publicKey = key.publicKey else { throw .notPrivateKey }
        var note = self
        let bytes = keyID(publicKey) + (try key.signature(of: text))
        note.signatures.append(Signature(name: origin, bytes: bytes))
        return note
    }

    /// True if the note has a signature that was made with the private key of `key`.
    public func isSigned(by key: HeadVerifyingKey) -> Bool {
        let id = keyID(key.bytes)
        return signatures.contains { signature in
            signature.name == origin && signature.bytes.starts(with: id)
                && key.isValid(Array(signature.bytes.dropFirst(id.count)), of: text)
        }
    }

    /// True if the note has a signature by any key.
    public var isSigned: Bool { !signatures.isEmpty }

    /// The first line, and the name under which the log's key signs.
    var origin: String { Self.originPrefix + log }

    /// The lines that signatures cover.
    var text: String { "\(origin)\n\(size)\n\(Base64.text(root))\n" }

    public var description: String {
        guard isSigned else { return text }
        let lines = signatures.map { "\(Signature.mark) \($0.name) \(Base64.text($0.bytes))\n" }
        return text + "\n" + lines.joined()
    }

    /// Returns the id of a public key of the log, which begins its signatures.
    private func keyID(_ publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(Array("\(origin)\n".utf8) + [Self.algorithm] + publicKey).prefix(4))
    }
}
