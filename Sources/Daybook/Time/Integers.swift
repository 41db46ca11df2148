extension Int64 {
    /// Divides and rounds down, so that a moment before 1970 belongs to the correct day.
    ///
    /// - Parameter divisor: a positive number.
    /// - Returns: the quotient, and the rest, which is never negative.
    func floorDivided(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension Int {
    /// Returns the decimal digits with leading zeros, at least `width` digits after the sign.
    func padded(to width: Int) -> String {
        let digits = String(magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        return (self < 0 ? "-" : "") + zeros + digits
    }
}
