import Daybook
import DaybookCryptography
public import DaybookLMDB

/// A decoder that puts separately stored names and integers back into payloads of events.
///
/// Readers get a payload as it was appended, but with a placeholder for each erased value.
/// Decrypted names and keys are cached during one read. A class, so that closures that run for
/// every event hold one reference.
@usableFromInline
final class EventOpener {
    private let log: EventLog
    /// True to take a missing text for an erased one, where the caller reports what is missing.
    private let isLenient: Bool
    /// The memory of the restored event, which is reused for the next event.
    private var buffer: [UInt8] = []
    /// Cached names of people as fields of a payload in binary form, by person number.
    private var names: [UInt32: [UInt8]] = [:]
    /// Cached decryptions with the keys of people whose texts or integers were decrypted, by person
    /// number.
    private var openers: [UInt32: AESGCMKey.Opener] = [:]

    @usableFromInline
    init(_ log: EventLog, isLenient: Bool = false) {
        self.log = log
        self.isLenient = isLenient
    }

    /// Calls `body` with a stored event after putting names and integers back into the payload.
    ///
    /// - Parameter body: gets the position, the header and the event.
    @usableFromInline
    func withRestored(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan,
        in transaction: borrowing ReadTransaction,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) -> Bool {
        guard header.parts != 0 else { return try body(position, header, stored) }
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        defer { swap(&bytes, &buffer) }
        try restore(position, header, stored, in: transaction, into: &bytes)
        var header = header
        header.parts = 0
        return try body(position, header, bytes.rawSpan)
    }

