package import Daybook
import DaybookCryptography
import DaybookLMDB

/// Events with everything that the log stores about them, in the form of segment records.
package struct StoredRecords: Sendable {
    /// The head of the log.
    package let head: Head
    /// The position of the first event.
    package let first: Position
    /// The records of each event: the people, names and commit that it is the first to need, the
    /// event, and its encrypted texts.
    package internal(set) var ofEvents: [[UInt8]] = []
}

extension StoredRecords {
    /// Calls `body` with the stored records of all events of a log, in parts.
    ///
    /// - Parameter keyPath: the file for the encryption keys and the log's secret, with access for
    ///   its owner only; `nil` to write no keys.
    package static func forEach(
        of log: EventLog, keysTo keyPath: String?, _ body: (StoredRecords) throws -> Void
    ) throws {
        try ShipmentFolder(log).checkIsComplete(keysTo: keyPath)
        let transaction = try log.file.beginReading()
        let last = try log.file.tables.chainHead(in: transaction).head
        var writer = try ShipmentWriter(
            log, after: .origin, knownPeople: 0, segmentByteCount: 1 << 21, in: transaction)
        if writer.hasNews {
            try writer.begin(rewritingTextsOf: nil, in: transaction)
            while let segment = try writer.next(in: transaction) {
                let reader = try SegmentReader(segment.bytes, named: segment.name)
                try body(try StoredRecords(reader, head: last))
            }
        }
        if let keyPath, try !ShipmentFolder(log).writeKeys(to: keyPath, last, in: transaction) {
            throw LogError.stream(
                .keys(
                    path: keyPath,
                    reason:
                        "a text was erased meanwhile, so that the keys no longer fit the events; "
                        + "export again"))
        }
    }
}

extension StoredRecords {
    /// Distributes the records of a segment among its events.
    fileprivate init(_ segment: SegmentReader, head: Head) throws(LogError) {
        self.head = head
        first = segment.header.after.position.next
        var reader = segment
        var next: [UInt8] = []
        while let record = try reader.next() {
            switch record.kind {
            case .person, .name, .commit: next.append(record.kind, reader.copy(record.body))
            case .event:
                next.append(record.kind, reader.copy(record.body))
                ofEvents.append(next)
                next = []
            case .text:
                let (key, _) = try reader.text(record)
                let position = PersonalRow.position(of: key.rawSpan) ?? 0
                let index = position &- first.rawValue
                guard index < UInt64(ofEvents.count) else {
                    throw reader.error(record, "the text belongs to no event of the segment")
                }
                ofEvents[Int(index)].append(record.kind, reader.copy(record.body))
            case .batch, .end: break
            }
        }
    }
}

extension StoredRecords {
    /// Returns the position of the event to which a byte of a segment belongs; `nil` for a file
    /// that is no segment.
    package static func position(ofByte offset: Int, inSegment path: String) -> Position? {
        do {
            var reader = try SegmentReader(try WholeFile.read(path), named: path)
            var position = reader.header.after.position.next
            while let record = try reader.next(), record.body.upperBound <= offset {
                if record.kind == .event { position = position.next }
            }
            return min(position, reader.end.head.position)
        } catch {
            return nil
        }
    }
}

