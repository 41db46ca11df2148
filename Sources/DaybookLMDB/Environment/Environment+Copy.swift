import CDaybookLMDB
import DaybookLibC

extension Environment {
    /// Writes a consistent, compacted copy of the file to an open descriptor, beside writers.
    ///
    /// The copy has no free pages and is complete only once this has returned. It is not synced.
    /// A reader's transaction lasts as long as the copying does.
    ///
    /// - Throws: `.corrupted` where pages are neither in use nor free: the file is damaged;
    ///   `.changedWhileReading` where the copy may be wrong, since nothing kept a writer away; the
    ///   `errno` of a write that failed.
    public func copy(to descriptor: CInt) throws(LMDBError) {
        var tries = 0
        while true {
            tries += 1
            do throws(LMDBError) {
                return try copyOnce(to: descriptor)
            } catch .mapResized where tries < 64 {
                // Found as the copy's transaction begins, before the first byte.
            } catch .readersFull where tries < 3 {
            } catch .incompatible {
                // LMDB's word for a number of pages that does not fit.
                throw .corrupted
            }
        }
    }

    private func copyOnce(to descriptor: CInt) throws(LMDBError) {
        // Clears dead readers and adopts the size of a map that another process has grown.
        mdb_txn_abort(try begin(UInt32(MDB_RDONLY)))
        defer { gate.leave() }
        let number = hasNoLock ? try newestTransactionNumber() : 0
        try check(mdb_env_copyfd2(handle, descriptor, UInt32(MDB_CP_COMPACT)))
        try checkUnchanged(since: number)
    }
}
