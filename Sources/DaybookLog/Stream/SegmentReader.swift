import Daybook
import DaybookCryptography
import DaybookLMDB

/// A reader of the records of one segment, in order.
///
///     var reader = try SegmentReader(bytes, named: "1.segment")
///     while let record = try reader.next() { … }
struct SegmentReader {
    /// The name of the segment in errors.
    let name: String
    let header: SegmentHeader
    /// The last record of the segment.
    let end: SegmentEnd
    /// The bytes of the segment, from its magic on.
    private let bytes: [UInt8]
    /// The offset of the next record.
    private(set) var offset = SegmentHeader.byteCount
    /// The offset of the end record.
    private let endOffset: Int

    /// The range of a record's body in the segment.
    struct Record {
        var kind: SegmentRecord
        var body: Range<Int>
    }

    /// Checks the digest of a segment and reads its header and end.
    ///
    /// - Parameters:
    ///   - bytes: bytes that begin with a segment; further segments may follow.
    ///   - name: the name of the segment in errors.
    init(_ bytes: [UInt8], named name: String) throws(LogError) {
        guard let header = SegmentHeader(decoding: bytes.rawSpan) else {
            let isStart = SegmentHeader.magic.starts(with: bytes.prefix(SegmentHeader.magic.count))
            throw .stream(
                .segment(
                    name: name, offset: 0,
                    reason: isStart && !bytes.isEmpty
                        ? "the segment ends within its header"
                        : "the file is no segment that 'ship' wrote"))
        }
        self.name = name
        self.bytes = bytes
        self.header = header
        var offset = SegmentHeader.byteCount
        while true {
            let record = try Self.record(at: offset, in: bytes, name)
            guard record.kind == .end else {
                offset = record.body.upperBound
                continue
            }
            guard record.body.count == SegmentEnd.byteCount,
                let end = SegmentEnd(decoding: bytes.rawSpan.extracting(record.body))
            else {
                throw .stream(
                    .segment(
                        name: name, offset: offset, reason: "the end of the segment is malformed"))
            }
            let digestStart = record.body.upperBound - 32
            var hasher = SHA256()
            hasher.update(bytes[..<digestStart])
            guard hasher.finalize() == Array(bytes[digestStart..<record.body.upperBound]) else {
                throw .stream(
                    .segment(
                        name: name, offset: digestStart,
                        reason: "the segment does not match its digest: it was changed"))
            }
            guard header.after.position <= end.head.position,
                end.head.position.rawValue <= header.shipment,
                end.isLast == (end.head.position.rawValue == header.shipment)
            else {
                throw .stream(
                    .segment(
                        name: name, offset: offset,
                        reason: "the heads and the shipment of the segment contradict each other"))
            }
            endOffset = offset
            self.end = end
            return
        }
    }

    /// Reads the kind and extent of the record at an offset.
    private static func record(
        at offset: Int, in bytes: [UInt8], _ name: String
    ) throws(LogError) -> Record {
        guard offset + 5 <= bytes.count else {
            throw .stream(
                .segment(
                    name: name, offset: offset, reason: "the segment ends before its end record"))
        }
        guard let kind = SegmentRecord(rawValue: bytes[offset]) else {
            throw .stream(
                .segment(
                    name: name, offset: offset,
                    reason:
                        "a record has the letter \(Hexadecimal.text([bytes[offset]])), which is "
                        + "not part of the format"))
        }
        let count = Int(bytes.rawSpan.integer(at: offset + 1, as: UInt32.self))
        guard count <= bytes.count - offset - 5 else {
            throw .stream(
                .segment(
                    name: name, offset: offset,
                    reason: "a record of \(count) bytes does not fit into the segment"))
        }
        return Record(kind: kind, body: offset + 5..<offset + 5 + count)
    }

    /// Returns the next record; `nil` at the end of the segment.
    mutating func next() throws(LogError) -> Record? {
        guard offset < endOffset else { return nil }
        let record = try Self.record(at: offset, in: bytes, name)
        offset = record.body.upperBound
        return record
    }

    /// Returns a copy of a range of the segment.
    func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    /// The bytes of a range of the segment.
    @_lifetime(borrow self)
    func content(_ range: Range<Int>) -> RawSpan { bytes.rawSpan.extracting(range) }

    /// Returns the error for the record with this body.
    func error(_ record: Record, _ reason: String) -> LogError {
        .stream(.segment(name: name, offset: record.body.lowerBound - 5, reason: reason))
    }

    /// Evaluates `body`, which decodes a record, and names the record in its error.
    func decoding<Value>(
        _ record: Record, _ body: (RawSpan) throws(CorruptRecord) -> Value
    ) throws(LogError) -> Value {
        do throws(CorruptRecord) {
            return try body(bytes.rawSpan.extracting(record.body))
        } catch {
            throw self.error(record, "\(error)")
        }
    }
}

extension SegmentReader {
    /// Decodes a person's record.
    func person(_ record: Record) throws(LogError) -> (number: UInt32, row: PersonRow) {
        try decoding(record) { (body) throws(CorruptRecord) in try SegmentRecord.person(body) }
    }

    /// Returns the position of the first commit of the segment that a log has otherwise; `nil` if
    /// the log has all that it has in common with the segment unchanged.
    mutating func firstDifference(from log: EventLog) throws(LogError) -> Position? {
        var first = header.after.position.rawValue + 1
        while let record = try next() {
            guard record.kind == .commit else { continue }
            let commit = try decoding(record) { (body) throws(CorruptRecord) in
                try CommitRecord(decoding: body)
            }
            guard let last = commit.lastPosition(startingAt: first) else {
                throw error(record, "the commit has no events")
            }
            let stored = try log.file.commitHead(at: Position(first))?.head
            guard let stored else { return nil }
            guard stored == Head(unchecked: Position(last), commit.chain) else {
                return Position(first)
            }
            first = last + 1
        }
        return nil
    }

    /// Decodes a text's record.
    func text(_ record: Record) throws(LogError) -> (key: [UInt8], row: TextRow) {
        try decoding(record) { (body) throws(CorruptRecord) in try SegmentRecord.text(body) }
    }
}

extension SegmentRecord {
    /// Returns the number and the row of a person from the body of the person's record.
    static func person(_ body: RawSpan) throws(CorruptRecord) -> (number: UInt32, row: PersonRow) {
        guard body.byteCount >= 4 else {
            throw .truncated(["person": 4], bytes: body.byteCount)
        }
        return (body.integer(at: 0), try PersonRow(decoding: body.extracting(4...)))
    }

    /// Returns the key and the row of a personal text from the body of the text's record.
    static func text(_ body: RawSpan) throws(CorruptRecord) -> (key: [UInt8], row: TextRow) {
        guard body.byteCount >= 12 else {
            throw .truncated(["key": 12], bytes: body.byteCount)
        }
        let key = body.extracting(..<12).copied()
        return (key, try TextRow(decoding: body.extracting(12...)))
    }
}
