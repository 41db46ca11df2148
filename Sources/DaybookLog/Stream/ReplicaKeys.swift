import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

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
    /// The slots whose keys were lost before the log was salvaged.
    var lostSlots: [UInt32]
    /// The rows of the table `vault`, in order; erased slots are zero.
    var blocks: [[UInt8]]

    private static let magic = Array("daybook-keys-v1\n".utf8)
    private static let fixedByteCount = magic.count + 16 + 8 + Head.chainByteCount + 32 + 4 + 4

    /// The bytes of the file, which end with their SHA-256.
    var bytes: [UInt8] {
        var bytes = Self.magic + logID
        bytes.append(littleEndian: head.position.rawValue)
        bytes += head.chain + secret
        bytes.append(littleEndian: slotCount)
        bytes.append(littleEndian: UInt32(lostSlots.count))
        for slot in lostSlots { bytes.append(littleEndian: slot) }
        for block in blocks { bytes += block }
        return bytes + SHA256.hash(bytes)
    }

    /// Reads the keys of a log.
    init(
        of log: EventLog, _ head: Head, in transaction: borrowing ReadTransaction
    ) throws(LogError) {
        logID = log.file.identifier
        self.head = head
        secret = log.file.secret
        slotCount = try log.file.tables.allocatedSlotCount(in: transaction)
        lostSlots = try log.file.tables.slots(listedIn: Meta.lostSlots, in: transaction)
        var blocks: [[UInt8]] = []
        let broken = transaction.scan(log.file.tables.vault.table) { (_: UInt64, bytes) in
            blocks.append(bytes.copied())
            return true
        }
        if let broken { throw .storage(broken) }
        // An erasure that is recorded may not have overwritten its keys yet.
        for slot in try log.file.tables.slots(listedIn: Meta.erasing, in: transaction) {
            let block = Int(Vault.block(of: slot))
            guard block < blocks.count else { continue }
            let zeros = [UInt8](repeating: 0, count: Vault.slotByteCount)
            blocks[block].replaceSubrange(Vault.range(of: slot), with: zeros)
        }
        self.blocks = blocks
    }

    /// Returns the content of a key slot.
    func slot(_ slot: UInt32, _ table: LogTable) -> Vault.Slot {
        Vault.slot(slot, ofBlocks: blocks, table)
    }

    /// Throws an error if a path is that of a file other than one of keys, which is not replaced.
    static func checkIsReplaceable(_ path: String) throws(LogError) {
        if let role = LogFiles.role(of: path), role != .keys {
            throw .file(.belongsToLog(path: path, role: role.rawValue))
        }
        if unsafe access(path, F_OK) != 0, errno == ENOENT { return }
        guard try WholeFile.read(path).starts(with: magic) else {
            throw .file(.exists(path: path))
        }
    }

    /// Reads a file of keys.
    init(decoding bytes: [UInt8], path: String) throws(LogError) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.fixedByteCount + 32 else {
            throw .stream(
                .keys(path: path, reason: "the file is not one of keys, which --texts writes"))
        }
        let content = bytes.count - 32
        guard SHA256.hash(Array(bytes[..<content])) == Array(bytes[content...]) else {
            throw .stream(
                .keys(path: path, reason: "the file does not match its digest: it was changed"))
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
        let lostCount = take(4).rawSpan.integer(at: 0, as: UInt32.self)
        lostSlots = []
        while lostSlots.count < Int(lostCount), at + 4 <= content {
            lostSlots.append(take(4).rawSpan.integer(at: 0))
        }
        blocks = []
        while at + Vault.blockByteCount <= content { blocks.append(take(Vault.blockByteCount)) }
        guard at == content, UInt64(blocks.count) == Vault.blockCount(ofSlots: slotCount) else {
            throw .stream(
                .keys(
                    path: path,
                    reason:
                        "the file has \(content - Self.fixedByteCount) bytes of keys, which do not "
                        + "fit \(slotCount.counted("slot"))"))
        }
        let vault = Tables().vault
        for slot in 1..<UInt32(clamping: blocks.count) * Vault.slotsPerBlock + 1 {
            guard case .damaged = self.slot(slot, vault) else { continue }
            throw .stream(
                .keys(
                    path: path,
                    reason: "the key in slot \(slot) does not match its checksum: it was changed"))
        }
    }
}
