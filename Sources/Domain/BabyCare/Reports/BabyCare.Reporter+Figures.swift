import CivilTime
import EventSourcing

extension BabyCare.Reporter {
    /// What a stretch of time adds up to.
    public func figures(_ window: BabyCare.Window) -> BabyCare.Figures {
        let touching = candidates(window).filter { window.touches($0.startedUs, $0.endedUs) }
        let counting = touching.filter(\.counts)
        let started = counting.filter { window.contains($0.startedUs) }
        var figures = BabyCare.Figures()
        figures.lengthS = window.lengthS
        figures.sleep = sleep(window, counting)
        figures.wake = wake(window, counting)
        figures.feed = feed(started)
        figures.diaper.pee = count(.pee, started)
        figures.diaper.poo = count(.poo, started)
        figures.medication = nilIfEmpty(started.filter { $0.kind == .medication }.map(dose))
        figures.symptom = symptom(started)
        figures.growth = growth(started)
        figures.memoCount = memoCount(started)
        figures.lateCount = count(touching) { $0.recordedUs > window.end.microseconds }
        figures.editedCount = count(touching) { $0.edits > 0 }
        figures.cancelledCount = count(touching) { $0.state == .cancelled }
        figures.restoredCount = count(touching) { $0.restorations > 0 }
        figures.missing = missing(figures)
        return figures
    }

    private func count(
        _ entries: [BabyCare.Entry], where isCounted: (BabyCare.Entry) -> Bool
    ) -> Int64 {
        Int64(entries.count(where: isCounted))
    }

    private func nilIfEmpty<Element>(_ list: [Element]) -> [Element]? {
        list.isEmpty ? nil : list
    }

    /// How many diapers; the source documents count rows.
    private func count(_ kind: BabyCare.Kind, _ started: [BabyCare.Entry]) -> Int64? {
        let entries = started.filter { $0.kind == kind }
        guard !entries.isEmpty else { return nil }
        guard rules == .standard else { return Int64(entries.count) }
        return entries.reduce(0) { $0 + ($1.value.count ?? 1) }
    }

    private func dose(_ entry: BabyCare.Entry) -> BabyCare.Dose {
        var dose = BabyCare.Dose()
        dose.entryId = entry.entryId
        dose.atUs = entry.startedUs
        dose.at = localText(entry.startedUs)
        dose.name = entry.value.name
        dose.dose = entry.value.dose
        return dose
    }

    private func symptom(_ started: [BabyCare.Entry]) -> BabyCare.SymptomFigures? {
        let entries = started.filter { $0.kind == .symptom }
        guard !entries.isEmpty else { return nil }
        var symptom = BabyCare.SymptomFigures()
        symptom.count = Int64(entries.count)
        symptom.maxMilliC = entries.compactMap(\.value.milliC).max()
        symptom.minMilliC = entries.compactMap(\.value.milliC).min()
        return symptom
    }

    /// The last one of each measure.
    private func growth(_ started: [BabyCare.Entry]) -> BabyCare.GrowthFigures? {
        let entries = started.filter { $0.kind == .growth }
        guard let last = entries.last else { return nil }
        let lastOf = { (field: KeyPath<BabyCare.Value, Int64?>) -> Int64? in
            entries.last { $0.value[keyPath: field] != nil }?.value[keyPath: field]
                .map { Tenths.rounded($0, 1_000) }
        }
        var growth = BabyCare.GrowthFigures()
        growth.atUs = last.startedUs
        growth.weightG = lastOf(\.massMg)
        growth.heightMm = lastOf(\.lengthUm)
        growth.headMm = lastOf(\.headUm)
        return growth
    }

    /// The source documents count weaning as a memo, which upstream stores it as.
    private func memoCount(_ started: [BabyCare.Entry]) -> Int64? {
        let count = started.count {
            $0.kind == .memo || (rules == .source && $0.kind == .weaning)
        }
        return count == 0 ? nil : Int64(count)
    }