/// A fault in the records of one event.
package struct RecordFault: Error, Hashable, Sendable {
    /// The reason, as a sentence.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A writer of segments from the records of single events, which `pull` reads.
///
///     try writer.add(records)      // for each event, in order
///     try writer.finish()
package struct RecordSegmentWriter {
    private let folder: String
    private let logID: [UInt8]
    /// The head of the log from which the events are.
    private let head: Head
    /// The head before the segment, and that after the last complete commit.
    private var after = Head.origin
    private var reached = Head.origin
    /// The records of the next segment: people, then commits and events, then texts.
    private var people: [UInt8] = []
    private var body: [UInt8] = []
    private var texts: [UInt8] = []
    /// The chain value of the commit whose events are being added, and the number of those missing.
    private var commit: (chain: [UInt8], missing: UInt64)?
    /// The position of the event that was added last.
    package private(set) var position = Position.origin
    private var part: UInt32 = 0
    /// The size from which a segment is ended.
    private static let segmentByteCount = 1 << 21

    /// Begins the segments of a log.
    ///
    /// - Parameters:
    ///   - folder: an existing, empty folder.
    ///   - logID: the log's id in hexadecimal.
    ///   - head: the head that the events reach.
    package init?(folder: String, logID: String, head: Head) {
        guard let bytes = Hexadecimal.bytes(logID), bytes.count == 16,
            Hexadecimal.text(bytes) == logID
        else { return nil }
        self.folder = folder
        self.logID = bytes
        self.head = head
    }

    /// Adds the records of the next event.
    package mutating func add(_ records: [UInt8]) throws {
        var offset = 0
        var events = 0
        while offset < records.count {
            guard offset + 5 <= records.count, let kind = SegmentRecord(rawValue: records[offset])
            else { throw RecordFault("byte \(offset) begins no record") }
            let count = Int(records.rawSpan.integer(at: offset + 1, as: UInt32.self))
            guard count <= records.count - offset - 5 else {
                throw RecordFault("the record at byte \(offset) is cut off")
            }
            let content = Array(records[offset + 5..<offset + 5 + count])
            try add(kind, content, isAfterEvent: events > 0)
            events += kind == .event ? 1 : 0
            offset += 5 + count
        }
        guard events == 1 else {
            throw RecordFault("expected the record of one event, found \(events)")
        }
    }

    /// Adds a record of an event.
    private mutating func add(
        _ kind: SegmentRecord, _ content: [UInt8], isAfterEvent: Bool
    ) throws {
        guard isAfterEvent == (kind == .text) else {
            throw RecordFault("the records are not in the order of 'export'")
        }
        switch kind {
        case .person:
            try decode { () throws(CorruptRecord) in
                _ = try SegmentRecord.person(content.rawSpan)
            }
            people.append(kind, content)
        case .text:
            let place = try decode { () throws(CorruptRecord) in
                let (key, _) = try SegmentRecord.text(content.rawSpan)
                return PersonalRow.position(of: key.rawSpan)
            }
            guard place == position.rawValue
            else { throw RecordFault("the text belongs to another event") }
            texts.append(kind, content)
        case .name:
            try decode { () throws(CorruptRecord) in _ = try Name(decoding: content.rawSpan) }
            body.append(kind, content)
        case .commit: try begin(content)
        case .event:
            guard let (chain, missing) = commit, missing > 0 else {
                throw RecordFault("the event has no commit")
            }
            body.append(kind, content)
            position = position.next
            commit = (chain, missing - 1)
            if missing == 1 {
                reached = Head(unchecked: position, chain)
                commit = nil
            }
        case .batch, .end: throw RecordFault("the records are not those of an event")
        }
    }

    /// Evaluates `body`, which decodes a row.
    private func decode<Value>(_ body: () throws(CorruptRecord) -> Value) throws -> Value {
        do throws(CorruptRecord) {
            return try body()
        } catch {
            throw RecordFault("\(error)")
        }
    }

    /// Begins a commit, and ends the segment before it if it is long enough.
    private mutating func begin(_ row: [UInt8]) throws {
        guard commit == nil else { throw RecordFault("the commit before has too few events") }
        var record: CommitRecord?
        try decode { () throws(CorruptRecord) in
            record = try CommitRecord(decoding: row.rawSpan)
        }
        commit = record.map { ($0.chain, UInt64($0.eventCount)) }
        if body.count + texts.count >= Self.segmentByteCount {
            // Names stand before the commit that is the first to use them.
            let names = namesAtEnd()
            try writeSegment(isLast: false)
            body = names
        }
        body.append(.commit, row)
    }

    /// Removes the records of names at the end of the segment, and returns them.
    private mutating func namesAtEnd() -> [UInt8] {
        var offset = 0
        var start = 0
        while offset < body.count {
            let isName = body[offset] == SegmentRecord.name.rawValue
            offset += 5 + Int(body.rawSpan.integer(at: offset + 1, as: UInt32.self))
            if !isName { start = offset }
        }
        let names = Array(body[start...])
        body.removeSubrange(start...)
        return names
    }

    /// Writes the last segment.
    ///
    /// - Throws: `RecordFault` if the events do not reach the head.
    package mutating func finish() throws {
        guard reached == head, commit == nil else {
            throw RecordFault(
                position < head.position
                    ? "the events end with position \(position), but those of the log end with "
                        + "\(head.position)"
                    : "the events end with the head \(reached), expected \(head)")
        }
        try writeSegment(isLast: true)
    }

    /// Writes the records so far as a segment.
    private mutating func writeSegment(isLast: Bool) throws {
        var bytes = SegmentHeader(
            logID: logID, shipment: head.position.rawValue, part: part, peopleCount: 0,
            after: after
        ).bytes
        bytes += people + body + texts
        bytes.append(.batch)
        bytes.endSegment(SegmentEnd(isLast: isLast, head: reached))
        let name = SegmentFolder.name(shipment: head.position.rawValue, part: part)
        let file = try StagedFile(for: "\(folder)/\(name)", isPrivate: true)
        try file.write(bytes.rawSpan)
        try file.publish()
        after = reached
        (people, body, texts) = ([], [], [])
        part += 1
    }
}
