/// The argument that names the stretch a report is about, so that it can be asked for many.
public enum ReportPeriod: Hashable, Sendable {
    /// One civil day.
    case day(String)
    /// The week that begins on this day.
    case week(String)
    /// The month of this day.
    case month(String)

    /// The name of the argument.
    public var argument: String {
        switch self {
        case .day(let argument), .week(let argument), .month(let argument): argument
        }
    }

    /// `day`, `week` or `month`.
    public var noun: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        }
    }

    /// The most periods that one question may ask for: the days of a century.
    public static let most = 36_600

    /// The names of the periods from one to another, both included.
    ///
    /// - Parameters:
    ///   - first: a period, or a day in it.
    ///   - last: the same; `nil` where it is before `first` or too far after it.
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

    /// The first day of a period by its name, or of the one that a day lies in.
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

    /// True for a text in the form of a name, which may name nothing: `2020-02-30`.
    public func hasForm(_ text: String) -> Bool {
        func form(_ text: String) -> [Character] {
            text.map { $0.isASCII && $0.isNumber ? "0" : $0 }
        }
        return form(text) == form(example)
    }

    private func start(of date: CivilDate) -> CivilDate {
        switch self {
        case .day: date
        case .week: date.startOfWeek(startingOn: .monday)
        case .month: date.firstOfMonth
        }
    }

    private func next(_ date: CivilDate) -> CivilDate {
        switch self {
        case .day: date.adding(days: 1)
        case .week: date.adding(days: 7)
        case .month: date.firstOfNextMonth
        }
    }

    private func name(_ date: CivilDate) -> String {
        switch self {
        case .day: date.text
        case .week: date.isoWeekText
        case .month: date.monthText
        }
    }
}
