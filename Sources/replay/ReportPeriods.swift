import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import ReplayCommands

struct DailyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daily", abstract: "Report on one day, or on each of several.")

    @OptionGroup var baby: BabyOptions

    @Option(help: ArgumentHelp("The day: 2020-03-08.", valueName: "date"))
    var date: String?

    @Option(help: ArgumentHelp("The first of several days.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The last of several days.", valueName: "date"))
    var to: String?

    @Flag(help: "All babies of the log, one JSON object each, in one pass.")
    var all = false

    @OptionGroup var output: ReportOutput

    func validate() throws {
        guard all != (baby.baby != nil) else {
            throw ValidationError("Name a baby with --baby, or ask for --all.")
        }
        guard !all || (date != nil && output.chosen == .json && !output.issue) else {
            throw ValidationError("--all goes with --date and --json.")
        }
        guard (date != nil) != (from != nil && to != nil), (from == nil) == (to == nil) else {
            throw ValidationError("Name a day with --date, or several with --from and --to.")
        }
    }

    func run() throws {
        try output.check(baby.moment)
        let first = try civilDate(date ?? from ?? "", date == nil ? "--from" : "--date")
        let last = try civilDate(date ?? to ?? "", date == nil ? "--to" : "--date")
        guard first <= last, last.daysSince1970 - first.daysSince1970 <= 36_600 else {
            throw ValidationError("--to is before --from, or more than a hundred years after it.")
        }
        if all { return try AllBabies(baby, output).show(first) }
        let baby = try baby.open(output.issue ? .write : .read)
        let dates = (first.daysSince1970...last.daysSince1970).map(CivilDate.init(daysSince1970:))
        let asked = dates.map { date in
            BabyCare.DailyReport {
                $0.baby = baby.asked
                $0.zone = baby.zone.name
                $0.date = date.text
            }
        }
        var reporter = try baby.reporter(of: asked)
        reporter.includesOpen = output.includeOpen
        var reports: [BabyCare.DayReport] = []
        for date in dates {
            let report = reporter.day(date)
            if output.chosen == .json { Output.json(JSONWriter.text(report)) }
            reports.append(report)
        }
        try show(reports, dates, reporter)
        guard output.issue else { return }
        for report in reports {
            try baby.issue(.daily, report.date, report, by: output.by)
        }
    }

    private func show(
        _ reports: [BabyCare.DayReport], _ dates: [CivilDate], _ reporter: BabyCare.Reporter
    ) throws {
        switch output.chosen {
        case .json: break
        case .csv: Output.text(ReportCSV.days(reports))
        case .svg:
            guard reports.count == 1 else {
                throw ValidationError("A picture is of one day; a week or month has its own.")
            }
            Output.text(ReportSVG.day(reports[0], ReportPicture(reporter, days: dates)))
        case .text:
            for (index, report) in reports.enumerated() {
                if index > 0 { Output.line() }
                let picture = ReportPicture(reporter, days: [dates[index]])
                Output.text(ReportText.day(report, picture))
            }
        }
    }
}

struct WeeklyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weekly", abstract: "Report on a week.")

    @OptionGroup var baby: BabyOptions

    @Option(help: ArgumentHelp("The ISO week: 2020-W10.", valueName: "week"))
    var week: String

    @OptionGroup var output: ReportOutput

    func run() throws {
        try output.check(baby.moment)
        guard let monday = CivilDate.week(text: week) else {
            throw ValidationError("--week: expected a week like 2020-W10, found '\(week)'.")
        }
        let baby = try baby.open(output.issue ? .write : .read)
        var reporter = try baby.reporter(
            of: [
                BabyCare.WeeklyReport {
                    $0.baby = baby.asked
                    $0.zone = baby.zone.name
                    $0.week = monday.isoWeekText
                }
            ])
        reporter.includesOpen = output.includeOpen
        try show(reporter.week(monday), reporter, baby, output)
    }
}

struct MonthlyReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monthly", abstract: "Report on a month.")

    @OptionGroup var baby: BabyOptions

    @Option(help: ArgumentHelp("The month: 2020-03.", valueName: "month"))
    var month: String

    @OptionGroup var output: ReportOutput

    func run() throws {
        try output.check(baby.moment)
        guard let first = CivilDate.month(text: month) else {
            throw ValidationError("--month: expected a month like 2020-03, found '\(month)'.")
        }
        let baby = try baby.open(output.issue ? .write : .read)
        var reporter = try baby.reporter(
            of: [
                BabyCare.MonthlyReport {
                    $0.baby = baby.asked
                    $0.zone = baby.zone.name
                    $0.month = first.monthText
                }
            ])
        reporter.includesOpen = output.includeOpen
        try show(reporter.month(first), reporter, baby, output)
    }
}

private func show(
    _ report: BabyCare.PeriodReport, _ reporter: BabyCare.Reporter, _ baby: OpenBaby,
    _ output: ReportOutput
) throws {
    let picture = {
        ReportPicture(reporter, days: report.days.compactMap { CivilDate(text: $0.date) })
    }
    switch output.chosen {
    case .json: Output.json(JSONWriter.text(report))
    case .csv: Output.text(ReportCSV.period(report))
    case .svg: Output.text(ReportSVG.period(report, picture()))
    case .text: Output.text(ReportText.period(report, picture()))
    }
    if output.issue {
        try baby.issue(report.kind, report.period, report, by: output.by)
    }
}

func civilDate(_ text: String, _ option: String) throws -> CivilDate {
    guard let date = CivilDate(text: text) else {
        throw ValidationError("\(option): expected a day like 2020-03-08, found '\(text)'.")
    }
    return date
}
