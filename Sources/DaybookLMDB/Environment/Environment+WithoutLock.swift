import CDaybookLMDB
import DaybookLibC

extension Environment {
    /// True if the file is read without a lock, because the process cannot open the lock file.
    ///
    /// A writer may then reuse pages that are being read: remember `newestTransactionNumber` before
    /// reading, and call `checkUnchanged` before using what was read.
    public var hasNoLock: Bool { binding.hasNoLock }

    /// Returns the number of the last committed transaction, read from the file itself.
    public func newestTransactionNumber() throws(LMDBError) -> UInt64 {
        guard
            let number = MetaPages.newestTransaction(in: binding.dataDescriptor, pageSize: pageSize)
        else { throw .corrupted }
        return number
    }

    /// Throws if a writer may have overwritten pages of the state that transaction `number`
    /// committed.
    ///
    /// LMDB reuses a page two commits after the commit that freed the page. Without registered
    /// readers, transaction *n* + 3 is the first that may overwrite pages of the state that
    /// transaction *n* committed. It begins once *n* + 2 is committed.
    ///
    /// - Throws: `.changedWhileReading`; anything read since then may be wrong.
    public func checkUnchanged(since number: UInt64) throws(LMDBError) {
        guard hasNoLock else { return }
        guard try newestTransactionNumber() < number &+ 2 else { throw .changedWhileReading }
    }

    /// Begins a read transaction without a lock, while no commit is writing a meta page.
    ///
    /// LMDB copies the newer meta page from the map, while a commit may be writing the page. So
    /// both meta pages are read before and after LMDB's copy, and must not have changed in between.
    /// If a writer is active, the second read follows a pause longer than the write of a page.
    func beginWithoutLock() throws(LMDBError) -> Reader {
        for attempt in 0..<50 {
            let before = MetaPages.bytesOfBoth(in: binding.dataDescriptor, pageSize: pageSize)
            let reader = try beginInsideGate()
            do throws(LMDBError) {
                if try WriteGate.isTaken(binding.dataDescriptor) {
                    usleep(attempt < 25 ? 1_000 : 5_000)
                }
            } catch {
                end(reader)
                throw error
            }
            let after = MetaPages.bytesOfBoth(in: binding.dataDescriptor, pageSize: pageSize)
            if before != nil, before == after { return reader }
            end(reader)
        }
        throw .changedWhileReading
    }
}
