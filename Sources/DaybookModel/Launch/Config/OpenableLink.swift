import Daybook

extension Launch {
    /// Returns the trimmed text if an app can open it as a link; otherwise `nil`. A link has a
    /// scheme, a colon and further text, a host for `http` and `https`, and no white space.
    /// `about:blank` is rejected, because the library of S2 writes it for a missing link.
    static func link(_ text: String) -> String? {
        let text = text.trimmed
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x20 })
        else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard scheme.utf8.first.map({ (97...122).contains($0) }) == true,
            scheme.utf8.allSatisfy({
                (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
            }), !rest.isEmpty, !(scheme == "about" && rest == "blank")
        else { return nil }
        if scheme == "http" || scheme == "https" {
            guard rest.hasPrefix("//"), let host = rest.dropFirst(2).first, !"/?#:".contains(host)
            else { return nil }
        }
        return text
    }
}
