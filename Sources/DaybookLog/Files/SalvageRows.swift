import Daybook
import DaybookLMDB

/// A row that a salvage found in a damaged file: its key, checksum and place.
///
/// A value takes 24 bytes of memory, however large the row is.
struct SweptRow: Hashable {
    /// The integer key of the row; 0 for a row of the table `texts`.
    var key: UInt64
    /// The checksum computed from table, key and value; rows with equal checksums are equal.
    var checksum: UInt64
    /// The page number, the offset in the page and `integrity`, packed into one integer.
    private var packedPlace: UInt64

    /// The result of comparing the stored checksum with the computed one.
    enum Integrity: UInt64 {
        /// The stored checksum matches.
        case checked
        /// The stored checksum does not match.
        case mismatched
    }

    init(_ key: UInt64, _ sum: UInt64, _ place: PageFile.Place, _ integrity: Integrity) {
        self.key = key
        self.checksum = sum
        packedPlace = place.page << 17 | UInt64(place.offset) << 1 | integrity.rawValue
    }

    /// The page that contains the row, and the offset in the page.
    var place: PageFile.Place {
        PageFile.Place(page: packedPlace >> 17, offset: Int(packedPlace >> 1 & 0xFFFF))
    }
    /// The result of comparing the stored checksum with the computed one.
    var integrity: Integrity { Integrity(rawValue: packedPlace & 1) ?? .mismatched }

    /// True if a row sorts before another one: by key, checksum, integrity and place.
    static func precedes(_ a: SweptRow, _ b: SweptRow) -> Bool {
        (a.key, a.checksum, a.integrity.rawValue, a.packedPlace)
            < (b.key, b.checksum, b.integrity.rawValue, b.packedPlace)
    }
}

/// A personal text that a salvage found in a damaged file.
struct SweptText: Hashable {
    /// The position of the text's event.
    var position: UInt64
    /// The index of the text in the event, or `SealedNumbers.ordinal`.
    var ordinal: UInt32
    /// True if the text's page belongs to the newest committed state, so that the row is current.
    var isCurrent: Bool
    /// The place of the encrypted text in the file.
    var row: SweptRow
}

/// All rows of a log that can be found in its damaged file, in the order of keys.
struct SalvageRows {
    /// The damaged file.
    let file: PageFile
    let tables = Tables()
    /// Rows that may be events, by position.
    private(set) var events: [SweptRow] = []
    /// Rows that may be commits, by the position of their first event.
    private(set) var commits: [SweptRow] = []
    /// Rows that may be event kinds or time zones of the table `names`, by row number.
    private(set) var names: [SweptRow] = []
    /// Rows that may be personal texts, by event position and index in the event.
    private(set) var texts: [SweptText] = []
    /// Rows of the table `people`, including older versions, by person number.
    private(set) var people: [SweptRow] = []
    /// The blocks of encryption keys that were found.
    private(set) var vault = SweptVault()
    /// The format version in the table `meta`, if this program does not support it.
    var otherFormat: UInt32?
    /// True if the newest committed state says that the log is a replica.
    var isReplica = false
    /// The values that were found for the log's id.
    var identifiers = MetaValues()
    /// The values that were found for the log's secret.
    var secrets = MetaValues()
    /// The leaf pages of the tables in the newest committed state.
    let currentLeaves: CurrentLeaves
    /// The last position with an event on a leaf page of the newest committed state.
    private var lastCurrentPosition: UInt64 = 0

    /// All values that were found for one key of the table `meta`.
    struct MetaValues {
        /// The values that match their checksums.
        var matchingValues: Set<[UInt8]> = []
        /// The values on a leaf page of `meta` in the newest committed state of the file.
        var currentValues: Set<[UInt8]> = []

        /// The most likely value; `nil` if there is none, or if several are equally likely.
        var value: [UInt8]? {
            for values in [
                matchingValues.intersection(currentValues), matchingValues, currentValues,
            ]
            where values.count == 1 { return values.first }
            return nil
        }
    }

    /// The leaf pages of some tables, as of the newest committed state of the file.
    ///
    /// A property is `nil` if the tree of its table cannot be read.
    struct CurrentLeaves {
        /// True if the list of tables of this state can be relied on.
        var isTrusted = false
        var events: PageFile.ReachedPages?
        var commits: PageFile.ReachedPages?
        var names: PageFile.ReachedPages?
        var texts: PageFile.ReachedPages?
        var meta: PageFile.ReachedPages?
    }

