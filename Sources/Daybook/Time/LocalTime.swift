/// A date and time of day as a wall clock shows them, without a time zone.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The day that the calendar shows.
    public var date: CivilDate
    /// Seconds after midnight, 0 to 86,399.
    public var secondOfDay: Int

    /// Creates a local time.
    ///
    /// - Parameter secondOfDay: 0 to 86,399; a zone resolves a larger number by counting on from
    ///   midnight.
    public init(date: CivilDate, secondOfDay: Int) {
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// The local time as text: `2020-03-08T02:30:00`.
    public var text: String {
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3_600)
        return "\(date.text)T\(two(hour)):\(two(rest / 60)):\(two(rest % 60))"
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool {
        (a.date, a.secondOfDay) < (b.date, b.secondOfDay)
    }

    /// Seconds since 1970 as if the clock showed UTC, clamped to the range of dates.
    var asUTC: Int64 {
        (Int64(date.daysSince1970) * 86_400).saturatingSum(Int64(secondOfDay))
            .clamped(to: Self.possibleSeconds)
    }

    /// The range of `asUTC`: the seconds of all possible dates.
    private static let possibleSeconds: ClosedRange<Int64> =
        Int64(CivilDate.possibleDays.lowerBound) * 86_400...Int64(CivilDate.possibleDays.upperBound)
        * 86_400

    /// Creates the local time of a clock that shows UTC, from seconds since 1970.
    init(asUTC seconds: Int64) {
        let (day, rest) = seconds.floorDivided(by: 86_400)
        self.init(date: CivilDate(daysSince1970: Int(day)), secondOfDay: Int(rest))
    }
}

/// An irregularity of a local time.
package enum LocalFlag: UInt8, Sendable {
    /// The clocks were set back and showed the local time twice.
    case ambiguous
    /// The clocks were set forward and skipped the local time.
    case nonexistent
}

/// The moments at which the clocks of a zone show a local time.
public enum LocalResolution: Hashable, Sendable {
    /// The clocks showed the local time once.
    case unique(Instant)
    /// The clocks were set back and showed the local time twice.
    case ambiguous(earlier: Instant, later: Instant)
    /// The clocks were set forward and skipped the local time.
    ///
    /// `after` is the time moved forward by the gap: 02:30 in New York on 2020-03-08 is 07:30 UTC.
    /// `before` is the time moved back by the gap.
    case nonexistent(after: Instant, before: Instant)

    /// The usual choice: the earlier of two moments, or the skipped time moved forward.
    public var standard: Instant {
        switch self {
        case .unique(let instant): instant
        case .ambiguous(let earlier, _): earlier
        case .nonexistent(let after, _): after
        }
    }

    /// The irregularity of the local time; `nil` if the clocks showed it once.
    package var flag: LocalFlag? {
        switch self {
        case .unique: nil
        case .ambiguous: .ambiguous
        case .nonexistent: .nonexistent
        }
    }
}
