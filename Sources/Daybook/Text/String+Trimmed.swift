extension StringProtocol {
    /// The text without white space at its start and end.
    public var trimmed: String {
        let isInner = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: isInner),
            let last = unicodeScalars.lastIndex(where: isInner)
        else { return "" }
        return String(self[first..<unicodeScalars.index(after: last)])
    }
}
