import Daybook
import DaybookLMDB

/// The place of a row that a salvage found while scanning all pages of a damaged file.
///
/// It takes 24 bytes, however large the row is.
struct SweptRow: Hashable {
    /// The integer key of the row; 0 for a text.
    var key: UInt64
    /// The computed checksum of table, key and value; rows with equal checksums are equal.
    var sum: UInt64
    /// The page, the offset in the page and the form, packed into one integer.
    private var packed: UInt64

    /// The result of comparing the stored with the computed checksum.
    enum Form: UInt64 {
        /// The stored checksum matches.
        case checked
        /// The stored checksum does not match.
        case mismatched
    }

    init(_ key: UInt64, _ sum: UInt64, _ place: PageFile.Place, _ form: Form) {
        self.key = key
        self.sum = sum
        packed = place.page << 17 | UInt64(place.offset) << 1 | form.rawValue
    }

    /// The page of the row and its offset in the page.
    var place: PageFile.Place {
        PageFile.Place(page: packed >> 17, offset: Int(packed >> 1 & 0xFFFF))
    }
    /// The result of the checksum comparison.
    var form: Form { Form(rawValue: packed & 1) ?? .mismatched }

    /// Orders rows by key, checksum, form and place.
    static func precedes(_ a: SweptRow, _ b: SweptRow) -> Bool {
        (a.key, a.sum, a.form.rawValue, a.packed) < (b.key, b.sum, b.form.rawValue, b.packed)
    }
}

/// A personal text that the scan of a damaged file has found.
struct SweptText: Hashable {
    /// The position of the text's event.
    var position: UInt64
    /// The number of the personal field in the event.
    var ordinal: UInt32
    /// True if the newest state of the file contains the text's page, so the row is current.
    var isReached: Bool
    /// The place of the encrypted text.
    var row: SweptRow
}

/// All rows of a log that can be found in a damaged file, in the order of keys.
struct SalvageRows {
    /// The damaged file.
    let file: PageFile
    let tables = Tables()
    /// Rows that may be events, by position.
    private(set) var events: [SweptRow] = []
    /// Rows that may be commits, by the position of their first event.
    private(set) var commits: [SweptRow] = []
    /// Rows that may be of the table `names`, by row number.
    private(set) var names: [SweptRow] = []
    /// Rows that may be personal texts, by position and field number.
    private(set) var texts: [SweptText] = []
    /// Rows of `people`, including older versions.
    private(set) var people: [SweptRow] = []
    /// The encryption keys that were found.
    private(set) var vault = SweptVault()
    /// The format version in the table `meta`, if it is not this program's.
    private(set) var otherFormat: UInt32?
    /// The values found as the log's id.
    private var identifiers = MetaValues()
    /// The values found as the log's secret.
    private var secrets = MetaValues()
    /// The leaf pages of the newest committed state.
    private let trees: Trees
    /// The position of the last event in the newest state.
    private var lastReached: UInt64 = 0

    /// The values found under a key of `meta`.
    private struct MetaValues {
        /// Values whose checksums match.
        var checked: Set<[UInt8]> = []
        /// Values on a page of `meta` in the newest state of the file.
        var reached: Set<[UInt8]> = []

        /// The most likely value; `nil` if there is none or several are equally likely.
        var value: [UInt8]? {
            for values in [checked.intersection(reached), checked, reached]
            where values.count == 1 { return values.first }
            return nil
        }
    }

    /// The leaf pages of the tables, as of the newest committed state of the file.
    private struct Trees {
        /// True if the state's list of tables can be relied on.
        var isTrusted = false
        /// Leaf pages of the table `events`; `nil` if its tree cannot be read.
        var events: PageFile.Leaves?
        /// Leaf pages of the table `commits`; `nil` if its tree cannot be read.
        var commits: PageFile.Leaves?
        /// Leaf pages of the table `names`; `nil` if its tree cannot be read.
        var names: PageFile.Leaves?
        /// Leaf pages of the table `texts`; `nil` if its tree cannot be read.
        var texts: PageFile.Leaves?
        /// Leaf pages of the table `meta`; `nil` if its tree cannot be read.
        var meta: PageFile.Leaves?
    }

