package import Daybook

extension BabyCare {
    /// Descriptions of the published reports on babies: how to recompute each from its event.
    package static let publications = [
        PublicationDescription(ReportIssued.self) { issued, ids in
            guard let window = issued.readWindow else { return nil }
            var profile = Household.Profile()
            profile.formerIds = ids("baby", issued.babyId)
            let entries = query(profile, from: window.start, to: window.end)
            let query = Query(items: (entries.items ?? []) + profile.queryItems) ?? entries
            return Publication(
                "\(issued.kind.name) report of \(issued.babyId), \(issued.period)",
                rules: issued.rules.ruleSet, position: Position(UInt64(max(0, issued.position))),
                from: query, withEntities: ReportQuery.Entities("entry", kinds: entryHistoryKinds),
                bookkeeping: Household.bookkeeping(of: issued.babyId), digest: issued.digest,
                of: ReportLayout.allCases.flatMap { layout in
                    [false, true].map { issued.report(showsOpenLengths: $0, layout) }
                })
        }
    ]
}

extension BabyCare.ReportIssued {
    /// Returns the report that was published, with its arguments, so that it can be computed again.
    func report(
        showsOpenLengths: Bool, _ layout: BabyCare.ReportLayout
    ) -> any CareReport & PublishedReport {
        switch kind {
        case .daily:
            BabyCare.DailyReport(
                baby: babyId, zone: zone, date: period, includeOpen: showsOpenLengths,
                layout: layout)
        case .weekly:
            BabyCare.WeeklyReport(
                baby: babyId, zone: zone, week: period, includeOpen: showsOpenLengths,
                layout: layout)
        case .monthly:
            BabyCare.MonthlyReport(
                baby: babyId, zone: zone, month: period, includeOpen: showsOpenLengths,
                layout: layout)
        }
    }

    /// Period to read for the report and the previous period, whatever the time zone; `nil` if the
    /// period that the event names cannot be read.
    var readWindow: BabyCare.Window? {
        let days: Range<CivilDate>? =
            switch kind {
            case .daily: CivilDate(text: period).map { $0.adding(days: -3)..<$0.adding(days: 3) }
            case .weekly:
                (CivilDate.week(text: period) ?? CivilDate(text: period)).map {
                    $0.adding(days: -10)..<$0.adding(days: 10)
                }
            case .monthly:
                CivilDate.month(text: period).map {
                    $0.firstOfPreviousMonth.adding(days: -3)..<$0.firstOfNextMonth.adding(days: 3)
                }
            }
        return days.map { days in
            BabyCare.Window(start: days.lowerBound.utcStart, end: days.upperBound.utcStart)
        }
    }
}
