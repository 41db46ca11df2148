/// A date and a time of day as a calendar and a clock show them, without a time zone.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The date that the calendar shows.
    public var date: CivilDate
    /// Seconds after midnight, 0 to 86,399.
    public var secondOfDay: Int

    /// Creates a local time; a zone resolves more than 86,399 seconds as a time on a later day.
    public init(date: CivilDate, secondOfDay: Int) {
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// The local time as text, such as `2020-03-08T02:30:00`.
    public var text: String {
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3_600)
        return "\(date.text)T\(two(hour)):\(two(rest / 60)):\(two(rest % 60))"
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool {
        (a.date, a.secondOfDay) < (b.date, b.secondOfDay)
    }

    /// The seconds since 1970 if the clock showed UTC, clamped to the range of possible dates.
    var secondsAsUTC: Int64 {
        (Int64(date.daysSince1970) * 86_400).saturatingSum(Int64(secondOfDay))
            .clamped(to: Self.possibleSeconds)
    }

    /// The range to which `secondsAsUTC` is clamped, from the first to the last possible date.
    private static let possibleSeconds: ClosedRange<Int64> =
        Int64(CivilDate.possibleDays.lowerBound) * 86_400...Int64(CivilDate.possibleDays.upperBound)
        * 86_400

    /// Creates the local time that a clock in UTC shows after `seconds` seconds since 1970.
    init(asUTC seconds: Int64) {
        let (day, rest) = seconds.floorDivided(by: 86_400)
        self.init(date: CivilDate(daysSince1970: Int(day)), secondOfDay: Int(rest))
    }
}

/// The reason why a local time does not name exactly one point in time.
package enum LocalTimeDoubt: UInt8, Sendable {
    /// The clocks were set back and showed the local time twice.
    case ambiguous
    /// The clocks were set forward and skipped the local time.
    case nonexistent
}

/// The points in time that a local time can mean in a zone.
package enum LocalResolution: Hashable, Sendable {
    /// The clocks showed the local time once.
    case unique(Instant)
    /// The clocks were set back and showed the local time twice.
    case ambiguous(earlier: Instant, later: Instant)
    /// The clocks were set forward and skipped the local time.
    ///
    /// `after` is the local time moved forward by the length of the gap, and `before` is the local
    /// time moved back by it. For 02:30 in New York on 2020-03-08, `after` is 03:30, or 07:30 UTC.
    case nonexistent(after: Instant, before: Instant)

    /// The point in time usually meant: the earlier of two, or the skipped time plus the gap.
    public var standard: Instant {
        switch self {
        case .unique(let instant): instant
        case .ambiguous(let earlier, _): earlier
        case .nonexistent(let after, _): after
        }
    }

    /// The reason why the local time does not name exactly one point in time; `nil` if it does.
    package var doubt: LocalTimeDoubt? {
        switch self {
        case .unique: nil
        case .ambiguous: .ambiguous
        case .nonexistent: .nonexistent
        }
    }
}
