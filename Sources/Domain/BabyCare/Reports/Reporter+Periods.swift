public import CivilTime
import EventSourcing

extension BabyCare.Reporter {
    public func day(_ date: CivilDate) -> BabyCare.DayReport {
        let window = window(of: date)
        return BabyCare.DayReport(
            date: date.text, basis: basis, partial: isPartial(window), figures: figures(window))
    }

    /// Reports the seven days that a week's name means under the baby's first weekday: with
    /// Sundays first, those from the Sunday before its ISO Monday.
    public func week(_ isoMonday: CivilDate) -> BabyCare.PeriodReport {
        let first = isoMonday.startOfWeek(startingOn: profile.weekStart)
        return period(
            .weekly, isoMonday.isoWeekText, from: first, before: first.adding(days: 7),
            after: first.adding(days: -7))
    }

    public func month(_ first: CivilDate) -> BabyCare.PeriodReport {
        period(
            .monthly, first.monthText, from: first.firstOfMonth, before: first.firstOfNextMonth,
            after: first.firstOfPreviousMonth)
    }

    /// - Parameter earlier: the first day of the stretch it is compared with.
    private func period(
        _ kind: BabyCare.ReportKind, _ name: String, from first: CivilDate,
        before next: CivilDate, after earlier: CivilDate
    ) -> BabyCare.PeriodReport {
        let window = window(from: first, before: next)
        var days: [BabyCare.DayOfPeriod] = []
        var date = first
        while date < next {
            days.append(dayOfPeriod(date))
            date = date.adding(days: 1)
        }
        var figures = figures(window)
        if rules == .source, figures.sleep != nil {
            // A week is the sum of its days; under the source rules its days overlap.
            figures.sleep?.sumS = days.reduce(0) { $0 + ($1.sleepSumS ?? 0) }
        }
        let before = self.figures(self.window(from: earlier, before: first))
        return BabyCare.PeriodReport(
            kind: kind, period: name, from: first.text, to: next.adding(days: -1).text,
            basis: basis, partial: isPartial(window), figures: figures,
            average: averages(figures, recordedDays: days.count(where: \.isRecorded)),
            trend: trends(figures, before), days: days)
    }

    private func dayOfPeriod(_ date: CivilDate) -> BabyCare.DayOfPeriod {
        let figures = figures(window(of: date))
        return BabyCare.DayOfPeriod(
            date: date.text, lengthS: figures.lengthS, isRecorded: figures.isRecorded,
            sleepSumS: figures.sleep?.sumS, sleepUnionS: figures.sleep?.unionS,
            sleepCount: figures.sleep?.count, feedCount: figures.feed.count,
            formulaMl: figures.feed.formula?.ml,
            breastfeedS: figures.feed.breastfeed?.durationS, pee: figures.diaper.pee,
            poo: figures.diaper.poo)
    }

    func averages(_ figures: Figures, recordedDays: Int) -> BabyCare.Averages {
        let days = Int64(recordedDays)
        guard days > 0 else { return BabyCare.Averages() }
        let perDay = { (total: Int64?) in total.map { Tenths($0, per: days) } }
        let minutes = { (seconds: Int64?) in seconds.map { Tenths($0, per: days * 60) } }
        return BabyCare.Averages(
            recordedDays: days, sleepMin: minutes(figures.sleep?.unionS),
            sleepCount: perDay(figures.sleep?.count), feedCount: perDay(figures.feed.count),
            formulaMl: perDay(figures.feed.formula?.ml),
            breastfeedMin: minutes(figures.feed.breastfeed?.durationS),
            weaningG: perDay(figures.feed.weaning?.g), pee: perDay(figures.diaper.pee),
            poo: perDay(figures.diaper.poo))
    }

    private func trends(_ now: Figures, _ before: Figures) -> BabyCare.Trends {
        let trend = { (total: (Figures) -> Int64?) in
            BabyCare.trend(total(now) ?? 0, against: total(before) ?? 0, rules: rules)
        }
        return BabyCare.Trends(
            sleepS: trend { rules == .source ? $0.sleep?.startedS : $0.sleep?.unionS },
            sleepCount: trend(\.sleep?.count), feedCount: trend(\.feed.count),
            formulaMl: trend(\.feed.formula?.ml),
            breastfeedS: trend(\.feed.breastfeed?.durationS), pee: trend(\.diaper.pee),
            poo: trend(\.diaper.poo))
    }
}

extension BabyCare {
    /// The change in percent: `+20%`, `-50%`, `0%`; `new` where there was nothing before, `flat`
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
