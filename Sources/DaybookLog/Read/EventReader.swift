public import Daybook
import DaybookLMDB

/// A range of positions to read, and the reading order.
public struct ReadWindow: Hashable, Sendable {
    /// The first position of the window, inclusive.
    public var from: Position
    /// The last position of the window, inclusive; `nil` for the newest one when the read begins.
    public var through: Position?
    /// The order in which the events are read.
    public var direction: Direction

    /// The order in which a window is read.
    public enum Direction: Hashable, Sendable {
        /// The oldest event of the window first.
        case ascending
        /// The newest event of the window first.
        case descending
    }

    /// Creates a window from `from` through `through`, both inclusive.
    public init(
        from: Position = Position(1), through: Position? = nil,
        _ direction: Direction = .ascending
    ) {
        self.from = from
        self.through = through
        self.direction = direction
    }

    /// Creates a window of the events after a position.
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

    /// The reading order, as LMDB's scan order.
    var order: ScanOrder { direction == .ascending ? .ascending : .descending }

    /// The position before the first position of the window.
    @usableFromInline var after: Position { Position(max(from.rawValue, 1) - 1) }
}

/// A reader of the events that match a query in a window of positions.
///
///     let newest = try log.reader(query, ReadWindow(.descending)).collect(limit: 10)
///
/// A kind in the query matches all schema versions of the kind. Events are returned as recorded,
/// without upcasting.
public struct EventReader: Sendable {
    /// The log that is read.
    public let log: EventLog
    /// The query that selects the events.
    public let query: Query
    /// The range of positions to read, and the reading order.
    public let window: ReadWindow
    /// The noun, such as `sleep` in `sleep:7`, of the entities whose events are all added if one of
    /// them matches; `nil` to add none.
    ///
    /// The added events may be before the window, but not after it.
    public let entityNoun: String?
    /// The kinds of the events to add; empty for all kinds.
    public let addedKinds: Set<EventKind>

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - noun: the noun of the entities whose events are all added if one of them matches.
    ///   - kinds: the kinds of the events to add; empty for all kinds.
    public init(
        _ log: EventLog, _ query: Query = .all, _ window: ReadWindow = ReadWindow(),
        withEntities noun: String? = nil, kinds: Set<EventKind> = []
    ) {
        self.log = log
        self.query = query
        self.window = window
        entityNoun = noun
        addedKinds = kinds
    }

    /// Calls `body` with a copy of each event until it returns `false`.
    public func forEach(
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        guard entityNoun == nil else {
            for event in try completedEvents() {
                guard try body(event) else { return }
            }
            return
        }
        try LogScan(log).visit(query, after: window.after, through: window.through, window.order) {
            (position, header, bytes, names) throws(LogError) in
            try body(RecordedEvent(position, header, bytes, names.value))
        }
    }

    /// Calls `body` with a copy of each event, its commit and its texts, until it returns `false`.
    ///
    /// The other events of entities are not added.
    ///
    /// - Parameter body: gets what `FilteredReader.forEachInFull` gives.
    package func forEachInFull(
        _ body: (RecordedEvent, RecordedCommit, (UInt32) throws(LogError) -> String?)
            throws(LogError) -> Bool
    ) throws(LogError) {
        try FilteredReader(log, EventFilter(query), window).forEachInFull(body)
    }

    /// Calls `body` with a copy of each event and a function that looks up the actor of its commit,
    /// until `body` returns `false`.
    ///
    /// The other events of entities are not added.
    ///
    /// - Parameter body: gets the event and the function, which returns an empty string if the
    ///   commit has no actor or the actor is erased.
    package func forEachWithActor(
        _ body: (RecordedEvent, () throws(LogError) -> String) throws(LogError) -> Bool
    ) throws(LogError) {
        var actors = ActorCache()
        var commit = (first: UInt64(1), last: UInt64(0), actor: "")
        try LogScan(log).visit(
            query, after: window.after, through: window.through, window.order, opener: nil
        ) { (position, header, bytes, names, transaction) throws(LogError) in
            let event = try RecordedEvent(position, header, bytes, names.value)
            return try body(event) { () throws(LogError) in
                guard position < commit.first || position > commit.last else { return commit.actor }
                let first = try log.file.tables.firstPosition(ofCommitAt: position, header)
                let record = try log.file.tables.commit(startingAt: first, in: transaction)
                let last = record.lastPosition(startingAt: first) ?? first
                // The actor's key may have been overwritten after the transaction began.
                let actor = try actors.actor(of: record, in: log, transaction) ?? .erased
                commit = (first, last, "")
                if case .named(let name) = actor { commit.actor = name }
                return commit.actor
            }
        }
    }

