/// A search for a text within other texts that ignores case and Unicode's normal forms.
package struct TextSearch: Sendable {
    /// The UTF-8 of the wanted text in the form in which texts are compared.
    private let wanted: [UInt8]

    /// Creates a search; `nil` for an empty text, which every text would have.
    package init?(for text: String) {
        guard !text.isEmpty else { return nil }
        wanted = Self.folded(text)
    }

    /// True if a text, given as UTF-8, has the wanted text in it.
    package func matches(_ utf8: Span<UInt8>) -> Bool {
        if utf8.isASCII { return find(in: utf8) { $0 | ($0 &- 65 < 26 ? 32 : 0) } }
        let text = unsafe utf8.withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        return find(in: Self.folded(text).contents) { $0 }
    }

    /// Returns the UTF-8 of a text, equal for texts that differ in case or normal form only.
    ///
    /// The way through upper case makes `ß` equal `SS`, and both small sigmas equal.
    private static func folded(_ text: String) -> [UInt8] {
        Array(text.nfc.uppercased().lowercased().nfc.utf8)
    }

    /// True if the bytes that `fold` returns for those of a text have the wanted ones among them.
    private func find(in utf8: Span<UInt8>, _ fold: (UInt8) -> UInt8) -> Bool {
        let wanted = wanted.contents
        guard utf8.count >= wanted.count else { return false }
        let first = wanted[0]
        for start in 0...(utf8.count - wanted.count) where fold(utf8[start]) == first {
            var length = 1
            while length < wanted.count, fold(utf8[start + length]) == wanted[length] {
                length += 1
            }
            if length == wanted.count { return true }
        }
        return false
    }
}