    /// Returns a copy of a stored event, after putting names and integers back into the payload.
    func event(
        _ position: UInt64, _ stored: RawSpan, _ names: Names,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> RecordedEvent {
        let header = try EventHeader(stored, at: position)
        var event: RecordedEvent?
        _ = try withRestored(position, header, stored, in: transaction) {
            (position, header, bytes) throws(LogError) in
            event = try RecordedEvent(position, header, bytes, names)
            return true
        }
        guard let event else { preconditionFailure("internal error: the event was not opened") }
        return event
    }

    /// Writes a stored event to `bytes`, after putting names and integers back into the payload.
    private func restore(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan,
        in transaction: borrowing ReadTransaction, into bytes: inout [UInt8]
    ) throws(LogError) {
        let payload = header.payloadRange(in: stored)
        let row = header.hasNumbers ? try numbers(of: position, in: transaction) : nil
        var numbers = row.map {
            SealedNumbers.Reader(
                $0.bytes, from: PersonalRow.saltByteCount, ofEventAt: position)
        }
        var nextNumber: (offset: Int, integer: ArraySlice<UInt8>)?
        var nextName: NamePlace?
        var namesTaken = 0
        bytes.removeAll(keepingCapacity: true)
        var copied = 0
        while true {
            if nextName == nil, namesTaken < header.nameCount {
                nextName = NamePlace(namesTaken, header, stored)
                namesTaken += 1
            }
            if nextNumber == nil { nextNumber = try numbers?.next() }
            let first = min(nextName?.offset ?? .max, nextNumber?.offset ?? .max)
            guard first != .max else { break }
            let offset = payload.lowerBound + first
            guard offset >= copied, offset <= payload.upperBound - ErasedMark.byteCount,
                stored.integer(at: offset, as: UInt16.self) == ErasedMark.word
            else {
                let cause = CorruptRecord.parts(offset: first)
                throw .corrupt(table: log.file.tables.events.name, key: position, cause)
            }
            bytes.append(stored.extracting(copied..<offset))
            if let name = nextName, name.offset == first {
                bytes.append(contentsOf: try self.name(name.personNumber, in: transaction))
                nextName = nil
            } else if let number = nextNumber {
                bytes.append(contentsOf: number.integer)
                nextNumber = nil
            }
            copied = offset + ErasedMark.byteCount
        }
        bytes.append(stored.extracting(copied..<payload.upperBound))
        bytes[EventHeader.partsOffset] = 0
    }

    /// Returns the name of a person as a field of a payload; a placeholder if the name is erased.
    private func name(
        _ person: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt8] {
        if let known = names[person] { return known }
        let name = try log.people.authorName(person, in: transaction)
        // The limit keeps the cache from growing with the log.
        if names.count >= 4_096 { names = [:] }
        let bytes = name.map { BinaryWriter.bytes($0) } ?? ErasedMark.bytes
        names[person] = bytes
        return bytes
    }

    /// Returns the decrypted personal integers of an event and their salt; `nil` if erased, lost or
    /// not here.
    private func numbers(
        of position: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> PersonalRow? {
        try row(position, SealedNumbers.ordinal, in: transaction)
    }

    /// Returns a decrypted personal text of an event; `nil` if it is erased.
    ///
    /// - Parameters:
    ///   - field: the index of the text among the personal texts of the event, from 0.
    ///   - lost: returned for a text that was lost before the log was salvaged.
    /// - Throws: `.damaged` for a text that is missing, or gone without a recorded erasure.
    func text(
        of position: UInt64, _ field: UInt32, lost: String? = PersonName.lost,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> String? {
        let key = PersonalRow.key(position, field)
        switch try find(key, in: transaction) {
        case .there(let row):
            guard let text = row.text else {
                throw .damaged(table: log.file.tables.texts.name, row: key, .cipher)
            }
            return text
        case .erased: return nil
        case .lost: return lost
        case .notHere: return PersonName.notHere
        }
    }

    /// Returns the decrypted content of a row of the table `texts`; `nil` if it is erased, lost or
    /// not here.
    ///
    /// - Parameter ordinal: the index of a text in the event, or `SealedNumbers.ordinal`.
    private func row(
        _ position: UInt64, _ ordinal: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> PersonalRow? {
        let key = PersonalRow.key(position, ordinal)
        guard case .there(let row) = try find(key, in: transaction) else { return nil }
        return row
    }

    /// The outcomes of looking up a personal text. A text that is missing otherwise is damage.
    private enum Found {
        case there(PersonalRow)
        /// A recorded erasure has erased the text, or its person.
        case erased
        /// The text or its person was lost through damage before the log was salvaged.
        case lost
        /// The log is a replica without encryption keys, or may not use them.
        case notHere
    }

    /// Looks up a personal text, in a newer transaction if its key was overwritten meanwhile.
    private func find(
        _ key: [UInt8], in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Found {
        if let found = try row(at: key, in: transaction) { return found }
        do throws(LogError) {
            return try log.people.readingPeople { (newer) throws(LogError) in
                try row(at: key, in: newer)
            }
        } catch .damaged(log.file.tables.vault.name, nil, .keyGone) {
            throw .damaged(table: log.file.tables.texts.name, row: key, .keyGone)
        }
    }

    /// Looks up a row of the table `texts` and decrypts it.
    ///
    /// - Returns: `nil` if the person's encryption key was overwritten after the transaction began;
    ///   a newer transaction shows whether the text is erased.
    private func row(
        at rowKey: [UInt8], in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Found? {
        let table = log.file.tables.texts
        guard let value = try transaction.row(rowKey.rawSpan, in: table) else {
            if isLenient { return .erased }
            throw .damaged(table: table.name, row: rowKey, .missing)
        }
        let row = try TextRow(value, at: rowKey.rawSpan)
        guard !row.isLost else { return .lost }
        guard !row.isGone else {
            if !isLenient { try LogErasures(log: log).check(ofTextAt: rowKey, in: transaction) }
            return .erased
        }
        // The cached key may be outdated: an erasure may have encrypted the row under another.
        if let opener = openers[row.personNumber], let opened = row.open(at: rowKey, with: opener) {
            return .there(PersonalRow(opened))
        }
        switch try log.people.findPerson(row.personNumber, in: transaction) {
        case .erased:
            guard try log.file.tables.person(row.personNumber, in: transaction).state == .erased
            else {
                return .lost
            }
            if !isLenient { try LogErasures(log: log).check(of: row.personNumber, in: transaction) }
            return .erased
        case .notHere: return .notHere
        case .keyGone: return nil
        case .known(_, let key):
            let opener = key.opener()
            guard let opened = row.open(at: rowKey, with: opener) else {
                throw try LogErasures(log: log).errorOfAbsence(
                    .damaged(table: table.name, row: rowKey, .cipher))
            }
            if openers.count >= 4_096 { openers = [:] }
            openers[row.personNumber] = opener
            return .there(PersonalRow(opened))
        }
    }
}

/// The place of a separately stored name in a payload, and the number of the person with this name.
struct NamePlace {
    /// The offset of the placeholder for the name, from the start of the payload.
    let offset: Int
    /// The number of the person with this name.
    let personNumber: UInt32

    init(_ index: Int, _ header: EventHeader, _ stored: RawSpan) {
        let start =
            header.payloadRange(in: stored).upperBound + EventHeader.nameByteCount * index
        offset = Int(stored.integer(at: start, as: UInt32.self))
        personNumber = stored.integer(at: start + 4)
    }
}

extension ErasedMark {
    /// The two bytes of the placeholder as a little-endian integer.
    static var word: UInt16 { UInt16(first) | UInt16(second) << 8 }
}

extension [UInt8] {
    /// Appends a copy of a span's bytes.
    mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
