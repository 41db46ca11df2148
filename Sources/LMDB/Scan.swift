public import CLMDB

/// Which way a scan goes.
public enum ScanOrder: Sendable {
    case ascending
    case descending
}

extension Transaction where Self: ~Copyable {
    /// Shows each row of a table with integer keys to `body`, until it returns `false`.
    ///
    /// - Returns: why the scan broke off before the last row; `nil` if it did not.
    /// - Parameter start: where to begin, itself included; `nil` for the first row in `order`.
    @inlinable
    public func scan<Failure: Error>(
        _ table: Table, _ order: ScanOrder = .ascending, from start: UInt64? = nil,
        _ body: (UInt64, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: OpaquePointer?
        if let failure = open(&cursor, on: table) { return failure }
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        var wanted = start ?? 0
        var code: CInt
        switch (order, start) {
        case (.ascending, nil): code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        case (.descending, nil): code = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
        case (_, let start?):
            code = withUnsafeMutableBytes(of: &wanted) { wanted in
                key.mv_size = wanted.count
                key.mv_data = wanted.baseAddress
                return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
            }
            if order == .descending {
                if code == MDB_NOTFOUND {
                    code = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
                } else if code == MDB_SUCCESS, key.integer != start {
                    code = mdb_cursor_get(cursor, &key, &value, MDB_PREV)
                }
            }
        }
        let step = order == .ascending ? MDB_NEXT : MDB_PREV
        while code == MDB_SUCCESS {
            let bytes = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
            guard try body(key.integer, bytes) else { return nil }
            code = mdb_cursor_get(cursor, &key, &value, step)
        }
        return failure(code)
    }

    /// Shows each row of a table with byte keys to `body`, until it returns `false`.
    ///
    /// - Parameter start: where to begin, itself included where it is there; not empty.
    public func scan<Failure: Error>(
        _ table: Table, _ order: ScanOrder = .ascending, from start: RawSpan? = nil,
        _ body: (RawSpan, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: OpaquePointer?
        if let failure = open(&cursor, on: table) { return failure }
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        var code: CInt
        if let start {
            code = start.withUnsafeBytes { wanted in
                key = MDB_val(wanted)
                let code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                guard order == .descending else { return code }
                if code == MDB_NOTFOUND { return mdb_cursor_get(cursor, &key, &value, MDB_LAST) }
                let found = UnsafeRawBufferPointer(start: key.start, count: key.mv_size)
                guard code == MDB_SUCCESS, !found.elementsEqual(wanted) else { return code }
                return mdb_cursor_get(cursor, &key, &value, MDB_PREV)
            }
        } else {
            let first = order == .ascending ? MDB_FIRST : MDB_LAST
            code = mdb_cursor_get(cursor, &key, &value, first)
        }
        let step = order == .ascending ? MDB_NEXT : MDB_PREV
        while code == MDB_SUCCESS {
            let keyBytes = RawSpan(_unsafeStart: key.start, byteCount: key.mv_size)
            let bytes = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
            guard try body(keyBytes, bytes) else { return nil }
            code = mdb_cursor_get(cursor, &key, &value, step)
        }
        return failure(code)
    }

    /// Shows each key of a table of sets, and how many integers stand under it, until `body`
    /// returns `false`.
    ///
    /// - Parameter start: where to begin, itself included where it is there; not empty.
    public func scanKeys<Failure: Error>(
        _ table: Table, from start: RawSpan, _ body: (RawSpan, Int) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: OpaquePointer?
        if let failure = open(&cursor, on: table) { return failure }
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        var code = start.withUnsafeBytes { wanted in
            key = MDB_val(wanted)
            return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        }
        while code == MDB_SUCCESS {
            var count = 0
            let counted = mdb_cursor_count(cursor, &count)
            guard counted == MDB_SUCCESS else { return LMDBError(rawValue: counted) }
            guard try body(RawSpan(_unsafeStart: key.start, byteCount: key.mv_size), count) else {
                return nil
            }
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_NODUP)
        }
        return failure(code)
    }

    /// The integers of the set under `key` that are at least `start`, in order, until `body`
    /// returns `false`.
    public func scanSet<Failure: Error>(
        of key: RawSpan, in table: Table, from start: UInt64,
        _ body: (UInt64) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: OpaquePointer?
        if let failure = open(&cursor, on: table) { return failure }
        defer { mdb_cursor_close(cursor) }
        var value = MDB_val()
        var wanted = start
        var code = key.withUnsafeBytes { key in
            withUnsafeMutableBytes(of: &wanted) { wanted in
                var key = MDB_val(key)
                value.mv_size = wanted.count
                value.mv_data = wanted.baseAddress
                return mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH_RANGE)
            }
        }
        while code == MDB_SUCCESS {
            guard try body(value.integer) else { return nil }
            var key = MDB_val()
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_DUP)
        }
        return failure(code)
    }
}

extension Transaction where Self: ~Copyable {
    /// Opens a cursor, which is to be closed if nothing is returned.
    @inlinable
    func open(_ cursor: inout OpaquePointer?, on table: Table) -> LMDBError? {
        let code = mdb_cursor_open(handle, table.dbi, &cursor)
        return code == MDB_SUCCESS ? nil : LMDBError(rawValue: code)
    }
}

extension Transaction where Self: ~Copyable {
    /// Shows the rows under the given integer keys to `body`, until it returns `false`.
    ///
    /// One cursor goes from row to row, so that keys in order cost little more than a scan. A
    /// key without a row is shown with no bytes.
    ///
    /// - Returns: why the visit broke off; `nil` if it did not.
    @inlinable
    public func visit<Failure: Error>(
        _ keys: some Sequence<UInt64>, in table: Table,
        _ body: (UInt64, RawSpan) throws(Failure) -> Bool
    ) throws(Failure) -> LMDBError? {
        var cursor: OpaquePointer?
        if let failure = open(&cursor, on: table) { return failure }
        defer { mdb_cursor_close(cursor) }
        for wanted in keys {
            var wanted = wanted
            var value = MDB_val()
            let code = withUnsafeMutableBytes(of: &wanted) { wanted in
                var key = MDB_val(mv_size: wanted.count, mv_data: wanted.baseAddress)
                return mdb_cursor_get(cursor, &key, &value, MDB_SET_KEY)
            }
            guard code == MDB_SUCCESS || code == MDB_NOTFOUND else {
                return LMDBError(rawValue: code)
            }
            let bytes =
                code == MDB_NOTFOUND
                ? RawSpan() : RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
            guard try body(wanted, bytes) else { return nil }
        }
        return nil
    }
}

/// What a scan that has come to its end reports: that there is no further row is no failure.
@inlinable
func failure(_ code: CInt) -> LMDBError? {
    code == MDB_NOTFOUND ? nil : LMDBError(rawValue: code)
}

extension MDB_val {
    /// An integer key or value. 0 where the bytes are no integer, which LMDB does not let in.
    @inlinable var integer: UInt64 {
        mv_size == 8 ? start.loadUnaligned(as: UInt64.self) : 0
    }
}
