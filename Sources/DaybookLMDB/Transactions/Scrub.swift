import CDaybookLMDB

/// A scrub: it overwrites with zeros what no state of the file needs, and lets other writers in
/// between two pieces of the work.
///
/// LMDB leaves the content of earlier states in free pages, in gaps within used pages, and after
/// the last page, until it reuses the space. A scrub first overwrites the gaps of all pages in use,
/// and then the free pages.
///
/// Once it is complete, no byte is left that was unused when the scrub began: each was overwritten
/// with zeros, or by a later commit. What commits of other writers leave unused meanwhile, or later,
/// may stay.
///
/// Each piece is one write transaction without a commit, and looks at a fixed number of bytes, however
/// large the file is. A writer that waits comes before the next piece. The scrub is itself a reader:
/// no page that was in use when it began is reused until it ends, so that the file may grow, and the
/// gaps in these pages stay gaps. Of the free pages, a piece overwrites those that neither the newest
/// state, nor the one before it, nor another reader uses at that moment. So the file is whole at each
/// moment, also where the process or the machine stops.
public struct Scrub: ~Copyable {
    private let environment: Environment
    private let file: DataFile
    /// The reader of the state with which the scrub began.
    private let reader: ReadTransaction
    /// The reader of the state with which the scrub began again; `nil` before.
    private var laterReader: ReadTransaction?
    /// Number of pages at which a piece looks.
    private let pieceLength: UInt64
    private var walk: GapWalk
    private var isWalked = false
    /// The first pages of the ranges whose free pages are not overwritten yet, the last range first.
    private var ranges: [UInt64]
    /// The first pages of the ranges in which old pages were kept.
    private var keptRanges: [UInt64] = []
    /// True once the scrub has begun again.
    private var isAgain = false

    /// Begins a scrub, and checks the structure of the file, without keeping out writers.
    ///
    /// - Parameter pieceBytes: the number of bytes at which a piece looks.
    /// - Throws: `.corrupted` if the structure of the file is damaged; nothing is written then.
    public init(of environment: Environment, pieceBytes: Int = 4 << 20) throws(LMDBError) {
        let reader = try ReadTransaction(in: environment)
        guard reader.pages.faults().isEmpty else { throw .corrupted }
        self.init(environment, try DataFile(of: environment), reader, pieceBytes)
    }

    private init(
        _ environment: Environment, _ file: DataFile, _ reader: consuming ReadTransaction,
        _ pieceBytes: Int
    ) {
        let pages = reader.pages
        let length = max(UInt64(pieceBytes / pages.pageSize), 1)
        let end = UInt64((pages.fileBytes + pages.pageSize - 1) / pages.pageSize)
        self.environment = environment
        self.file = file
        self.reader = reader
        pieceLength = length
        walk = GapWalk(pages)
        ranges = stride(from: 2, to: end, by: UInt64.Stride(length)).reversed()
    }

    /// True if no old pages were kept: neither for a reader of an older state nor, before
    /// `startAgain`, for the state before the newest one. To be asked after the last step.
    public var isComplete: Bool { keptRanges.isEmpty }

    /// Does the next piece of the work. Returns `false` if there is none.
    ///
    /// After an error, the scrub must not go on.
    public mutating func step() throws(LMDBError) -> Bool {
        guard !isWalked || !ranges.isEmpty else {
            // A killed scrub may have left zeros that are not on disk.
            try file.sync()
            return false
        }
        let overwritten = try overwritePiece(in: WriteTransaction(in: environment))
        // Other writers are not kept out until the zeros are on disk.
        if overwritten > 0 { try file.sync() }
        return true
    }

    /// Begins the work again where old pages were kept, after the caller has committed something.
    ///
    /// The file may fall back to the state before the newest one, so that the pages of both are
    /// kept. The one before the newest may be older than the scrub until there is a new state.
    public mutating func startAgain() throws(LMDBError) {
        let reader = try ReadTransaction(in: environment)
        walk.pages = reader.pages
        laterReader = consume reader
        isWalked = false
        isAgain = true
        ranges = keptRanges.reversed()
        keptRanges = []
    }

    /// Overwrites the gaps or free pages of one piece, and returns the number of ranges overwritten.
    private mutating func overwritePiece(
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Int {
        let oldest = try oldestOtherReader() ?? .max
        let unused: [Range<Int>]
        if !isWalked {
            isWalked = try walk.run(atMost: Int(pieceLength))
            unused = walk.gaps
        } else if let first = ranges.popLast() {
            let (free, keepsOld) = try freePages(
                from: first, to: first + pieceLength, in: transaction.pages, readFrom: oldest)
            if keepsOld { keptRanges.append(first) }
            unused = free
        } else {
            unused = []
        }
        for range in unused { try file.zero(range) }
        return unused.count
    }

    /// Finds the pages in a range of page numbers that no state uses and that are not zero.
    ///
    /// - Parameter oldest: the oldest state that others read.
    /// - Returns: their bytes, and true if other pages are kept that may hold old content.
    private func freePages(
        from first: UInt64, to end: UInt64, in pages: PageMap, readFrom oldest: UInt64
    ) throws(LMDBError) -> (free: [Range<Int>], keepsOld: Bool) {
        let before = try pages.stateBefore()
        var freers: [UInt64: UInt64] = [:]
        try before.forEachFreePage(from: first, to: end) { (page, freer) in freers[page] = freer }
        var free: [UInt64] = []
        var keepsOld = false
        try pages.forEachFreePage(from: first, to: end) { (page, _) in
            guard !pages.isZero(pages.bytes(ofPage: page)) else { return }
            // Missing for a page that the state before uses.
            let freer = page > before.meta.lastPage ? 0 : freers[page]
            if let freer, freer < oldest {
                free.append(page)
            } else if !walk.visited.contains(page), !isAgain || freer != nil {
                // A page that was visited was in use after the scrub began, and has no gaps.
                keepsOld = true
            }
        }
        let next = pages.meta.lastPage + 1
        for page in max(first, next)..<max(end, next)
        where !pages.isZero(pages.bytes(ofPage: page)) {
            free.append(page)
        }
        var ranges: [Range<Int>] = []
        for page in free.sorted() {
            let bytes = pages.bytes(ofPage: page)
            if let last = ranges.last, last.upperBound == bytes.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<bytes.upperBound
            } else {
                ranges.append(bytes)
            }
        }
        return (ranges, keepsOld)
    }

    /// Returns the number of the oldest state that is being read, but not by this scrub.
    ///
    /// - Throws: `.changedWhileReading` if this scrub is no longer a registered reader.
    private func oldestOtherReader() throws(LMDBError) -> UInt64? {
        var states = environment.activeReaders().map(\.state)
        var own = [reader.stateNumber]
        if isAgain { own.append(walk.pages.transaction) }
        for state in own {
            guard let index = states.firstIndex(of: state) else { throw .changedWhileReading }
            states.remove(at: index)
        }
        return states.min()
    }
}

extension PageMap {
    /// Returns the bytes of a page, as far as the file has them.
    fileprivate func bytes(ofPage page: UInt64) -> Range<Int> {
        let start = Int(page) * pageSize
        return min(start, fileBytes)..<min(start + pageSize, fileBytes)
    }
}