    /// Scans all pages of the file.
    ///
    /// - Parameter progress: called occasionally with the number of pages read.
    init(_ file: PageFile, _ progress: (UInt64) -> Void) {
        self.file = file
        var trees = Trees()
        if let state = file.state() {
            trees.isTrusted = state.isTrusted
            trees.events = file.leaves(of: tables.events.name, in: state)
            trees.commits = file.leaves(of: tables.commits.name, in: state)
            trees.names = file.leaves(of: tables.names.name, in: state)
            trees.texts = file.leaves(of: tables.texts.name, in: state)
            trees.meta = file.leaves(of: tables.meta.name, in: state)
        }
        self.trees = trees
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

    /// Adds a row of any table, recognised by its key size and its checksum.
    private mutating func add(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        switch key.byteCount {
        case 8:
            let number: UInt64 = key.integer(at: 0)
            if value.byteCount == Vault.blockByteCount { return vault.add(value.copied(), number) }
            guard number > 0 else { return }
            if let row = checked(tables.events, number, place, value) {
                markReached(number, place, isLeaf)
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

    /// Advances `lastReached` to an event on a leaf page of the newest state.
    private mutating func markReached(_ position: UInt64, _ place: PageFile.Place, _ isLeaf: Bool) {
        guard isLeaf, position > lastReached, trees.events?.contains(place.page) == true else {
            return
        }
        lastReached = position
    }

    /// Returns the row if its checksum matches that of a table; `nil` if it does not.
    private func checked(
        _ table: LogTable, _ key: UInt64, _ place: PageFile.Place, _ value: RawSpan
    ) -> SweptRow? {
        let count = value.byteCount - RowChecksum.byteCount
        guard count > 0 else { return nil }
        let sum = RowChecksum.sum(table.number, key, value.extracting(..<count))
        return RowChecksum.word(value, count) == sum ? SweptRow(key, sum, place, .checked) : nil
    }

    /// Adds a row without a matching checksum if it is in the newest state; the chain may prove it.
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
        if trees.events?.contains(page) == true {
            markReached(key, place, true)
            add(tables.events, to: &events)
        }
        if trees.commits?.contains(page) == true { add(tables.commits, to: &commits) }
        if trees.names?.contains(page) == true { add(tables.names, to: &names) }
    }

    /// Adds a personal text whose checksum matches or that is in the newest state.
    private mutating func addText(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        let count = value.byteCount - RowChecksum.byteCount
        guard count > 0 else { return }
        let sum = RowChecksum.sum(tables.texts.number, key, value.extracting(..<count))
        let fits = RowChecksum.word(value, count) == sum
        let isReached = isLeaf && trees.texts?.contains(place.page) == true
        guard fits || isReached else { return }
        texts.append(
            SweptText(
                position: key.integer(at: 0, as: UInt64.self).byteSwapped,
                ordinal: key.integer(at: 8, as: UInt32.self).byteSwapped, isReached: isReached,
                row: SweptRow(0, sum, place, fits ? .checked : .mismatched)))
    }

    /// Adds the value of the id, the secret or the format version; ignores other rows of `meta`.
    private mutating func addMeta(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        let name = key.copied()
        let isReached = isLeaf && trees.meta?.contains(place.page) == true
        if name == Meta.format, isReached { recordFormat(key, value) }
        let expected = name == Meta.identifier ? 16 : name == Meta.secret ? 32 : 0
        guard expected > 0, value.byteCount == expected + RowChecksum.byteCount else { return }
        let bytes = value.extracting(..<expected)
        var values = name == Meta.identifier ? identifiers : secrets
        let sum = RowChecksum.sum(tables.meta.number, key, bytes)
        if RowChecksum.word(value, expected) == sum { values.checked.insert(bytes.copied()) }
        if isReached { values.reached.insert(bytes.copied()) }
        if name == Meta.identifier { identifiers = values } else { secrets = values }
    }

    /// Records the format version if it is not this program's.
    ///
    /// The row has a checksum only from format 3 on.
    private mutating func recordFormat(_ key: RawSpan, _ value: RawSpan) {
        guard value.byteCount >= 4 else { return }
        let version: UInt32 = value.integer(at: 0)
        let isEarlier = value.byteCount == 4 && (1...2).contains(version)
        let isLater =
            version > EventLog.formatVersion && value.byteCount == 4 + RowChecksum.byteCount
            && RowChecksum.word(value, 4)
                == RowChecksum.sum(tables.meta.number, key, value.extracting(..<4))
        if isEarlier || isLater { otherFormat = version }
    }
}

extension SalvageRows {
    /// The log's id; `nil` if it cannot be determined.
    var identifier: [UInt8]? { identifiers.value }
    /// The log's secret; `nil` if it cannot be determined.
    var secret: [UInt8]? { secrets.value }

    /// The last position of the log; `nil` if it cannot be determined.
    ///
    /// Rows after it were written by an unfinished transaction. The count in the list of tables and
    /// the leaves must agree, because the list may refer to pages of an earlier state or of another
    /// table.
    var lastPosition: UInt64? {
        guard trees.isTrusted, let leaves = trees.events else { return nil }
        if leaves.broken == 0, leaves.freed == 0 {
            return leaves.rows == lastReached && leaves.rows == leaves.claimedRows
                ? lastReached : nil
        }
        // An event takes at least 48 bytes.
        let isLikely =
            leaves.claimedRows >= lastReached
            && leaves.claimedRows <= UInt64(file.byteCount) / 48
        return isLikely ? leaves.claimedRows : nil
    }

    /// The last position with a row in the file, for a log whose last position is unknown.
    var lastSeen: UInt64 {
        if let event = events.last(where: { $0.form == .checked }) { return event.key }
        return lastReached
    }

    /// Returns the rows with a key.
    static func rows(_ rows: [SweptRow], at key: UInt64) -> ArraySlice<SweptRow> {
        let start = rows.lowerBound(where: { $0.key >= key })
        var end = start
        while end < rows.count, rows[end].key == key { end += 1 }
        return rows[start..<end]
    }

    /// Returns the texts of an event.
    func texts(at position: UInt64) -> ArraySlice<SweptText> {
        let start = texts.lowerBound(where: { $0.position >= position })
        var end = start
        while end < texts.count, texts[end].position == position { end += 1 }
        return texts[start..<end]
    }

    /// Reads the value of a row from the file, without its checksum; `nil` if it cannot be read.
    func value(_ row: SweptRow) -> [UInt8]? {
        file.withRow(at: row.place) { (_, value) -> [UInt8]? in
            let count = value.byteCount - RowChecksum.byteCount
            return count > 0 ? value.extracting(..<count).copied() : nil
        }
    }

    /// Reads and decodes the row of a commit; `nil` if it is malformed.
    func commit(_ row: SweptRow) -> CommitRecord? {
        guard let value = value(row) else { return nil }
        do throws(CorruptRecord) {
            return try CommitRecord(decoding: value.rawSpan)
        } catch {
            return nil
        }
    }

    /// Reads and decodes a row of the table `names`; `nil` if it is malformed.
    func name(_ row: SweptRow) -> Name? {
        guard let value = value(row) else { return nil }
        do throws(CorruptRecord) {
            return try Name(decoding: value.rawSpan)
        } catch {
            return nil
        }
    }

    /// Decodes the header of a stored event; `nil` if it is malformed.
    func header(_ value: [UInt8]) -> EventHeader? {
        do throws(CorruptRecord) {
            return try EventHeader(decoding: value.rawSpan)
        } catch {
            return nil
        }
    }
}

extension [SweptRow] {
    /// Sorts by key and removes duplicates; a row with a matching checksum is preferred.
    fileprivate mutating func sortAndMerge() {
        sort(by: SweptRow.precedes)
        var count = 0
        for index in indices {
            let row = self[index]
            if count > 0, self[count - 1].key == row.key, self[count - 1].sum == row.sum {
                continue
            }
            self[count] = row
            count += 1
        }
        removeSubrange(count...)
    }
}

extension [SweptText] {
    /// Sorts by event and removes duplicates; a text in the newest state is preferred.
    fileprivate mutating func sortAndMerge() {
        sort { a, b in
            (a.position, a.ordinal, a.isReached ? 0 : 1, a.row.sum)
                < (b.position, b.ordinal, b.isReached ? 0 : 1, b.row.sum)
        }
        var count = 0
        for index in indices {
            let text = self[index]
            if count > 0, self[count - 1].position == text.position,
                self[count - 1].ordinal == text.ordinal, self[count - 1].row.sum == text.row.sum
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
    /// Returns the first index whose element satisfies `fits`; the end index if there is none.
    ///
    /// All elements after the first that satisfies `fits` must satisfy it too.
    func lowerBound(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
