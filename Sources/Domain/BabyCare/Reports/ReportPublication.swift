import CivilTime
import EventSourcing

extension BabyCare {
    /// Fields that tell only when a report was made.
    public static let momentFields: Set<String> = ["position", "knownAtUs"]

    /// The reports that were handed out, each with the way to make it again.
    static let publications = IssuingDescription(ReportIssued.self) { issued, ids in
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
            let arguments = BabyCare.ReportArguments(baby: babyId, zone: zone)
            var reporter = try BabyCare.reporter(arguments, events, context)
            reporter.includesOpen = includesOpen
            guard let report = reporter.report(kind, period) else {
                return IssuedAnswer.Made(leaves: [])
            }
            return IssuedAnswer.Made(
                leaves: report.leaves.filter { !BabyCare.momentFields.contains($0.path) },
                text: report.text)
        }
    }

    /// The days it reports and compares with, and a few more.
    var days: Range<CivilDate>? {
        switch kind {
        case .daily: CivilDate(text: period).map { $0.adding(days: -3)..<$0.adding(days: 3) }
        case .weekly:
            CivilDate.week(text: period).map { $0.adding(days: -10)..<$0.adding(days: 10) }
        case .monthly:
            CivilDate.month(text: period).map {
                $0.firstOfPreviousMonth.adding(days: -3)..<$0.firstOfNextMonth.adding(days: 3)
            }
        }
    }
}