    private func missing(_ figures: BabyCare.Figures) -> [String] {
        let there: [(String, Bool)] = [
            ("formula", figures.feed.formula != nil),
            ("breastfeed", figures.feed.breastfeed != nil),
            ("weaning", figures.feed.weaning != nil),
            ("sleep", figures.sleep != nil),
            ("pee", figures.diaper.pee != nil),
            ("poo", figures.diaper.poo != nil),
            ("growth", figures.growth != nil),
            ("memo", figures.memoCount != nil),
            ("symptom", figures.symptom != nil),
            ("medication", figures.medication != nil),
        ]
        return there.filter { !$0.1 }.map(\.0)
    }
}

// Sleep.
extension BabyCare.Reporter {
    private func sleep(
        _ window: BabyCare.Window, _ counting: [BabyCare.Entry]
    ) -> BabyCare.SleepFigures? {
        let sleeps = counting.filter { $0.kind == .sleep }
        let open = openSleeps(window)
        guard !sleeps.isEmpty || !open.isEmpty else { return nil }
        var figures = BabyCare.SleepFigures()
        var parts: [Range<Int64>] = []
        for sleep in sleeps {
            let endedUs = sleep.endedUs ?? sleep.startedUs
            let part = window.part(sleep.startedUs, endedUs)
            let whole = BabyCare.Window.wholeS(sleep.startedUs, endedUs)
            // The source documents add the whole length to each day it touches.
            let lengthS = rules == .source ? whole : Int64(part?.count ?? 0)
            figures.sumS += lengthS
            if isNight(sleep) { figures.nightS += lengthS } else { figures.napS += lengthS }
            if sleep.isEstimated { figures.estimatedS += lengthS }
            figures.longestS = max(figures.longestS, lengthS)
            if window.contains(sleep.startedUs) {
                figures.count += 1
                figures.startedS += whole
            }
            if let part { parts.append(part) }
        }
        figures.unionS = BabyCare.Window.united(parts).reduce(0) { $0 + Int64($1.count) }
        figures.open = open
        return figures
    }

    /// A live one counts as open from its start on; an imported one only on the day it started,
    /// since nobody will ever end it.
    private func openSleeps(_ window: BabyCare.Window) -> [BabyCare.OpenSleep] {
        openSleepEntries.filter {
            $0.startedUs < window.end.microseconds
                && (!$0.isImported || window.contains($0.startedUs))
        }.map { sleep in
            var open = BabyCare.OpenSleep()
            open.entryId = sleep.entryId
            open.startedUs = sleep.startedUs
            open.start = localText(sleep.startedUs)
            if includesOpen {
                let known = min(basis.validAtUs ?? basis.knownAtUs, basis.knownAtUs)
                open.soFarS = Int64(window.part(sleep.startedUs, known)?.count ?? 0)
            }
            return open
        }
    }

    /// Gaps between united sleeps whose both ends lie in the window.
    private func wake(
        _ window: BabyCare.Window, _ counting: [BabyCare.Entry]
    ) -> BabyCare.WakeFigures? {
        let united = BabyCare.Window.united(
            counting.filter { $0.kind == .sleep }.compactMap { sleep in
                sleep.endedUs.flatMap { endedUs in
                    BabyCare.Window.whole(sleep.startedUs, endedUs)
                }
            })
        let bounds = BabyCare.Window.second(window.start)...BabyCare.Window.second(window.end)
        let gaps = zip(united, united.dropFirst()).filter {
            bounds.contains($0.upperBound) && bounds.contains($1.lowerBound)
        }.map { $1.lowerBound - $0.upperBound }
        guard let longest = gaps.max() else { return nil }
        var wake = BabyCare.WakeFigures()
        wake.count = Int64(gaps.count)
        wake.meanS = Tenths.rounded(gaps.reduce(0, +), wake.count)
        wake.maxS = longest
        return wake
    }
}

extension BabyCare.Window {
    static func wholeS(_ startedUs: Int64, _ endedUs: Int64) -> Int64 {
        second(Instant(microseconds: endedUs)) - second(Instant(microseconds: startedUs))
    }

    static func whole(_ startedUs: Int64, _ endedUs: Int64) -> Range<Int64>? {
        let from = second(Instant(microseconds: startedUs))
        let to = second(Instant(microseconds: endedUs))
        return from < to ? from..<to : nil
    }
}
