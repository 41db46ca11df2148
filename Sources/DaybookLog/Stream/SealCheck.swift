import Daybook
import DaybookCryptography
import DaybookLMDB

/// A check of people and texts against the seals that the chain covers.
///
/// The row of a person has the seal that the first commit with this person has; a text has one in
/// its event. Who has the keys can prove the rest: the name and the text under the seal.
struct SealCheck {
    /// The result of a check.
    enum Standing: Hashable {
        /// Keys and seals prove it.
        case right
        /// The keys or the events that would prove it are not here.
        case unproven
        /// Keys and seals contradict it; the text is the reason, with the position.
        case wrong(String)
    }

    /// The keys that came with the segments; `nil` to use those of the replica, if it has any.
    let keys: ReplicaKeys?
    let catalogue: Catalogue
    private let log: EventLog
    /// Decrypters by key slot.
    private var openers: [UInt32: AESGCMKey.Opener] = [:]

    init(of log: EventLog, _ keys: ReplicaKeys?, _ catalogue: Catalogue) {
        self.log = log
        self.keys = keys
        self.catalogue = catalogue
    }

    /// Checks the row of a person.
    ///
    /// - Parameter isOfKeys: true if the row is as of the position of the keys, so that the key of a
    ///   person with a name cannot be erased.
    func standing(
        of number: UInt32, _ row: PersonRow, _ rows: SegmentRows, isOfKeys: Bool = false,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Standing {
        let first = row.firstPosition
        guard first > 0 else {
            return row.state == .known
                ? .wrong("person \(number) has a name, but no first position") : .unproven
        }
        let isOfSlots = keys.map { row.slot > 0 && max(row.slot, row.nextSlot) <= $0.slotCount }
        if row.state == .known, isOfSlots == false {
            return .wrong(
                "position \(first): person \(number), who is named first there, has a key slot "
                    + "that the keys do not have")
        }
        guard let commit = try rows.commit(at: first, in: transaction) else { return .unproven }
        let named = CommitRecord.NewPerson(number: number, seal: row.seal)
        guard commit.newPeople.contains(named) else {
            return .wrong(
                "position \(first): the row of person \(number) does not match its seal in the "
                    + "commit there")
        }
        guard row.state == .known else { return .right }
        guard let key = try key(inSlot: row.slot, in: transaction) else {
            guard isOfKeys else { return .unproven }
            return .wrong(
                "position \(first): the key of person \(number), who is named first there, is "
                    + "erased, but no such erasure is recorded")
        }
        guard row.decryptName(number, under: key) != nil else {
            return .wrong(
                "position \(first): the name of person \(number), who is named first there, cannot "
                    + "be decrypted or does not match its seal")
        }
        return .right
    }

    /// Checks a text that is not marked as erased or lost.
    ///
    /// - Parameter seal: the seal in the event; `nil` if the catalogue does not know the kind.
    mutating func standing(
        ofTextAt key: [UInt8], _ row: TextRow, _ seal: [UInt8]?, _ rows: SegmentRows,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Standing {
        guard let person = try rows.person(row.personNumber, in: transaction) else {
            return .wrong("\(Self.place(key)) belongs to a person who is not there")
        }
        guard !person.isGone else { return .unproven }
        let opener: AESGCMKey.Opener
        if let known = openers[person.slot] {
            opener = known
        } else {
            guard let key = try self.key(inSlot: person.slot, in: transaction) else {
                return .unproven
            }
            opener = key.opener()
            if openers.count >= 4_096 { openers = [:] }
            openers[person.slot] = opener
        }
        guard let salted = row.open(at: key, with: opener),
            seal == nil || SHA256.hash(salted) == seal
        else {
            return .wrong(
                "\(Self.place(key)) cannot be decrypted or does not match its seal in the event")
        }
        return .right
    }

    /// Returns the key in a slot; `nil` if it is erased or not here.
    private func key(
        inSlot slot: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> PersonKey? {
        if let keys {
            guard case .key(let key) = keys.slot(slot, log.file.tables.vault) else { return nil }
            return key
        }
        guard log.file.holdsKeys else { return nil }
        // Keys of new people come after the segment.
        let vault = log.file.tables.vault
        return try transaction.presentSlot(slot, in: vault)?.key(of: vault)
    }

    /// Returns the place of a text for a message, from its row key.
    static func place(_ key: [UInt8]) -> String {
        let ordinal = key.rawSpan.integer(at: 8, as: UInt32.self).byteSwapped
        let position = PersonalRow.position(of: key.rawSpan) ?? 0
        return "position \(position): "
            + (ordinal == SealedNumbers.ordinal
                ? "the encrypted numbers of the event" : "personal text \(ordinal) of the event")
    }
}

// Batches of segments.
extension SealCheck {
    /// Throws an error unless a batch fits the seals in its commits and events, and has all people
    /// and texts that these need.
    mutating func check(_ batch: ReplicaBatch, of reader: SegmentReader) throws(LogError) {
        let log = log
        let transaction = try log.file.beginReading()
        let rows = try SegmentRows.rows(of: batch, reader, over: log)
        let isOfKeys = reader.header.shipment == keys?.head.position.rawValue
        for body in batch.people {
            let number: UInt32 = reader.content(body).integer(at: 0)
            guard let row = rows.people[number] else { continue }
            try Self.throwing(
                try standing(of: number, row, rows, isOfKeys: isOfKeys, in: transaction),
                body, reader)
        }
        for commit in batch.commits {
            for person in commit.record.newPeople {
                let row = try rows.person(person.number, in: transaction)
                guard row?.seal == person.seal || (row?.state == .lost && row?.firstPosition == 0)
                else {
                    throw Self.fault(
                        "position \(commit.first): the row of person \(person.number), whom the "
                            + "commit names first, is missing or does not match the seal there",
                        commit.body, reader)
                }
            }
        }
        try checkTexts(of: batch, reader, rows, transaction)
    }

    /// Checks the texts of the batch's events, and those of earlier events that it has.
    private mutating func checkTexts(
        of batch: ReplicaBatch, _ reader: SegmentReader, _ rows: SegmentRows,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        var names = try log.file.names(in: transaction)
        for name in batch.names { _ = names.add(name) }
        var seals = StoredSeals(catalogue, names)
        var given: [[UInt8]: Range<Int>] = [:]
        for body in batch.texts { given[reader.copy(body.prefix(12))] = body }
        for commit in batch.commits {
            for (index, body) in commit.events.enumerated() {
                let position = commit.first + UInt64(index)
                let found: StoredSeals.Seals
                do throws(CorruptRecord) {
                    found = try seals.read(reader.content(body))
                } catch {
                    throw Self.fault("position \(position): \(error)", body, reader)
                }
                for ordinal in found.ordinals {
                    let key = PersonalRow.key(position, ordinal)
                    guard let text = given.removeValue(forKey: key) else {
                        throw Self.fault("\(Self.place(key)) is missing", body, reader)
                    }
                    try check(text, found.seal(ordinal), reader, rows, transaction)
                }
                guard found.texts == nil, !given.isEmpty else { continue }
                // The event is of a kind that this program does not know.
                var ordinal: UInt32 = 0
                while let text = given.removeValue(forKey: PersonalRow.key(position, ordinal)) {
                    try check(text, nil, reader, rows, transaction)
                    ordinal += 1
                }
            }
        }
        for (key, body) in given.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
            guard let found = try self.seals(ofTextAt: key, &seals, rows, transaction) else {
                throw Self.fault("\(Self.place(key)) belongs to no event", body, reader)
            }
            let seal = found.seal(key.rawSpan.integer(at: 8, as: UInt32.self).byteSwapped)
            guard seal != nil || found.texts == nil else {
                throw Self.fault("\(Self.place(key)) has no seal in its event", body, reader)
            }
            try check(body, seal, reader, rows, transaction)
        }
    }

    /// Returns the seals of the event to which a text belongs; `nil` without such an event.
    private func seals(
        ofTextAt key: [UInt8], _ seals: inout StoredSeals, _ rows: SegmentRows,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> StoredSeals.Seals? {
        let position = PersonalRow.position(of: key.rawSpan) ?? 0
        guard let event = try rows.event(at: position, in: transaction) else { return nil }
        return try seals.read(event.rawSpan, at: position)
    }

    /// Checks the body of a text's record.
    private mutating func check(
        _ body: Range<Int>, _ seal: [UInt8]?, _ reader: SegmentReader, _ rows: SegmentRows,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let (key, row) = try reader.text(SegmentReader.Record(kind: .text, body: body))
        guard !row.isGone else { return }
        let found = try standing(ofTextAt: key, row, seal, rows, in: transaction)
        try Self.throwing(found, body, reader)
    }

    /// Throws the reason of a wrong row.
    static func throwing(
        _ standing: Standing, _ body: Range<Int>, _ reader: SegmentReader
    ) throws(LogError) {
        guard case .wrong(let reason) = standing else { return }
        throw fault(reason, body, reader)
    }

    /// Returns the error for the record with a body.
    static func fault(_ reason: String, _ body: Range<Int>, _ reader: SegmentReader) -> LogError {
        .stream(.segment(name: reader.name, offset: body.lowerBound - 5, reason: reason))
    }
}
