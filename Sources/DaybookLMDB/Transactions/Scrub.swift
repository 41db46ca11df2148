import CDaybookLMDB

/// The result of a scrub, which overwrites unused bytes of a file with zeros.
public struct ScrubbedSpace: Hashable, Sendable {
    /// Number of bytes that the scrub overwrote.
    public var byteCount = 0
    /// True if old content remains only in the pages that the newest commit freed.
    ///
    /// False if further old pages were kept for a reader of an older state.
    public var isComplete = true
}

extension WriteTransaction {
    /// Overwrites with zeros all bytes of the file that no state needs.
    ///
    /// These are free pages, gaps within used pages, and the bytes after the last page. LMDB leaves
    /// the content of earlier states there until it reuses the space. Pages that the newest commit
    /// freed are kept, because the file may fall back to the state before that commit.
    ///
    /// - Throws: `.corrupted` if the structure of the file is damaged; nothing is written then.
    public func scrub() throws(LMDBError) -> ScrubbedSpace {
        let pages = pages
        let file = try dataFile()
        var walk = PageWalk(pages)
        walk.collectsGaps = true
        walk.run()
        guard walk.faults.isEmpty else { throw .corrupted }
        var space = ScrubbedSpace()
        for gap in walk.gaps {
            try file.zero(gap)
            space.byteCount += gap.count
        }
        let oldest = oldestStateToKeep()
        space.isComplete = oldest == pages.meta.transaction
        let kept = try pages.pagesFreed(from: oldest)
        var start: UInt64?
        for page in 2...max(pages.pageCount, 2) {
            let isFree = page < pages.pageCount && !walk.isVisited(page) && !kept.contains(page)
            if isFree, !pages.isZero(page) {
                if start == nil { start = page }
            } else if let first = start {
                let range = Int(first) * pages.pageSize..<Int(page) * pages.pageSize
                try file.zero(range)
                space.byteCount += range.count
                start = nil
            }
        }
        let end = try file.byteCount()
        if end > pages.byteCount {
            try file.zero(pages.byteCount..<end)
            space.byteCount += end - pages.byteCount
        }
        try file.sync()
        return space
    }

    /// Returns the transaction number of the oldest state whose pages are kept: the oldest state
    /// that is being read, or else the newest state.
    private func oldestStateToKeep() -> UInt64 {
        let readers = environment.takeUnretainedValue().activeReaders()
        return min(readers.map(\.state).min() ?? .max, pages.meta.transaction)
    }
}

extension PageMap {
    /// Returns the numbers of the pages that transaction `state` and later transactions freed.
    ///
    /// Older states still use these pages.
    func pagesFreed(from state: UInt64) throws(LMDBError) -> Set<UInt64> {
        var freed: Set<UInt64> = []
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var isAtRow = try cursor.moveToLast()
        while isAtRow {
            let row = try cursor.row()
            guard try row.key.integer >= state else { break }
            let count = min(row.data.count / 8 - 1, Int(row.data.loadUnaligned(as: UInt64.self)))
            for index in 0..<max(count, 0) {
                freed.insert(row.data.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self))
            }
            isAtRow = try cursor.moveToPrevious()
        }
        return freed
    }

    /// Returns true if every byte of the page is zero.
    fileprivate func isZero(_ page: UInt64) -> Bool {
        UnsafeRawBufferPointer(start: start + Int(page) * pageSize, count: pageSize)
            .allSatisfy { $0 == 0 }
    }
}
