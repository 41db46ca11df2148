public import EventSourcing

extension EventLog {
    /// Folds every event behind `after` into one state, in place from the memory map.
    ///
    /// - Parameter upcast: the catalogue whose upcasters bring older kinds to the newest.
    /// - Returns: the position the state is folded to.
    @inlinable
    public func fold<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State, after: Position = .origin,
        upcasting catalogue: Catalogue? = nil
    ) throws(LogError) -> Position {
        let readers = try kindReaders(Target.Event.self, catalogue)
        var last = after
        try scan(after: after) { (position, header, bytes) throws(LogError) in
            last = Position(position)
            guard Int(header.kind) < readers.count else {
                throw .corrupt(table: "events", key: position, .unknownName(header.kind))
            }
            let envelope = Envelope(
                position: last, occurredAt: header.occurredAt, recordedAt: header.recordedAt,
                offsetS: header.offsetS)
            let payload = bytes.extracting(header.payloadOffset...)
            switch readers[Int(header.kind)] {
            case .none: break
            case .reader(let kind, let reader):
                do throws(CorruptPayload) {
                    Target.evolve(&state, with: try reader.read(payload), envelope)
                } catch {
                    throw .fold(.corrupt(last, kind, error))
                }
            case .unknown(let kind): throw .fold(.unknownKind(last, kind))
            }
            return true
        }
        return last
    }

    /// The readers of a set of events, by the rows of the table `names`.
    @usableFromInline
    func kindReaders<Event: EventSet>(
        _ type: Event.Type, _ catalogue: Catalogue?
    ) throws(LogError) -> [KindRow<Event>] {
        let transaction = try beginReading()
        let names = try names(in: transaction)
        let readers = Dictionary(
            Event.kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        let stems = Set(readers.keys.map(\.stem))
        var rows: [KindRow<Event>] = [.none]
        for name in names.rows {
            guard name.category == .kind, let kind = EventKind(name.text) else {
                rows.append(.none)
                continue
            }
            if let reader = readers[kind] {
                rows.append(.reader(kind, reader))
            } else if stems.contains(kind.stem) {
                rows.append(.unknown(kind))
            } else {
                rows.append(.none)
            }
        }
        return rows
    }
}

/// What a fold does with the events of one row of `names`.
@usableFromInline
enum KindRow<Event: EventSet>: Sendable {
    /// Not of the set.
    case none
    case reader(EventKind, StoredKind<Event>)
    /// Of the set by its name, in a version that the set does not know.
    case unknown(EventKind)
}
