extension StringProtocol {
    /// The text without white space at its start and end.
    public var trimmed: String {
        guard let first = unicodeScalars.firstIndex(where: { !$0.isWhiteSpace }),
            let last = unicodeScalars.lastIndex(where: { !$0.isWhiteSpace })
        else { return "" }
        return String(self[first..<unicodeScalars.index(after: last)])
    }
}

extension Unicode.Scalar {
    /// True for white space as Unicode defines it; fast for ASCII.
    fileprivate var isWhiteSpace: Bool {
        isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
    }
}
