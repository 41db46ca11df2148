public import Daybook

/// Moments in tests are written as microseconds since 1970, and reckoned with like numbers.
extension Instant: ExpressibleByIntegerLiteral {
    public init(integerLiteral microseconds: Int64) {
        self.init(microseconds: microseconds)
    }

    public static let min = Instant(microseconds: .min)
    public static let max = Instant(microseconds: .max)

    public static func + (a: Instant, microseconds: Int64) -> Instant {
        a.advanced(byMicroseconds: microseconds)
    }

    public static func - (a: Instant, microseconds: Int64) -> Instant {
        a.advanced(byMicroseconds: -microseconds)
    }

    public static func - (a: Instant, b: Instant) -> Int64 { a.microseconds(since: b) }
}
