public import Daybook

/// The payload readers for an event set, indexed by the event kind's row in the table `names`.
@usableFromInline
struct KindTable<Event: EventSet>: Sendable {
    /// The action for the events of one kind, and the payload reader.
    ///
    /// A struct, because a closure stored directly in an array is called through a thunk. It
    /// contains no strings, because each would cost a reference count.
    @usableFromInline
    struct Row: Sendable {
        @usableFromInline let action: Action
        /// Decodes a payload of the kind; if the kind is upcast, a payload of its newest schema
        /// version.
        @usableFromInline let read: @Sendable (RawSpan) throws(CorruptPayload) -> Event
    }

    /// The action that a fold takes for each event of a kind.
    @usableFromInline
    enum Action: UInt8, Sendable {
        /// Skips the event, because the event set does not contain its kind.
        case skip
        /// Reads the payload as it is stored, because the event has the newest schema version.
        case read
        /// Upcasts the event to the newest schema version and reads the resulting payload.
        case upcast
        /// Throws an error, because the event has an unknown schema version of a kind in the event
        /// set, or because the row of `names` is no event kind.
        case fail
    }

    /// The action for each row of the table `names`; row 0 is unused.
    @usableFromInline private(set) var rows = [Row(action: .fail, read: Self.unusedReader)]
    /// The event kind in each row of the table `names`; `nil` for a row that is no valid kind.
    private var kinds: [EventKind?] = [nil]
    private let catalogue: Catalogue

    init(_ names: Names, _ catalogue: Catalogue) {
        self.catalogue = catalogue
        let known = Dictionary(
            Event.kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        let stems = Set(known.keys.map(\.stem))
        for name in names.rows {
            let kind = name.category == .kind ? EventKind(name.text) : nil
            kinds.append(kind)
            if let kind, let own = known[kind] {
                rows.append(Row(action: .read, read: own.read))
            } else if let kind, let newest = catalogue.newest(kind), let own = known[newest] {
                rows.append(Row(action: .upcast, read: own.read))
            } else {
                let isRefused = kind.map { stems.contains($0.stem) } ?? (name.category != .kind)
                rows.append(Row(action: isRefused ? .fail : .skip, read: Self.unusedReader))
            }
        }
    }

    /// Returns the payload readers for the kinds of a log, and the newest position for which they
    /// are complete.
    ///
    /// Events after this position may be of kinds for which there is no reader yet.
    @usableFromInline
    static func of(
        _ log: EventLog, _ catalogue: Catalogue
    ) throws(LogError) -> (kinds: Self, head: UInt64) {
        let transaction = try log.file.beginReading()
        let names = try log.file.names(in: transaction)
        return (Self(names, catalogue), try log.file.tables.lastPosition(in: transaction))
    }

    /// Folds one stored event into a state, if the projection reads the event's kind.
    @inlinable @inline(__always)
    func apply<Target: Projection>(
        _ projection: Target.Type, _ header: EventHeader, _ bytes: RawSpan, _ position: UInt64,
        into state: inout Target.State
    ) throws(LogError) where Target.Event == Event {
        let row = Int(header.kind)
        guard row < rows.count else {
            throw .corrupt(table: "events", key: position, .unknownName(header.kind))
        }
        switch rows[row].action {
        case .skip: break
        case .read:
            let event = try read(bytes.extracting(header.payloadOffset...), row, position)
            Target.evolve(&state, with: event, header.envelope(at: position))
        case .upcast, .fail:
            let envelope = header.envelope(at: position)
            let event = try upcast(
                bytes.extracting(header.payloadOffset...), row, envelope)
            Target.evolve(&state, with: event, envelope)
        }
    }

    /// A placeholder for kinds whose payloads are never read; it throws an error.
    private static var unusedReader: @Sendable (RawSpan) throws(CorruptPayload) -> Event {
        { (_) throws(CorruptPayload) in
            throw .invalid(field: "kind", found: "an event kind that the fold does not read")
        }
    }

    /// Returns an event of an older schema version after upcasting it to the newest one.
    ///
    /// - Throws: `.unknownKind` for a schema version that no upcaster converts.
    @usableFromInline
    func upcast(
        _ payload: RawSpan, _ row: Int, _ envelope: Envelope
    ) throws(LogError) -> Event {
        guard let kind = kinds[row] else {
            throw .corrupt(
                table: "events", key: envelope.position.rawValue, .unknownName(UInt16(row)))
        }
        guard rows[row].action == .upcast else {
            throw .fold(.unknownKind(envelope.position, kind))
        }
        let event = RecordedEvent(
            envelope: envelope, kind: kind, tags: [], zone: "", payload: payload.copied())
        let newest = try catalogue.newest(event)
        return try unsafe read(newest.payload.contents.bytes, row, envelope.position.rawValue)
    }

    /// Reads the payload of the event at a position.
    @inlinable @inline(__always)
    func read(_ payload: RawSpan, _ row: Int, _ position: UInt64) throws(LogError) -> Event {
        do throws(CorruptPayload) {
            return try rows[row].read(payload)
        } catch {
            throw corrupt(error, row, position)
        }
    }

    /// Returns the error for a payload that cannot be read, with its position and kind.
    @usableFromInline @inline(never)
    func corrupt(_ error: CorruptPayload, _ row: Int, _ position: UInt64) -> LogError {
        guard let kind = kinds[row] else {
            return .corrupt(table: "events", key: position, .unknownName(UInt16(row)))
        }
        return .fold(.corrupt(Position(position), kind, error))
    }
}

extension Catalogue {
    /// Returns the newest schema version to which upcasters convert a kind; `nil` if none converts
    /// it.
    package func newest(_ kind: EventKind) -> EventKind? {
        guard var upcaster = upcasters[kind] else { return nil }
        while let next = upcasters[upcaster.to] { upcaster = next }
        return upcaster.to
    }
}
