import Daybook
import DaybookLMDB

/// The blocks of encryption keys of the table `vault` that a salvage found in a damaged file.
struct SweptVault {
    /// The copies that were found of each block, by block number; several only if pages were
    /// duplicated.
    private var blocks: [UInt64: [[UInt8]]] = [:]
    /// Blocks whose numbers are unknown, because no intact row refers to their pages.
    private var unnumberedBlocks: [[UInt8]] = []

    /// Adds a block that is the value of a row of the file, so that its number is known.
    mutating func add(_ block: [UInt8], _ number: UInt64) {
        blocks[number, default: []].append(block)
    }

    /// Adds a block whose number is unknown.
    mutating func add(_ block: [UInt8]) { unnumberedBlocks.append(block) }

    /// Assigns numbers to the unnumbered blocks; the checksum of a slot covers its number.
    mutating func numberBlocks(_ table: LogTable) {
        let count = UInt64(blocks.count + unnumberedBlocks.count)
        for block in unnumberedBlocks {
            let number = (0..<count).first { number in
                (0..<Vault.slotsPerBlock).contains { index in
                    let slot = UInt32(truncatingIfNeeded: number) * Vault.slotsPerBlock + index + 1
                    let bytes = Array(block[Vault.range(of: slot)])
                    if case .key = Vault.slot(slot, in: bytes, table) { return true }
                    return false
                }
            }
            guard let number, blocks[number]?.contains(block) != true else { continue }
            blocks[number, default: []].append(block)
        }
        unnumberedBlocks = []
    }

    /// Returns the 40 bytes of a slot, the key and its checksum; `nil` if the slot was not found or
    /// is overwritten in any copy.
    func key(inSlot slot: UInt32, _ table: LogTable) -> [UInt8]? {
        guard slot > 0, let copies = blocks[Vault.block(of: slot)] else { return nil }
        var found: [UInt8]?
        for copy in copies {
            let bytes = Array(copy[Vault.range(of: slot)])
            switch Vault.slot(slot, in: bytes, table) {
            case .key: found = bytes
            case .erased: return nil
            case .damaged: continue
            }
        }
        return found
    }
}
