public import Daybook

extension BabyCare {
    /// The report on a baby's day.
    public struct DailyReport: CareReport, PublishedReport {
        public typealias Answer = DayReport
        public static let name = "daily"
        public static let summary = "A baby's day"
        public static let period: ReportPeriod? = .day("date")
        public var baby = ""
        public var zone: String?
        public var date: String?
        /// Shows open sleeps with their lengths so far; they count in no total.
        public var includeOpen: Bool?
        /// The fields of the answer; only an audit asks for earlier ones.
        var layout = ReportLayout.current
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "date", &date, "includeOpen", &includeOpen)
        }

        public func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let date = date.flatMap { CivilDate(text: $0) } ?? Self.anyDay
            return reporter.window(from: date, before: date.adding(days: 1))
        }

        public func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            date.flatMap { CivilDate(text: $0) }
        }

        public func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> DayReport {
            let date = try Self.civil(date, "day like 2020-03-08") { CivilDate(text: $0) }
            return reporter.including(open: includeOpen, layout).day(date)
        }
    }

    /// The report on a baby's week, compared with the one before.
    public struct WeeklyReport: CareReport, PublishedReport {
        public typealias Answer = PeriodReport
        public static let name = "weekly"
        public static let summary = "A baby's week"
        public static let period: ReportPeriod? = .week("week")
        /// S4 takes any day for the first of seven.
        public static let startsOnAnyDay: Set<RuleSet> = [.source, .laterSource]
        public var baby = ""
        public var zone: String?
        /// `2020-W10`; under the source's rules also a day.
        public var week: String?
        public var includeOpen: Bool?
        /// The fields of the answer; only an audit asks for earlier ones.
        var layout = ReportLayout.current
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "week", &week, "includeOpen", &includeOpen)
        }

        /// With Sundays first the week starts a day earlier.
        public func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let first =
                firstDay(reporter) ?? week.flatMap { CivilDate.week(text: $0) } ?? Self.anyDay
            return reporter.window(from: first.adding(days: -8), before: first.adding(days: 7))
        }

        /// The day that the week begins on; `nil` where the week of a calendar is named.
        private func firstDay(_ reporter: Reporter) -> CivilDate? {
            reporter.rules == .standard ? nil : week.flatMap { CivilDate(text: $0) }
        }

        public func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            if let first = firstDay(reporter) { return first.adding(days: 6) }
            return week.flatMap { CivilDate.week(text: $0) }.map { monday in
                monday.startOfWeek(startingOn: reporter.profile.weekStart).adding(days: 6)
            }
        }

        public func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> PeriodReport {
            let asked = reporter.including(open: includeOpen, layout)
            if let first = firstDay(reporter) { return asked.week(from: first) }
            return asked.week(
                try Self.civil(week, "week like 2020-W10") { CivilDate.week(text: $0) })
        }
    }

    /// The report on a baby's month, compared with the one before.
    public struct MonthlyReport: CareReport, PublishedReport {
        public typealias Answer = PeriodReport
        public static let name = "monthly"
        public static let summary = "A baby's month"
        public static let period: ReportPeriod? = .month("month")
        public var baby = ""
        public var zone: String?
        public var month: String?
        public var includeOpen: Bool?
        /// The fields of the answer; only an audit asks for earlier ones.
        var layout = ReportLayout.current
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "month", &month, "includeOpen", &includeOpen)
        }

        public func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let first = month.flatMap { CivilDate.month(text: $0) } ?? Self.anyDay
            return reporter.window(
                from: first.firstOfPreviousMonth, before: first.firstOfNextMonth)
        }

        public func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            month.flatMap { CivilDate.month(text: $0) }?.firstOfNextMonth.adding(days: -1)
        }

        public func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> PeriodReport {
            let first = try Self.civil(month, "month like 2020-03") { CivilDate.month(text: $0) }
            return reporter.including(open: includeOpen, layout).month(first)
        }
    }
}

extension CareReport {
    /// The day whose entries are read where the argument names none, and the answer is an error.
    fileprivate static var anyDay: CivilDate { CivilDate(daysSince1970: 0) }

    /// The day of an argument; `nil` where it is not given.
    static func day(_ text: String?) throws(ReportError) -> CivilDate? {
        guard let text else { return nil }
        return try civil(text, "day like 2020-03-08") { CivilDate(text: $0) }
    }

    fileprivate static func civil(
        _ text: String?, _ form: String, _ parse: (String) -> CivilDate?
    ) throws(ReportError) -> CivilDate {
        guard let date = text.flatMap(parse) else {
            throw .invalid(
                argument: period?.argument ?? "date",
                "expected a \(form), found '\(text ?? "nothing")'")
        }
        return date
    }
}

extension BabyCare.Reporter {
    /// The reporter that shows open sleeps, or does not.
    fileprivate func including(open: Bool?, _ layout: BabyCare.ReportLayout) -> Self {
        var reporter = self
        reporter.layout = layout
        reporter.includesOpen = open ?? false
        return reporter
    }
}
