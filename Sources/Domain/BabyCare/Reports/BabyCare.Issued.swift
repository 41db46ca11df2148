import CivilTime
import EventSourcing

extension BabyCare {
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
            rules: issued.rules, position: Position(UInt64(max(0, issued.position))),
            from: query, withEntities: "entry"
        ) { (events, context) throws(ReportError) in
            var arguments = ReportArguments()
            arguments.baby = issued.babyId
            arguments.zone = issued.zone
            let reporter = try reporter(arguments, events, context)
            var leaves: [FlatFields.Leaf] = []
            switch issued.kind {
            case .daily:
                leaves =
                    CivilDate(text: issued.period).map { FlatFields.of(reporter.day($0)) } ?? []
            case .weekly:
                leaves =
                    CivilDate.week(text: issued.period).map { FlatFields.of(reporter.week($0)) }
                    ?? []
            case .monthly:
                leaves =
                    CivilDate.month(text: issued.period).map { FlatFields.of(reporter.month($0)) }
                    ?? []
            }
            return leaves.filter { !["position", "knownAtUs"].contains($0.path) }
        }
    }
}

extension BabyCare.ReportIssued {
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
