package import Daybook

extension BabyCare.Reporter {
    package func day(_ date: CivilDate) -> BabyCare.DayReport {
        let window = window(of: date)
        return BabyCare.DayReport(
            date: date.text, basis: basis, isPartial: isPartial(window),
            isBeforeBirth: isBeforeBirth(date), figures: figures(window),
            entries: dayEntries(window))
    }

    package func isBeforeBirth(_ date: CivilDate) -> Bool {
        profile.birthDate.flatMap { CivilDate(text: $0) }.map { date < $0 } ?? false
    }

    func beforeBirthRemark(_ date: CivilDate) -> String {
        "the day \(date.text) is before the birth of the baby '\(profile.babyId)' on "
            + (profile.birthDate ?? "")
    }

    /// Returns the entries that the figures of a day include, and the open entries of the day.
    private func dayEntries(_ window: Window) -> [BabyCare.DayEntry] {
        let touching = candidates(window).filter { window.touches($0.started, $0.ended) }
        var listed = entriesCounted(in: window, among: touching)
        if rules == .standard {
            listed += openEntries.filter { $0.touches(window) }.map(\.entry)
            listed.sort { $0.entry.precedes($1.entry) }
        }
        return listed.map { entry in
            BabyCare.DayEntry(
                entryId: entry.entryId, kind: entry.kind, state: entry.state,
                started: entry.started, ended: entry.ended, start: localText(entry.started),
                end: entry.ended.map(localText), isEstimated: entry.isEstimated, value: entry.value)
        }
    }

    /// Returns the report on an ISO week, shifted to the first weekday of the baby's profile. If
    /// weeks start on Sunday, the seven days start on the Sunday before the ISO Monday.
    package func week(_ isoMonday: CivilDate) -> BabyCare.PeriodReport {
        let first = isoMonday.startOfWeek(startingOn: profile.weekStart)
        return period(
            .weekly, isoMonday.isoWeekText, from: first, before: first.adding(days: 7),
            after: first.adding(days: -7))
    }

    /// Returns the report on the seven days from `first`, which also names the period.
    func week(from first: CivilDate) -> BabyCare.PeriodReport {
        period(
            .weekly, first.text, from: first, before: first.adding(days: 7),
            after: first.adding(days: -7))
    }

    package func month(_ first: CivilDate) -> BabyCare.PeriodReport {
        period(
            .monthly, first.monthText, from: first.firstOfMonth, before: first.firstOfNextMonth,
            after: first.firstOfPreviousMonth)
    }

    /// Returns the report on a week or month, with its changes against the previous one.
    ///
    /// - Parameters:
    ///   - name: the week or month as the report names it, such as `2020-W10`.
    ///   - next: the day after the last day of the period.
    ///   - earlier: the first day of the previous period, which ends before `first`.
    private func period(
        _ kind: BabyCare.ReportKind, _ name: String, from first: CivilDate,
        before next: CivilDate, after earlier: CivilDate
    ) -> BabyCare.PeriodReport {
        let window = window(from: first, before: next)
        let days = Self.dates(from: first, before: next).map(dayOfPeriod)
        let figures = figures(window)
        let windowBefore = self.window(from: earlier, before: first)
        let counted = entriesCounted(in: window, among: candidates(window))
        let started = reported(entriesStarted(in: window, among: counted))
        return BabyCare.PeriodReport(
            kind: kind, period: name, from: first.text, to: next.adding(days: -1).text,
            basis: basis, isPartial: isPartial(window),
            isBeforeBirth: isBeforeBirth(next.adding(days: -1)), figures: figures,
            average: averages(
                figures, days: rules == .standard ? days.count(where: \.isRecorded) : days.count),
            trend: trends(figures, self.figures(windowBefore), window, windowBefore), days: days,
            visits: started.visits, symptoms: started.symptoms)
    }

    static func dates(from first: CivilDate, before next: CivilDate) -> [CivilDate] {
        (0..<max(0, next.daysSince1970 - first.daysSince1970)).map { first.adding(days: $0) }
    }

