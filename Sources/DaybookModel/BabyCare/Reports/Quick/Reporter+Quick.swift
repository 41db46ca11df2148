package import Daybook

extension BabyCare.Reporter {
    /// Estimates the next feed from the mean interval between the last ten feeds. Source: S4's
    /// quick answers. The rule set `source` also uses open and cancelled feeds.
    package func nextFeeding(at now: Instant) -> BabyCare.NextFeeding {
        let starts = entries.filter {
            $0.kind.isFeed && (rules == .source ? $0.isSourceRow : $0.isCounted)
                && $0.started <= now
        }.map(\.started).suffix(10)
        var answer = BabyCare.NextFeeding(
            lastStart: starts.last, feedCount: Int64(starts.count), lacksEstimate: true, now: now)
        let gaps = zip(starts, starts.dropFirst()).map { $1.microseconds(since: $0) }.filter {
            $0 > 0
        }
        .sorted()
        let dropped = gaps.count >= 5 ? max(1, gaps.count / 10) : 0
        let kept = gaps.dropFirst(dropped).dropLast(dropped)
        guard let last = starts.last, !kept.isEmpty else { return answer }
        let minuteUs = BabyCare.Estimate.minuteUs
        let averageMin = Tenths.rounded(kept.reduce(0, +), Int64(kept.count) * minuteUs)
        guard averageMin > 0 else { return answer }
        let averageUs = averageMin * minuteUs
        var etaUs = last.advanced(byMicroseconds: averageUs).microseconds(since: now)
        if etaUs < 0 { etaUs += averageUs * (-etaUs / averageUs + 1) }
        answer.averageMin = averageMin
        answer.etaMin = (etaUs + minuteUs - 1) / minuteUs
        answer.lacksEstimate = false
        return answer
    }

    /// Returns the last entry of each group, such as the last feed, up to `now`. Under the rule set
    /// `source`, the last poo may be cancelled or later than `now`; the other groups use only the
    /// entries of the present day.
    package func latest(at now: Instant) -> BabyCare.LatestOfAll {
        guard rules == .source else { return latest(at: now) { $0.isCounted && $0.started <= now } }
        let today = window(of: zone.day(at: now, startMin: Int(profile.dayStartMin)))
        var answer = latest(at: now) { $0.isCounted && today.contains($0.started) }
        answer.poo = entries.last { $0.kind == .poo && $0.isSourceRow }.map {
            BabyCare.Latest($0, at: now)
        }
        return answer
    }

    /// Returns the last entry of each group, among the entries for which `isCounted` is true.
    private func latest(at now: Instant, where isCounted: (Entry) -> Bool) -> BabyCare.LatestOfAll {
        func last(_ isMeant: (BabyCare.Kind) -> Bool) -> BabyCare.Latest? {
            entries.last { isMeant($0.kind) && isCounted($0) }.map { BabyCare.Latest($0, at: now) }
        }
        return BabyCare.LatestOfAll(
            poo: last { $0 == .poo }, feeding: last(\.isFeed), sleep: last { $0 == .sleep },
            diaper: last { $0 == .pee || $0 == .poo }, medication: last { $0 == .medication },
            now: now)
    }

    /// Returns the totals of the baby's day that contains `now`, up to `now`.
    package func today(at now: Instant) -> BabyCare.Today {
        guard rules == .standard else { return todayByUTC(at: now) }
        let date = zone.day(at: now, startMin: Int(profile.dayStartMin))
        let soFar = figures(clipped(to: now, window(of: date)))
        var today = BabyCare.Today(
            date: date.text, feedingCount: soFar.feed.count, formulaMl: soFar.feed.formula?.ml,
            sleepMin: soFar.sleptS.map { $0 / 60 }, pee: soFar.diaper.pee,
            poo: soFar.diaper.poo, now: now)
        let text = { (number: Int64?, unit: String) in
            number.map { "\($0)\(unit)" } ?? "not recorded"
        }
        let diapers = [("pee", today.pee), ("poo", today.poo)]
        today.lines = [
            "Feeding events: \(text(today.feedingCount, ""))",
            "Formula total: \(text(today.formulaMl, " ml"))",
            "Sleep total: \(text(today.sleepMin, " minutes"))",
            "Diaper events: "
                + (diapers.allSatisfy { $0.1 == nil }
                    ? "not recorded"
                    : diapers.map { "\($0.0) \(text($0.1, ""))" }.joined(separator: ", ")),
        ]
        return today
    }

