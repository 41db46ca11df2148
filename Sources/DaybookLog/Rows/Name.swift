import Daybook
import DaybookLMDB

/// A row of the table `names`: an event kind or a time zone, to which events refer by row number.
///
/// Stored under its row number as: 1 byte of category, `k` or `z`; 8 bytes, the position of the
/// first event that used the kind or zone, little-endian; its UTF-8.
struct Name: Hashable {
    /// The category of a row, stored as an ASCII letter.
    enum Category: UInt8 {
        /// An event kind, stored as `k`.
        case kind = 0x6B
        /// A time zone, stored as `z`.
        case zone = 0x7A
    }

    var category: Category
    /// The position of the first event that used the kind or zone.
    var firstPosition: UInt64
    /// The event kind, such as `account.credits-granted.v1`, or the IANA name of the time zone.
    var text: String

    init(_ category: Category, _ text: String, firstUsedAt position: UInt64) {
        self.category = category
        firstPosition = position
        self.text = text
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= 9 else {
            throw .truncated(["category": 1, "first position": 9], bytes: bytes.byteCount)
        }
        let letter: UInt8 = bytes.integer(at: 0)
        guard let category = Category(rawValue: letter) else {
            let found = Hexadecimal.text([letter])
            throw .invalid(field: "category", found: found, expected: "6b (kind) or 7a (zone)")
        }
        guard let text = bytes.text(from: 9, byteCount: bytes.byteCount - 9) else {
            throw .notUTF8(field: "name", found: bytes.copied(from: 9))
        }
        self.init(category, text, firstUsedAt: bytes.integer(at: 1))
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes = [category.rawValue]
        bytes.append(littleEndian: firstPosition)
        bytes.append(contentsOf: text.utf8)
        return bytes
    }
}

/// The event kinds and time zones of a log; their rows count from 1 and never change.
struct Names {
    /// The event kinds and time zones, from row 1 on.
    private(set) var rows: [Name] = []
    /// The event kind in each row, from row 1 on; `nil` for a time zone or an invalid kind.
    private var kinds: [EventKind?] = []
    /// The row number of each event kind.
    private var rowOfKind: [EventKind: UInt16] = [:]
    /// The schema versions of each event kind that the log has, by the kind's name without version.
    private var versions: [String: Set<EventKind>] = [:]
    /// The row number of each time zone; 0 for the empty name.
    private var rowOfZone: [String: UInt16] = ["": 0]

    /// Returns the event kind in a row; throws `.unknownName` unless the row is a valid event kind.
    func kind(_ row: UInt16) throws(CorruptRecord) -> EventKind {
        guard let kind = knownKind(row) else { throw .unknownName(row) }
        return kind
    }

    /// Returns the kind, in a row, of the event at a position; see `kind`.
    func kind(_ row: UInt16, at position: UInt64) throws(LogError) -> EventKind {
        guard let kind = knownKind(row) else {
            throw .corrupt(table: "events", key: position, .unknownName(row))
        }
        return kind
    }

    /// Returns the event kind in a row; `nil` unless the row is a valid event kind.
    func knownKind(_ row: UInt16) -> EventKind? {
        row > 0 && Int(row) <= kinds.count ? kinds[Int(row) - 1] : nil
    }

    /// Returns the time zone, in a row, of the event at a position, empty for row 0; throws
    /// `.unknownName` for a missing row or a kind.
    func zone(_ row: UInt16, at position: UInt64) throws(LogError) -> String {
        guard let zone = knownZone(row) else {
            throw .corrupt(table: "events", key: position, .unknownName(row))
        }
        return zone
    }

    /// Returns the time zone in a row, empty for row 0; `nil` for a missing row or a kind.
    func knownZone(_ row: UInt16) -> String? {
        if row == 0 { return "" }
        guard Int(row) <= rows.count, rows[Int(row) - 1].category == .zone else { return nil }
        return rows[Int(row) - 1].text
    }

    /// Returns the row number of an event kind; `nil` if the log has no event of the kind.
    func row(of kind: EventKind) -> UInt16? { rowOfKind[kind] }

    /// Returns the query, extended to all schema versions of its event kinds that the log has.
    ///
    /// A query for the newest version thus also selects events of older versions, and events of a
    /// newer version, which the reader must report as unknown.
    func allVersions(of query: Query) -> Query {
        guard let items = query.items else { return query }
        let wider = items.map { item in
            var item = item
            for kind in item.kinds {
                if let known = versions[String(kind.stem)] { item.kinds.formUnion(known) }
            }
            return item
        }
        return Query(items: wider) ?? query
    }

    /// Returns the query as `allVersions(of:)` does, but without kinds that the log lacks.
    ///
    /// An item all of whose kinds the log lacks keeps them, because without kinds it would match
    /// events of any kind.
    func storedVersions(of query: Query) -> Query {
        guard let items = query.items else { return query }
        let stored = items.map { item in
            var kinds: Set<EventKind> = []
            for kind in item.kinds {
                if let known = versions[String(kind.stem)] { kinds.formUnion(known) }
            }
            return kinds.isEmpty ? item : Query.Item(kinds: kinds, tags: item.tags)
        }
        return Query(items: stored) ?? query
    }

    /// Returns the row number of a time zone, 0 for the empty name; `nil` if the log lacks the
    /// zone.
    func row(ofZone zone: String) -> UInt16? { rowOfZone[zone] }

    /// Adds an event kind or time zone and returns its row; `nil` if all 65,535 rows are used.
    mutating func add(_ name: Name) -> UInt16? {
        guard let row = UInt16(exactly: rows.count + 1) else { return nil }
        rows.append(name)
        switch name.category {
        case .kind:
            let kind = EventKind(name.text)
            kinds.append(kind)
            if let kind {
                rowOfKind[kind] = row
                versions[String(kind.stem), default: []].insert(kind)
            }
        case .zone:
            kinds.append(nil)
            rowOfZone[name.text] = row
        }
        return row
    }

    /// Reads the rows that were added to the table `names` since the last refresh.
    mutating func refresh(
        in transaction: borrowing some Transaction & ~Copyable, from table: LogTable
    ) throws(LogError) {
        var names = self
        try transaction.scanRows(table, from: UInt64(rows.count + 1)) {
            (row: UInt64, bytes) throws(LogError) in
            let next = UInt64(names.rows.count) + 1
            guard row == next else { throw .corrupt(table: table.name, key: next, .missing) }
            guard names.add(try Name(bytes, at: row)) != nil else {
                throw .corrupt(
                    table: table.name, key: row,
                    .invalid(field: "key", found: "\(row)", expected: "at most 65535"))
            }
            return true
        }
        self = names
    }
}
