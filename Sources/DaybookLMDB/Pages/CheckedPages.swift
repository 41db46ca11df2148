/// Pages that a transaction has checked and need not check again.
///
/// A page is known together with its tree and the keys between which its own must lie, by their
/// places in the map, so that a damaged branch that leads to the page from elsewhere has it checked
/// once more. The memory is bounded: a page that shares its entry with another one is forgotten, and
/// checked again.
final class CheckedPages {
    private struct Entry {
        var page: UnsafeRawPointer?
        /// Number of the root page of its tree.
        var root: UInt64 = 0
        var first: UnsafeRawPointer?
        var end: UnsafeRawPointer?
    }

    private static let fewestEntries = 16
    private static let mostEntries = 8_192

    private var entries: [Entry] = []
    /// Pages that were not known since the last growth.
    private var misses = 0

    /// Returns true for a page that was checked between these keys; otherwise notes it as checked.
    ///
    /// The caller checks a page that is not known, and gives the transaction up if it is damaged.
    func isKnown(
        _ page: UnsafeRawPointer, number: UInt64, root: UInt64, from first: UnsafeRawPointer?,
        to end: UnsafeRawPointer?
    ) -> Bool {
        if entries.isEmpty { grow(to: Self.fewestEntries) }
        let index = Int(truncatingIfNeeded: number) & (entries.count - 1)
        let entry = entries[index]
        if entry.page == page, entry.root == root, entry.first == first, entry.end == end {
            return true
        }
        entries[index] = Entry(page: page, root: root, first: first, end: end)
        misses += 1
        if misses > 2 * entries.count, entries.count < Self.mostEntries {
            grow(to: 4 * entries.count)
        }
        return false
    }

    /// Forgets a page that turned out to be damaged.
    func forget(number: UInt64) {
        entries[Int(truncatingIfNeeded: number) & (entries.count - 1)] = Entry()
    }

    /// - Parameter count: a power of two.
    private func grow(to count: Int) {
        misses = 0
        entries = Array(repeating: Entry(), count: min(count, Self.mostEntries))
    }
}
