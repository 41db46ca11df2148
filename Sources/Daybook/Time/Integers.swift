extension Int64 {
    /// Divides by `divisor` and rounds the quotient down, also if the number is negative.
    ///
    /// A point in time before 1970 thus falls on the correct day.
    ///
    /// - Parameter divisor: a positive number.
    /// - Returns: the quotient, and the remainder from 0 to `divisor - 1`.
    package func floorDivided(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension Int {
    /// Returns the number in decimal, with leading zeros if it has fewer than `width` digits.
    ///
    /// A minus does not count as a digit.
    func padded(to width: Int) -> String {
        let digits = String(magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        return (self < 0 ? "-" : "") + zeros + digits
    }
}
