import Daybook

extension BabyCare.ReportedEntries {
    var feedFigures: BabyCare.FeedFigures {
        BabyCare.FeedFigures(
            formula: formulaFigures, breastfeed: breastfeedFigures, weaning: weaningFigures,
            bandsMl: bands, intervals: intervals)
    }

    /// Totals of formula feeds; `nil` if there are none.
    var formulaFigures: BabyCare.FormulaFigures? {
        entriesOrNil(.formula).map(formulaFigures(of:))
    }

    /// Totals of breast feeds; `nil` if there are none.
    var breastfeedFigures: BabyCare.BreastfeedFigures? {
        entriesOrNil(.breastfeed).map(breastfeedFigures(of:))
    }

    /// Totals of meals; `nil` if there are none.
    var weaningFigures: BabyCare.WeaningFigures? {
        entriesOrNil(.weaning).map(weaningFigures(of:))
    }

    /// Returns the totals of formula feeds; only the sum is rounded to millilitres. The rules of
    /// the original app round the sum down.
    private func formulaFigures(of feeds: [Entry]) -> BabyCare.FormulaFigures {
        let amounts = feeds.compactMap { $0.value.amountUl }
        let ml = rules == .standard ? sumInThousands(amounts) : amounts.reduce(0, +) / 1_000
        return BabyCare.FormulaFigures(
            count: Int64(feeds.count), ml: ml,
            missingAmountCount: Int64(feeds.count - amounts.count))
    }

    /// Returns the totals of meals; only the sum is rounded to grams.
    private func weaningFigures(of meals: [Entry]) -> BabyCare.WeaningFigures {
        let masses = meals.compactMap { $0.value.massMg }
        return BabyCare.WeaningFigures(
            count: Int64(meals.count), massG: sumInThousands(masses),
            missingMassCount: Int64(meals.count - masses.count))
    }

    /// Returns the sum of the amounts divided by a thousand, rounded; `nil` without amounts.
    private func sumInThousands(_ amounts: [Int64]) -> Int64? {
        amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
    }

    /// Returns the totals of all breast feeds, and of the feeds at each side.
    private func breastfeedFigures(of feeds: [Entry]) -> BabyCare.BreastfeedFigures {
        let side = { (side: BabyCare.Side) -> BabyCare.SideFigures? in
            let feeds = feeds.filter { $0.value.side == side }
            guard !feeds.isEmpty else { return nil }
            return BabyCare.SideFigures(count: Int64(feeds.count), durationS: totalDurationS(feeds))
        }
        let missing = feeds.count { $0.value.durationS == nil && $0.ended == nil }
        return BabyCare.BreastfeedFigures(
            count: Int64(feeds.count), durationS: totalDurationS(feeds),
            missingDurationCount: Int64(missing), left: side(.left), right: side(.right),
            both: side(.both))
    }

    /// Returns the total duration of feeds in seconds; `nil` if no feed has a duration or an end. A
    /// feed without a recorded duration counts from its start to its end.
    private func totalDurationS(_ feeds: [Entry]) -> Int64? {
        let lengths = feeds.compactMap { feed in
            feed.value.durationS ?? feed.ended.map { Window.wholeSeconds(feed.started, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +)
    }

    /// Millilitres of formula by time of day; `nil` if no formula feed has an amount.
    private var bands: BabyCare.Bands? {
        let feeds = entries.filter { $0.kind == .formula && $0.value.amountUl != nil }
        guard !feeds.isEmpty else { return nil }
        var totalsUl: [Int64] = [0, 0, 0, 0]
        for feed in feeds {
            // The source rules round each feed.
            let amountUl = rules == .standard ? feed.value.amountUl ?? 0 : feed.roundedMl * 1_000
            totalsUl[zone.local(at: feed.started).secondOfDay / 21_600] += amountUl
        }
        let ml = totalsUl.map { Tenths.rounded($0, 1_000) }
        return BabyCare.Bands(night: ml[0], morning: ml[1], afternoon: ml[2], evening: ml[3])
    }

    /// Millilitres of formula, with each feed rounded as on the app's landing page.
    var roundedFormulaMl: Int64 {
        entries.filter { $0.kind == .formula }.reduce(0) { $0 + $1.roundedMl }
    }

    /// Statistics of the intervals between starts of milk feeds; `nil` if there is none.
    private var intervals: BabyCare.Intervals? {
        let starts = entries.filter { $0.kind.isFeed }.map { $0.started.second }
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        guard let shortest = gaps.min(), let longest = gaps.max() else { return nil }
        return BabyCare.Intervals(
            count: Int64(gaps.count), meanS: Tenths.rounded(gaps.reduce(0, +), Int64(gaps.count)),
            minS: shortest, maxS: longest)
    }
}

extension BabyCare.Entry {
    /// Amount of the entry in millilitres, rounded half up; 0 if no amount is recorded.
    fileprivate var roundedMl: Int64 { Tenths.rounded(max(0, value.amountUl ?? 0), 1_000) }
}
