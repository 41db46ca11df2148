/// The direction of a scan.
public enum ScanOrder: Sendable {
    case ascending
    case descending
}

extension Transaction where Self: ~Copyable {
    /// Passes each row of a table with integer keys to `body`, until `body` returns `false`.
    ///
    /// - Returns: the error that ended the scan early; `nil` if there was none.
    /// - Parameter start: the first key to visit; if it has no row, the scan begins with the next
    ///   row in `order`. `nil` begins with the first row in `order`.
    @inlinable @inline(__always)
    public func scan<Failure: Error>(
        _ table: Table, _ order: ScanOrder = .ascending, from start: UInt64? = nil,
        _ body: (UInt64, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: TreeCursor
        do throws(LMDBError) {
            guard let begun = try state.cursor(table, order, from: start) else { return nil }
            cursor = begun
        } catch { return error }
        var last: UInt64?
        let ahead = order == .ascending ? TreeCursor.prefetchDistance : -TreeCursor.prefetchDistance
        while true {
            cursor.prefetch(cursor.leaf.index + ahead)
            let key: UInt64
            let data: UnsafeRawBufferPointer
            do throws(LMDBError) {
                let row = try cursor.row()
                (key, data) = (try row.key.integer, row.data)
                guard row.flags == 0, last.map({ order.isBefore($0, key) }) ?? true else {
                    throw LMDBError.corrupted
                }
            } catch { return error }
            guard try body(key, RawSpan(_unsafeBytes: data)) else { return nil }
            last = key
            do throws(LMDBError) {
                guard try order == .ascending ? cursor.moveToNext() : cursor.moveToPrevious() else {
                    return nil
                }
            } catch { return error }
        }
    }

    /// Passes each row of a table with byte keys to `body`, until `body` returns `false`.
    ///
    /// - Returns: the error that ended the scan early; `nil` if there was none.
    /// - Parameter start: the first key to visit, not empty; if it has no row, the scan begins with
    ///   the next row in `order`. `nil` begins with the first row in `order`.
    public func scan<Failure: Error>(
        _ table: Table, _ order: ScanOrder = .ascending, from start: RawSpan? = nil,
        _ body: (RawSpan, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: TreeCursor
        do throws(LMDBError) {
            guard let begun = try state.cursor(table, order, from: start) else { return nil }
            cursor = begun
        } catch { return error }
        while true {
            let row: PageMap.Row
            do throws(LMDBError) {
                row = try cursor.row()
                guard row.flags == 0 else { throw LMDBError.corrupted }
            } catch { return error }
            let (key, bytes) = (RawSpan(_unsafeBytes: row.key), RawSpan(_unsafeBytes: row.data))
            guard try body(key, bytes) else { return nil }
            do throws(LMDBError) {
                guard try order == .ascending ? cursor.moveToNext() : cursor.moveToPrevious() else {
                    return nil
                }
            } catch { return error }
        }
    }

    /// Passes the rows of the given integer keys to `body`, until `body` returns `false`.
    ///
    /// One cursor moves from row to row, so that ascending keys cost little more than a scan. A key
    /// without a row is passed to `body` with empty bytes.
    ///
    /// - Returns: the error that ended the visit early; `nil` if there was none.
    @inlinable
    public func visit<Failure: Error>(
        _ keys: some Sequence<UInt64>, in table: Table,
        _ body: (UInt64, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: TreeCursor
        do throws(LMDBError) { cursor = try state.cursor(table) } catch { return error }
        for key in keys {
            let data: UnsafeRawBufferPointer
            do throws(LMDBError) { data = try cursor.data(near: key) } catch { return error }
            guard try body(key, RawSpan(_unsafeBytes: data)) else { return nil }
        }
        return nil
    }
}

extension ScanOrder {
    /// Returns true if a scan in this order visits key `a` before key `b`.
    @inlinable @inline(__always)
    func isBefore(_ a: UInt64, _ b: UInt64) -> Bool { self == .ascending ? a < b : a > b }
}

extension TransactionState {
    /// Returns a cursor at the first row of a scan; `nil` if the scan has no rows.
    @usableFromInline
    func cursor(
        _ table: Table, _ order: ScanOrder, from start: UInt64?
    ) throws(LMDBError) -> TreeCursor? {
        try cursorAtFirstRow(table, order, start)
    }

    func cursor(
        _ table: Table, _ order: ScanOrder, from start: RawSpan?
    ) throws(LMDBError) -> TreeCursor? {
        guard let start else { return try cursorAtFirstRow(table, order, nil as UInt64?) }
        return try cursorAtFirstRow(table, order, start.withUnsafeBytes { $0 })
    }

    /// Returns a cursor at the first row that a scan visits; `nil` if there is no such row.
    private func cursorAtFirstRow(
        _ table: Table, _ order: ScanOrder, _ key: (some TreeKey)?
    ) throws(LMDBError) -> TreeCursor? {
        var cursor = try cursor(table)
        guard let key else {
            let isThere = try order == .ascending ? cursor.moveToFirst() : cursor.moveToLast()
            return isThere ? cursor : nil
        }
        let isThere = try cursor.seek(key)
        if !isThere { try cursor.checkEnclosing(key) }
        switch order {
        case .ascending: return cursor.isAtRow ? cursor : nil
        case .descending:
            let hasRow = try isThere ? true : cursor.moveToPrevious()
            return hasRow ? cursor : nil
        }
    }
}

extension TreeCursor {
    /// Returns the data stored under a key; empty if the key has no row. If the table has
    /// consecutive keys, the row is found in the cursor's leaf without a search.
    @usableFromInline
    mutating func data(near key: UInt64) throws(LMDBError) -> UnsafeRawBufferPointer {
        if leaf.count > 0 {
            let first = try pages.key(leaf.page, 0).integer
            let index = Int(truncatingIfNeeded: key &- first)
            if key >= first, index < leaf.count, try pages.key(leaf.page, index).integer == key {
                leaf.index = index
                return try plainData()
            }
        }
        return try seek(key) ? plainData() : UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Returns the data of the row at the cursor; throws if the data is a tree or a set of values.
    private func plainData() throws(LMDBError) -> UnsafeRawBufferPointer {
        let row = try row()
        guard row.flags == 0 else { throw .corrupted }
        return row.data
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as an integer key; throws `.corrupted` unless there are eight.
    @inlinable @inline(__always)
    var integer: UInt64 {
        get throws(LMDBError) {
            guard count == 8 else { throw .corrupted }
            return loadUnaligned(as: UInt64.self)
        }
    }
}
