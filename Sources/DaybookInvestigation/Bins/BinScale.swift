/// Bins of equal length over a range of coordinates. Coordinates are mapped to unsigned numbers in
/// the same order (`ordered`), so that differences of any two of them fit in 64 bits.
struct BinScale: Sendable {
    /// First coordinate of the range.
    let from: Int128
    /// Length of a bin, in coordinates.
    let length: Int128
    let count: Int
    /// The first coordinate as an ordered number.
    let low: UInt64
    /// Difference between the last coordinate of the range and the first.
    let lastDifference: UInt64

    private let divisor: UInt64
    /// The quotient of 2^64 - 1 and the divisor, rounded down.
    private let reciprocal: UInt64

    /// First coordinate after the range.
    var to: Int128 { from + length * Int128(count) }
    /// The last coordinate of the range as an ordered number.
    var high: UInt64 { low + lastDifference }

    private static let origin = Int128(Int64.min)

    /// Creates bins of a range, which grows at its end so that all bins have equal lengths.
    ///
    /// - Parameters:
    ///   - from: the first coordinate, at least that of `Int64.min`.
    ///   - to: the first coordinate after the range, at most one more than `Int64.max`.
    ///   - width: largest number of bins, from 1 up.
    init(from: Int128, to: Int128, width: Int) {
        let width = Int128(width)
        let length = (to - from + width - 1) / width
        self.init(from: from, length: length, count: Int((to - from + length - 1) / length))
    }

    private init(from: Int128, length: Int128, count: Int) {
        self.from = from
        self.length = length
        self.count = count
        low = UInt64(from - Self.origin)
        let end = min(from + length * Int128(count), Int128(Int64.max) + 1)
        lastDifference = UInt64(end - from - 1)
        divisor = UInt64(clamping: length)
        reciprocal = UInt64.max / divisor
    }

    /// The same range in half as many bins; `nil` if their number is odd.
    var halved: BinScale? {
        guard count.isMultiple(of: 2) else { return nil }
        return BinScale(from: from, length: length * 2, count: count / 2)
    }

    /// Returns the bin of a coordinate in the range, from its difference to the first coordinate.
    ///
    /// Multiplies instead of dividing. The product is at most one too small, because the reciprocal
    /// is less than one unit too small, and a difference is less than 2^64.
    @inline(__always)
    func bin(at difference: UInt64) -> Int {
        var bin = difference.multipliedFullWidth(by: reciprocal).high
        if difference &- bin &* divisor >= divisor { bin &+= 1 }
        // Only a bin of 2^64 coordinates, whose length is clamped, may be one too high.
        return Swift.min(Int(truncatingIfNeeded: bin), count - 1)
    }

    /// Returns the largest number of bins up to `width` that can be halved without a rest until at
    /// most 63 are left; at most 3 % less than `width`.
    static func divisible(_ width: Int) -> Int {
        let lowBits = max(0, Int.bitWidth - width.leadingZeroBitCount - 6)
        return (width >> lowBits) << lowBits
    }
}

extension Int64 {
    /// The number as an unsigned one: 0 for the lowest, in the same order.
    @inline(__always)
    var ordered: UInt64 { UInt64(bitPattern: self) ^ (1 << 63) }

    /// The number with an ordered number.
    @inline(__always)
    init(ordered: UInt64) { self.init(bitPattern: ordered ^ (1 << 63)) }
}
