import Daybook
import DaybookModel

/// Registers renderers that turn the reports about a baby into text, tables and pictures.
enum CareForms: FileFormats {
    /// Renderers, one for each pair of a report and a form.
    static let renderers = dailyRenderers + weeklyAndMonthlyRenderers + shortAnswerRenderers

    private static let dailyRenderers = [
        ReportRenderer(BabyCare.DailyReport.self, .text) { (daily) throws(ReportError) in
            let reporter = try daily.reporter()
            return .text(
                daily.answers.map { day in
                    let dates = CivilDate(text: day.date).map { [$0] } ?? []
                    return ReportText.day(
                        day, ReportPicture(reporter, days: dates), columns: daily.context.columns)
                }.joined(separator: "\n"))
        },
        ReportRenderer(BabyCare.DailyReport.self, .csv) { (daily) throws(ReportError) in
            .table(ReportCSV.days(daily.answers))
        },
        // A picture has times, kinds and totals, and no notes.
        ReportRenderer(BabyCare.DailyReport.self, .svg, isImpersonal: true) {
            (daily) throws(ReportError) in
            let dates = daily.answers.compactMap { CivilDate(text: $0.date) }
            let picture = ReportPicture(try daily.reporter(), days: dates)
            return .text(ReportSVG.day(daily.answers[0], picture))
        },
    ]

    private static let weeklyAndMonthlyRenderers =
        periodRenderers(of: BabyCare.WeeklyReport.self)
        + periodRenderers(of: BabyCare.MonthlyReport.self)

    /// Returns the renderers of the weekly or the monthly report, one for each form.
    private static func periodRenderers<Body: CareReport>(
        of report: Body.Type
    ) -> [ReportRenderer] where Body.Answer == BabyCare.PeriodReport {
        [
            ReportRenderer(report, .text) { (answered) throws(ReportError) in
                let reporter = try answered.reporter()
                return .text(
                    answered.answers.map { period in
                        ReportText.period(
                            period, picture(of: period, by: reporter),
                            columns: answered.context.columns)
                    }.joined(separator: "\n"))
            },
            ReportRenderer(report, .csv) { (answered) throws(ReportError) in
                .table(ReportCSV.periods(answered.answers))
            },
            ReportRenderer(report, .svg, isImpersonal: true) { (answered) throws(ReportError) in
                let period = answered.answers[0]
                return .text(
                    ReportSVG.period(period, picture(of: period, by: try answered.reporter())))
            },
        ]
    }

    /// Returns the sleeps and other entries to draw for all days of a week or month.
    private static func picture(
        of period: BabyCare.PeriodReport, by reporter: BabyCare.Reporter
    ) -> ReportPicture {
        ReportPicture(reporter, days: period.days.compactMap { CivilDate(text: $0.date) })
    }

    /// Renderers of reports with short answers, such as the next feed.
    private static let shortAnswerRenderers = [
        ReportRenderer(BabyCare.NextFeedingReport.self, .text) { (next) throws(ReportError) in
            let reporter = try next.reporter()
            let answer = next.answers[0]
            let last = reporter.entries.last {
                $0.kind.isFeed && $0.started == answer.lastStart
                    && (reporter.rules == .source || $0.isCounted)
            }
            return .lines(
                [
                    AnswerText.nextFeeding(answer),
                    last.map { AnswerText.lastFeed($0, at: answer.now, reporter.zone) },
                ].compactMap(\.self))
        },
        ReportRenderer(BabyCare.LastReport.self, .text) { (last) throws(ReportError) in
            let zone = try last.reporter().zone
            return .lines(AnswerText.latest(last.answers[0], only: last.reports[0].group, zone))
        },
        ReportRenderer(BabyCare.TodayReport.self, .text) { (today) throws(ReportError) in
            let reporter = try today.reporter()
            // The original app uses the UTC day.
            let zone = reporter.rules == .standard ? reporter.zone.name : "UTC"
            return .lines(["\(today.answers[0].date), \(zone)"] + today.answers[0].lines)
        },
        ReportRenderer(BabyCare.LandingReport.self, .text) { (landing) throws(ReportError) in
            let answer = landing.answers[0]
            return .fields(
                heading: "\(answer.range) \(answer.from) to \(answer.to), \(answer.basis.zone)",
                omitting: ["range", "from", "to", "zone"])
        },
        ReportRenderer(BabyCare.RecommendationReport.self, .text) { _ in .fields() },
        ReportRenderer(Assistant.AskReport.self, .text) {
            .lines(AnswerText.spoken($0.answers[0]))
        },
        ReportRenderer(Assistant.SiriReport.self, .text) {
            .lines(AnswerText.spoken($0.answers[0]))
        },
        ReportRenderer(Assistant.BixbyReport.self, .text) {
            .lines(AnswerText.spoken($0.answers[0]))
        },
    ]
}

