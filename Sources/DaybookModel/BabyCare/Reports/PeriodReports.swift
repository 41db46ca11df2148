package import Daybook

extension BabyCare {
    /// A report on one day of a baby, with its totals and entries.
    package struct DailyReport: CareReport, PublishedReport, PlainRecord {
        package typealias Answer = DayReport
        package static let name = "daily"
        package static let summary = "A baby's day"
        package static let period: ReportPeriod? = .day("date")
        package var baby = ""
        /// Name of the time zone of the report; `nil` means the baby's own zone.
        package var zone: String?
        /// Reported day, such as `2020-03-08`.
        package var date: String?
        /// True to show how long open sleeps have lasted so far; no total includes open sleeps.
        var includeOpen: Bool?
        /// Fields that the answer has; an audit sets those of the release that published a report.
        var layout = ReportLayout.current
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "date", &date, "includeOpen", &includeOpen)
        }

        package func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let date = date.flatMap { CivilDate(text: $0) } ?? Self.placeholderDay
            return reporter.window(from: date, before: date.adding(days: 1))
        }

        package func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            date.flatMap { CivilDate(text: $0) }
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> DayReport {
            let date = try Self.parsedDate(date, "day like 2020-03-08") { CivilDate(text: $0) }
            return reporter.configured(open: includeOpen, layout).day(date)
        }
    }

    /// A report on one week of a baby, compared with the previous week.
    package struct WeeklyReport: CareReport, PublishedReport, PlainRecord {
        package typealias Answer = PeriodReport
        package static let name = "weekly"
        package static let summary = "A baby's week"
        package static let period: ReportPeriod? = .week("week")
        /// Rule sets under which the week may start on any day, as in the original app.
        package static let ruleSetsWithAnyStartDay: Set<RuleSet> = [.source, .laterSource]
        package var baby = ""
        package var zone: String?
        /// Reported ISO week, such as `2020-W10`. The rules of the original app also allow the
        /// week's first day, such as `2020-03-02`.
        package var week: String?
        var includeOpen: Bool?
        var layout = ReportLayout.current
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "week", &week, "includeOpen", &includeOpen)
        }

        /// Returns the period of the week, the previous week and one more day. The additional day
        /// is needed for weeks that begin on Sunday.
        package func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let first =
                firstDay(reporter) ?? week.flatMap { CivilDate.week(text: $0) }
                ?? Self.placeholderDay
            return reporter.window(from: first.adding(days: -8), before: first.adding(days: 7))
        }

        /// Returns the first day of the week if the argument is a day; `nil` if it is an ISO week.
        private func firstDay(_ reporter: Reporter) -> CivilDate? {
            reporter.rules == .standard ? nil : week.flatMap { CivilDate(text: $0) }
        }

        package func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            if let first = firstDay(reporter) { return first.adding(days: 6) }
            return week.flatMap { CivilDate.week(text: $0) }.map { monday in
                monday.startOfWeek(startingOn: reporter.profile.weekStart).adding(days: 6)
            }
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> PeriodReport {
            let asked = reporter.configured(open: includeOpen, layout)
            if let first = firstDay(reporter) { return asked.week(from: first) }
            return asked.week(
                try Self.parsedDate(week, "week like 2020-W10") { CivilDate.week(text: $0) })
        }
    }

    /// A report on one month of a baby, compared with the previous month.
    package struct MonthlyReport: CareReport, PublishedReport, PlainRecord {
        package typealias Answer = PeriodReport
        package static let name = "monthly"
        package static let summary = "A baby's month"
        package static let period: ReportPeriod? = .month("month")
        package static let blankAnswer = PeriodReport(kind: .monthly)
        package var baby = ""
        package var zone: String?
        /// Reported month, such as `2020-03`.
        package var month: String?
        var includeOpen: Bool?
        var layout = ReportLayout.current
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "month", &month, "includeOpen", &includeOpen)
        }

        package func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let first = month.flatMap { CivilDate.month(text: $0) } ?? Self.placeholderDay
            return reporter.window(from: first.firstOfPreviousMonth, before: first.firstOfNextMonth)
        }

        package func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            month.flatMap { CivilDate.month(text: $0) }?.firstOfNextMonth.adding(days: -1)
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> PeriodReport {
            let first = try Self.parsedDate(month, "month like 2020-03") {
                CivilDate.month(text: $0)
            }
            return reporter.configured(open: includeOpen, layout).month(first)
        }
    }
}

extension CareReport {
    /// Day whose entries are read if the argument is invalid; answering then fails.
    fileprivate static var placeholderDay: CivilDate { CivilDate(daysSince1970: 0) }

    /// Returns the day that an argument names; `nil` without an argument.
    static func day(_ text: String?) throws(ReportError) -> CivilDate? {
        guard let text else { return nil }
        return try parsedDate(text, "day like 2020-03-08") { CivilDate(text: $0) }
    }

    /// Returns the date that the argument for the period names; throws an error that states the
    /// needed `form`, such as `day like 2020-03-08`.
    fileprivate static func parsedDate(
        _ text: String?, _ form: String, _ parse: (String) -> CivilDate?
    ) throws(ReportError) -> CivilDate {
        guard let date = text.flatMap(parse) else {
            throw .invalid(
                argument: period?.argument ?? "date",
                "the report needs a \(form), found \(text.map { "'\($0)'" } ?? "nothing")")
        }
        return date
    }
}

extension BabyCare.Reporter {
    /// Returns a copy with these settings; if `open` is true, it shows lengths of open sleeps.
    fileprivate func configured(open: Bool?, _ layout: BabyCare.ReportLayout) -> Self {
        var reporter = self
        reporter.layout = layout
        reporter.showsOpenLengths = open ?? false
        return reporter
    }
}
