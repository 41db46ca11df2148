import Daybook
import DaybookCryptography
import DaybookLMDB

/// The bytes of one segment, made of rows with their checksums, as a store outside the file has them.
///
/// Each row is checked and loses its checksum. People may be added at any time; everything else in
/// the order of a segment: names before the commit that is the first to use them, the events of a
/// commit after it, texts after their events.
package struct SegmentBuilder {
    /// A row that is damaged, or not the one that its place needs.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package var table: String
        /// The key of the row.
        package var key: String
        package var cause: CorruptRecord

        package var description: String { "row \(key) of '\(table)': \(cause)" }
    }

    private let logID: [UInt8]
    private let after: Head
    private let shipment: Head
    private let peopleCount: UInt32
    private let tables = Tables()
    private var people: [UInt8] = []
    private var body: [UInt8] = []
    /// The head of the last commit, whose events may be missing yet.
    package private(set) var head: Head
    /// The position of the next event.
    private var next: UInt64
    /// The row number of the last name; `nil` before the first one.
    private var lastName: UInt64?
    /// The people whose rows belong to the segment: those whom its commits are the first to name,
    /// and those of its texts.
    package private(set) var personNumbers: Set<UInt32> = []

    /// Begins a segment, part 0 of its shipment.
    ///
    /// - Parameters:
    ///   - after: the head before the first commit.
    ///   - shipment: the end of the log.
    ///   - peopleCount: the number of people of the log.
    ///   - capacity: the number of bytes to expect.
    package init(
        logID: [UInt8], after: Head, shipment: Head, peopleCount: UInt64, capacity: Int = 0
    ) {
        self.logID = logID
        self.after = after
        self.shipment = shipment
        self.peopleCount = UInt32(clamping: peopleCount)
        head = after
        next = after.position.rawValue + 1
        body.reserveCapacity(capacity)
    }

    /// The end of the log.
    package var end: Head { shipment }

    /// True if the segment has no commit.
    package var isEmpty: Bool { head.position == after.position }

    /// True if the segment reaches the end of the log.
    package var isLast: Bool { head.position == shipment.position }

    /// True if all events of the last commit were added.
    private var isComplete: Bool { next == head.position.rawValue + 1 }

    /// Adds a person.
    package mutating func addPerson(_ number: UInt64, _ row: RawSpan) throws(Fault) {
        try Self.check(row, number, tables.people, atLeast: PersonRow.fixedByteCount)
        people.append(
            .person, UInt32(clamping: number).bytes, row: row.extracting(droppingLast: checksum))
    }

    /// Adds an event kind or time zone.
    package mutating func addName(_ number: UInt64, _ row: RawSpan) throws(Fault) {
        try Self.check(row, number, tables.names, atLeast: 9)
        guard isComplete, lastName.map({ $0 + 1 == number }) ?? true else {
            throw Fault(
                table: tables.names.name, key: "\((lastName ?? number) + 1)", cause: .missing)
        }
        lastName = number
        body.append(.name, row: row.extracting(droppingLast: checksum))
    }

    /// Adds a commit, whose events follow.
    package mutating func addCommit(_ first: UInt64, _ row: RawSpan) throws(Fault) {
        let table = tables.commits
        try Self.check(row, first, table, atLeast: CommitRecord.fixedByteCount)
        guard isComplete, first == next else {
            let missing = isComplete ? (table, next) : (tables.events, next)
            throw Fault(table: missing.0.name, key: "\(missing.1)", cause: .missing)
        }
        let value = row.extracting(droppingLast: checksum)
        guard let last = CommitRecord.lastPosition(of: value, startingAt: first) else {
            throw Fault(
                table: table.name, key: "\(first)", cause: CommitRecord.fault(of: value))
        }
        guard last <= shipment.position.rawValue else {
            throw Fault(
                table: table.name, key: "\(first)",
                cause: .invalid(
                    field: "eventCount", found: "an end at \(last)",
                    expected: "at most \(shipment.position), the end of the log"))
        }
        try addPeople(ofCommit: value, first)
        head = Head(
            unchecked: Position(last), value.extracting(CommitRecord.chainRange).copied())
        body.append(.commit, row: value)
    }

    /// Notes the people whom a commit is the first to name.
    private mutating func addPeople(ofCommit row: RawSpan, _ first: UInt64) throws(Fault) {
        let texts = row.integer(at: 124, as: UInt16.self)
        let more: UInt16 = row.integer(at: 126)
        var offset = CommitRecord.fixedByteCount + Int(texts) + Int(more)
        guard offset < row.byteCount else { return }
        let size = CommitRecord.NewPerson.byteCount
        guard (row.byteCount - offset).isMultiple(of: size) else {
            throw Fault(
                table: tables.commits.name, key: "\(first)",
                cause: .size("new people", row.byteCount - offset, expected: size))
        }
        while offset < row.byteCount {
            personNumbers.insert(row.integer(at: offset))
            offset += size
        }
    }

    /// Adds the next event.
    package mutating func addEvent(_ position: UInt64, _ row: RawSpan) throws(Fault) {
        try Self.check(row, position, tables.events, atLeast: 32)
        guard position == next, !isComplete else {
            throw Fault(
                table: isComplete ? tables.commits.name : tables.events.name, key: "\(next)",
                cause: .missing)
        }
        next += 1
        body.append(.event, row: row.extracting(droppingLast: checksum))
    }

    /// Adds an encrypted text.
    package mutating func addText(
        _ position: UInt64, _ field: UInt32, _ row: RawSpan
    ) throws(Fault) {
        let key = PersonalRow.key(position, field)
        let end = row.byteCount - checksum
        guard end >= 4,
            RowChecksum.sum(tables.texts.number, key.rawSpan, row.extracting(..<end))
                == row.integer(at: end)
        else {
            throw Fault(table: tables.texts.name, key: "\(position)/\(field)", cause: .checksum)
        }
        let person: UInt32 = row.integer(at: 0)
        if person != 0, person != .max { personNumbers.insert(person) }
        body.append(.text, key, row: row.extracting(..<end))
    }

    /// Marks that the texts of all commits so far were added.
    package mutating func endBatch() { body.append(.batch) }

    /// Returns the bytes of the segment.
    package consuming func finish() throws(Fault) -> [UInt8] {
        guard isComplete else {
            throw Fault(table: tables.events.name, key: "\(next)", cause: .missing)
        }
        guard !isLast || head == shipment else {
            throw Fault(
                table: tables.commits.name, key: "\(head.position)",
                cause: .invalid(
                    field: "chain", found: "another one", expected: "that of the log's end"))
        }
        var bytes = SegmentHeader(
            logID: logID, shipment: shipment.position.rawValue, part: 0, peopleCount: peopleCount,
            after: after
        ).bytes
        bytes.reserveCapacity(bytes.count + people.count + body.count + 128)
        bytes += people
        bytes += body
        bytes.endSegment(SegmentEnd(isLast: isLast, head: head))
        return bytes
    }

    /// The number of bytes of the checksum at the end of a row.
    private var checksum: Int { RowChecksum.byteCount }

    /// Throws an error unless a row has enough bytes and matches its checksum.
    private static func check(
        _ row: RawSpan, _ key: UInt64, _ table: LogTable, atLeast least: Int
    ) throws(Fault) {
        let end = row.byteCount - RowChecksum.byteCount
        guard end >= least else {
            throw Fault(
                table: table.name, key: "\(key)",
                cause: .truncated(field: "row", needs: least, bytes: max(0, end)))
        }
        guard RowChecksum.sum(table.number, key, row.extracting(..<end)) == row.integer(at: end)
        else { throw Fault(table: table.name, key: "\(key)", cause: .checksum) }
    }
}