extension AnsweredReport where Body: CareReport {
    /// Returns a reporter with the baby's entries and time zone, for pictures and local times.
    func reporter() throws(ReportError) -> BabyCare.Reporter {
        try reports[0].reporter(state, context)
    }
}

/// Formats short answers, such as the time of the next feed, as lines of text.
enum AnswerText {
    /// Returns a line like `in 95 min; every 180 min on average over the last 5 feeds`. The line
    /// says `unstable` if there are too few feeds to predict the next.
    static func nextFeeding(_ answer: BabyCare.NextFeeding) -> String {
        guard let eta = answer.etaMin, let average = answer.averageMin else {
            let recorded =
                answer.feedCount == 0 ? "none is recorded" : "there are \(answer.feedCount)"
            return "unstable: it takes two feeds at different times, \(recorded)"
        }
        return
            "in \(eta) min; every \(average) min on average over the last \(answer.feedCount) feeds"
    }

    /// Returns a line like `last feed 2026-02-19 07:10, 1 h 25 min ago (formula, 180 ml)`.
    static func lastFeed(_ entry: BabyCare.Reporter.Entry, at now: Instant, _ zone: Zone) -> String
    {
        let what = [entry.kind.name, entry.value.amountUl.map { "\($0 / 1_000) ml" }]
        let ago = spanText(minutes: now.microseconds(since: entry.started) / 60_000_000)
        let start = zone.local(at: entry.started).text.replacing("T", with: " ").prefix(16)
        return "last feed \(start), \(ago) ago "
            + "(\(what.compactMap(\.self).joined(separator: ", ")))"
    }

    /// Returns the spoken answer of a voice assistant, and a sentence on the data behind it.
    static func spoken(_ answer: Assistant.Spoken) -> [String] {
        [answer.dialog, answer.reference]
    }

    /// Returns one line for each group of entries, with the end or the start of its latest entry.
    static func latest(
        _ answer: BabyCare.LatestOfAll, only: BabyCare.LastReport.Group?, _ zone: Zone
    ) -> [String] {
        let all: [(BabyCare.LastReport.Group, BabyCare.Latest?)] = [
            (.poo, answer.poo), (.feeding, answer.feeding), (.sleep, answer.sleep),
            (.diaper, answer.diaper), (.medication, answer.medication),
        ]
        return all.filter { only == nil || $0.0 == only }.map { group, latest in
            let name = group.name + String(repeating: " ", count: 12 - group.name.count)
            guard let latest else { return "\(name)not recorded" }
            let at = latest.ended ?? latest.started
            let ago = spanText(minutes: latest.agoMin)
            return "\(name)\(zone.local(at: at).text), \(ago) ago (\(latest.kind.name))"
        }
    }

    /// Returns a time span as text: `5 h 10 min`, or `3 d 4 h` from two days on.
    private static func spanText(minutes: Int64) -> String {
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return hours < 48 ? "\(hours) h \(rest) min" : "\(hours / 24) d \(hours % 24) h"
    }
}
