extension Int64 {
    /// Returns a number of small units as exact decimal text: 4500 with 3 places is `4.5`.
    ///
    /// - Parameters:
    ///   - places: the number of digits after the decimal point.
    ///   - keepsZeros: true to keep zeros at the end, as in `4.500`.
    public func decimalText(places: Int, keepsZeros: Bool = false) -> String {
        let digits = String(magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, places + 1 - digits.utf8.count))
        let padded = zeros + digits
        var fraction = padded.suffix(places)
        while !keepsZeros, fraction.last == "0" { fraction.removeLast() }
        return (self < 0 ? "-" : "") + padded.dropLast(places)
            + (fraction.isEmpty ? "" : "." + fraction)
    }
}
