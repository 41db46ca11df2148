import CivilTime
import EventSourcing

extension BabyCare.Reporter {
    func feed(_ started: [BabyCare.Entry]) -> BabyCare.FeedFigures {
        var figures = BabyCare.FeedFigures()
        figures.formula = formula(started)
        figures.breastfeed = breastfeed(started)
        figures.weaning = weaning(started)
        figures.bandsMl = bands(started)
        figures.intervals = intervals(started)
        return figures
    }

    /// Millilitres are rounded once, after the microlitres were added.
    private func formula(_ started: [BabyCare.Entry]) -> BabyCare.FormulaFigures? {
        let feeds = started.filter { $0.kind == .formula }
        guard !feeds.isEmpty else { return nil }
        let amounts = feeds.compactMap(\.value.amountUl)
        var formula = BabyCare.FormulaFigures()
        formula.count = Int64(feeds.count)
        formula.ml = amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
        formula.mlMissing = Int64(feeds.count - amounts.count)
        return formula
    }

    private func breastfeed(_ started: [BabyCare.Entry]) -> BabyCare.BreastfeedFigures? {
        let feeds = started.filter { $0.kind == .breastfeed }
        guard !feeds.isEmpty else { return nil }
        var figures = BabyCare.BreastfeedFigures()
        figures.count = Int64(feeds.count)
        figures.durationS = length(feeds)
        figures.durationMissing = Int64(
            feeds.count { $0.value.durationS == nil && $0.endedUs == nil })
        let side = { (side: BabyCare.Side) -> BabyCare.SideFigures? in
            let feeds = feeds.filter { $0.value.side == side }
            guard !feeds.isEmpty else { return nil }
            var figures = BabyCare.SideFigures()
            figures.count = Int64(feeds.count)
            figures.durationS = length(feeds)
            return figures
        }
        figures.left = side(.left)
        figures.right = side(.right)
        figures.both = side(.both)
        return figures
    }

    /// By each one's own account, else from start to end; `nil` where none says either.
    private func length(_ feeds: [BabyCare.Entry]) -> Int64? {
        let lengths = feeds.compactMap { feed in
            feed.value.durationS
                ?? feed.endedUs.map { BabyCare.Window.wholeS(feed.startedUs, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +)
    }

    private func weaning(_ started: [BabyCare.Entry]) -> BabyCare.WeaningFigures? {
        let meals = started.filter { $0.kind == .weaning }
        guard !meals.isEmpty else { return nil }
        let masses = meals.compactMap(\.value.massMg)
        var weaning = BabyCare.WeaningFigures()
        weaning.count = Int64(meals.count)
        weaning.g = masses.isEmpty ? nil : Tenths.rounded(masses.reduce(0, +), 1_000)
        weaning.gMissing = Int64(meals.count - masses.count)
        return weaning
    }

    private func bands(_ started: [BabyCare.Entry]) -> BabyCare.Bands? {
        let feeds = started.filter { $0.kind == .formula && $0.value.amountUl != nil }
        guard !feeds.isEmpty else { return nil }
        var totalsUl: [Int64] = [0, 0, 0, 0]
        for feed in feeds { totalsUl[hour(feed.startedUs) / 6] += feed.value.amountUl ?? 0 }
        var bands = BabyCare.Bands()
        bands.night = Tenths.rounded(totalsUl[0], 1_000)
        bands.morning = Tenths.rounded(totalsUl[1], 1_000)
        bands.afternoon = Tenths.rounded(totalsUl[2], 1_000)
        bands.evening = Tenths.rounded(totalsUl[3], 1_000)
        return bands
    }

    private func intervals(_ started: [BabyCare.Entry]) -> BabyCare.Intervals? {
        let starts = started.filter(\.kind.isFeed).map { entry in
            BabyCare.Window.second(Instant(microseconds: entry.startedUs))
        }
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        guard let shortest = gaps.min(), let longest = gaps.max() else { return nil }
        var intervals = BabyCare.Intervals()
        intervals.count = Int64(gaps.count)
        intervals.meanS = Tenths.rounded(gaps.reduce(0, +), intervals.count)
        intervals.minS = shortest
        intervals.maxS = longest
        return intervals
    }
}
