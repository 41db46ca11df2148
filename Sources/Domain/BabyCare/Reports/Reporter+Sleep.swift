import CivilTime
import EventSourcing

extension BabyCare.Reporter {
    func sleep(_ window: Window, _ counting: [Entry]) -> BabyCare.SleepFigures? {
        let sleeps = counting.filter { $0.kind == .sleep }
        let open = openSleeps(window)
        guard !sleeps.isEmpty || !open.isEmpty else { return nil }
        var figures = BabyCare.SleepFigures(open: open)
        var parts: [Range<Int64>] = []
        for sleep in sleeps {
            let ended = sleep.ended ?? sleep.started
            let part = window.part(sleep.started, ended)
            let whole = Window.wholeS(sleep.started, ended)
            // The source documents add the whole length to each day it touches.
            let lengthS = rules == .source ? whole : Int64(part?.count ?? 0)
            figures.sumS += lengthS
            if isNight(sleep) { figures.nightS += lengthS } else { figures.napS += lengthS }
            if sleep.isEstimated { figures.estimatedS += lengthS }
            figures.longestS = max(figures.longestS, lengthS)
            if window.contains(sleep.started) {
                figures.count += 1
                figures.startedS += whole
            }
            if let part { parts.append(part) }
        }
        figures.unionS = Window.united(parts).reduce(0) { $0 + Int64($1.count) }
        return figures
    }

    /// The open sleeps of a window: a live one from its start on, an imported one only on the day
    /// it started, since it will never be ended.
    private func openSleeps(_ window: Window) -> [BabyCare.OpenSleep] {
        let known = min(basis.validAt ?? basis.knownAt, basis.knownAt)
        return openSleepEntries.filter {
            $0.started < window.end
                && (!$0.isImported || window.contains($0.started))
        }.map { sleep in
            let soFar = window.part(sleep.started, known)?.count ?? 0
            return BabyCare.OpenSleep(
                entryId: sleep.entryId, started: sleep.started,
                start: localText(sleep.started), soFarS: includesOpen ? Int64(soFar) : nil)
        }
    }

    /// The gaps between united sleeps that have both ends in the window.
    func wake(_ window: Window, _ counting: [Entry]) -> BabyCare.WakeFigures? {
        let sleeps = counting.filter { $0.kind == .sleep }.compactMap { sleep in
            sleep.ended.flatMap { Window.whole(sleep.started, $0) }
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
