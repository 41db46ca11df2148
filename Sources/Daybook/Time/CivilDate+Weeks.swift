/// The day on which a week starts.
public enum WeekStart: UInt8, Sendable, CaseIterable {
    /// Weeks begin on Monday, as in ISO 8601.
    case monday
    /// Weeks begin on Sunday.
    case sunday
}

extension CivilDate {
    /// Creates the day on which a point in time falls in UTC.
    public init(utcDayOf moment: Instant) {
        self.init(daysSince1970: Int(moment.microseconds.floorDivided(by: Instant.dayUs).quotient))
    }

    /// The first microsecond of the day in UTC.
    public var utcStart: Instant {
        Instant.epoch.advanced(
            byMicroseconds: Int64(daysSince1970).saturatingProduct(Instant.dayUs))
    }

    /// The weekday as a number, from 1 for Monday to 7 for Sunday.
    public var isoWeekday: Int {
        // 1970-01-01 was a Thursday.
        let days = (daysSince1970 + 3) % 7
        return (days < 0 ? days + 7 : days) + 1
    }

    /// The week that contains the day, with the week's year, as in ISO 8601.
    ///
    /// Week 1 contains the first Thursday of the year. The week's year may differ from the day's:
    /// 2021-01-01 lies in week 53 of 2020.
    public var isoWeek: (year: Int, week: Int) {
        let thursday = adding(days: 4 - isoWeekday)
        guard let first = CivilDate(year: thursday.year, month: 1, day: 1) else {
            return (thursday.year, 1)
        }
        return (thursday.year, (thursday.daysSince1970 - first.daysSince1970) / 7 + 1)
    }

    /// Creates the day with a weekday, 1 for Monday to 7, in an ISO week; `nil` if there is none.
    public init?(isoYear: Int, week: Int, weekday: Int) {
        guard (1...53).contains(week), (1...7).contains(weekday),
            let fourth = CivilDate(year: isoYear, month: 1, day: 4)
        else { return nil }
        let monday = fourth.adding(days: 1 - fourth.isoWeekday + (week - 1) * 7)
        guard monday.isoWeek == (isoYear, week) else { return nil }
        self = monday.adding(days: weekday - 1)
    }

    /// Returns the day `days` days after this day, or before it if `days` is negative.
    public func adding(days: Int) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970.saturatingSum(days))
    }

    /// Returns the first day of the week that contains this day.
    public func startOfWeek(startingOn start: WeekStart) -> CivilDate {
        adding(days: start == .monday ? 1 - isoWeekday : -(isoWeekday % 7))
    }

    /// The first day of the month that contains this day.
    public var firstOfMonth: CivilDate { adding(days: 1 - day) }

    /// The first day of the month after the one that contains this day.
    public var firstOfNextMonth: CivilDate {
        firstOfMonth.adding(days: Self.length(ofMonth: month, in: year))
    }

    /// The first day of the month before the one that contains this day.
    public var firstOfPreviousMonth: CivilDate { firstOfMonth.adding(days: -1).firstOfMonth }

    /// The day as text, `2020-03-08`; a year beyond 0 to 9999 has a sign or more digits.
    public var text: String { "\(monthText)-\(day.padded(to: 2))" }

    /// The month that contains the day as text, such as `2020-03`.
    public var monthText: String { "\(year.padded(to: 4))-\(month.padded(to: 2))" }

    /// The ISO week that contains the day as text, such as `2020-W10`.
    public var isoWeekText: String {
        let (year, week) = isoWeek
        return "\(year.padded(to: 4))-W\(week.padded(to: 2))"
    }

    /// Parses a day like `2020-03-08`; `nil` for a text in another form, or if no such day exists.
    public init?(text: String) {
        guard let parts = Self.parseNumbers(text, "dddd-dd-dd") else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// Parses a month like `2020-03` and returns its first day; `nil` for any other text.
    public static func month(text: String) -> CivilDate? {
        parseNumbers(text, "dddd-dd").flatMap { CivilDate(year: $0[0], month: $0[1], day: 1) }
    }

    /// Parses an ISO week that exists, like `2020-W10`, and returns its Monday; else `nil`.
    public static func week(text: String) -> CivilDate? {
        parseNumbers(text, "dddd-Wdd").flatMap {
            CivilDate(isoYear: $0[0], week: $0[1], weekday: 1)
        }
    }

    /// Parses the numbers in a text of a form like `dddd-Wdd`, where `d` is any digit; else `nil`.
    private static func parseNumbers(_ text: String, _ form: String) -> [Int]? {
        guard text.utf8.count == form.utf8.count else { return nil }
        var parts = [0]
        for (byte, expected) in zip(text.utf8, form.utf8) {
            if expected == UInt8(ascii: "d") {
                guard (48...57).contains(byte) else { return nil }
                parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int(byte - 48)
            } else {
                guard byte == expected else { return nil }
                if expected == UInt8(ascii: "-") { parts.append(0) }
            }
        }
        return parts
    }
}