    /// Returns the totals of the whole UTC day, as the original app computes them. Under the rule
    /// set `source`, open and cancelled entries are counted too.
    private func todayByUTC(at now: Instant) -> BabyCare.Today {
        let date = CivilDate(utcDayOf: now)
        let day = Window(start: date.utcStart, end: date.adding(days: 1).utcStart)
        let rows = entries.filter {
            (rules == .source ? $0.isSourceRow : $0.isCounted) && day.contains($0.started)
        }
        let count = { (kind: BabyCare.Kind) in Int64(rows.count { $0.kind == kind }) }
        let amountUl = rows.filter { $0.kind == .formula }
            .reduce(0) { $0 + ($1.value.amountUl ?? 0) }
        let sleepMin = rows.filter { $0.kind == .sleep }.reduce(0) { $0 + $1.wholeMinutes }
        let feedings = count(.formula) + count(.breastfeed)
        return BabyCare.Today(
            date: date.text, feedingCount: feedings, formulaMl: amountUl / 1_000,
            sleepMin: sleepMin, pee: count(.pee), poo: count(.poo),
            lines: [
                "Feedings: \(feedings)", "Formula total: \(amountUl / 1_000) ml",
                "Sleep logged: \(sleepMin) minutes",
                "Diaper events: pee \(count(.pee)), poo \(count(.poo))",
            ],
            now: now)
    }

    /// Returns the numbers of entries and diapers that started on the day of `now`, up to `now`.
    /// Under the rules of the original app, the whole UTC day is counted; under the rule set
    /// `source`, open and cancelled entries are counted too.
    func dayCount(at now: Instant) -> (entries: Int, pee: Int64?, poo: Int64?) {
        guard rules == .standard else {
            let date = CivilDate(utcDayOf: now)
            let day = Window(start: date.utcStart, end: date.adding(days: 1).utcStart)
            let rows = entries.filter {
                (rules == .source ? $0.isSourceRow : $0.isCounted) && day.contains($0.started)
            }
            let count = { (kind: BabyCare.Kind) in Int64(rows.count { $0.kind == kind }) }
            return (rows.count, count(.pee), count(.poo))
        }
        let soFar = clipped(
            to: now, window(of: zone.day(at: now, startMin: Int(profile.dayStartMin))))
        let diaper = figures(soFar).diaper
        let count = entries.count { $0.isCounted && soFar.contains($0.started) }
        return (count, diaper.pee, diaper.poo)
    }

    /// Returns the local day and time of day of a point in time: `2026-02-19`, `07:10`.
    func localDayAndTime(_ time: Instant) -> (day: String, time: String) {
        let text = localText(time)
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
    }

    /// The length of a range of days that the app's landing page can show.
    package enum LandingRange: UInt8, StoredEnum { case day, week, month }

