public import Daybook

extension EventLog {
    /// Folds one stored event into a state if its kind belongs to the projection.
    @inlinable @inline(__always)
    func apply<Target: Projection>(
        _ projection: Target.Type, _ header: EventHeader, _ bytes: RawSpan, _ position: UInt64,
        _ kinds: KindTable<Target.Event>, into state: inout Target.State
    ) throws(LogError) {
        let row = Int(header.kind)
        guard row < kinds.rows.count else {
            throw .corrupt(table: "events", key: position, .unknownName(header.kind))
        }
        switch kinds.rows[row].action {
        case .skip: break
        case .read:
            do throws(CorruptPayload) {
                let event = try kinds.rows[row].read(bytes.extracting(header.payloadOffset...))
                Target.evolve(&state, with: event, header.envelope(at: position))
            } catch {
                throw kinds.corrupt(error, row, position)
            }
        case .upcast, .fail:
            let envelope = header.envelope(at: position)
            let event = try kinds.upcast(
                bytes.extracting(header.payloadOffset...), row, envelope)
            Target.evolve(&state, with: event, envelope)
        }
    }

    /// Returns the payload readers of a set of events, and the newest position that they cover.
    ///
    /// Later events may be of kinds that the readers do not know.
    @usableFromInline
    func kindTable<Event: EventSet>(
        _ type: Event.Type, _ catalogue: Catalogue
    ) throws(LogError) -> (kinds: KindTable<Event>, head: UInt64) {
        let transaction = try beginReading()
        let names = try names(in: transaction)
        return (KindTable(names, catalogue), try lastPosition(in: transaction))
    }
}

/// The payload readers of a set of events, indexed by the rows of `names`.
@usableFromInline
struct KindTable<Event: EventSet>: Sendable {
    /// The action for one kind, and its reader.
    ///
    /// A struct, because a closure stored directly in an array is called through a thunk. It holds
    /// no texts, because each would cost a reference count.
    @usableFromInline
    struct Row: Sendable {
        @usableFromInline let action: Action
        /// Decodes a payload; for a kind that is upcast, the payload of the newest version.
        @usableFromInline let read: @Sendable (RawSpan) throws(CorruptPayload) -> Event
    }

    /// The action that a fold takes for each event of a kind.
    @usableFromInline
    enum Action: UInt8, Sendable {
        /// Skips the event, because the set does not contain its kind.
        case skip
        /// Reads the payload directly.
        case read
        /// Upcasts the event to the newest kind and reads the result.
        case upcast
        /// Throws an error: the kind is an unknown schema version of a kind in the set, or no kind
        /// at all.
        case fail
    }

    /// The action for each row of `names`; row 0 is unused.
    @usableFromInline private(set) var rows = [Row(action: .fail, read: Self.unusedReader)]
    /// The kind in each row of `names`; `nil` for a row that is not a valid kind.
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

    /// A placeholder reader, for kinds whose payloads are never read.
    private static var unusedReader: @Sendable (RawSpan) throws(CorruptPayload) -> Event {
        { (_) throws(CorruptPayload) in throw .invalid(field: "", found: "another kind") }
    }

    /// Reads an event of an older kind after upcasting it to the newest kind.
    ///
    /// - Throws: `.unknownKind` for a kind that the set does not know.
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
        do throws(FoldError) {
            let newest = try catalogue.upcast(event)
            do throws(CorruptPayload) {
                return try unsafe rows[row].read(newest.payload.contents.bytes)
            } catch {
                throw FoldError.corrupt(envelope.position, kind, error)
            }
        } catch {
            throw .fold(error)
        }
    }

    /// Returns the error for a payload in a row's kind that cannot be read.
    @usableFromInline @inline(never)
    func corrupt(_ error: CorruptPayload, _ row: Int, _ position: UInt64) -> LogError {
        guard let kind = kinds[row] else {
            return .corrupt(table: "events", key: position, .unknownName(UInt16(row)))
        }
        return .fold(.corrupt(Position(position), kind, error))
    }
}

extension Catalogue {
    /// Returns the newest schema version to which upcasters convert a kind; `nil` for a kind
    /// without an upcaster.
    func newest(_ kind: EventKind) -> EventKind? {
        guard var upcaster = upcasters[kind] else { return nil }
        while let next = upcasters[upcaster.to] { upcaster = next }
        return upcaster.to
    }
}
