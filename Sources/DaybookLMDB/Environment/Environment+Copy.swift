import CDaybookLMDB
import DaybookLibC

extension Environment {
    /// Writes a consistent copy of the file, without free pages, to a new file at `path`.
    ///
    /// No file may exist at `path`.
    public func copy(to path: String) throws(LMDBError) {
        gate.enter()
        defer { gate.leave() }
        try check(mdb_env_copy2(handle, path, UInt32(MDB_CP_COMPACT)))
    }

    /// Writes a consistent, compacted copy of the file to an open descriptor, while writers may
    /// commit.
    ///
    /// The copy has no free pages. It is complete once this method has returned, but is not yet
    /// synced to disk. A read transaction is open for as long as the copying takes.
    ///
    /// - Throws: `.corrupted` if the file is damaged, such as by a page that is neither in use nor
    ///   free; `.changedWhileReading` if a writer changed the file while it was read without a
    ///   lock, so that the copy may be wrong; the `errno` of a failed write.
    public func copy(to descriptor: CInt) throws(LMDBError) {
        var tries = 0
        while true {
            tries += 1
            do throws(LMDBError) {
                return try copyOnce(to: descriptor)
            } catch .mapResized where tries < 64 {
                // Thrown when the copy's transaction begins, before the first byte is written.
            } catch .readersFull where tries < 3 {
            } catch .incompatible {
                // LMDB returns this if the number of pages does not add up.
                throw .corrupted
            }
        }
    }

    /// Copies the file without a second attempt.
    private func copyOnce(to descriptor: CInt) throws(LMDBError) {
        // Clears the slots of dead readers, and maps the whole file if it has grown.
        mdb_txn_abort(try begin(UInt32(MDB_RDONLY)))
        defer { gate.leave() }
        let number = hasNoLock ? try newestTransactionNumber() : 0
        try check(mdb_env_copyfd2(handle, descriptor, UInt32(MDB_CP_COMPACT)))
        try checkUnchanged(since: number)
    }
}
