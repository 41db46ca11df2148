public import Daybook
public import DaybookLMDB

/// The common base of all reads of events: of all, and of those that match a query.
@usableFromInline
struct LogScan {
    @usableFromInline let log: EventLog

    @usableFromInline
    init(_ log: EventLog) { self.log = log }

    /// The maximum number of positions that one transaction of a scan reads.
    @usableFromInline static var positionsPerTransaction: UInt64 { 65_536 }

    /// Scans the log and calls `body` with each stored event after a position, until it returns
    /// `false`.
    ///
    /// - Parameter body: gets the position, the header and the stored event.
    @inlinable
    func forEach(
        after: Position = .origin,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        var transaction = try log.file.beginReading()
        let head = try log.file.tables.lastPosition(in: transaction)
        guard after.rawValue < head else { return }
        let opener = EventOpener(log)
        var read = ReadCounter(log, of: Int(head - after.rawValue))
        var first = after.rawValue + 1
        do throws(LogError) {
            while true {
                let last =
                    head - first < Self.positionsPerTransaction
                    ? head : first + Self.positionsPerTransaction - 1
                var goesOn = true
                try log.file.tables.scanEvents(first...last, in: transaction) {
                    (position, bytes) throws(LogError) in
                    let header = try EventHeader(bytes, at: position)
                    goesOn =
                        header.parts == 0
                        ? try body(position, header, bytes)
                        : try opener.withRestored(position, header, bytes, in: transaction, body)
                    return goesOn
                }
                read.add(last - first + 1)
                guard goesOn, last < head else { return }
                first = last + 1
                transaction = try log.file.renew(transaction)
            }
        } catch {
            read.fail(error)
            throw error
        }
    }

    /// Calls `body` with each stored event that matches `query`, until it returns `false`.
    ///
    /// - Parameters:
    ///   - after: the position before the lowest position to read, in either order.
    ///   - through: the last position to read; the newest by default.
    ///   - minimumSpacing: the index is used if the positions that it gives are on average at least
    ///     this many events apart; otherwise all events are scanned. A scan also fails at damaged
    ///     events that the index would skip.
    ///   - body: gets the position, the header, the stored event, and the rows of `names`.
    func visit(
        _ query: Query, after: Position, through: Position?, _ order: ScanOrder = .ascending,
        minimumSpacing: UInt64 = 8,
        _ body: (UInt64, EventHeader, RawSpan, Shared<Names>) throws(LogError) -> Bool
    ) throws(LogError) {
        try visit(
            query, after: after, through: through, order, minimumSpacing: minimumSpacing,
            opener: nil
        ) { (position, header, bytes, names, _) throws(LogError) in
            try body(position, header, bytes, names)
        }
    }

    /// Calls `body` with each stored event that matches `query`, and with the transaction that
    /// reads the event, until `body` returns `false`.
    ///
    /// - Parameter opener: restores separately stored names and integers; `nil` to create one.
    func visit(
        _ query: Query, after: Position, through: Position?, _ order: ScanOrder,
        minimumSpacing: UInt64 = 8, opener: EventOpener?,
        _ body: (UInt64, EventHeader, RawSpan, Shared<Names>, borrowing ReadTransaction)
            throws(LogError) -> Bool
    ) throws(LogError) {
        if let through, through <= after { return }
        var transaction = try log.file.beginReading()
        let names = try log.file.names(in: transaction)
        let head = try log.file.tables.lastPosition(in: transaction)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > after.rawValue else { return }
        let query = names.storedVersions(of: query)
        let range = (after.rawValue + 1)...bound
        let filter = StoredFilter(query, names)
        let shared = Shared(names)
        let opener = opener ?? EventOpener(log)
        let positions = try IndexSearch(file: log.file).candidates(
            query, range, names, in: transaction, minimumSpacing: minimumSpacing)
        var chunks = ReadChunks(range, positions, order)
        var read = ReadCounter(log, of: positions?.count ?? range.count)
        do throws(LogError) {
            while let chunk = chunks.next() {
                var goesOn = true
                switch chunk {
                case .range(let range):
                    try log.file.tables.scanMatches(filter, range, order, in: transaction) {
                        (position, header, bytes) throws(LogError) in
                        read.add()
                        goesOn = try opener.withRestored(position, header, bytes, in: transaction) {
                            (position, header, bytes) throws(LogError) in
                            try body(position, header, bytes, shared, transaction)
                        }
                        return goesOn
                    }
                case .positions(let positions):
                    // With one cursor and ascending positions, each row costs about as much as in a
                    // scan.
                    try transaction.visitRows(positions, in: log.file.tables.events) {
                        (position, bytes) throws(LogError) in
                        read.add()
                        guard let header = try filter.match(position, bytes) else { return true }
                        goesOn = try opener.withRestored(position, header, bytes, in: transaction) {
                            (position, header, bytes) throws(LogError) in
                            try body(position, header, bytes, shared, transaction)
                        }
                        return goesOn
                    }
                }
                guard goesOn, !chunks.isAtEnd else { return }
                transaction = try log.file.renew(transaction)
            }
        } catch {
            read.fail(error)
            throw error
        }
    }

    /// Calls `body`, which folds events, with each matching event of a window, until it returns
    /// `false`.
    ///
    /// The index is used if at most one event in two matches.
    @usableFromInline
    func visit(
        _ query: Query, _ window: ReadWindow, through bound: Position,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        try visit(query, after: window.after, through: bound, window.order, minimumSpacing: 2) {
            (position, header, bytes, _) throws(LogError) in
            try body(position, header, bytes)
        }
    }
}
