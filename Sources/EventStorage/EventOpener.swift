import EventSourcing
import LMDB

/// Puts the parts of stored events that lie apart back in their places, during one reading.
///
/// Readers see a payload as it was appended, with an erased part marked as such. Names are looked
/// up once. A class, so that what runs for every event holds one reference.
@usableFromInline
final class EventOpener {
    private let log: EventLog
    /// The event that is shown: the memory is used again for the next.
    private var buffer: [UInt8] = []
    /// The binary form of names, by the number of the person.
    private var names: [UInt32: [UInt8]] = [:]

    @usableFromInline
    init(_ log: EventLog) {
        self.log = log
    }

    /// Shows a stored event to `body` as it was appended.
    @usableFromInline
    func show(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan,
        in transaction: borrowing LogReading,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) -> Bool {
        guard header.nameCount > 0 else { return try body(position, header, stored) }
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        defer { swap(&bytes, &buffer) }
        try open(position, header, stored, in: transaction, into: &bytes)
        var header = header
        header.nameCount = 0
        return try body(position, header, bytes.rawSpan)
    }

    /// A stored event as it was appended, copied.
    func event(
        _ position: UInt64, _ stored: RawSpan, _ names: Names,
        in transaction: borrowing LogReading
    ) throws(LogError) -> RecordedEvent {
        let header: EventHeader
        do throws(CorruptRecord) {
            header = try EventHeader(decoding: stored)
        } catch {
            throw .corrupt(table: log.tables.events.name, key: position, error)
        }
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
        in transaction: borrowing LogReading, into bytes: inout [UInt8]
    ) throws(LogError) {
        let payload = header.payloadRange(in: stored)
        bytes.removeAll(keepingCapacity: true)
        var copied = 0
        for index in 0..<Int(header.nameCount) {
            let name = NamePlace(index, header, stored)
            let offset = payload.lowerBound + name.offset
            guard offset >= copied, offset <= payload.upperBound - ErasedMark.byteCount,
                stored.integer(at: offset, as: UInt16.self) == ErasedMark.word
            else { throw .corrupt(table: log.tables.events.name, key: position, .parts) }
            bytes.append(stored.extracting(copied..<offset))
            bytes.append(contentsOf: try self.name(name.person, in: transaction))
            copied = offset + ErasedMark.byteCount
        }
        bytes.append(stored.extracting(copied..<payload.upperBound))
        bytes[EventHeader.nameCountOffset] = 0
    }

    private func name(
        _ person: UInt32, in transaction: borrowing LogReading
    ) throws(LogError) -> [UInt8] {
        if let known = names[person] { return known }
        let name = try log.authorName(person, in: transaction)
        // What is kept does not grow with the log.
        if names.count >= 4_096 { names = [:] }
        let bytes = name.map { BinaryWriter.bytes($0) } ?? ErasedMark.bytes
        names[person] = bytes
        return bytes
    }
}

/// Where a name that lies apart belongs, and the person who goes by it.
struct NamePlace {
    /// From the start of the payload.
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
        (0..<Int(header.nameCount)).map { NamePlace($0, header, value.rawSpan) }
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
