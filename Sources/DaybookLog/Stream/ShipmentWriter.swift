import Daybook
import DaybookCryptography
import DaybookLMDB

/// The segments of one shipment, as of one transaction.
///
///     try writer.begin(rewritingTextsOf: nil, in: transaction)
///     while let segment = try writer.next(in: transaction) { … }
struct ShipmentWriter {
    /// A segment that was not written yet.
    struct Segment {
        /// The name of its file.
        var name: String
        var bytes: [UInt8]
    }

    private let log: EventLog
    private let names: Names
    /// The head before the next segment.
    private var after: Head
    /// The number of people whose rows earlier shipments have.
    private let knownPeople: UInt32
    private let peopleCount: UInt32
    private let segmentByteCount: Int
    /// The number of the next segment.
    private var part: UInt32 = 0
    /// The rows of `names` that earlier commits used.
    private var nameCount: Int
    /// The records of the next segment after those of its people.
    private var body: [UInt8] = []
    /// The people whose rows the next segment has.
    private var people: Set<UInt32> = []
    private(set) var shipment = Shipment()
    /// The position of the log's last event as of the transaction.
    private let last: UInt64
    /// The people whose earlier texts are written again.
    private var rekeyed: Set<UInt32> = []
    /// The key of the first earlier text that was not written again yet; `nil` if none is left.
    private var textsFrom: [UInt8]?
    /// True once the last segment of the shipment was returned.
    private var isComplete = false

    /// The number of events after which the shipment ends, at the end of a batch.
    private let most: UInt64

    /// The number of events after which a batch ends; fewer for small segments.
    private var eventsPerBatch: UInt64 {
        min(UInt64(max(1, min(10_000, segmentByteCount / 128))), most)
    }

    /// True if the log has commits that the segments lack.
    var hasNews: Bool { last > after.position.rawValue }

    init(
        _ log: EventLog, after: Head, knownPeople: UInt32, segmentByteCount: Int,
        most: UInt64 = .max, in transaction: borrowing ReadTransaction
    ) throws(LogError) {
        self.log = log
        self.most = most
        self.after = after
        self.knownPeople = knownPeople
        self.segmentByteCount = segmentByteCount
        names = try log.file.names(in: transaction)
        last = try log.file.tables.lastPosition(in: transaction)
        peopleCount = UInt32(
            clamping: try transaction.lastKey(of: log.file.tables.people) ?? 0)
        let position = after.position.rawValue
        nameCount = names.rows.count { $0.firstPosition <= position }
        shipment.head = after
    }

    /// Adds the people whom erasures after a position name; returns `false` without an erasure.
    mutating func addErasedPeople(since position: Position) throws(LogError) -> Bool {
        let window = ReadWindow(after: position, through: Position(last))
        let erasures = try LogErasures(log: log).records(window)
        people.formUnion(erasures.flatMap(\.personNumbers))
        return !erasures.isEmpty
    }

    /// Begins the first segment.
    ///
    /// - Parameter rekeyed: the people whose earlier texts are written again; `nil` if no text was
    ///   erased since the last shipment.
    mutating func begin(
        rewritingTextsOf rekeyed: Set<UInt32>?, in transaction: borrowing ReadTransaction
    ) throws(LogError) {
        try addPeople(in: transaction)
        guard let rekeyed else { return }
        people.formUnion(rekeyed)
        self.rekeyed = rekeyed
        textsFrom = PersonalRow.key(0, 0)
    }

