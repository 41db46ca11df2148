import Daybook

extension BabyCare.Reporter {
    func feed(_ started: [Entry]) -> BabyCare.FeedFigures {
        BabyCare.FeedFigures(
            formula: some(.formula, of: started).map(formula),
            breastfeed: some(.breastfeed, of: started).map(breastfeed),
            weaning: some(.weaning, of: started).map(weaning), bandsMl: bands(started),
            intervals: intervals(started))
    }

    /// Returns the formula figures; the sum of microlitres is rounded to millilitres once.
    ///
    /// The rules of the source documents round the sum down.
    private func formula(_ feeds: [Entry]) -> BabyCare.FormulaFigures {
        let amounts = feeds.compactMap(\.value.amountUl)
        let ml = rules == .standard ? thousands(amounts) : amounts.reduce(0, +) / 1_000
        return BabyCare.FormulaFigures(
            count: Int64(feeds.count), ml: ml,
            mlMissing: Int64(feeds.count - amounts.count))
    }

    private func weaning(_ meals: [Entry]) -> BabyCare.WeaningFigures {
        let masses = meals.compactMap(\.value.massMg)
        return BabyCare.WeaningFigures(
            count: Int64(meals.count), g: thousands(masses),
            gMissing: Int64(meals.count - masses.count))
    }

    /// Returns the sum in a unit a thousand times larger, rounded; `nil` without amounts.
    private func thousands(_ amounts: [Int64]) -> Int64? {
        amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
    }

    private func breastfeed(_ feeds: [Entry]) -> BabyCare.BreastfeedFigures {
        let side = { (side: BabyCare.Side) -> BabyCare.SideFigures? in
            let feeds = feeds.filter { $0.value.side == side }
            guard !feeds.isEmpty else { return nil }
            return BabyCare.SideFigures(count: Int64(feeds.count), durationS: duration(feeds))
        }
        let missing = feeds.count { $0.value.durationS == nil && $0.ended == nil }
        return BabyCare.BreastfeedFigures(
            count: Int64(feeds.count), durationS: duration(feeds),
            durationMissing: Int64(missing), left: side(.left), right: side(.right),
            both: side(.both))
    }

    /// Returns the total of recorded durations, else from start to end; `nil` if no feed has
    /// either.
    private func duration(_ feeds: [Entry]) -> Int64? {
        let lengths = feeds.compactMap { feed in
            feed.value.durationS ?? feed.ended.map { Window.wholeS(feed.started, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +)
    }

    private func bands(_ started: [Entry]) -> BabyCare.Bands? {
        let feeds = started.filter { $0.kind == .formula && $0.value.amountUl != nil }
        guard !feeds.isEmpty else { return nil }
        var totalsUl: [Int64] = [0, 0, 0, 0]
        for feed in feeds {
            // The source rules round each feed.
            let amountUl =
                rules == .standard ? feed.value.amountUl ?? 0 : feed.roundedMl * 1_000
            totalsUl[hour(feed.started) / 6] += amountUl
        }
        let ml = totalsUl.map { Tenths.rounded($0, 1_000) }
        return BabyCare.Bands(night: ml[0], morning: ml[1], afternoon: ml[2], evening: ml[3])
    }

    /// Returns millilitres of formula with each feed rounded, as on the landing page of S4.
    func roundedMl(_ entries: [Entry]) -> Int64 {
        entries.filter { $0.kind == .formula }.reduce(0) { $0 + $1.roundedMl }
    }

    private func intervals(_ started: [Entry]) -> BabyCare.Intervals? {
        let starts = started.filter(\.kind.isFeed).map(\.started.second)
        let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        guard let shortest = gaps.min(), let longest = gaps.max() else { return nil }
        return BabyCare.Intervals(
            count: Int64(gaps.count), meanS: Tenths.rounded(gaps.reduce(0, +), Int64(gaps.count)),
            minS: shortest, maxS: longest)
    }
}

extension BabyCare.Entry {
    /// Amount in millilitres, rounded half up; 0 if no amount is recorded.
    fileprivate var roundedMl: Int64 { Tenths.rounded(max(0, value.amountUl ?? 0), 1_000) }
}
