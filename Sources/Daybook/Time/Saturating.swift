/// Arithmetic that returns the smallest or largest number of the type instead of trapping.
///
/// A log may contain any number, so every calculation with stored values uses these functions.
extension FixedWidthInteger {
    /// Returns the sum, clamped to the range of the type.
    @inlinable public func saturatingSum(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// Returns the difference, clamped to the range of the type.
    @inlinable public func saturatingDifference(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return self < other ? .min : .max
    }

    /// Returns the product, clamped to the range of the type.
    @inlinable public func saturatingProduct(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }

    /// Returns the quotient, clamped to the range of the type; 0 for a division by 0.
    @inlinable public func saturatingQuotient(_ divisor: Self) -> Self {
        let (quotient, overflow) = dividedReportingOverflow(by: divisor)
        guard overflow else { return quotient }
        return divisor == 0 ? 0 : .max
    }

    /// Returns the remainder of a division; 0 for a division by 0.
    @inlinable public func saturatingRemainder(_ divisor: Self) -> Self {
        let (remainder, overflow) = remainderReportingOverflow(dividingBy: divisor)
        return overflow ? 0 : remainder
    }

    /// Returns the number, or the nearest number in the range if it lies outside the range.
    @inlinable public func clamped(to range: ClosedRange<Self>) -> Self {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
