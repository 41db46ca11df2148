/// The argument that names the day, week or month of a report.
///
/// A tool that knows the argument can ask the report about many periods at once.
public enum ReportPeriod: Hashable, Sendable {
    /// An argument that names a civil day.
    case day(String)
    /// An argument that names a week, which begins on Monday.
    case week(String)
    /// An argument that names a calendar month.
    case month(String)

    /// The name of the argument.
    public var argument: String {
        switch self {
        case .day(let argument), .week(let argument), .month(let argument): argument
        }
    }

    /// The word for a period: `day`, `week` or `month`.
    public var noun: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        }
    }

    /// Maximum number of periods in one question: about the days of a century.
    public static let most = 36_600

    /// Returns the names of the periods from one to another, both included.
    ///
    /// - Parameters:
    ///   - first: any day of the first period.
    ///   - last: any day of the last period.
    /// - Returns: `nil` if the last period is before the first, or for more than `most` periods.
    public func names(from first: CivilDate, through last: CivilDate) -> [String]? {
        var names: [String] = []
        var date = start(of: first)
        let end = start(of: last)
        guard date <= end else { return nil }
        while date <= end {
            guard names.count < Self.most else { return nil }
            names.append(name(date))
            date = next(date)
        }
        return names
    }

    /// Returns the first day of the period that a text names; `nil` for any other text.
    ///
    /// - Parameter text: the name of a period, `2020-W10`, or a day in it, `2020-03-04`.
    public func date(_ text: String) -> CivilDate? {
        let named: CivilDate? =
            switch self {
            case .day: nil
            case .week: CivilDate.week(text: text)
            case .month: CivilDate.month(text: text)
            }
        return named ?? CivilDate(text: text).map(start)
    }

    /// An example of a name: `2020-W10`.
    public var example: String {
        switch self {
        case .day: "2020-03-08"
        case .week: "2020-W10"
        case .month: "2020-03"
        }
    }

    /// True if a text has the form of a period's name; `2020-02-30` has, though no such day exists.
    public func hasForm(_ text: String) -> Bool {
        func form(_ text: String) -> [Character] {
            text.map { $0.isASCII && $0.isNumber ? "0" : $0 }
        }
        return form(text) == form(example)
    }

    /// Returns the first day of the period that contains a day.
    private func start(of date: CivilDate) -> CivilDate {
        switch self {
        case .day: date
        case .week: date.startOfWeek(startingOn: .monday)
        case .month: date.firstOfMonth
        }
    }

    /// Returns the first day of the next period.
    private func next(_ date: CivilDate) -> CivilDate {
        switch self {
        case .day: date.adding(days: 1)
        case .week: date.adding(days: 7)
        case .month: date.firstOfNextMonth
        }
    }

    /// Returns the name of the period that begins on a day.
    private func name(_ date: CivilDate) -> String {
        switch self {
        case .day: date.text
        case .week: date.isoWeekText
        case .month: date.monthText
        }
    }
}
