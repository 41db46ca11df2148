import CivilTime
import EventSourcing

extension BabyCare {
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
            var report = prepared(includesOpen: includesOpen, context)
            let answers: [ReportAnswer]
            do throws(FoldError) {
                answers = try report.answers(from: events)
            } catch {
                throw .fold(error)
            }
            let answer = try answers[0].result.get()
            return IssuedAnswer.Made(
                leaves: answer.leaves.filter { !BabyCare.momentFields.contains($0.path) },
                text: answer.json)
        }
    }

    private func prepared(
        includesOpen: Bool, _ context: ReportContext
    ) -> PreparedReport<BabyCare> {
        switch kind {
        case .daily:
            PreparedReport(
                [
                    BabyCare.DailyReport(
                        baby: babyId, zone: zone, date: period, includeOpen: includesOpen)
                ], context)
        case .weekly:
            PreparedReport(
                [
                    BabyCare.WeeklyReport(
                        baby: babyId, zone: zone, week: period, includeOpen: includesOpen)
                ], context)
        case .monthly:
            PreparedReport(
                [
                    BabyCare.MonthlyReport(
                        baby: babyId, zone: zone, month: period, includeOpen: includesOpen)
                ], context)
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
