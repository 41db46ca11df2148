public import CivilTime
public import EventSourcing

extension BabyCare.Reporter {
    /// Expects the next feed by the mean gap between the last ten.
    ///
    /// Source: S4's quick answers.
    public func nextFeeding(at now: Instant) -> BabyCare.NextFeeding {
        let starts = entries.filter {
            $0.kind.isFeed && $0.counts && $0.started <= now
        }.map(\.started).suffix(10)
        var answer = BabyCare.NextFeeding(
            last: starts.last, n: Int64(starts.count), unstable: true)
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
        answer.unstable = false
        return answer
    }

    public func latest(at now: Instant) -> BabyCare.LatestOfAll {
        let latest = { (isMeant: (BabyCare.Kind) -> Bool) -> BabyCare.Latest? in
            let entry = entries.last {
                isMeant($0.kind) && $0.counts && $0.started <= now
            }
            return entry.map { BabyCare.Latest($0, at: now) }
        }
        return BabyCare.LatestOfAll(
            poo: latest { $0 == .poo }, feeding: latest(\.isFeed), sleep: latest { $0 == .sleep },
            diaper: latest { $0 == .pee || $0 == .poo }, medication: latest { $0 == .medication })
    }

    /// Reports the day that `now` lies in, up to then.
    public func today(at now: Instant) -> BabyCare.Today {
        let date = zone.day(at: now, startMin: Int(profile.dayStartMin))
        let day = window(of: date)
        let next = now.advanced(byMicroseconds: 1)
        let soFar = figures(Window(start: day.start, end: min(day.end, next)))
        var today = BabyCare.Today(
            date: date.text, feedings: soFar.feed.count ?? 0, formulaMl: soFar.feed.formula?.ml,
            sleepMin: soFar.sleep.map { $0.unionS / 60 }, pee: soFar.diaper.pee,
            poo: soFar.diaper.poo)
        today.lines = [
            "Feeding events: \(today.feedings)",
            "Formula total: \(today.formulaMl.map { "\($0) ml" } ?? "not recorded")",
            "Sleep total: \(today.sleepMin.map { "\($0) minutes" } ?? "not recorded")",
            "Diaper events: pee \(today.pee ?? 0), poo \(today.poo ?? 0)",
        ]
        return today
    }

    /// The stretches that S4's landing page can show.
    public enum LandingRange: UInt8, StoredEnum {
        case day, week, month
    }

    /// Answers S4's landing page for the day, week or month around a day.
    public func landing(_ range: LandingRange, around anchor: CivilDate) -> BabyCare.Landing {
        switch range {
        case .day:
            let figures = day(anchor).figures
            let average = averages(figures, recordedDays: figures.isRecorded ? 1 : 0)
            return landing(range, anchor, from: anchor.text, to: anchor.text, figures, average)
        case .week:
            let monday = anchor.startOfWeek(startingOn: profile.weekStart).adding(days: 1)
                .startOfWeek(startingOn: .monday)
            return landing(range, anchor, week(monday))
        case .month: return landing(range, anchor, month(anchor))
        }
    }

    private func landing(
        _ range: LandingRange, _ anchor: CivilDate, _ report: BabyCare.PeriodReport
    ) -> BabyCare.Landing {
        landing(range, anchor, from: report.from, to: report.to, report.figures, report.average)
    }

    private func landing(
        _ range: LandingRange, _ anchor: CivilDate, from: String, to: String, _ figures: Figures,
        _ average: BabyCare.Averages
    ) -> BabyCare.Landing {
        let sleep = figures.sleep
        return BabyCare.Landing(
            range: range.name, anchorDate: anchor.text, from: from, to: to, basis: basis,
            sleepMin: sleep.map { $0.unionS / 60 }, nightMin: sleep.map { $0.nightS / 60 },
            napMin: sleep.map { $0.napS / 60 }, sleepCount: sleep?.count,
            formulaCount: figures.feed.formula?.count, formulaMl: figures.feed.formula?.ml,
            bandsMl: figures.feed.bandsMl, breastfeedCount: figures.feed.breastfeed?.count,
            weaningCount: figures.feed.weaning?.count, pee: figures.diaper.pee,
            poo: figures.diaper.poo, medicationCount: figures.medication.map { Int64($0.count) },
            memoCount: figures.memoCount, average: average,
            latest: latest(at: basis.knownAt))
    }
}

extension BabyCare.Latest {
    fileprivate init(_ entry: BabyCare.Entry, at now: Instant) {
        let sinceUs = now.microseconds(since: entry.ended ?? entry.started)
        self.init(
            entryId: entry.entryId, kind: entry.kind, started: entry.started,
            ended: entry.ended, agoMin: max(0, sinceUs / BabyCare.Estimate.minuteUs))
    }
}
