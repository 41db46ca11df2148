public import CivilTime
public import EventSourcing
import LMDB

extension EventLog {
    /// Folds the events that match `query` into one state, in place from the memory map.
    ///
    /// Only those are read where the indexes tell them apart well enough; else all are scanned.
    ///
    /// - Parameters:
    ///   - query: what the projection needs; kinds it does not read are passed over.
    ///   - through: events up to this position; to the newest by default.
    ///   - validThrough: events that had happened by then, by the devices' clocks.
    ///   - catalogue: whose upcasters bring older kinds to the newest.
    public func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State,
        through: Position? = nil, validThrough: Instant? = nil,
        upcasting catalogue: Catalogue? = nil
    ) throws(LogError) {
        let (readers, head) = try kindReaders(Target.Event.self, catalogue)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > 0 else { return }
        let transaction = try beginReading()
        let names = try names(in: transaction)
        let filter = StoredFilter(query, names)
        func take(_ position: UInt64, _ bytes: RawSpan) throws(LogError) {
            let header: EventHeader
            do throws(CorruptRecord) {
                header = try EventHeader(decoding: bytes)
                guard Int(header.kind) < readers.count else {
                    throw .unknownName(header.kind)
                }
                if case .none = readers[Int(header.kind)] { return }
                guard try filter.matches(header, bytes) else { return }
            } catch {
                throw .corrupt(table: "events", key: position, error)
            }
            if let validThrough, header.occurredAt > validThrough { return }
            let envelope = Envelope(
                position: Position(position), occurredAt: header.occurredAt,
                recordedAt: header.recordedAt, offsetS: header.offsetS)
            let payload = bytes.extracting(header.payloadOffset...)
            if let event = try read(readers[Int(header.kind)], payload, envelope, catalogue) {
                Target.evolve(&state, with: event, envelope)
            }
        }
        let broken: LMDBError?
        if let positions = try candidates(query, 1...bound, names, in: transaction) {
            broken = try transaction.visit(positions, in: tables.events) {
                (position, bytes) throws(LogError) in
                try take(position, bytes)
                return true
            }
        } else {
            broken = try transaction.scan(tables.events) {
                (position: UInt64, bytes) throws(LogError) in
                guard position <= bound else { return false }
                try take(position, bytes)
                return true
            }
        }
        if let broken { throw .storage(broken) }
    }

    /// The event, in the newest layout of its kind; `nil` for one that is not of the set.
    @usableFromInline
    func read<Event: EventSet>(
        _ row: KindRow<Event>, _ payload: RawSpan, _ envelope: Envelope, _ catalogue: Catalogue?
    ) throws(LogError) -> Event? {
        switch row {
        case .none: return nil
        case .reader(let kind, let reader):
            do throws(CorruptPayload) {
                return try reader.read(payload)
            } catch {
                throw .fold(.corrupt(envelope.position, kind, error))
            }
        case .older(let kind, let reader):
            return try upcast(payload, kind, envelope, catalogue, reader)
        case .unknown(let kind): throw .fold(.unknownKind(envelope.position, kind))
        }
    }
}

/// A query as stored events are held against it, without making texts of their tags.
struct StoredFilter {
    private struct Item {
        /// By the row of the name; `nil` for any kind.
        var kinds: Set<UInt16>?
        var tags: [[UInt8]]
    }

    /// `nil` for every event.
    private let items: [Item]?

    init(_ query: Query, _ names: Names) {
        items = query.items?.map { item in
            Item(
                kinds: item.kinds.isEmpty
                    ? nil : Set(item.kinds.compactMap { names.row(of: $0) }),
                tags: item.tags.map { Array($0.text.utf8) })
        }
    }

    func matches(_ header: EventHeader, _ bytes: RawSpan) throws(CorruptRecord) -> Bool {
        guard let items else { return true }
        for item in items where item.kinds?.contains(header.kind) ?? true {
            var missing = item.tags.count
            try header.forEachTag(in: bytes) { tag in
                if item.tags.contains(where: { tag.isEqual(to: $0) }) { missing -= 1 }
            }
            if missing == 0 { return true }
        }
        return false
    }
}

extension RawSpan {
    fileprivate func isEqual(to other: [UInt8]) -> Bool {
        guard byteCount == other.count else { return false }
        for (index, byte) in other.enumerated()
        where self.integer(at: index, as: UInt8.self) != byte {
            return false
        }
        return true
    }
}
