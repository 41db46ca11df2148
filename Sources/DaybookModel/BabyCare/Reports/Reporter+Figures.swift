import Daybook

extension BabyCare.Reporter {
    /// Returns the totals of the entries in a period.
    package func figures(_ window: Window) -> Figures {
        let (touching, counting, started) = entries(in: window)
        let count = { (isCounted: (Entry) -> Bool) in Int64(touching.count(where: isCounted)) }
        var figures = Figures(
            lengthS: window.lengthS, sleep: sleepFigures(window, counting),
            wake: wakeFigures(window, counting), feed: started.feedFigures,
            diaper: BabyCare.DiaperFigures(
                pee: started.diaperCount(.pee), poo: started.diaperCount(.poo)),
            medication: started.doses, symptom: started.symptomFigures,
            growth: started.growthFigures,
            memoCount: started.memoCount, diarrhoeaCount: started.diarrhoeaCount,
            intakeMl: started.intakeMl, activityMin: started.activityMin,
            pumpedMl: started.pumpedMl, lateCount: count { $0.history.recorded > window.end },
            lateImportCount: count { $0.file.isImported && $0.history.recorded > window.end },
            editedCount: count { $0.history.editCount > 0 },
            cancelledCount: count { $0.state == .cancelled },
            restoredCount: count { $0.history.restorationCount > 0 }, layout: layout)
        guard rules == .standard else {
            figures = figures.replacingNilByZero
            figures.missingKindNames = missingKinds(figures).map(\.name)
            return figures
        }
        let open = openEntries.filter { $0.touches(window) }
        figures.missingKindNames = missingKinds(figures).filter { kind in
            !open.contains { $0.entry.kind == kind }
        }.map(\.name)
        return figures
    }

    /// Returns the entries that overlap a window, those of them that its totals include, and the
    /// entries that count in the window in which they started, with their totals.
    func entries(
        in window: Window
    ) -> (touching: [Entry], counting: [Entry], started: BabyCare.ReportedEntries) {
        let touching = candidates(window).filter { window.touches($0.started, $0.ended) }
        let counting = entriesCounted(in: window, among: touching)
        let started =
            rules == .laterSource ? counting : entriesStarted(in: window, among: counting)
        return (touching, counting, reported(started))
    }

    /// True if the window has an entry of any kind, also of one without figures.
    func isRecorded(_ window: Window, _ figures: Figures) -> Bool {
        let hasNoFigures = { (entry: Entry) in !BabyCare.Kind.reportedKinds.contains(entry.kind) }
        return figures.hasEntries
            || candidates(window).contains {
                hasNoFigures($0) && $0.isCounted && window.contains($0.started)
            }
            || openEntries.contains { hasNoFigures($0.entry) && $0.touches(window) }
    }

    /// Returns those of `entries` that the totals of the window include: the closed ones. All
    /// `entries` must overlap the window. Under the rules `source`, only closed entries that
    /// started in the window count.
    func entriesCounted(in window: Window, among entries: some Sequence<Entry>) -> [Entry] {
        let closed = entries.filter { $0.isCounted }
        return rules == .source ? entriesStarted(in: window, among: closed) : closed
    }

    func entriesStarted(in window: Window, among entries: [Entry]) -> [Entry] {
        entries.filter { window.contains($0.started) }
    }

    /// Returns the entries with their totals, under the rules and in the zone of the reporter.
    func reported(_ entries: [Entry]) -> BabyCare.ReportedEntries {
        BabyCare.ReportedEntries(entries: entries, rules: rules, zone: zone)
    }

    private func missingKinds(_ figures: Figures) -> [BabyCare.Kind] {
        let isMissing: [(kind: BabyCare.Kind, Bool)] = [
            (.formula, figures.feed.formula == nil), (.breastfeed, figures.feed.breastfeed == nil),
            (.weaning, figures.feed.weaning == nil), (.sleep, figures.sleep == nil),
            (.pee, figures.diaper.pee == nil), (.poo, figures.diaper.poo == nil),
            (.growth, figures.growth == nil), (.memo, figures.memoCount == nil),
            (.symptom, figures.symptom == nil), (.medication, figures.medication == nil),
        ]
        return isMissing.filter(\.1).map(\.kind)
    }
}

extension BabyCare.Figures {
    /// Copy of these figures with 0 in place of `nil`, as the original app reports them. Figures
    /// that reports of the original app lack, such as growth and symptoms, remain `nil`.
    fileprivate var replacingNilByZero: Self {
        var figures = self
        figures.sleep = sleep ?? BabyCare.SleepFigures()
        figures.feed = feed.replacingNilByZero
        figures.diaper.pee = diaper.pee ?? 0
        figures.diaper.poo = diaper.poo ?? 0
        figures.medication = medication ?? []
        figures.memoCount = memoCount ?? 0
        figures.diarrhoeaCount = diarrhoeaCount ?? 0
        figures.intakeMl = intakeMl ?? 0
        figures.activityMin = activityMin ?? 0
        return figures
    }
}
