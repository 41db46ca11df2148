/// Arithmetic that ends at the least and the greatest number instead of trapping.
///
/// A log may hold any number, so that whatever is reckoned from stored values goes through these.
extension FixedWidthInteger {
    /// The sum, held to the range at its ends.
    @inlinable
    public func saturatingSum(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, held to the range at its ends.
    @inlinable
    public func saturatingDifference(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return self < other ? .min : .max
    }

    /// The product, held to the range at its ends.
    @inlinable
    public func saturatingProduct(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }

    /// The quotient, held to the range at its ends; 0 for a division by 0, as a mean of nothing.
    @inlinable
    public func saturatingQuotient(_ divisor: Self) -> Self {
        let (quotient, overflow) = dividedReportingOverflow(by: divisor)
        guard overflow else { return quotient }
        return divisor == 0 ? 0 : .max
    }

    /// The remainder; 0 for a division by 0.
    @inlinable
    public func saturatingRemainder(_ divisor: Self) -> Self {
        let (remainder, overflow) = remainderReportingOverflow(dividingBy: divisor)
        return overflow ? 0 : remainder
    }

    /// The number itself, or the nearer end of a range that it lies outside of.
    @inlinable
    public func clamped(to range: ClosedRange<Self>) -> Self {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
