import CivilTime
import EventSourcing
import LMDB

// Single rows of the tables, decoded.
extension EventLog {
    func lastPosition(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        do throws(LMDBError) {
            return try transaction.lastKey(of: tables.events) ?? 0
        } catch {
            throw .storage(error)
        }
    }

    /// The newest commit; `nil` in an empty log.
    func lastCommit(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitRecord? {
        let last: UInt64?
        do throws(LMDBError) {
            last = try transaction.lastKey(of: tables.commits)
        } catch {
            throw .storage(error)
        }
        guard let last else { return nil }
        return try commit(startingAt: last, in: transaction)
    }

    func commit(
        startingAt first: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitRecord {
        do throws(LMDBError) {
            guard let bytes = try transaction.bytes(for: first, in: tables.commits) else {
                throw LMDBError.pageNotFound
            }
            do throws(CorruptRecord) {
                return try CommitRecord(decoding: bytes)
            } catch {
                throw LMDBError.corrupted
            }
        } catch .pageNotFound {
            throw .corrupt(table: "commits", key: first, .truncated(bytes: 0))
        } catch .corrupted {
            throw .corrupt(table: "commits", key: first, .text)
        } catch {
            throw .storage(error)
        }
    }

    func firstPosition(
        ofKey key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        do throws(LMDBError) {
            guard let bytes = try transaction.bytes(for: key.rawSpan, in: tables.keys),
                bytes.byteCount == 8
            else { return nil }
            return bytes.integer(at: 0, as: UInt64.self)
        } catch {
            throw .storage(error)
        }
    }

    func header(
        at position: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> EventHeader {
        var corrupt = CorruptRecord.truncated(bytes: 0)
        do throws(LMDBError) {
            if let bytes = try transaction.bytes(for: position, in: tables.events) {
                do throws(CorruptRecord) {
                    return try EventHeader(decoding: bytes)
                } catch {
                    corrupt = error
                }
            }
        } catch {
            throw .storage(error)
        }
        throw .corrupt(table: "events", key: position, corrupt)
    }

    func event(
        at position: UInt64, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> RecordedEvent {
        var corrupt = CorruptRecord.truncated(bytes: 0)
        do throws(LMDBError) {
            if let bytes = try transaction.bytes(for: position, in: tables.events) {
                do throws(CorruptRecord) {
                    return try RecordedEvent(position, EventHeader(decoding: bytes), bytes, names)
                } catch {
                    corrupt = error
                }
            }
        } catch {
            throw .storage(error)
        }
        throw .corrupt(table: "events", key: position, corrupt)
    }
}

extension RecordedEvent {
    init(
        stored position: UInt64, _ header: EventHeader, _ bytes: RawSpan, _ names: Names
    ) throws(LogError) {
        do throws(CorruptRecord) {
            try self.init(position, header, bytes, names)
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
    }

    init(
        _ position: UInt64, _ header: EventHeader, _ bytes: RawSpan, _ names: Names
    ) throws(CorruptRecord) {
        self.init(
            envelope: header.envelope(at: position),
            kind: try names.kind(header.kind), tags: try header.tags(in: bytes),
            zone: try names.zone(header.zone), payload: bytes.copied(from: header.payloadOffset))
    }
}

extension EventHeader {
    /// The tags of the stored event that this is the header of.
    func tags(in bytes: RawSpan) throws(CorruptRecord) -> [Tag] {
        var tags: [Tag] = []
        tags.reserveCapacity(Int(tagCount))
        try forEachTag(in: bytes) { (tag) throws(CorruptRecord) in
            guard let text = tag.text(from: 0, byteCount: tag.byteCount) else { throw .text }
            tags.append(Tag(stored: text))
        }
        return tags
    }

    /// Shows the UTF-8 of each tag of the stored event that this is the header of.
    func forEachTag(
        in bytes: RawSpan, _ body: (RawSpan) throws(CorruptRecord) -> Void
    ) throws(CorruptRecord) {
        var offset = Self.byteCount
        for _ in 0..<tagCount {
            guard offset < payloadOffset else { throw .tags }
            let count = Int(bytes.integer(at: offset, as: UInt8.self))
            guard offset + 1 + count <= payloadOffset else { throw .tags }
            try body(bytes.extracting(offset + 1..<offset + 1 + count))
            offset += 1 + count
        }
        guard offset == payloadOffset else { throw .tags }
    }
}
