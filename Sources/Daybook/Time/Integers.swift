extension Int64 {
    /// Divides by a positive number and rounds down, so that the rest is not negative.
    ///
    /// A point in time before 1970 thus falls on the correct day.
    package func floorDivided(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension Int {
    /// Returns the number with at least `width` digits, with leading zeros if needed.
    func padded(to width: Int) -> String {
        let digits = String(magnitude)
        let missing = width - digits.utf8.count
        guard self < 0 || missing > 0 else { return digits }
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, missing)) + digits
    }
}

extension Range<Int> {
    /// Returns the first number for which a condition holds; the upper bound if there is none.
    ///
    /// A binary search: if the condition holds for a number, it must hold for all larger numbers.
    @inlinable package func partitionIndex(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
