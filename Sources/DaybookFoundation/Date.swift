public import Daybook

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Seconds from 1970 to 2001, when the reference date of `Date` is.
private let referenceS: Int64 = 978_307_200

extension Instant {
    /// Creates the point in time of a date, rounded to the nearest microsecond.
    ///
    /// `nil` if no `Instant` is that time: for NaN, the infinities, and dates more than 292,000 years
    /// from 1970. It is not clamped, since a log would keep the wrong time.
    public init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let floor = interval.rounded(.down)
        guard let seconds = Int64(exactly: floor) else { return nil }
        let fractionUs = Int128(((interval - floor) * 1_000_000).rounded())
        let us = (Int128(seconds) + Int128(referenceS)) * 1_000_000 + fractionUs
        guard let microseconds = Int64(exactly: us) else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension Date {
    /// Creates the date that is nearest to a point in time.
    ///
    /// `Instant` reads the same time from it for the years 1730 to 2272; a date further away cannot
    /// tell one microsecond from the next.
    public init(_ instant: Instant) {
        let (seconds, us) = instant.microseconds.floorDivided(by: 1_000_000)
        self.init(
            timeIntervalSinceReferenceDate: Double(seconds - referenceS) + Double(us) / 1_000_000)
    }
}
