import Daybook
public import DaybookLMDB

/// Puts the parts of stored events that lie apart back in their places, during one reading.
///
/// Readers see a payload as it was appended, with an erased part marked as such. Names and keys are
/// looked up once. A class, so that what runs for every event holds one reference.
@usableFromInline
final class EventOpener {
    private let log: EventLog
    /// The event that is shown: the memory is used again for the next.
    private var buffer: [UInt8] = []
    /// The binary form of names, by the number of the person.
    private var names: [UInt32: [UInt8]] = [:]
    /// The keys of people whose integers were shown.
    private var keys: [UInt32: PersonKey] = [:]

    @usableFromInline
    init(_ log: EventLog) {
        self.log = log
    }

    /// Shows a stored event to `body` as it was appended.
    @usableFromInline
    func show(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan,
        in transaction: borrowing ReadTransaction,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) -> Bool {
        guard header.parts != 0 else { return try body(position, header, stored) }
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        defer { swap(&bytes, &buffer) }
        try open(position, header, stored, in: transaction, into: &bytes)
        var header = header
        header.parts = 0
        return try body(position, header, bytes.rawSpan)
    }

    /// A stored event as it was appended, copied.
    func event(
        _ position: UInt64, _ stored: RawSpan, _ names: Names,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> RecordedEvent {
        let header: EventHeader
        header = try mappingRecordErrors(
            of: log.tables.events.name, position, try EventHeader(decoding: stored))
        var event: RecordedEvent?
        _ = try show(position, header, stored, in: transaction) {
            (position, header, bytes) throws(LogError) in
            event = try RecordedEvent(stored: position, header, bytes, names)
            return true
        }
        guard let event else { preconditionFailure("an event is shown once") }
        return event
    }

    private func open(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan,
        in transaction: borrowing ReadTransaction, into bytes: inout [UInt8]
    ) throws(LogError) {
        let payload = header.payloadRange(in: stored)
        let row = header.hasNumbers ? try numbers(of: position, in: transaction) : nil
        var numbers = row.map { SealedNumbers.Reader($0.bytes, from: PersonalRow.saltByteCount) }
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
            if nextNumber == nil {
                nextNumber = try mappingRecordErrors(
                    of: log.tables.events.name, position, try numbers?.next())
            }
            let first = min(nextName?.offset ?? .max, nextNumber?.offset ?? .max)
            guard first != .max else { break }
            let offset = payload.lowerBound + first
            guard offset >= copied, offset <= payload.upperBound - ErasedMark.byteCount,
                stored.integer(at: offset, as: UInt16.self) == ErasedMark.word
            else {
                let cause = CorruptRecord.parts(offset: first)
                throw .corrupt(table: log.tables.events.name, key: position, cause)
            }
            bytes.append(stored.extracting(copied..<offset))
            if let name = nextName, name.offset == first {
                bytes.append(contentsOf: try self.name(name.person, in: transaction))
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

    private func name(
        _ person: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt8] {
        if let known = names[person] { return known }
        let name = try log.authorName(person, in: transaction)
        // The names that are kept do not grow with the log.
        if names.count >= 4_096 { names = [:] }
        let bytes = name.map { BinaryWriter.bytes($0) } ?? ErasedMark.bytes
        names[person] = bytes
        return bytes
    }

    /// The salted integers of an event; `nil` once they are erased.
    private func numbers(
        of position: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> PersonalRow? {
        let rowKey = PersonalRow.key(position, SealedNumbers.ordinal)
        if let found = try numbers(at: rowKey, in: transaction) { return found.row }
        return try log.readingPeople { (newer) throws(LogError) in
            try numbers(at: rowKey, in: newer)
        }.row
    }

    /// The salted integers, or that they are erased.
    private struct Numbers {
        var row: PersonalRow?
    }

    /// - Returns: `nil` where a newer state has to say.
    private func numbers(
        at rowKey: [UInt8], in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Numbers? {
        let table = log.tables.texts
        guard let value = try transaction.row(rowKey.rawSpan, in: table) else { return Numbers() }
        let row = try TextRow(value, at: rowKey.rawSpan, in: table)
        guard !row.isGone else { return Numbers() }
        // An erasure may have moved the text to another key meanwhile.
        if let key = keys[row.person], let opened = row.open(at: rowKey, under: key) {
            return Numbers(row: opened)
        }
        switch try log.findPerson(row.person, in: transaction) {
        case .erased: return Numbers()
        case .keyGone: return nil
        case .known(_, let key):
            guard let opened = row.open(at: rowKey, under: key) else {
                throw .damaged(table: table.name, row: rowKey, .cipher)
            }
            if keys.count >= 4_096 { keys = [:] }
            keys[row.person] = key
            return Numbers(row: opened)
        }
    }
}

/// Where a name that lies apart belongs, and the person who goes by it.
struct NamePlace {
    /// Counted from the start of the payload.
    let offset: Int
    let person: UInt32

    init(_ index: Int, _ header: EventHeader, _ stored: RawSpan) {
        let start =
            header.payloadRange(in: stored).upperBound + EventHeader.nameByteCount * index
        offset = Int(stored.integer(at: start, as: UInt32.self))
        person = stored.integer(at: start + 4)
    }
}

extension EventCandidate {
    /// The names that lie apart from it.
    var names: [NamePlace] {
        (0..<header.nameCount).map { NamePlace($0, header, value.rawSpan) }
    }
}

extension ErasedMark {
    /// The mark as a little-endian integer.
    static var word: UInt16 { UInt16(first) | UInt16(second) << 8 }
}

extension [UInt8] {
    mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
