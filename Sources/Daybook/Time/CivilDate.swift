/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// The year; the year before year 1 is 0, as in ISO 8601.
    public let year: Int
    /// The month of the year, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// The range to which `init(daysSince1970:)` clamps days, about three billion years each way.
    ///
    /// Every `Instant` lies within the range, and no calculation with days in it overflows.
    static let possibleDays: ClosedRange<Int> = -(1 << 40)...(1 << 40)

    /// Creates a day; `nil` if no such day exists, or if the year is beyond ±3,000,000,000.
    public init?(year: Int, month: Int, day: Int) {
        guard year.magnitude <= 3_000_000_000, (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that is `days` days after 1970-01-01, clamped to `possibleDays`.
    ///
    /// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    public init(daysSince1970 days: Int) {
        let shifted = days.clamped(to: Self.possibleDays) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days from 1970-01-01 to this day, negative for earlier days.
    ///
    /// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `days_from_civil`.
    public var daysSince1970: Int { Self.daysSince1970(year, month, day) }

    /// Returns the days from 1970-01-01 to a day, which may lie beyond the end of the month.
    static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    public static func < (a: CivilDate, b: CivilDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }

    /// Returns the number of days in a month.
    static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