    /// Calls `body` with a view of each event, without a copy, until it returns `false`.
    public func forEachInPlace(
        _ body: (borrowing EventView) throws(LogError) -> Bool
    ) throws(LogError) {
        guard entityNoun == nil else {
            for event in try completedEvents() {
                guard try body(event.view) else { return }
            }
            return
        }
        try LogScan(log).visit(query, after: window.after, through: window.through, window.order) {
            (position, header, bytes, names) throws(LogError) in
            let kind = try names.value.kind(header.kind, at: position)
            let payload = bytes.extracting(header.payloadOffset...)
            return try body(EventView(header.envelope(at: position), kind, payload))
        }
    }

    /// Calls `body` with the stored bytes of each event until it returns `false`.
    ///
    /// This is the fastest way to read. The bytes are valid only inside `body`. They are copied
    /// only for events with personal names or integers, which are put back into the payload. The
    /// other events of entities are not added.
    ///
    /// - Parameter body: gets the position, the header and the whole stored event, whose payload
    ///   starts at the header's `payloadOffset`.
    @inlinable
    public func forEachStored(
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        guard query.items == nil, window.direction == .ascending, window.through == nil else {
            let head = try log.head()
            return try LogScan(log).visit(query, window, through: window.through ?? head, body)
        }
        try LogScan(log).forEach(after: window.after, body)
    }

    /// Returns copies of the events, in the order of the window.
    ///
    /// - Parameter limit: the maximum number of events.
    public func collect(limit: Int = .max) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        guard limit > 0 else { return events }
        try forEach { (event) throws(LogError) in
            events.append(event)
            return events.count < limit
        }
        return events
    }

    /// Folds the events into a state, directly from the memory map.
    ///
    /// - Parameters:
    ///   - validThrough: excludes events that occurred after this time, by the devices' clocks.
    ///   - catalogue: the catalogue whose upcasters convert older schema versions; by default the
    ///     log's. An event of the set in an older schema version without an upcaster is an error.
    /// - Returns: the last position that the fold has taken into account, matching or not.
    @inlinable
    @discardableResult
    public func fold<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State,
        validThrough: Instant? = nil, upcasting catalogue: Catalogue? = nil
    ) throws(LogError) -> Position {
        let catalogue = catalogue ?? log.catalogue
        let (kinds, head) = try KindTable<Target.Event>.of(log, catalogue)
        // Events after `head` may be of kinds that `kinds` does not know.
        let bound = min(window.through?.rawValue ?? head, head)
        let latest = validThrough ?? Instant(microseconds: .max)
        guard entityNoun == nil else {
            try foldCompleted(projection, into: &state, latest, catalogue)
            return Position(bound)
        }
        guard bound > window.after.rawValue else { return window.after }
        if query.items == nil, window.direction == .ascending {
            try LogScan(log).forEach(after: window.after) {
                (position, header, bytes) throws(LogError) in
                guard position <= bound else { return false }
                if header.occurredAt <= latest {
                    try kinds.apply(projection, header, bytes, position, into: &state)
                }
                return true
            }
        } else {
            try LogScan(log).visit(query, window, through: Position(bound)) {
                (position, header, bytes) throws(LogError) in
                if header.occurredAt <= latest {
                    try kinds.apply(projection, header, bytes, position, into: &state)
                }
                return true
            }
        }
        return Position(bound)
    }

    /// Feeds the events to several folds at once and decodes each event only once.
    ///
    /// - Throws: the error of the first event that cannot be read; the events before it are folded.
    public func fold(_ folds: inout FoldGroup) throws(LogError) {
        try folds.apply { (collect) throws(LogError) in
            try forEachInPlace { (event) throws(LogError) in
                try mappingFoldErrors(try collect(event))
                return true
            }
        }
    }

    /// Returns the matching events and the added events of their entities, in the reading order.
    private func completedEvents() throws(LogError) -> [RecordedEvent] {
        guard let entityNoun else { return [] }
        let own = try EventReader(
            log, query, ReadWindow(from: window.from, through: window.through)
        ).collect()
        let events = try log.contents.completing(
            own, withEntities: entityNoun, kinds: addedKinds, through: window.through)
        return window.direction == .ascending ? events : events.reversed()
    }

    /// Folds the matching events and the added events of their entities into a state.
    ///
    /// - Parameter latest: excludes events that occurred after this time.
    @usableFromInline
    func foldCompleted<Target: Projection>(
        _ projection: Target.Type, into state: inout Target.State, _ latest: Instant,
        _ catalogue: Catalogue
    ) throws(LogError) {
        let reader = KindReader<Target.Event>()
        for event in try completedEvents() where event.envelope.occurredAt <= latest {
            do throws(FoldError) {
                guard let known = try reader.read(try catalogue.upcast(event)) else { continue }
                Target.evolve(&state, with: known, event.envelope)
            } catch {
                throw .fold(error)
            }
        }
    }
}
