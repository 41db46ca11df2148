import Daybook
import DaybookCryptography
import DaybookLMDB

/// The keys that a pull adopts, with the checks of what they open.
struct KeyAdoption {
    let log: EventLog

    /// Throws an error unless keys open the name of each person whom an event names, and no two
    /// people have one slot.
    func check(_ keys: ReplicaKeys, _ keyPath: String) throws(LogError) {
        let check = SealCheck(of: log, keys, .empty)
        var wrong: String?
        let transaction = try log.file.beginReading()
        let rows = SegmentRows(of: log)
        let erasures = try LogErasures(log: log).records()
        let erased = Set(erasures.flatMap(\.personNumbers))
        var slots = Set(erasures.flatMap(\.slotNumbers))
        try transaction.scanRows(log.file.tables.people) {
            (number: UInt64, value) throws(LogError) in
            let row = try PersonRow(value, at: number)
            let number = UInt32(clamping: number)
            guard !row.isGone, !erased.contains(number) else { return true }
            for slot in [row.slot, row.nextSlot] where slot > 0 {
                guard !slots.insert(slot).inserted else { continue }
                wrong =
                    "position \(row.firstPosition): person \(number), who is named first "
                    + "there, has the key slot \(slot) of another person, or one that is erased"
            }
            guard row.state == .known else { return wrong == nil }
            let standing = try check.standing(
                of: number, row, rows, isOfKeys: true, in: transaction)
            if case .wrong(let reason) = standing { wrong = reason }
            return wrong == nil
        }
        guard let wrong else { return }
        throw .stream(
            .keys(
                path: keyPath,
                reason: wrong + "; if the log was salvaged meanwhile, pull a new replica"))
    }

    /// Throws an error unless the replica has all texts, and keys open them.
    func checkTexts(with keys: ReplicaKeys, _ catalogue: Catalogue) throws(LogError) {
        var check = SealCheck(of: log, keys, catalogue)
        var wrong: String?
        let transaction = try log.file.beginReading()
        let rows = SegmentRows(of: log)
        let erasures = try LogErasures(log: log).recorded()
        var seals = StoredSeals(catalogue, try log.file.names(in: transaction))
        try transaction.scanRows(log.file.tables.events) {
            (position: UInt64, event) throws(LogError) in
            let found = try seals.read(event, at: position)
            let tags = try TaggedHeader(event, at: position).tags
            for ordinal in found.ordinals where wrong == nil {
                let key = PersonalRow.key(position, ordinal)
                guard let value = try transaction.row(key.rawSpan, in: log.file.tables.texts)
                else {
                    wrong = "\(SealCheck.place(key)) is missing"
                    continue
                }
                let row = try TextRow(value, at: key.rawSpan)
                guard !row.isGone else {
                    if row.isLost || erasures.cover(position, tags) { continue }
                    wrong =
                        "\(SealCheck.place(key)) is marked as erased, but no such erasure is "
                        + "recorded"
                    continue
                }
                let standing = try check.standing(
                    ofTextAt: key, row, found.seal(ordinal), rows, in: transaction)
                if case .wrong(let reason) = standing { wrong = reason }
            }
            return wrong == nil
        }
        guard let wrong else { return }
        throw .stream(
            .keys(
                path: log.path, reason: wrong + "; pull a new replica from the segments of the log")
        )
    }

