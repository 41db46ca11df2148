/// A reading of a clock on the wall, in no zone.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The day that the calendar shows.
    public var date: CivilDate
    /// 0 to 86,399.
    public var secondOfDay: Int

    /// - Parameter secondOfDay: 0 to 86,399; resolving one beyond counts on from midnight.
    public init(date: CivilDate, secondOfDay: Int) {
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// `2020-03-08T02:30:00`.
    public var text: String {
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3_600)
        return "\(date.text)T\(two(hour)):\(two(rest / 60)):\(two(rest % 60))"
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool {
        (a.date, a.secondOfDay) < (b.date, b.secondOfDay)
    }

    /// Seconds since 1970 as if the clock showed UTC, held to the dates there are.
    var asUTC: Int64 {
        (Int64(date.daysSince1970) * 86_400).saturatingSum(Int64(secondOfDay))
            .clamped(to: Self.possibleSeconds)
    }

    private static let possibleSeconds: ClosedRange<Int64> =
        Int64(CivilDate.possibleDays.lowerBound) * 86_400...Int64(CivilDate.possibleDays.upperBound)
        * 86_400

    init(asUTC seconds: Int64) {
        let (day, rest) = seconds.floorDivided(by: 86_400)
        self.init(date: CivilDate(daysSince1970: Int(day)), secondOfDay: Int(rest))
    }
}

/// An irregularity of a local time.
public enum LocalFlag: UInt8, Sendable {
    /// The clocks were set back and showed it twice.
    case ambiguous
    /// The clocks were set forward past it.
    case nonexistent
}

/// The moments a local time can mean in a zone.
public enum LocalResolution: Hashable, Sendable {
    /// The clocks showed it once.
    case unique(Instant)
    /// They were set back and showed it twice.
    case ambiguous(earlier: Instant, later: Instant)
    /// They were set forward past it.
    ///
    /// `after` is the time moved forward by the gap: 02:30 in New York on 2020-03-08 is 07:30 UTC.
    /// `before` is the other reading, moved back by it.
    case nonexistent(after: Instant, before: Instant)

    /// The one to take where nothing else is said: the earlier one, or the one moved forward.
    public var standard: Instant {
        switch self {
        case .unique(let instant): instant
        case .ambiguous(let earlier, _): earlier
        case .nonexistent(let after, _): after
        }
    }

    /// `nil` for a time that happened once.
    public var flag: LocalFlag? {
        switch self {
        case .unique: nil
        case .ambiguous: .ambiguous
        case .nonexistent: .nonexistent
        }
    }
}