    /// Returns the numbers of the app's landing page for the range that contains a day.
    package func landing(
        _ range: LandingRange, around anchor: CivilDate, at now: Instant
    ) -> BabyCare.Landing {
        let (first, next) = dayBounds(of: range, around: anchor)
        let dates = Self.dates(from: first, before: next)
        let window = window(from: first, before: next)
        let soFar = clipped(to: now, window)
        let figures = figures(soFar)
        let recorded =
            rules == .standard
            ? dates.count { date in
                let day = clipped(to: now, self.window(of: date))
                return isRecorded(day, self.figures(day))
            }
            : dates.count
        var landing = BabyCare.Landing(
            range: range.name, anchorDate: anchor.text, from: first.text,
            to: next.adding(days: -1).text, basis: basis, sleepCount: figures.closedSleep?.count,
            formulaCount: figures.feed.formula?.count, formulaMl: figures.feed.formula?.ml,
            bandsMl: figures.feed.bandsMl, breastfeedCount: figures.feed.breastfeed?.count,
            weaningCount: figures.feed.weaning?.count, pee: figures.diaper.pee,
            poo: figures.diaper.poo, medicationCount: figures.medication.map { Int64($0.count) },
            memoCount: figures.memoCount, average: averages(figures, days: recorded),
            latest: latest(at: now), now: now)
        if rules == .standard {
            landing.sleepMin = figures.sleptS.map { $0 / 60 }
            landing.nightMin = figures.closedSleep.map { $0.nightS / 60 }
            landing.napMin = figures.closedSleep.map { $0.napS / 60 }
        } else {
            setSourceTotals(&landing, dates.count, window)
        }
        return landing
    }

    /// Returns the part of a window up to and including `now`. Returns the whole window under the
    /// rules of the original app.
    private func clipped(to now: Instant, _ window: Window) -> Window {
        guard rules == .standard else { return window }
        let end = min(window.end, now.advanced(byMicroseconds: 1))
        return Window(start: window.start, end: max(window.start, end))
    }

    /// Returns the first day of the range that contains `anchor`, and the day after its last day.
    func dayBounds(
        of range: LandingRange, around anchor: CivilDate
    ) -> (first: CivilDate, next: CivilDate) {
        switch range {
        case .day: return (anchor, anchor.adding(days: 1))
        case .week:
            // Weeks of the original app always start on Monday.
            let first =
                rules == .standard
                ? anchor.startOfWeek(startingOn: profile.weekStart)
                : anchor.startOfWeek(startingOn: .monday)
            return (first, first.adding(days: 7))
        case .month: return (anchor.firstOfMonth, anchor.firstOfNextMonth)
        }
    }

    /// Sets totals that round each entry as the original app does, and the latest entries in range.
    private func setSourceTotals(_ landing: inout BabyCare.Landing, _ days: Int, _ window: Window) {
        let started = entries.filter { entry in
            entry.isCounted
                && (rules == .source
                    ? window.contains(entry.started) : window.touches(entry.started, entry.ended))
        }
        let minutes = { (sleeps: [Entry]) in sleeps.reduce(0) { $0 + $1.roundedMinutes } }
        let sleeps = started.filter { $0.kind == .sleep }
        landing.sleepMin = minutes(sleeps)
        landing.nightMin = minutes(sleeps.filter(isNight))
        landing.napMin = minutes(sleeps.filter { !isNight($0) })
        landing.formulaMl = reported(started).roundedFormulaMl
        landing.average.sleepMin = Tenths(landing.sleepMin ?? 0, per: Int64(days))
        landing.average.formulaMl = Tenths(landing.formulaMl ?? 0, per: Int64(days))
        landing.latest = latest(at: landing.now) { $0.isCounted && window.contains($0.started) }
    }
}

extension BabyCare.Entry {
    /// True if the database of the original app would have a row for the entry. The app has a row
    /// for every entry, even a cancelled one, except entries merged into another.
    fileprivate var isSourceRow: Bool { cancellation.mergedInto == nil }

    /// Recorded duration in minutes, rounded half up; without one, the time from start to end.
    fileprivate var roundedMinutes: Int64 {
        let lengthUs = value.durationS.map { $0 * 1_000_000 } ?? max(0, lengthUs)
        return Tenths.rounded(lengthUs, BabyCare.Estimate.minuteUs)
    }
}

extension BabyCare.Latest {
    /// Creates the answer about the last entry of a group, with the minutes from then to `now`.
    fileprivate init(_ entry: BabyCare.SharedEntry, at now: Instant) {
        let sinceUs = now.microseconds(since: entry.ended ?? entry.started)
        self.init(
            entryId: entry.entryId, kind: entry.kind, started: entry.started,
            ended: entry.ended, agoMin: max(0, sinceUs / BabyCare.Estimate.minuteUs))
    }
}
