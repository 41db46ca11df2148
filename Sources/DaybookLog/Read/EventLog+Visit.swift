public import Daybook
public import DaybookLMDB

// The common base of all reads by a query.
extension EventLog {
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
        var transaction = try beginReading()
        let names = try names(in: transaction)
        let head = try tables.lastPosition(in: transaction)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > after.rawValue else { return }
        let query = names.allVersions(of: query)
        let range = (after.rawValue + 1)...bound
        let filter = StoredFilter(query, names)
        let shared = Shared(names)
        let opener = opener ?? EventOpener(self)
        let positions = try IndexSearch(log: self).candidates(
            query, range, names, in: transaction, minimumSpacing: minimumSpacing)
        var chunks = ReadChunks(range, positions, order)
        var read = ReadCounter(self)
        do throws(LogError) {
            while let chunk = chunks.next() {
                var goesOn = true
                switch chunk {
                case .range(let range):
                    try scanMatches(filter, range, order, in: transaction) {
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
                    try transaction.visitRows(positions, in: tables.events) {
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
                transaction = try renew(transaction)
            }
        } catch {
            read.fail(error)
            throw error
        }
    }

    /// Ends a read transaction and begins another, so that a long read does not keep pages from
    /// reuse.
    ///
    /// Stored events never change, so the read can continue at the next position.
    @usableFromInline
    func renew(_ transaction: consuming ReadTransaction) throws(LogError) -> ReadTransaction {
        end(transaction)
        betweenTransactions?()
        return try beginReading()
    }

    /// Ends a read transaction by consuming it.
    private func end(_ transaction: consuming ReadTransaction) {}

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

/// A sequence of the chunks of a long read, each of which one transaction reads.
struct ReadChunks {
    /// The maximum number of positions in a chunk.
    static let length = 16_384

    /// The positions that one transaction reads: a range to scan, or single positions to look up.
    enum Chunk {
        /// Consecutive positions to scan.
        case range(ClosedRange<UInt64>)
        /// Single positions to look up, in the order of the read.
        case positions([UInt64])
    }

    private let order: ScanOrder
    /// The part of the range that is not read yet; `nil` at the end.
    private var range: ClosedRange<UInt64>?
    /// The positions that are still to be read.
    private var positions: ArraySlice<UInt64>
    /// True if the whole range is scanned; false if `positions` are looked up.
    private let scansRange: Bool

    /// Creates the chunks of a range in a reading order.
    ///
    /// - Parameter positions: the positions to look up, ascending; `nil` to scan the whole range.
    init(_ range: ClosedRange<UInt64>, _ positions: [UInt64]?, _ order: ScanOrder) {
        self.order = order
        self.range = range
        scansRange = positions == nil
        let positions = positions ?? []
        self.positions = (order == .ascending ? positions : positions.reversed())[...]
    }

    /// True if `next` will return `nil`.
    var isAtEnd: Bool { scansRange ? range == nil : positions.isEmpty }

    /// Returns the next chunk, of at most `length` positions; `nil` at the end.
    mutating func next() -> Chunk? {
        guard scansRange else {
            guard !positions.isEmpty else { return nil }
            let chunk = Array(positions.prefix(Self.length))
            positions = positions.dropFirst(chunk.count)
            return .positions(chunk)
        }
        guard let range else { return nil }
        let (low, high) = (range.lowerBound, range.upperBound)
        guard high - low >= UInt64(Self.length) else {
            self.range = nil
            return .range(range)
        }
        if order == .ascending {
            let last = low + UInt64(Self.length) - 1
            self.range = (last + 1)...high
            return .range(low...last)
        }
        let first = high - UInt64(Self.length) + 1
        self.range = low...(first - 1)
        return .range(first...high)
    }
}

/// A box that makes a large value cheap to capture in closures that run for every event.
///
/// A closure would otherwise copy the captured value on each call.
final class Shared<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A query in a form for stored events, which compares tags as bytes without creating strings.
struct StoredFilter {
    /// One item of a query; an event matches it by its kind and all of the item's tags.
    struct Item {
        /// For each row of the table `names`, true if its kind matches; empty if any kind matches.
        var wantedKindFlags: [Bool]
        /// The UTF-8 of the tags that an event must have.
        var tags: [[UInt8]]
    }

    /// True if the query matches every event.
    private let matchesAll: Bool
    /// The items of the query; an event matches the query if it matches one of them.
    private let items: [Item]
    /// For each row of the table `names`, true if the row is an event kind.
    private let kindRowFlags: [Bool]

    init(_ query: Query, _ names: Names) {
        matchesAll = query.items == nil
        kindRowFlags = [false] + names.rows.map { $0.category == .kind }
        items = (query.items ?? []).map { item in
            var wantedKindFlags: [Bool] = []
            if !item.kinds.isEmpty {
                wantedKindFlags = Array(repeating: false, count: names.rows.count + 1)
                for row in item.kinds.compactMap({ names.row(of: $0) }) {
                    wantedKindFlags[Int(row)] = true
                }
            }
            return Item(
                wantedKindFlags: wantedKindFlags, tags: item.tags.map { Array($0.text.utf8) })
        }
    }

    /// Returns the header of a stored event if the event matches the query; `nil` if it does not.
    ///
    /// - Throws: `.corrupt` for a malformed event or one of an unknown kind.
    func match(_ position: UInt64, _ bytes: RawSpan) throws(LogError) -> EventHeader? {
        do throws(CorruptRecord) {
            let header = try EventHeader(decoding: bytes)
            return try matches(header, bytes) ? header : nil
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
    }

    /// True if the event matches the query; throws `.unknownName` if its kind is unknown.
    private func matches(_ header: EventHeader, _ bytes: RawSpan) throws(CorruptRecord) -> Bool {
        // An event of an unknown kind is an error and is not skipped.
        let kindRowFlags = kindRowFlags.contents
        guard Int(header.kind) < kindRowFlags.count, kindRowFlags[Int(header.kind)] else {
            throw .unknownName(header.kind)
        }
        guard !matchesAll else { return true }
        // Spans, because this runs for each event and a copy of an array changes reference counts.
        let items = items.contents
        for index in items.indices where try items[index].matches(header, bytes) { return true }
        return false
    }
}

extension StoredFilter.Item {
    /// True if the stored event has one of the item's kinds and all of its tags.
    fileprivate func matches(
        _ header: EventHeader, _ bytes: RawSpan
    ) throws(CorruptRecord) -> Bool {
        let wantedKindFlags = wantedKindFlags.contents
        guard
            wantedKindFlags.isEmpty
                || (Int(header.kind) < wantedKindFlags.count && wantedKindFlags[Int(header.kind)])
        else {
            return false
        }
        let tags = tags.contents
        for index in tags.indices where try !header.hasTag(tags[index].contents, in: bytes) {
            return false
        }
        return true
    }
}

extension EventHeader {
    /// True if the stored event with this header has the tag with these bytes.
    fileprivate func hasTag(_ wanted: Span<UInt8>, in bytes: RawSpan) throws(CorruptRecord) -> Bool
    {
        var offset = Self.byteCount
        for _ in 0..<tagCount {
            guard offset < payloadOffset else { throw invalidTags }
            let count = Int(bytes.integer(at: offset, as: UInt8.self))
            guard offset + 1 + count <= payloadOffset else { throw invalidTags }
            if count == wanted.count, bytes.hasBytes(wanted, at: offset + 1) { return true }
            offset += 1 + count
        }
        return false
    }
}

extension RawSpan {
    /// True if the bytes from `offset` on begin with `wanted`.
    ///
    /// Compares from the end, because the ids at the end of tags differ more often than the nouns.
    fileprivate func hasBytes(_ wanted: Span<UInt8>, at offset: Int) -> Bool {
        var index = wanted.count
        while index > 0 {
            index -= 1
            if integer(at: offset + index, as: UInt8.self) != wanted[index] { return false }
        }
        return true
    }
}
