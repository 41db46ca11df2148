public import EventSourcing

extension EventLog {
    /// Folds every event after a position into one state: a forward to `reader`, for removal.
    ///
    /// - Parameter catalogue: whose upcasters bring older kinds to the newest; by default the log's. An
    ///   older kind without an upcaster is refused.
    /// - Returns: the position the state is folded to: the newest when the fold began.
    @inlinable
    public func fold<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State, after: Position = .origin,
        upcasting catalogue: Catalogue? = nil
    ) throws(LogError) -> Position {
        try reader(.all, ReadWindow(after: after)).fold(
            projection, into: &state, upcasting: catalogue)
    }

    /// Folds one stored event into a state, where it is one of the projection's.
    @inlinable @inline(__always)
    func take<Target: Projection>(
        _ projection: Target.Type, _ header: EventHeader, _ bytes: RawSpan, _ position: UInt64,
        _ readers: [KindRow<Target.Event>], _ catalogue: Catalogue?,
        into state: inout Target.State
    ) throws(LogError) {
        guard Int(header.kind) < readers.count else {
            throw .corrupt(table: "events", key: position, .unknownName(header.kind))
        }
        let envelope = header.envelope(at: position)
        let payload = bytes.extracting(header.payloadOffset...)
        switch readers[Int(header.kind)] {
        case .none: break
        case .reader(let kind, let reader):
            do throws(CorruptPayload) {
                Target.evolve(&state, with: try reader.read(payload), envelope)
            } catch {
                throw .fold(.corrupt(Position(position), kind, error))
            }
        case .older(let kind, let reader):
            let event = try upcast(payload, kind, envelope, catalogue, reader)
            Target.evolve(&state, with: event, envelope)
        case .unknown(let kind): throw .fold(.unknownKind(Position(position), kind))
        }
    }

    /// The readers of a set of events, by the rows of the table `names`, and the newest position
    /// that they are good for.
    @usableFromInline
    func kindReaders<Event: EventSet>(
        _ type: Event.Type, _ catalogue: Catalogue?
    ) throws(LogError) -> (rows: [KindRow<Event>], head: UInt64) {
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
            } else if let newest = catalogue?.newest(kind), let reader = readers[newest] {
                rows.append(.older(kind, reader))
            } else if stems.contains(kind.stem) {
                rows.append(.unknown(kind))
            } else {
                rows.append(.none)
            }
        }
        return (rows, try lastPosition(in: transaction))
    }

    /// An event of an older kind, in the newest.
    @usableFromInline
    func upcast<Event: EventSet>(
        _ payload: RawSpan, _ kind: EventKind, _ envelope: Envelope, _ catalogue: Catalogue?,
        _ reader: StoredKind<Event>
    ) throws(LogError) -> Event {
        let event = RecordedEvent(
            envelope: envelope, kind: kind, tags: [], zone: "", payload: payload.copied())
        do throws(FoldError) {
            let newest = try catalogue?.upcast(event) ?? event
            do throws(CorruptPayload) {
                return try unsafe reader.read(newest.payload.contents.bytes)
            } catch {
                throw FoldError.corrupt(envelope.position, kind, error)
            }
        } catch {
            throw .fold(error)
        }
    }
}

extension Catalogue {
    /// The kind that upcasting ends at; `nil` where it has no upcaster.
    func newest(_ kind: EventKind) -> EventKind? {
        guard var upcaster = upcasters[kind] else { return nil }
        while let next = upcasters[upcaster.to] { upcaster = next }
        return upcaster.to
    }
}

/// How a fold treats the events of one row of `names`.
@usableFromInline
enum KindRow<Event: EventSet>: Sendable {
    /// Not of the set.
    case none
    case reader(EventKind, StoredKind<Event>)
    /// A kind of the set once it is upcast; the reader is that of the newest kind.
    case older(EventKind, StoredKind<Event>)
    /// A kind of the set by its name, in a version that the set does not know.
    case unknown(EventKind)
}
