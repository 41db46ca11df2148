/// The argument of a report that names the day, week or month to report on.
///
/// A tool that knows the argument can make the report for many periods at once.
public enum ReportPeriod: Hashable, Sendable {
    /// The argument with this name gives a calendar day.
    case day(String)
    /// The argument with this name gives a week, which begins on Monday.
    case week(String)
    /// The argument with this name gives a calendar month.
    case month(String)

    /// The name of the report's argument that gives the period.
    public var argument: String {
        switch self {
        case .day(let argument), .week(let argument), .month(let argument): argument
        }
    }

    /// The word for a period in messages: `day`, `week` or `month`.
    public var noun: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        }
    }

    /// Maximum number of periods for which a report is made at once: about the days of a century.
    public static let maximumCount = 36_600

    /// Returns the names of the periods that contain the days from `first` through `last`.
    ///
    /// `nil` if the last period is before the first, or if there are more than `maximumCount`.
    public func names(from first: CivilDate, through last: CivilDate) -> [String]? {
        var names: [String] = []
        var date = firstDay(ofPeriodWith: first)
        let end = firstDay(ofPeriodWith: last)
        guard date <= end else { return nil }
        while date <= end {
            guard names.count < Self.maximumCount else { return nil }
            names.append(nameOfPeriod(startingOn: date))
            date = startOfNextPeriod(after: date)
        }
        return names
    }

    /// Returns the first day of the period that a text, its name or a day in it, names; else `nil`.
    public func date(_ text: String) -> CivilDate? {
        let named: CivilDate? =
            switch self {
            case .day: nil
            case .week: CivilDate.week(text: text)
            case .month: CivilDate.month(text: text)
            }
        return named ?? CivilDate(text: text).map(firstDay)
    }

    /// An example of a period's name, such as `2020-W10`.
    public var example: String {
        switch self {
        case .day: "2020-03-08"
        case .week: "2020-W10"
        case .month: "2020-03"
        }
    }

    /// True if a text, like `2020-02-30`, has the form of a period's name, even if none exists.
    public func hasForm(_ text: String) -> Bool {
        func form(_ text: String) -> [Character] {
            text.map { $0.isASCII && $0.isNumber ? "0" : $0 }
        }
        return form(text) == form(example)
    }

    /// Returns the first day of the period that contains a day.
    private func firstDay(ofPeriodWith date: CivilDate) -> CivilDate {
        switch self {
        case .day: date
        case .week: date.startOfWeek(startingOn: .monday)
        case .month: date.firstOfMonth
        }
    }

    /// Returns the first day of the period after the one that begins on a day.
    private func startOfNextPeriod(after date: CivilDate) -> CivilDate {
        switch self {
        case .day: date.adding(days: 1)
        case .week: date.adding(days: 7)
        case .month: date.firstOfNextMonth
        }
    }

    /// Returns the name of the period that begins on a day.
    private func nameOfPeriod(startingOn date: CivilDate) -> String {
        switch self {
        case .day: date.text
        case .week: date.isoWeekText
        case .month: date.monthText
        }
    }
}