    /// Scans all pages of the file for rows.
    ///
    /// - Parameter progress: called occasionally with the number of pages that were scanned.
    init(_ file: PageFile, _ progress: (UInt64) -> Void) {
        self.file = file
        var currentLeaves = CurrentLeaves()
        if let state = file.state() {
            currentLeaves.isTrusted = state.isTrusted
            currentLeaves.events = file.reachedPages(of: tables.events.name, in: state)
            currentLeaves.commits = file.reachedPages(of: tables.commits.name, in: state)
            currentLeaves.names = file.reachedPages(of: tables.names.name, in: state)
            currentLeaves.texts = file.reachedPages(of: tables.texts.name, in: state)
            currentLeaves.meta = file.reachedPages(of: tables.meta.name, in: state)
        }
        self.currentLeaves = currentLeaves
        for page in 2..<max(file.pageCount, 2) {
            file.forEachRow(on: page) { (place, isLeaf, key, value) in
                add(place, isLeaf, key, value)
            }
            if let block = file.largeData(at: page, byteCount: Vault.blockByteCount) {
                vault.add(block)
            }
            if page % 65_536 == 0 { progress(page) }
        }
        events.sortAndMerge()
        commits.sortAndMerge()
        names.sortAndMerge()
        people.sortAndMerge()
        texts.sortAndMerge()
        vault.numberBlocks(tables.vault)
    }

    /// Adds a row to the rows of the table to which its key size and its checksum fit.
    private mutating func add(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        switch key.byteCount {
        case 8:
            let number: UInt64 = key.integer(at: 0)
            if value.byteCount == Vault.blockByteCount { return vault.add(value.copied(), number) }
            guard number > 0 else { return }
            if let row = checked(tables.events, number, place, value) {
                noteCurrentEvent(number, place, isLeaf)
                return events.append(row)
            }
            if let row = checked(tables.commits, number, place, value) {
                return commits.append(row)
            }
            if let row = checked(tables.names, number, place, value) { return names.append(row) }
            if let row = checked(tables.people, number, place, value) {
                return people.append(row)
            }
            if isLeaf { addUnverified(number, place, value) }
        case 12: addText(place, isLeaf, key, value)
        default: addMeta(place, isLeaf, key, value)
        }
    }

    /// Updates the last position in the newest state, if the event is on one of its leaf pages.
    private mutating func noteCurrentEvent(
        _ position: UInt64, _ place: PageFile.Place, _ isLeaf: Bool
    ) {
        guard isLeaf, position > lastCurrentPosition,
            currentLeaves.events?.contains(place.page) == true
        else {
            return
        }
        lastCurrentPosition = position
    }

    /// Returns the row if its checksum shows that it belongs to a table; `nil` otherwise.
    private func checked(
        _ table: LogTable, _ key: UInt64, _ place: PageFile.Place, _ value: RawSpan
    ) -> SweptRow? {
        let count = value.byteCount - RowChecksum.byteCount
        guard count > 0 else { return nil }
        let sum = RowChecksum.sum(table.number, key, value.extracting(..<count))
        return RowChecksum.word(value, count) == sum ? SweptRow(key, sum, place, .checked) : nil
    }

    /// Adds a row with a wrong checksum if it is in the newest state; a chain value may prove it.
    private mutating func addUnverified(
        _ key: UInt64, _ place: PageFile.Place, _ value: RawSpan
    ) {
        let page = place.page
        let count = value.byteCount - RowChecksum.byteCount
        guard count > 0 else { return }
        let value = value.extracting(..<count)
        func add(_ table: LogTable, to rows: inout [SweptRow]) {
            rows.append(
                SweptRow(key, RowChecksum.sum(table.number, key, value), place, .mismatched))
        }
        if currentLeaves.events?.contains(page) == true {
            noteCurrentEvent(key, place, true)
            add(tables.events, to: &events)
        }
        if currentLeaves.commits?.contains(page) == true { add(tables.commits, to: &commits) }
        if currentLeaves.names?.contains(page) == true { add(tables.names, to: &names) }
    }

    /// Adds a personal text that matches its checksum or is in the newest committed state.
    private mutating func addText(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        let count = value.byteCount - RowChecksum.byteCount
        guard count > 0 else { return }
        let sum = RowChecksum.sum(tables.texts.number, key, value.extracting(..<count))
        let fits = RowChecksum.word(value, count) == sum
        let isCurrent = isLeaf && currentLeaves.texts?.contains(place.page) == true
        guard fits || isCurrent else { return }
        texts.append(
            SweptText(
                position: key.integer(at: 0, as: UInt64.self).byteSwapped,
                ordinal: key.integer(at: 8, as: UInt32.self).byteSwapped,
                isCurrent: isCurrent,
                row: SweptRow(0, sum, place, fits ? .checked : .mismatched)))
    }
}

