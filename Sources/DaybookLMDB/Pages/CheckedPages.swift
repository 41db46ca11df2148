/// A table, of limited size, of the pages that a transaction need not check again.
///
/// An entry identifies a page by its address, the root of its tree, and the two keys in the
/// branches above that limit the keys of the page. If a damaged branch leads to the page from
/// elsewhere, the limits differ and the page is checked again. An entry overwrites an earlier entry
/// with the same index, whose page is then checked again.
final class CheckedPages {
    /// A page that has been checked, with the limits of its keys.
    private struct Entry {
        /// Address of the page; `nil` if the entry is free.
        var page: UnsafeRawPointer?
        /// Number of the root page of the tree that contains the page.
        var root: UInt64 = 0
        /// Address of the smallest key that the page may have; `nil` for no limit.
        var lowerKeyLimit: UnsafeRawPointer?
        /// Address of the key below which all keys of the page must be; `nil` for no limit.
        var upperKeyLimit: UnsafeRawPointer?
    }

    private static let minimumEntryCount = 64
    private static let maximumEntryCount = 8_192

    /// The table. The index of a page's entry is the low bits of the page number.
    ///
    /// Its memory is our own: accesses to an array in a class are checked at run time.
    private var entries: UnsafeMutableBufferPointer<Entry>
    /// Number of look-ups that found no entry since the table last grew.
    private var missCount = 0

    init() { entries = Self.freeEntries(Self.minimumEntryCount) }

    deinit { entries.deallocate() }

    /// Returns memory with `count` free entries, a power of two.
    private static func freeEntries(_ count: Int) -> UnsafeMutableBufferPointer<Entry> {
        let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: count)
        entries.initialize(repeating: Entry())
        return entries
    }

    /// Records a page as checked, and returns true if the page was recorded already.
    ///
    /// If the result is false, the caller must check the page, and call `forget` if it is damaged.
    /// `root` is the number of the root page of the tree. `lower` is the address of the smallest
    /// key that the page may have, and `upper` the address of a key greater than all keys of the
    /// page; `nil` means no limit.
    func recordChecked(
        _ page: UnsafeRawPointer, number: UInt64, root: UInt64, from lower: UnsafeRawPointer?,
        to upper: UnsafeRawPointer?
    ) -> Bool {
        let index = Int(truncatingIfNeeded: number) & (entries.count - 1)
        let entry = entries[index]
        if entry.page == page, entry.root == root, entry.lowerKeyLimit == lower,
            entry.upperKeyLimit == upper
        {
            return true
        }
        entries[index] = Entry(page: page, root: root, lowerKeyLimit: lower, upperKeyLimit: upper)
        missCount += 1
        if missCount > 2 * entries.count, entries.count < Self.maximumEntryCount { grow() }
        return false
    }

    func forget(number: UInt64) {
        entries[Int(truncatingIfNeeded: number) & (entries.count - 1)] = Entry()
    }

    /// Replaces the table by one with four times as many entries, all free.
    private func grow() {
        missCount = 0
        let count = min(4 * entries.count, Self.maximumEntryCount)
        entries.deallocate()
        entries = Self.freeEntries(count)
    }
}
