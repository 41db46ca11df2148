/// A point in time, in whole microseconds since 1970-01-01T00:00:00 UTC.
///
/// Leap seconds do not count, as in POSIX. The range is about 292,000 years each way.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970, negative for earlier times.
    public let microseconds: Int64

    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    @inlinable
    public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

    /// The point in time 1970-01-01T00:00:00 UTC.
    public static let epoch = Instant(microseconds: 0)
    /// The number of microseconds in a day of 24 hours.
    public static let dayUs: Int64 = 86_400_000_000
    /// The years 1900 to 2199, in microseconds since 1970; a time outside is probably a mistake.
    public static let possibleUs: Range<Int64> = -2_208_988_800_000_000..<7_258_118_400_000_000

    /// True if the point in time lies in the years 1900 to 2199.
    public var isPossible: Bool { Self.possibleUs.contains(microseconds) }

    /// Returns the microseconds from `other` to this point in time, clamped to the `Int64` range.
    public func microseconds(since other: Instant) -> Int64 {
        microseconds.saturatingDifference(other.microseconds)
    }

    /// Returns the point in time `microseconds` later, clamped to the range of `Instant`.
    public func advanced(byMicroseconds microseconds: Int64) -> Instant {
        Instant(microseconds: self.microseconds.saturatingSum(microseconds))
    }

    /// Returns this time rounded down to a multiple of `unit` (over 0) microseconds since 1970.
    ///
    /// The result is clamped to the range of `Instant`.
    public func floored(toMicroseconds unit: Int64) -> Instant {
        let rest = microseconds % unit
        return advanced(byMicroseconds: rest < 0 ? -(rest + unit) : -rest)
    }
}