extension SalvageRows {
    /// The log's id; `nil` if it cannot be determined.
    var identifier: [UInt8]? { identifiers.value }
    /// The log's secret; `nil` if it cannot be determined.
    var secret: [UInt8]? { secrets.value }

    /// The position of the last event of the log; `nil` if it cannot be determined.
    ///
    /// Events after it were written by a transaction that was never committed. If no page of the
    /// table is broken or free, the row count in the list of tables and the leaf pages must agree,
    /// because the list may refer to pages of an earlier state or of another table.
    var lastPosition: UInt64? {
        guard currentLeaves.isTrusted, let leaves = currentLeaves.events else { return nil }
        if leaves.brokenCount == 0, leaves.freedCount == 0 {
            return leaves.rowCount == lastCurrentPosition
                && leaves.rowCount == leaves.claimedRowCount
                ? lastCurrentPosition : nil
        }
        // An event takes at least 48 bytes.
        let isLikely =
            leaves.claimedRowCount >= lastCurrentPosition
            && leaves.claimedRowCount <= UInt64(file.byteCount) / 48
        return isLikely ? leaves.claimedRowCount : nil
    }

    /// The last position for which the file has an event's row; used if `lastPosition` is `nil`.
    var lastFoundPosition: UInt64 {
        if let event = events.last(where: { $0.integrity == .checked }) { return event.key }
        return lastCurrentPosition
    }

    /// Returns the rows that have a given key; `rows` must be sorted by key.
    static func rows(_ rows: [SweptRow], at key: UInt64) -> ArraySlice<SweptRow> {
        let start = rows.lowerBound(where: { $0.key >= key })
        var end = start
        while end < rows.count, rows[end].key == key { end += 1 }
        return rows[start..<end]
    }

    /// Returns all rows that were found for the personal texts of an event.
    func texts(at position: UInt64) -> ArraySlice<SweptText> {
        let start = texts.lowerBound(where: { $0.position >= position })
        var end = start
        while end < texts.count, texts[end].position == position { end += 1 }
        return texts[start..<end]
    }

    /// Reads the value of a row from the file, without its checksum; `nil` if that fails.
    func value(_ row: SweptRow) -> [UInt8]? {
        file.withRow(at: row.place) { (_, value) -> [UInt8]? in
            let count = value.byteCount - RowChecksum.byteCount
            return count > 0 ? value.extracting(..<count).copied() : nil
        }
    }

    /// Reads and decodes a row of the table `commits`; `nil` if it is malformed.
    func commit(_ row: SweptRow) -> CommitRecord? {
        value(row).flatMap { try? CommitRecord(decoding: $0.rawSpan) }
    }

    /// Reads and decodes a row of the table `names`; `nil` if it is malformed.
    func name(_ row: SweptRow) -> Name? {
        value(row).flatMap { try? Name(decoding: $0.rawSpan) }
    }

    /// Decodes the header of a stored event; `nil` if it is malformed.
    func header(_ value: [UInt8]) -> EventHeader? {
        try? EventHeader(decoding: value.rawSpan)
    }
}

extension [SweptRow] {
    /// Sorts rows by key and removes duplicates; of two equal rows, keeps one that is `checked`.
    fileprivate mutating func sortAndMerge() {
        sort(by: SweptRow.precedes)
        var count = 0
        for index in indices {
            let row = self[index]
            if count > 0, self[count - 1].key == row.key, self[count - 1].checksum == row.checksum {
                continue
            }
            self[count] = row
            count += 1
        }
        removeSubrange(count...)
    }
}

extension [SweptText] {
    /// Sorts texts by event and removes duplicates; of two equal texts, keeps a current one.
    fileprivate mutating func sortAndMerge() {
        sort { a, b in
            (a.position, a.ordinal, a.isCurrent ? 0 : 1, a.row.checksum)
                < (b.position, b.ordinal, b.isCurrent ? 0 : 1, b.row.checksum)
        }
        var count = 0
        for index in indices {
            let text = self[index]
            if count > 0, self[count - 1].position == text.position,
                self[count - 1].ordinal == text.ordinal,
                self[count - 1].row.checksum == text.row.checksum
            {
                continue
            }
            self[count] = text
            count += 1
        }
        removeSubrange(count...)
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element satisfies `fits`; the end index if no element does.
    ///
    /// If an element satisfies `fits`, all elements after it must satisfy it too.
    func lowerBound(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