    /// Returns the totals of one day in a weekly or monthly report.
    private func dayOfPeriod(_ date: CivilDate) -> BabyCare.DayOfPeriod {
        let day = window(of: date)
        let figures = figures(day)
        return BabyCare.DayOfPeriod(
            date: date.text, lengthS: figures.lengthS, isRecorded: isRecorded(day, figures),
            sleepSumS: figures.closedSleep?.sumS, sleepUnionS: figures.sleptS,
            sleepCount: figures.closedSleep?.count, feedCount: figures.feed.count,
            formulaMl: figures.feed.formula?.ml, breastfeedS: figures.feed.breastfeed?.durationS,
            pee: figures.diaper.pee, poo: figures.diaper.poo)
    }

    /// Returns the averages per day of a period.
    func averages(_ figures: Figures, days: Int) -> BabyCare.Averages {
        let days = Int64(days)
        guard days > 0 else { return BabyCare.Averages() }
        let perDay = { (total: Int64?) in total.map { Tenths($0, per: days) } }
        let minutes = { (seconds: Int64?) in seconds.map { Tenths($0, per: days * 60) } }
        return BabyCare.Averages(
            dayCount: days,
            sleepMin: minutes(rules == .standard ? figures.sleptS : figures.sleep?.sumS),
            sleepCount: perDay(figures.closedSleep?.count), feedCount: perDay(figures.feed.count),
            formulaMl: perDay(figures.feed.formula?.ml),
            breastfeedMin: minutes(figures.feed.breastfeed?.durationS),
            weaningG: perDay(figures.feed.weaning?.massG), pee: perDay(figures.diaper.pee),
            poo: perDay(figures.diaper.poo))
    }

    /// Returns the changes of the figures `now` against those of the previous period.
    private func trends(
        _ now: Figures, _ before: Figures, _ window: Window, _ windowBefore: Window
    ) -> BabyCare.Trends {
        let trend = { (total: (Figures) -> Int64?) in
            total(now).map { BabyCare.trend($0, against: total(before) ?? 0, rules: rules) }
        }
        var trends = BabyCare.Trends(
            sleepS: trend(\.sleptS), sleepCount: trend(\.closedSleep?.count),
            feedCount: trend(\.feed.count), formulaMl: trend(\.feed.formula?.ml),
            breastfeedS: trend(\.feed.breastfeed?.durationS), pee: trend(\.diaper.pee),
            poo: trend(\.diaper.poo))
        guard rules != .standard else { return trends }
        trends.sleepS = trend(\.sleep?.sumS)
        // The source rules compare microlitres, before rounding to millilitres.
        trends.formulaMl = BabyCare.trend(
            formulaUl(window), against: formulaUl(windowBefore), rules: rules)
        return trends
    }

    /// Returns the microlitres of all formula feeds that the totals of a window include.
    private func formulaUl(_ window: Window) -> Int64 {
        entriesCounted(in: window, among: candidates(window)).filter {
            $0.kind == .formula && window.touches($0.started, $0.ended)
        }.reduce(0) { $0 + ($1.value.amountUl ?? 0) }
    }
}

extension BabyCare {
    /// Returns the change from `before` to `now` in percent: `+20%`, `-50%` or `0%`.
    ///
    /// The result is `new` if only `before` is 0, and `flat` if both numbers are 0.
    ///
    /// The rules of the original app add a half and truncate: −50 % becomes −49 %. They give
    /// `+0%` if the numbers are equal, and `new` if both are 0.
    package static func trend(
        _ now: Int64, against before: Int64, rules: Rules = .standard
    ) -> String {
        guard before > 0 else { return now > 0 || rules.isOfSource ? "new" : "flat" }
        let difference = now - before
        if rules.isOfSource {
            // Int(100·(now − before)/before + 0.5), truncated towards zero.
            let percent = (200 * difference + before) / (2 * before)
            return difference >= 0 ? "+\(percent)%" : "\(percent)%"
        }
        let percent = Tenths.rounded(100 * difference, before)
        return percent > 0 ? "+\(percent)%" : "\(percent)%"
    }
}