    /// Returns the next segment; `nil` after the last one of the shipment.
    mutating func next(
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Segment? {
        guard !isComplete else { return nil }
        if let from = textsFrom {
            textsFrom = try addTexts(from: from, in: transaction)
            if textsFrom == nil { body.append(.batch) }
        }
        while textsFrom == nil, hasNews, body.count < segmentByteCount,
            shipment.eventCount < most
        {
            try addBatch(in: transaction)
        }
        isComplete = textsFrom == nil && !hasNews
        return try endSegment(isLast: isComplete, in: transaction)
    }

    /// Adds the people who are new since the last shipment, and those with a reserved slot.
    private mutating func addPeople(in transaction: borrowing ReadTransaction) throws(LogError) {
        try transaction.scanRows(log.file.tables.people) {
            (number: UInt64, value) throws(LogError) in
            let row = try PersonRow(value, at: number)
            if number > UInt64(knownPeople) || row.nextSlot != 0 {
                people.insert(UInt32(clamping: number))
            }
            return true
        }
    }

    /// Adds the earlier texts of `rekeyed`, and those that were erased one by one.
    ///
    /// - Returns: the key of the first text that is left, because the segment is full; `nil` if none
    ///   is left.
    private mutating func addTexts(
        from start: [UInt8], in transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt8]? {
        var left: [UInt8]?
        try transaction.scanRows(log.file.tables.texts, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard let position = PersonalRow.position(of: key),
                position <= shipment.head.position.rawValue
            else { return false }
            guard body.count < segmentByteCount else {
                left = key.copied()
                return false
            }
            let row = try TextRow(value, at: key)
            guard row.personNumber == 0 || rekeyed.contains(row.personNumber) else { return true }
            body.append(.text, key.copied(), row: value)
            shipment.rewrittenTextCount += 1
            return true
        }
        return left
    }

    /// Adds the next commits, their events and their texts to the next segment.
    private mutating func addBatch(in transaction: borrowing ReadTransaction) throws(LogError) {
        let tables = log.file.tables
        let first = after.position.rawValue + 1
        var commits: [(row: [UInt8], last: UInt64)] = []
        var reached = first - 1
        try transaction.scanRows(tables.commits, from: first) {
            (position: UInt64, value) throws(LogError) in
            guard reached < last, reached - (first - 1) < eventsPerBatch else { return false }
            let commit = try CommitRecord(value, at: position)
            guard position == reached + 1, let end = commit.lastPosition(startingAt: position),
                end <= last
            else { throw .corrupt(table: tables.commits.name, key: position, .missing) }
            commits.append((value.copied(), end))
            people.formUnion(commit.newPeople.lazy.map(\.number))
            after = Head(unchecked: Position(end), commit.chain)
            reached = end
            return true
        }
        guard reached >= first else {
            throw .corrupt(table: tables.commits.name, key: first, .missing)
        }
        var next = 0
        var expected = first
        try transaction.scanRows(tables.events, from: first) {
            (position: UInt64, value) throws(LogError) in
            guard position <= reached else { return false }
            guard position == expected else {
                throw .corrupt(table: tables.events.name, key: expected, .missing)
            }
            if next < commits.count, next == 0 || position > commits[next - 1].last {
                addNames(through: commits[next].last)
                body.append(.commit, commits[next].row)
                next += 1
            }
            body.append(.event, row: value)
            expected += 1
            return true
        }
        guard expected == reached + 1 else {
            throw .corrupt(table: tables.events.name, key: expected, .missing)
        }
        let start = PersonalRow.key(first, 0)
        try transaction.scanRows(tables.texts, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard let position = PersonalRow.position(of: key), position <= reached else {
                return false
            }
            let row = try TextRow(value, at: key)
            if !row.isGone { people.insert(row.personNumber) }
            body.append(.text, key.copied(), row: value)
            return true
        }
        body.append(.batch)
        shipment.eventCount += reached - first + 1
    }

    /// Adds the event kinds and time zones that commits up to a position are the first to use.
    private mutating func addNames(through position: UInt64) {
        while nameCount < names.rows.count, names.rows[nameCount].firstPosition <= position {
            body.append(.name, names.rows[nameCount].bytes)
            nameCount += 1
        }
    }

    /// Returns the records so far as a segment.
    private mutating func endSegment(
        isLast: Bool, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Segment {
        var bytes = SegmentHeader(
            logID: log.file.identifier, shipment: last, part: part, peopleCount: peopleCount,
            after: shipment.head
        ).bytes
        for number in people.sorted() {
            let row = try log.file.tables.person(number, in: transaction)
            bytes.append(.person, number.bytes, row.bytes)
        }
        bytes += body
        bytes.endSegment(SegmentEnd(isLast: isLast, head: after))
        let name = SegmentFolder.name(shipment: last, part: part)
        part += 1
        shipment.segmentCount += 1
        shipment.byteCount += Int64(bytes.count)
        shipment.head = after
        body.removeAll(keepingCapacity: true)
        people = []
        return Segment(name: name, bytes: bytes)
    }
}
