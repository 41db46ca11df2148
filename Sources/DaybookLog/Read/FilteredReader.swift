public import Daybook
import DaybookLMDB

/// A reader of the events that a filter selects in a window of positions.
///
///     let newest = try FilteredReader(log, filter, ReadWindow(.descending)).collect(limit: 10)
///
/// Events are returned as recorded, without upcasting.
public struct FilteredReader: Sendable {
    /// The log that is read.
    public let log: EventLog
    /// The conditions on the events.
    public let filter: EventFilter
    /// The range of positions to read, and the reading order.
    public private(set) var window: ReadWindow
    /// The catalogue that describes payloads.
    private let catalogue: Catalogue
    /// The query of the events that may meet the conditions; `nil` if no event does.
    private let query: Query?
    private let kinds: FilteredKinds

    /// Creates a reader.
    ///
    /// - Parameter catalogue: the catalogue that describes payloads; by default the log's.
    public init(
        _ log: EventLog, _ filter: EventFilter, _ window: ReadWindow = ReadWindow(),
        describedBy catalogue: Catalogue? = nil
    ) {
        let catalogue = catalogue ?? log.catalogue
        self.log = log
        self.filter = filter
        self.window = window
        self.catalogue = catalogue
        query = filter.narrowedQuery(catalogue)
        kinds = FilteredKinds(filter, catalogue)
    }

    /// Returns a reader of the events in another window, which shares what was prepared for this
    /// one.
    package func over(_ window: ReadWindow) -> FilteredReader {
        var reader = self
        reader.window = window
        return reader
    }

    /// Calls `body` with a copy of each event until it returns `false`.
    ///
    /// - Throws: `LogError.keysNotHere` if the log is a replica without encryption keys, and the
    ///   filter has a condition on values that it lacks.
    public func forEach(
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        try visit { (position, header, bytes, names, _, _) throws(LogError) in
            try body(RecordedEvent(position, header, bytes, names.value))
        }
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

    /// Calls `body` with the position of each event and the time at which it occurred.
    package func forEachTime(_ body: (Position, Instant) -> Void) throws(LogError) {
        try visit { (position, header, _, _, _, _) throws(LogError) in
            body(Position(position), header.occurredAt)
            return true
        }
    }

    /// Calls `body` with a copy of each event, its commit and its texts, until it returns `false`.
    ///
    /// Event, commit and texts are read in one transaction.
    ///
    /// - Parameter body: gets the event, its commit, and a function that returns a personal text by
    ///   its index in the event, from 0, or `nil` for an erased text.
    package func forEachInFull(
        _ body: (RecordedEvent, RecordedCommit, (UInt32) throws(LogError) -> String?)
            throws(LogError) -> Bool
    ) throws(LogError) {
        var actors = ActorCache()
        var commit: RecordedCommit?
        try visit { (position, header, bytes, names, opener, transaction) throws(LogError) in
            let event = try RecordedEvent(position, header, bytes, names.value)
            if commit.map({ !($0.first...$0.last).contains(event.position) }) ?? true {
                let first = try log.file.tables.firstPosition(ofCommitAt: position, header)
                commit = try log.commits.recorded(first, in: transaction, &actors)
            }
            let known: RecordedCommit
            if let commit {
                known = commit
            } else if let newer = try log.commits.at(event.position) {
                // The actor's key was overwritten after the transaction began.
                known = newer
                commit = newer
            } else {
                throw .damaged(table: log.file.tables.commits.name, .keyGone)
            }
            return try body(event, known) { (field) throws(LogError) in
                try opener.text(of: position, field, in: transaction)
            }
        }
    }

    /// Calls `body` with each stored event that the filter selects, until it returns `false`.
    private func visit(
        _ body: (
            UInt64, EventHeader, RawSpan, Shared<Names>, EventOpener, borrowing ReadTransaction
        ) throws(LogError) -> Bool
    ) throws(LogError) {
        if filter.readsPersonalValues { try log.requireKeys("a condition on events reads") }
        guard let query else { return }
        let opener = EventOpener(log)
        let hasConditions = filter.hasConditions
        var matcher: EventMatcher?
        try LogScan(log).visit(
            query, after: window.after, through: window.through, window.order, opener: opener
        ) { (position, header, bytes, names, transaction) throws(LogError) in
            if hasConditions {
                // The names are the same during the whole read.
                let known =
                    matcher ?? EventMatcher(filter, kinds, log, catalogue, names.value, opener)
                matcher = known
                guard try known.matches(position, header, bytes, in: transaction) else {
                    return true
                }
            }
            return try body(position, header, bytes, names, opener, transaction)
        }
    }
}

extension EventFilter {
    /// True if the filter has a condition besides its query.
    fileprivate var hasConditions: Bool {
        !kinds.isEmpty || from != nil || through != nil || actor != nil || device != nil
            || text != nil || condition != nil
    }

    /// True if the filter compares values that a replica without encryption keys lacks.
    fileprivate var readsPersonalValues: Bool {
        actor != nil || text != nil
            || condition?.tests.values.contains { $0.readsPersonalValues } ?? false
    }
}
