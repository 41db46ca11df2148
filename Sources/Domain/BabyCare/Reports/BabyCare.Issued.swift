import CivilTime
import EventSourcing

extension BabyCare {
    /// Fields of a report that say only when it was made.
    public static let momentFields: Set<String> = ["position", "knownAtUs"]

    /// Reports that were handed out, as they can be made again.
    static let issuedReports = IssuingDescription(ReportIssued.self) { issued, ids in
        guard let days = issued.days else { return nil }
        var profile = Household.Profile()
        profile.formerIds = ids("baby", issued.babyId)
        let day = { (date: CivilDate) in
            Instant(microseconds: Int64(date.daysSince1970) * 86_400_000_000)
        }
        let entries = query(profile, from: day(days.lowerBound), to: day(days.upperBound))
        let query = Query(items: (entries.items ?? []) + profile.items) ?? entries
        return IssuedAnswer(
            "\(issued.kind.name) report of \(issued.babyId), \(issued.period)",
            rules: issued.rules.ruleSet, position: Position(UInt64(max(0, issued.position))),
            from: query, withEntities: "entry", digest: issued.digest,
            variants: [issued.variant(includesOpen: false), issued.variant(includesOpen: true)])
    }
}

extension BabyCare.ReportIssued {
    fileprivate func variant(includesOpen: Bool) -> IssuedAnswer.Variant {
        IssuedAnswer.Variant { (events, context) throws(ReportError) in
            try made(events, context, includesOpen: includesOpen)
        }
    }

    /// The same report of other events.
    private func made(
        _ events: [RecordedEvent], _ context: ReportContext, includesOpen: Bool
    ) throws(ReportError) -> IssuedAnswer.Made {
        var arguments = BabyCare.ReportArguments()
        arguments.baby = babyId
        arguments.zone = zone
        var reporter = try BabyCare.reporter(arguments, events, context)
        reporter.includesOpen = includesOpen
        return switch kind {
        case .daily: made(CivilDate(text: period).map(reporter.day))
        case .weekly: made(CivilDate.week(text: period).map(reporter.week))
        case .monthly: made(CivilDate.month(text: period).map(reporter.month))
        }
    }

    private func made(_ report: (some Record)?) -> IssuedAnswer.Made {
        guard let report else { return IssuedAnswer.Made(leaves: []) }
        return IssuedAnswer.Made(
            leaves: FlatFields.of(report).filter { !BabyCare.momentFields.contains($0.path) },
            text: JSONWriter.text(report))
    }

    /// The days it is about and compares with, and a few more.
    var days: Range<CivilDate>? {
        switch kind {
        case .daily:
            CivilDate(text: period).map { $0.adding(days: -3)..<$0.adding(days: 3) }
        case .weekly:
            CivilDate.week(text: period).map {
                $0.adding(days: -10)..<$0.adding(days: 10)
            }
        case .monthly:
            CivilDate.month(text: period).map {
                $0.firstOfPreviousMonth.adding(days: -3)..<$0.firstOfNextMonth.adding(days: 3)
            }
        }
    }
}
