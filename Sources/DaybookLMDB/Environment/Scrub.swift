import CDaybookLMDB

/// The result of a scrub.
public struct ScrubbedSpace: Hashable, Sendable {
    /// Bytes set to zero.
    public var bytes = 0
    /// True where nothing is left but pages that the newest commit freed. A reader of an older state
    /// keeps others.
    public var isComplete = true
}

extension WriteTransaction {
    /// Sets everything in the file that no state needs to zero: free pages, the gaps of used ones,
    /// and what lies behind the last page.
    ///
    /// LMDB leaves there what earlier states held until the space is used again. Pages that
    /// the newest commit freed are kept, since the file may fall back on the state before it.
    ///
    /// - Throws: `.corrupted` where the structure of the file is damaged; then nothing is written.
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
            space.bytes += gap.count
        }
        let oldest = oldestNeededState()
        space.isComplete = oldest == pages.meta.transaction
        let kept = try pages.pagesFreed(from: oldest)
        var start: UInt64?
        for page in 2...max(pages.pageCount, 2) {
            let isFree = page < pages.pageCount && !walk.isMet(page) && !kept.contains(page)
            if isFree, !pages.isZero(page) {
                if start == nil { start = page }
            } else if let first = start {
                let range = Int(first) * pages.pageSize..<Int(page) * pages.pageSize
                try file.zero(range)
                space.bytes += range.count
                start = nil
            }
        }
        let end = try file.byteCount()
        if end > pages.byteCount {
            try file.zero(pages.byteCount..<end)
            space.bytes += end - pages.byteCount
        }
        try file.sync()
        return space
    }

    /// The number of the oldest state that somebody reads, or that the file may fall back on.
    private func oldestNeededState() -> UInt64 {
        let readers = environment.takeUnretainedValue().readStates()
        return min(readers.min() ?? .max, pages.meta.transaction)
    }
}

extension PageMap {
    /// The pages that the given state and later ones have freed: older states still use them.
    fileprivate func pagesFreed(from state: UInt64) throws(LMDBError) -> Set<UInt64> {
        var freed: Set<UInt64> = []
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var isAtRow = try cursor.last()
        while isAtRow {
            let row = try cursor.row()
            guard try row.key.integer >= state else { break }
            let count = min(row.data.count / 8 - 1, Int(row.data.loadUnaligned(as: UInt64.self)))
            for index in 0..<max(count, 0) {
                freed.insert(row.data.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self))
            }
            isAtRow = try cursor.previous()
        }
        return freed
    }

    fileprivate func isZero(_ page: UInt64) -> Bool {
        UnsafeRawBufferPointer(start: start + Int(page) * pageSize, count: pageSize)
            .allSatisfy { $0 == 0 }
    }
}

extension Environment {
    /// The states that readers of all processes see, by their numbers.
    fileprivate func readStates() -> [UInt64] {
        // LMDB lists them only as lines of text: process, thread and state.
        final class Lines { var text = "" }
        let lines = Lines()
        let context = Unmanaged.passUnretained(lines).toOpaque()
        _ = mdb_reader_list(
            handle,
            { (message, context) in
                guard let message, let context else { return 0 }
                Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().text +=
                    String(cString: message)
                return 0
            }, context)
        return lines.text.split(separator: "\n").compactMap { line in
            line.split(separator: " ").last.flatMap { UInt64($0) }
        }
    }
}
