import Daybook

/// The leaves of the tree over a log's commits, and of the trees over the events of each commit.
///
/// The data of a commit's leaf, with integers in little-endian order:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 16 | the log's id |
/// | 16 | 8 | number of the commit, from 0 |
/// | 24 | 8 | position of its first event |
/// | 32 | 32 | root of the tree over its events |
/// | 64 | | row of the commit, without the checksum |
///
/// The data of an event's leaf:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | position |
/// | 8 | 2 | byte count of the kind |
/// | 10 | 2 | byte count of the zone; 0 for none |
/// | 12 | | kind and zone, in UTF-8; then the row of the event, without the checksum |
///
/// The number binds the size of the tree to its root, which inclusion paths alone do not. Kind and
/// zone are texts, because the row numbers of `names` mean nothing without the log.
enum CommitLeaf {
    /// The largest byte count of a kind or a zone in a proof.
    ///
    /// A longer one could take the place of the start of the row, since the byte counts in a leaf
    /// have 16 bits.
    static let largestNameByteCount = 255

    /// Returns the hash of a commit's leaf.
    ///
    /// - Parameter row: the row of the commit without its checksum.
    static func hash(
        log identifier: [UInt8], number: UInt64, first: UInt64, eventsRoot: [UInt8], _ row: RawSpan,
        _ hasher: inout TreeHasher
    ) -> [UInt8] {
        hasher.leaf(row) { data in
            data.append(contentsOf: identifier)
            data.append(littleEndian: number)
            data.append(littleEndian: first)
            data.append(contentsOf: eventsRoot)
        }
    }

    /// Returns the hash of an event's leaf.
    ///
    /// - Parameter row: the row of the event without its checksum.
    static func hash(
        position: UInt64, kind: String, zone: String, _ row: RawSpan, _ hasher: inout TreeHasher
    ) -> [UInt8] {
        hasher.leaf(row) { data in
            data.append(littleEndian: position)
            data.append(littleEndian: UInt16(truncatingIfNeeded: kind.utf8.count))
            data.append(littleEndian: UInt16(truncatingIfNeeded: zone.utf8.count))
            data.append(contentsOf: kind.utf8)
            data.append(contentsOf: zone.utf8)
        }
    }
}

/// Computes the leaf hashes of commits from their rows and the rows of their events.
struct CommitLeafHasher: Sendable {
    /// The log's id, 16 bytes.
    private let identifier: [UInt8]
    var hasher = TreeHasher()
    private var events = RunningRoot()

    init(log identifier: [UInt8]) {
        self.identifier = identifier
    }

    /// Returns the hash of an event's leaf.
    ///
    /// - Parameter row: the row of the event without its checksum.
    /// - Throws: `.unknownName` if `names` lacks the event's kind or zone, `.truncated` for a row
    ///   that is too short.
    mutating func eventLeaf(
        _ position: UInt64, _ row: RawSpan, _ names: Names
    ) throws(LogError) -> [UInt8] {
        guard row.byteCount >= EventHeader.byteCount else {
            throw .corrupt(
                table: "events", key: position,
                .truncated(field: "zone", needs: EventHeader.byteCount, bytes: row.byteCount))
        }
        let kind = try names.kindText(row.integer(at: 16), at: position)
        let zone = try names.zone(row.integer(at: 18), at: position)
        return CommitLeaf.hash(position: position, kind: kind, zone: zone, row, &hasher)
    }

    /// Adds the next event of a commit.
    mutating func add(
        event position: UInt64, _ row: RawSpan, _ names: Names
    ) throws(LogError) {
        events.add(try eventLeaf(position, row, names), &hasher)
    }

    /// Returns the root of the tree over the events that were added, and begins the next commit.
    mutating func finishEvents() -> [UInt8] { events.finish(&hasher) }

    /// Returns the leaf hash of a commit.
    ///
    /// - Parameter row: the row of the commit without its checksum.
    mutating func leaf(
        number: UInt64, first: UInt64, eventsRoot: [UInt8], _ row: RawSpan
    ) -> [UInt8] {
        CommitLeaf.hash(
            log: identifier, number: number, first: first, eventsRoot: eventsRoot, row, &hasher)
    }
}

extension Names {
    /// Returns the text of the kind of the event at a position; throws `.unknownName` unless the row
    /// has a kind.
    func kindText(_ row: UInt16, at position: UInt64) throws(LogError) -> String {
        guard row > 0, Int(row) <= rows.count, rows[Int(row) - 1].category == .kind else {
            throw .corrupt(table: "events", key: position, .unknownName(row))
        }
        return rows[Int(row) - 1].text
    }
}