    /// Writes the secret and the keys that the replica lacks, and replaces those that differ, but
    /// never the zeros of an erased key.
    func adopt(_ keys: ReplicaKeys) throws(LogError) {
        let erasedSlots = try LogErasures(log: log).records().flatMap(\.slotNumbers)
        var blocks = keys.blocks
        let zeros = [UInt8](repeating: 0, count: Vault.slotByteCount)
        for slot in erasedSlots where slot > 0 && Int(Vault.block(of: slot)) < blocks.count {
            blocks[Int(Vault.block(of: slot))].replaceSubrange(
                Vault.range(of: slot), with: zeros)
        }
        try log.file.writing { (transaction) throws(LogError) in
            var isOverwritten = false
            guard var state = try Meta.replica(in: transaction, log.file.tables.meta) else {
                throw .notALog(path: log.path)
            }
            state.hasKeys = true
            let values = [
                (Meta.secret, keys.secret),
                (Meta.identifierSeal, Meta.seal(of: log.file.identifier, under: keys.secret)),
                (Meta.slots, keys.slotCount > 0 ? keys.slotCount.bytes : []),
                (Meta.lostSlots, keys.lostSlots.flatMap(\.bytes)), (Meta.replica, state.bytes),
            ]
            for (key, value) in values where !value.isEmpty {
                try transaction.put(value, for: key.rawSpan, in: log.file.tables.meta)
            }
            for (number, block) in blocks.enumerated() {
                let number = UInt64(number)
                let own = try transaction.stored(number, in: log.file.tables.vault)?.copied()
                guard let own else {
                    let key = number.bytes
                    try transaction.putWithoutChecksum(
                        block, for: key.rawSpan, in: log.file.tables.vault)
                    continue
                }
                guard own != block else { continue }
                for slot in 1...Vault.slotsPerBlock {
                    let range = Vault.range(of: slot)
                    guard own[range] != block[range], block[range].contains(where: { $0 != 0 })
                    else { continue }
                    // In place, so that each key is in the file once.
                    try transaction.overwrite(
                        range, ofRow: number, with: Array(block[range]), in: log.file.tables.vault)
                    isOverwritten = true
                }
            }
            if isOverwritten { try transaction.sync() }
        }
    }

    /// Lists the slots of recorded erasures whose keys are still there, so that they are
    /// overwritten.
    func listErasedSlots() throws(LogError) {
        let slots = Set(try LogErasures(log: log).records().flatMap(\.slotNumbers))
        guard !slots.isEmpty else { return }
        try log.file.writing { (transaction) throws(LogError) in
            var left: [UInt32] = []
            for slot in slots.sorted() {
                if case .erased = try transaction.slot(slot, in: log.file.tables.vault) { continue }
                left.append(slot)
            }
            guard !left.isEmpty else { return }
            let key = Meta.erasing
            try transaction.put(left.flatMap(\.bytes), for: key.rawSpan, in: log.file.tables.meta)
        }
    }

    /// Overwrites the keys that erasures have overwritten, leaves out those of slots that no commit
    /// has used yet, and makes people findable by name.
    func finishPull(_ keys: ReplicaKeys) throws(LogError) {
        try listErasedSlots()
        try LogErasures(log: log).finish()
        let erasedSlots = try LogErasures(log: log).records().flatMap(\.slotNumbers)
        try log.file.writing { (transaction) throws(LogError) in
            var digests: [(digest: [UInt8], number: UInt32)] = []
            var slotCount = max(erasedSlots.max() ?? 0, keys.lostSlots.max() ?? 0)
            try transaction.scanRows(log.file.tables.people) {
                (number: UInt64, value) throws(LogError) in
                let row = try PersonRow(value, at: number)
                slotCount = max(slotCount, row.slot, row.nextSlot)
                let number = UInt32(clamping: number)
                guard row.state == .known,
                    let key = try transaction.key(inSlot: row.slot, of: log.file.tables.vault)
                else { return true }
                guard let name = row.decryptName(number, under: key) else {
                    throw .corrupt(table: log.file.tables.people.name, key: UInt64(number), .cipher)
                }
                digests.append((log.file.digests.person(name), number))
                return true
            }
            try transaction.clear(log.file.tables.peopleByDigest)
            for (digest, number) in digests {
                try transaction.put(
                    number.bytes, for: digest.rawSpan, in: log.file.tables.peopleByDigest)
            }
            // The log may have reserved slots for people since its last commit.
            guard slotCount < keys.slotCount else { return }
            let key = Meta.slots
            if slotCount > 0 {
                try transaction.put(slotCount.bytes, for: key.rawSpan, in: log.file.tables.meta)
            } else {
                try transaction.remove(key.rawSpan, from: log.file.tables.meta)
            }
            for block in Vault.blockCount(ofSlots: slotCount)..<UInt64(keys.blocks.count) {
                let key = block.bytes
                try transaction.remove(key.rawSpan, from: log.file.tables.vault)
            }
        }
    }
}
