/// Pages that a transaction has checked and need not check again.
///
/// An entry identifies a page by its address, its tree and the two keys that limit its keys. If a
/// damaged branch leads to the page from elsewhere, the limits differ and the page is checked
/// again. The memory is bounded: a page overwrites the entry of another page with the same index,
/// which is then checked again.
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
    /// Number of pages without an entry since the table last grew.
    private var misses = 0

    /// True if the page was checked between these keys; otherwise records the page as checked.
    ///
    /// If the result is false, the caller must check the page, and call `forget` if it is damaged.
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
