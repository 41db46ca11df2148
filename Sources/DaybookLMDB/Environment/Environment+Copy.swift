extension Environment {
    /// Writes a consistent, compacted copy of the file to an open descriptor, while writers may
    /// commit.
    ///
    /// The copy has no free pages. It is complete once this method has returned, but is not yet
    /// synced to disk. A read transaction is open for as long as the copying takes.
    ///
    /// - Throws: `.damaged` if a page is not what the pages above it require, or if the pages do not
    ///   add up; `.unreadable(.changedWhileReading)` if a writer changed the file while it was read
    ///   without a lock, so that the copy may be wrong; `.unwritable` if a write failed. What was
    ///   written until then is no copy.
    public func copy(to descriptor: CInt) throws(CopyError) {
        let (reader, pages): (Reader, PageMap)
        do throws(LMDBError) { (reader, pages) = try beginReading() } catch {
            throw .unreadable(error)
        }
        defer { end(reader) }
        var failure: CopyError?
        do throws(CopyError) {
            try CompactCopy.write(pages, mapSize: mapSize, to: descriptor)
        } catch { failure = error }
        if case .unwritable(let error) = failure { throw .unwritable(error) }
        // Without a lock, pages that a writer reuses look damaged.
        do throws(LMDBError) { try checkUnchanged(since: pages.transaction) } catch {
            throw .unreadable(error)
        }
        if let failure { throw failure }
    }
}
