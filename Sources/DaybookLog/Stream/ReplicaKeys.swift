import Daybook
import DaybookCryptography
import DaybookLMDB

/// The file that makes a replica readable: the log's secret and the encryption keys of its people.
///
/// `docs/format.md` has its bytes. It is never a part of the segments, and only its owner may read
/// it. Whoever keeps an old copy of it can read texts that were erased since.
struct ReplicaKeys: Hashable {
    /// The log's id, 16 bytes.
    var logID: [UInt8]
    /// The head of the log when the keys were written.
    var head: Head
    /// The log's secret, 32 bytes.
    var secret: [UInt8]
    /// The number of allocated key slots.
    var slotCount: UInt32
    /// The rows of the table `vault`, in order; erased slots are zero.
    var blocks: [[UInt8]]

    private static let magic = Array("daybook-keys-v1\n".utf8)
    private static let fixedByteCount = magic.count + 16 + 8 + Head.chainByteCount + 32 + 4

    /// The bytes of the file, which end with their SHA-256.
    var bytes: [UInt8] {
        var bytes = Self.magic + logID
        bytes.append(littleEndian: head.position.rawValue)
        bytes += head.chain + secret
        bytes.append(littleEndian: slotCount)
        for block in blocks { bytes += block }
        return bytes + SHA256.hash(bytes)
    }

    init(logID: [UInt8], head: Head, secret: [UInt8], slotCount: UInt32, blocks: [[UInt8]]) {
        self.logID = logID
        self.head = head
        self.secret = secret
        self.slotCount = slotCount
        self.blocks = blocks
    }

    /// Reads a key file.
    init(decoding bytes: [UInt8], path: String) throws(StreamError) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.fixedByteCount + 32 else {
            throw .keys(path: path, reason: "the file is no key file that 'ship --texts' wrote")
        }
        let content = bytes.count - 32
        guard SHA256.hash(Array(bytes[..<content])) == Array(bytes[content...]) else {
            throw .keys(path: path, reason: "the file does not match its digest: it was changed")
        }
        var at = Self.magic.count
        func take(_ count: Int) -> [UInt8] {
            defer { at += count }
            return Array(bytes[at..<at + count])
        }
        logID = take(16)
        let position = take(8).rawSpan.integer(at: 0, as: UInt64.self)
        head = Head(unchecked: Position(position), take(Head.chainByteCount))
        secret = take(32)
        slotCount = take(4).rawSpan.integer(at: 0)
        blocks = []
        while at + Vault.blockByteCount <= content { blocks.append(take(Vault.blockByteCount)) }
        guard at == content, UInt64(blocks.count) == Vault.blockCount(ofSlots: slotCount) else {
            throw .keys(
                path: path,
                reason: "the file has \(content - Self.fixedByteCount) bytes of keys, which do not "
                    + "fit \(slotCount.counted("slot"))")
        }
    }
}
