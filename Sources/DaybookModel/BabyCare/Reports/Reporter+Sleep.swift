package import Daybook

extension BabyCare.Reporter {
    /// Returns the sleep figures of a window; `nil` if there is no sleep.
    ///
    /// - Parameter counted: the entries that count in the totals of the window.
    func sleepFigures(_ window: Window, _ counted: [Entry]) -> BabyCare.SleepFigures? {
        let sleeps = counted.filter { $0.kind == .sleep }
        guard rules == .standard else { return sourceSleepFigures(window, sleeps) }
        let open = openSleeps(window)
        guard !sleeps.isEmpty || !open.isEmpty else { return nil }
        var figures = BabyCare.SleepFigures(open: open)
        var (parts, nights): ([Range<Int64>], [Range<Int64>]) = ([], [])
        for sleep in sleeps {
            let ended = sleep.ended ?? sleep.started
            let part = window.overlap(sleep.started, ended)
            let lengthS = Int64(part?.count ?? 0)
            figures.sumS += lengthS
            if sleep.isEstimated { figures.estimatedS += lengthS }
            figures.longestS = max(figures.longestS, lengthS)
            if window.contains(sleep.started) {
                figures.count += 1
                figures.startedS += Window.wholeSeconds(sleep.started, ended)
            }
            guard let part else { continue }
            parts.append(part)
            if isNight(sleep) { nights.append(part) }
        }
        figures.unionS = Window.unitedSeconds(parts)
        // The overlap of a night sleep and a nap counts as night.
        figures.nightS = Window.unitedSeconds(nights)
        figures.napS = figures.unionS - figures.nightS
        return figures
    }

    /// Returns the sleep figures under the rules of the original app. Each sleep counts with its
    /// whole length in whole minutes, even if sleeps overlap.
    private func sourceSleepFigures(_ window: Window, _ sleeps: [Entry]) -> BabyCare.SleepFigures {
        var figures = BabyCare.SleepFigures()
        var wholes: [Range<Int64>] = []
        for sleep in sleeps {
            let ended = sleep.ended ?? sleep.started
            let lengthS = sleep.wholeMinutes * 60
            figures.sumS += lengthS
            if isNight(sleep) { figures.nightS += lengthS } else { figures.napS += lengthS }
            if sleep.isEstimated { figures.estimatedS += lengthS }
            figures.longestS = max(figures.longestS, lengthS)
            figures.count += 1
            if window.contains(sleep.started) {
                figures.startedS += Window.wholeSeconds(sleep.started, ended)
            }
            if let whole = Window.secondsRange(sleep.started, ended) { wholes.append(whole) }
        }
        figures.unionS = Window.unitedSeconds(wholes)
        return figures
    }

    /// Returns the latest time at which an open entry may have ended; `nil` for any other entry.
    package func latestEnd(of entry: Entry) -> Instant? {
        openEntries.first { $0.entry.entryId == entry.entryId }?.latestEnd
    }

    /// Returns the open sleeps that may last into the window.
    private func openSleeps(_ window: Window) -> [BabyCare.OpenSleep] {
        let known = min(basis.validAt ?? basis.knownAt, basis.knownAt)
        return openEntries.filter { $0.entry.kind == .sleep && $0.touches(window) }.map { open in
            let sleep = open.entry
            let soFar =
                window.overlap(sleep.started, min(known, open.nextStart ?? known))?.count ?? 0
            return BabyCare.OpenSleep(
                entryId: sleep.entryId, started: sleep.started,
                start: localText(sleep.started), soFarS: showsOpenLengths ? Int64(soFar) : nil)
        }
    }

    /// Returns statistics of the waking times that lie wholly in the window; `nil` if none does.
    func wakeFigures(_ window: Window, _ counted: [Entry]) -> BabyCare.WakeFigures? {
        let sleeps = counted.filter { $0.kind == .sleep }.compactMap { sleep in
            sleep.ended.flatMap { Window.secondsRange(sleep.started, $0) }
        }
        let united = Window.united(sleeps)
        let bounds = window.start.second...window.end.second
        let gaps = zip(united, united.dropFirst()).filter {
            bounds.contains($0.upperBound) && bounds.contains($1.lowerBound)
        }.map { $1.lowerBound - $0.upperBound }
        guard let longest = gaps.max() else { return nil }
        return BabyCare.WakeFigures(
            count: Int64(gaps.count), meanS: Tenths.rounded(gaps.reduce(0, +), Int64(gaps.count)),
            maxS: longest)
    }
}
