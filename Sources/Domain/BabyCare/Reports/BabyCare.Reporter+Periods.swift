public import CivilTime
import EventSourcing

extension BabyCare.Reporter {
    public func day(_ date: CivilDate) -> BabyCare.DayReport {
        let window = window(of: date)
        var report = BabyCare.DayReport()
        report.date = date.text
        report.basis = basis
        report.partial = isPartial(window)
        report.figures = figures(window)
        return report
    }

    /// The seven days that a week's text means under the baby's first weekday: with Sundays first,
    /// those from the Sunday before its ISO Monday.
    public func week(_ isoMonday: CivilDate) -> BabyCare.PeriodReport {
        let first = isoMonday.startOfWeek(startingOn: weekStart)
        var report = period(
            .weekly, from: first, before: first.adding(days: 7), after: first.adding(days: -7))
        report.period = isoMonday.isoWeekText
        return report
    }

    public func month(_ first: CivilDate) -> BabyCare.PeriodReport {
        var report = period(
            .monthly, from: first.firstOfMonth, before: first.firstOfNextMonth,
            after: first.firstOfPreviousMonth)
        report.period = first.monthText
        return report
    }

    var weekStart: WeekStart { profile.weekStart == .sunday ? .sunday : .monday }

    /// - Parameter earlier: the first day of the stretch it is compared with.
    private func period(
        _ kind: BabyCare.ReportKind, from first: CivilDate, before next: CivilDate,
        after earlier: CivilDate
    ) -> BabyCare.PeriodReport {
        let window = window(from: first, before: next)
        var report = BabyCare.PeriodReport()
        report.kind = kind
        report.from = first.text
        report.to = next.adding(days: -1).text
        report.basis = basis
        report.partial = isPartial(window)
        var date = first
        while date < next {
            report.days.append(dayOfPeriod(date))
            date = date.adding(days: 1)
        }
        report.figures = figures(window)
        addUp(report.days, into: &report.figures)
        report.average = averages(report.figures, report.days)
        let before = figures(self.window(from: earlier, before: first))
        report.trend = trends(report.figures, before)
        return report
    }

    /// A week is the sum of its days; under the source rules its days overlap.
    private func addUp(_ days: [BabyCare.DayOfPeriod], into figures: inout BabyCare.Figures) {
        guard rules == .source, figures.sleep != nil else { return }
        figures.sleep?.sumS = days.reduce(0) { $0 + ($1.sleepSumS ?? 0) }
    }

    private func dayOfPeriod(_ date: CivilDate) -> BabyCare.DayOfPeriod {
        let figures = figures(window(of: date))
        var day = BabyCare.DayOfPeriod()
        day.date = date.text
        day.lengthS = figures.lengthS
        day.isRecorded = isRecorded(figures)
        day.sleepSumS = figures.sleep?.sumS
        day.sleepUnionS = figures.sleep?.unionS
        day.sleepCount = figures.sleep?.count
        day.feedCount = feedCount(figures)
        day.formulaMl = figures.feed.formula?.ml
        day.breastfeedS = figures.feed.breastfeed?.durationS
        day.pee = figures.diaper.pee
        day.poo = figures.diaper.poo
        return day
    }

    /// Whether anybody wrote anything down.
    private func isRecorded(_ figures: BabyCare.Figures) -> Bool {
        figures.missing.count < BabyCare.Kind.names.count
    }

    func feedCount(_ figures: BabyCare.Figures) -> Int64? {
        guard figures.feed.formula != nil || figures.feed.breastfeed != nil else { return nil }
        return (figures.feed.formula?.count ?? 0) + (figures.feed.breastfeed?.count ?? 0)
    }

    func averages(
        _ figures: BabyCare.Figures, _ days: [BabyCare.DayOfPeriod]
    ) -> BabyCare.Averages {
        var average = BabyCare.Averages()
        let recorded = Int64(days.count(where: \.isRecorded))
        average.recordedDays = recorded
        guard recorded > 0 else { return average }
        let perDay = { (total: Int64?) in total.map { Tenths($0, per: recorded) } }
        let minutes = { (seconds: Int64?) in seconds.map { Tenths($0, per: recorded * 60) } }
        average.sleepMin = minutes(figures.sleep?.unionS)
        average.sleepCount = perDay(figures.sleep?.count)
        average.feedCount = perDay(feedCount(figures))
        average.formulaMl = perDay(figures.feed.formula?.ml)
        average.breastfeedMin = minutes(figures.feed.breastfeed?.durationS)
        average.weaningG = perDay(figures.feed.weaning?.g)
        average.pee = perDay(figures.diaper.pee)
        average.poo = perDay(figures.diaper.poo)
        return average
    }

    private func trends(_ now: BabyCare.Figures, _ before: BabyCare.Figures) -> BabyCare.Trends {
        let trend = { (now: Int64?, before: Int64?) in
            BabyCare.trend(now ?? 0, against: before ?? 0, rules: rules)
        }
        let sleepS = { (figures: BabyCare.Figures) in
            rules == .source ? figures.sleep?.startedS : figures.sleep?.unionS
        }
        var trends = BabyCare.Trends()
        trends.sleepS = trend(sleepS(now), sleepS(before))
        trends.sleepCount = trend(now.sleep?.count, before.sleep?.count)
        trends.feedCount = trend(feedCount(now), feedCount(before))
        trends.formulaMl = trend(now.feed.formula?.ml, before.feed.formula?.ml)
        trends.breastfeedS = trend(
            now.feed.breastfeed?.durationS, before.feed.breastfeed?.durationS)
        trends.pee = trend(now.diaper.pee, before.diaper.pee)
        trends.poo = trend(now.diaper.poo, before.diaper.poo)
        return trends
    }
}

extension BabyCare {
    /// How much more or less: `+20%`, `-50%`, `0%`; `new` where there was nothing before, `flat`
    /// where there is nothing at all.
    ///
    /// The source documents' code adds a half and cuts off, which makes −50 % print as −49 %, and
    /// says `+0%` and `new` where nothing changed.
    public static func trend(
        _ now: Int64, against before: Int64, rules: Rules = .standard
    ) -> String {
        guard before > 0 else { return now > 0 || rules == .source ? "new" : "flat" }
        let difference = now - before
        if rules == .source {
            // Int(100·(now − before)/before + 0.5), cut off towards zero.
            let percent = (200 * difference + before) / (2 * before)
            return difference >= 0 ? "+\(percent)%" : "\(percent)%"
        }
        let percent = Tenths.rounded(100 * difference, before)
        return percent > 0 ? "+\(percent)%" : "\(percent)%"
    }
}
