import Synchronization

/// Decides when a long-lived writer looks for readers that have died within a read.
///
/// LMDB looks for them only when the table of readers is full; until then it reuses no page that
/// such a reader could see, and the file grows with every commit.
final class ReaderCheck: Sendable {
    /// The number of writes after which the next look is due.
    private static let writeLimit = 1_000
    /// The number of pages by which the file may grow until the next look is due: a mebibyte.
    private static let growthLimit = 256

    private let writes = Atomic(0)
    /// Number of the file's pages at the last look.
    private let pages = Atomic(0)

    /// Counts a write, and returns true if a look is due before it.
    ///
    /// Called by one writer at a time.
    ///
    /// - Parameter usedPages: number of the pages of the file, free or not.
    func isDue(usedPages: Int) -> Bool {
        let count = writes.add(1, ordering: .relaxed).newValue
        let growth = usedPages - pages.load(ordering: .relaxed)
        guard count >= Self.writeLimit || growth >= Self.growthLimit else { return false }
        writes.store(0, ordering: .relaxed)
        pages.store(usedPages, ordering: .relaxed)
        return true
    }
}
