/// A set of page numbers, with one bit for each page up to the greatest.
struct PageSet {
    private var words: [UInt64]

    /// Creates an empty set with room for the pages below `pageCount`; it grows as needed.
    init(upTo pageCount: UInt64 = 0) { words = Array(repeating: 0, count: Int(pageCount / 64) + 1) }

    func contains(_ page: UInt64) -> Bool {
        let word = Int(page / 64)
        return word < words.count && words[word] & (UInt64(1) << (page % 64)) != 0
    }

    /// Adds a page. Returns `false` if the set had it already.
    @discardableResult
    mutating func insert(_ page: UInt64) -> Bool {
        let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
        if word >= words.count {
            words += Array(repeating: 0, count: max(word + 1 - words.count, words.count))
        }
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }
}
