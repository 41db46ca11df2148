public import Daybook
import DaybookLMDB

/// The positions to read, and the order.
public struct ReadWindow: Hashable, Sendable {
    /// The first position, itself included.
    public var from: Position
    /// The last position, itself included; `nil` for the newest when the reading begins.
    public var through: Position?
    public var direction: Direction

    public enum Direction: Hashable, Sendable {
        case ascending
        /// The newest event of the window first.
        case descending
    }

    public init(
        from: Position = Position(1), through: Position? = nil,
        _ direction: Direction = .ascending
    ) {
        self.from = from
        self.through = through
        self.direction = direction
    }

    /// The events after a position.
    public init(
        after position: Position, through: Position? = nil, _ direction: Direction = .ascending
    ) {
        let (from, overflows) = position.rawValue.addingReportingOverflow(1)
        self.init(from: Position(overflows ? .max : from), through: through, direction)
    }

    init(after position: Position, through: Position?, in order: ScanOrder) {
        let isAscending = order == .ascending
        self.init(after: position, through: through, isAscending ? .ascending : .descending)
    }

    var order: ScanOrder { direction == .ascending ? .ascending : .descending }

    /// The position before the first.
    @usableFromInline var after: Position { Position(max(from.rawValue, 1) - 1) }
}

/// Reads the events of a log that match a query, in a window of positions.
///
///     let newest = try log.reader(query, ReadWindow(.descending)).collect(limit: 10)
///
/// A kind stands for all its layouts, and events are shown as they were recorded.
public struct EventReader: Sendable {
    public let log: EventLog
    public let query: Query
    public let window: ReadWindow
    /// Adds all events of the entities that the matching events are about.
    public let entities: Entities?

    /// The entities whose other events are read too, also from before the window.
    public struct Entities: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The noun of the tags that identify the entities.
        public var noun: String
        /// The kinds of the added events; empty for all.
        public var kinds: Set<EventKind>

        public init(_ noun: String, kinds: Set<EventKind> = []) {
            self.noun = noun
            self.kinds = kinds
        }

        public init(stringLiteral noun: String) { self.init(noun) }
    }

    public init(
        _ log: EventLog, _ query: Query = .all, _ window: ReadWindow = ReadWindow(),
        withEntities entities: Entities? = nil
    ) {
        self.log = log
        self.query = query
        self.window = window
        self.entities = entities
    }

    /// Shows each event, copied, until `body` returns `false`.
    public func forEach(
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        guard entities == nil else {
            for event in try completed() {
                guard try body(event) else { return }
            }
            return
        }
        try log.visit(query, after: window.after, through: window.through, window.order) {
            (position, header, bytes, names) throws(LogError) in
            try body(RecordedEvent(stored: position, header, bytes, names.value))
        }
    }

    /// Shows each event in place, not copied, until `body` returns `false`.
    public func forEachInPlace(
        _ body: (borrowing EventView) throws(LogError) -> Bool
    ) throws(LogError) {
        guard entities == nil else {
            for event in try completed() {
                guard try body(event.view) else { return }
            }
            return
        }
        try log.visit(query, after: window.after, through: window.through, window.order) {
            (position, header, bytes, names) throws(LogError) in
            let kind: EventKind
            kind = try mappingRecordErrors(
                of: "events", position, try names.value.kind(header.kind))
            let payload = bytes.extracting(header.payloadOffset...)
            return try body(EventView(header.envelope(at: position), kind, payload))
        }
    }

    /// Shows each event as it is stored, until `body` returns `false`.
    ///
    /// The fastest way: nothing is copied, and the bytes are good only inside `body`. Entities are
    /// not added.
    ///
    /// - Parameter body: gets the position, the header and the whole stored event, whose payload
    ///   starts at the header's `payloadOffset`.
    @inlinable
    public func forEachStored(
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        guard query.items == nil, window.direction == .ascending, window.through == nil else {
            let head = try log.head()
            return try log.visit(query, window, through: window.through ?? head, body)
        }
        try log.scan(after: window.after, body)
    }

    /// The events, copied.
    ///
    /// - Parameter limit: the number of events at most.
    public func collect(limit: Int = .max) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        guard limit > 0 else { return events }
        try forEach { (event) throws(LogError) in
            events.append(event)
            return events.count < limit
        }
        return events
    }

    /// Folds the events into a state, in place from the memory map.
    ///
    /// - Parameters:
    ///   - validThrough: leaves out events that had not happened by then, by the devices' clocks.
    ///   - catalogue: whose upcasters bring older kinds to the newest; by default the log's. An
    ///     older kind without an upcaster is refused.
    /// - Returns: the last position that the state includes, matching or not.
    @inlinable
    @discardableResult
    public func fold<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State,
        validThrough: Instant? = nil, upcasting catalogue: Catalogue? = nil
    ) throws(LogError) -> Position {
        let catalogue = catalogue ?? log.catalogue
        let (kinds, head) = try log.kindTable(Target.Event.self, catalogue)
        // Later events may be of later kinds.
        let bound = min(window.through?.rawValue ?? head, head)
        let latest = validThrough ?? Instant(microseconds: .max)
        guard entities == nil else {
            try foldCompleted(projection, into: &state, latest, catalogue)
            return Position(bound)
        }
        guard bound > window.after.rawValue else { return window.after }
        if query.items == nil, window.direction == .ascending {
            try log.scan(after: window.after) { (position, header, bytes) throws(LogError) in
                guard position <= bound else { return false }
                if header.occurredAt <= latest {
                    try log.take(projection, header, bytes, position, kinds, into: &state)
                }
                return true
            }
        } else {
            try log.visit(query, window, through: Position(bound)) {
                (position, header, bytes) throws(LogError) in
                if header.occurredAt <= latest {
                    try log.take(projection, header, bytes, position, kinds, into: &state)
                }
                return true
            }
        }
        return Position(bound)
    }

    /// Folds the events into several folds, each event decoded once for all of its set.
    ///
    /// - Throws: the error of an event that cannot be read, with the events before it folded.
    public func fold(_ folds: inout FoldGroup) throws(LogError) {
        try folds.apply { (collect) throws(LogError) in
            try forEachInPlace { (event) throws(LogError) in
                try mappingFoldErrors(try collect(event))
                return true
            }
        }
    }

    /// The matching events with those of their entities, in the order of the window.
    private func completed() throws(LogError) -> [RecordedEvent] {
        guard let entities else { return [] }
        let own = try EventReader(
            log, query, ReadWindow(from: window.from, through: window.through)
        ).collect()
        let events = try log.complete(
            own, withEntities: entities.noun, kinds: entities.kinds, through: window.through)
        return window.direction == .ascending ? events : events.reversed()
    }

    @usableFromInline
    func foldCompleted<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State, _ latest: Instant,
        _ catalogue: Catalogue
    ) throws(LogError) {
        let reader = KindReader<Target.Event>()
        for event in try completed() where event.envelope.occurredAt <= latest {
            do throws(FoldError) {
                guard let known = try reader.read(try catalogue.upcast(event)) else { continue }
                Target.evolve(&state, with: known, event.envelope)
            } catch {
                throw .fold(error)
            }
        }
    }
}

extension EventLog {
    /// A reader of the events that match a query, in a window of positions.
    ///
    /// - Parameter entities: adds all events of the entities that the matching events are about.
    public func reader(
        _ query: Query = .all, _ window: ReadWindow = ReadWindow(),
        withEntities entities: EventReader.Entities? = nil
    ) -> EventReader {
        EventReader(self, query, window, withEntities: entities)
    }
}
