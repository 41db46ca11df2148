public import CivilTime
public import EventSourcing

extension BabyCare.Reporter {
    /// When the next feed is to be expected, by the mean gap between the last ten.
    ///
    /// Source: S4's quick answers.
    public func nextFeeding(at now: Instant) -> BabyCare.NextFeeding {
        let starts = entries.filter {
            $0.kind.isFeed && $0.counts && $0.startedUs <= now.microseconds
        }.map(\.startedUs).suffix(10)
        var answer = BabyCare.NextFeeding()
        answer.n = Int64(starts.count)
        answer.lastUs = starts.last
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
        let dropped = gaps.count >= 5 ? max(1, gaps.count / 10) : 0
        let kept = gaps.dropFirst(dropped).dropLast(dropped)
        guard let last = starts.last, !kept.isEmpty else {
            answer.unstable = true
            return answer
        }
        let minuteUs = BabyCare.Estimate.minuteUs
        let averageMin = Tenths.rounded(kept.reduce(0, +), Int64(kept.count) * minuteUs)
        guard averageMin > 0 else {
            answer.unstable = true
            return answer
        }
        let averageUs = averageMin * minuteUs
        var etaUs = last + averageUs - now.microseconds
        if etaUs < 0 { etaUs += averageUs * (-etaUs / averageUs + 1) }
        answer.averageMin = averageMin
        answer.etaMin = (etaUs + minuteUs - 1) / minuteUs
        return answer
    }

    public func latest(at now: Instant) -> BabyCare.LatestOfAll {
        let latest = { (isAsked: (BabyCare.Kind) -> Bool) -> BabyCare.Latest? in
            let entry = entries.last {
                isAsked($0.kind) && $0.counts && $0.startedUs <= now.microseconds
            }
            return entry.map { self.latest($0, now) }
        }
        var answer = BabyCare.LatestOfAll()
        answer.poo = latest { $0 == .poo }
        answer.feeding = latest { $0.isFeed }
        answer.sleep = latest { $0 == .sleep }
        answer.diaper = latest { $0 == .pee || $0 == .poo }
        answer.medication = latest { $0 == .medication }
        return answer
    }

    private func latest(_ entry: BabyCare.Entry, _ now: Instant) -> BabyCare.Latest {
        var latest = BabyCare.Latest()
        latest.entryId = entry.entryId
        latest.kind = entry.kind
        latest.startedUs = entry.startedUs
        latest.endedUs = entry.endedUs
        let sinceUs = now.microseconds - (entry.endedUs ?? entry.startedUs)
        latest.agoMin = max(0, sinceUs / BabyCare.Estimate.minuteUs)
        return latest
    }

    /// The day that `now` lies in, up to then.
    public func today(at now: Instant) -> BabyCare.Today {
        let date = zone.day(at: now, startMin: Int(profile.dayStartMin))
        let day = window(of: date)
        let soFar = figures(BabyCare.Window(start: day.start, end: min(day.end, now.next)))
        var today = BabyCare.Today()
        today.date = date.text
        today.feedings = feedCount(soFar) ?? 0
        today.formulaMl = soFar.feed.formula?.ml
        today.sleepMin = soFar.sleep.map { $0.unionS / 60 }
        today.pee = soFar.diaper.pee
        today.poo = soFar.diaper.poo
        today.lines = [
            "Feeding events: \(today.feedings)",
            "Formula total: \(today.formulaMl.map { "\($0) ml" } ?? "not recorded")",
            "Sleep total: \(today.sleepMin.map { "\($0) minutes" } ?? "not recorded")",
            "Diaper events: pee \(today.pee ?? 0), poo \(today.poo ?? 0)",
        ]
        return today
    }

    /// S4's landing page for the day, week or month around a day.
    public func landing(_ range: LandingRange, around anchor: CivilDate) -> BabyCare.Landing {
        let figures: BabyCare.Figures
        var landing = BabyCare.Landing()
        switch range {
        case .day:
            let report = day(anchor)
            figures = report.figures
            (landing.from, landing.to) = (report.date, report.date)
            var only = BabyCare.DayOfPeriod()
            only.isRecorded = figures.missing.count < BabyCare.Kind.names.count
            landing.average = averages(figures, [only])
        case .week, .month:
            let report =
                range == .month
                ? month(anchor)
                : week(
                    anchor.startOfWeek(startingOn: weekStart).adding(days: 1)
                        .startOfWeek(startingOn: .monday))
            figures = report.figures
            (landing.from, landing.to) = (report.from, report.to)
            landing.average = report.average
        }
        landing.range = range.name
        landing.anchorDate = anchor.text
        landing.basis = basis
        landing.sleepMin = figures.sleep.map { $0.unionS / 60 }
        landing.nightMin = figures.sleep.map { $0.nightS / 60 }
        landing.napMin = figures.sleep.map { $0.napS / 60 }
        landing.sleepCount = figures.sleep?.count
        landing.formulaCount = figures.feed.formula?.count
        landing.formulaMl = figures.feed.formula?.ml
        landing.bandsMl = figures.feed.bandsMl
        landing.breastfeedCount = figures.feed.breastfeed?.count
        landing.weaningCount = figures.feed.weaning?.count
        landing.pee = figures.diaper.pee
        landing.poo = figures.diaper.poo
        landing.medicationCount = figures.medication.map { Int64($0.count) }
        landing.memoCount = figures.memoCount
        landing.latest = latest(at: Instant(microseconds: basis.knownAtUs))
        return landing
    }

    /// What S4's landing page can show.
    public enum LandingRange: UInt8, StoredEnum {
        case day
        case week
        case month
    }
}

extension Instant {
    /// A microsecond later.
    fileprivate var next: Instant { advanced(byMicroseconds: 1) }
}
