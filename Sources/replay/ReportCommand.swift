import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import Investigation
import Playback
import ReplayCommands

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Report on a baby's day, week or month, or a runner's week, or answer a quick question.",
        discussion: """
            A report names the zone, the release of the tz database, the rules, the position it \
            was folded to and both times. What nobody wrote down is missing, never 0.
            """,
        subcommands: [
            DailyReport.self, WeeklyReport.self, MonthlyReport.self, NextFeedingReport.self,
            LastReport.self, TodayReport.self, LandingReport.self, RecommendationReport.self,
            HomeReport.self, TrackReport.self,
        ])
}

/// Which baby, as of when, by which rules.
struct BabyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The baby.", valueName: "id"), transform: identifier)
    var baby: String?

    @OptionGroup var zones: ZoneOptions

    @Option(name: .customLong("rules"), help: "The rules to answer by.")
    private var rulesOption = RulesOption(.standard)

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions

    var rules: RuleSet { rulesOption.rules }

    /// What was read of the log, and the makings of a reporter.
    func open(_ access: EventLog.Access = .read) throws -> OpenBaby {
        guard let baby else { throw ValidationError("Name a baby with --baby.") }
        let log = try log.open(access)
        return try mappingLogErrors {
            let reading = try CareReading(log, moment)
            let profile = try reading.profile(baby)
            let source = try zones.source()
            return OpenBaby(
                asked: baby, reading: reading, profile: profile, zones: source,
                zone: try zones.zone(source, else: profile.zone),
                knownAt: try reading.knownAt(moment), rules: rules)
        }
    }
}

/// A baby whose log is open.
struct OpenBaby {
    /// The id that was asked for.
    let asked: String
    let reading: CareReading
    let profile: Household.Profile
    let zones: ZoneSource
    let zone: Zone
    let knownAt: Instant
    let rules: RuleSet

    var log: EventLog { reading.log }
    var tzdata: String { zones.version }

    var context: ReportContext {
        ReportContext(
            rules: rules, zones: zones, position: reading.through, knownAt: knownAt,
            validAt: reading.validThrough)
    }

    func reporter(_ state: BabyCare.State) -> BabyCare.Reporter {
        let reporter = BabyCare.Reporter(
            state, zone: zone, tzdata: tzdata, rules: Rules(rules), position: reading.through,
            knownAt: knownAt, validAt: reading.validThrough)
        if reporter.leftOut > 0 {
            StandardError.message(
                "\(reporter.leftOut) entries of '\(profile.babyId)' are left out, whose "
                    + "times or amounts cannot be; 'replay audit --rule B14' names them")
        }
        return reporter
    }

    /// A reporter over what some reports read.
    func reporter<Body: CareReport>(of reports: [Body]) throws -> BabyCare.Reporter {
        var prepared = PreparedReport(reports, context)
        try mappingLogErrors { try reading.reading.gather(&prepared) }
        return reporter(prepared.state)
    }

    /// A reporter over everything.
    func reporterOfAll() throws -> BabyCare.Reporter {
        try reporter(
            of: [
                BabyCare.LastReport {
                    $0.baby = asked
                    $0.zone = zone.name
                }
            ])
    }
}

/// In which form a report is printed.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case csv
    case svg
}

/// How a report is printed, and whether it is noted in the log.
struct ReportOutput: ParsableArguments {
    @Option(help: "The form of the report.")
    var format = ReportFormat.text

    @Flag(help: "The same as --format json: one object a line.")
    var json = false

    @Flag(help: "Show what is open with its length so far; it counts in no total.")
    var includeOpen = false

    @Flag(help: "Note in the log that the report was handed out, so that later drift is found.")
    var issue = false

    @Option(
        help: ArgumentHelp("The user who asks, for --issue.", valueName: "user"),
        transform: identifier)
    var by: String?

    var chosen: ReportFormat { json ? .json : format }

    /// An issued report is made again from its position alone.
    func check(_ moment: MomentOptions) throws {
        let isTime = moment.at.map { UInt64($0) == nil } ?? false
        guard issue, isTime || moment.validAt != nil else { return }
        throw ValidationError(
            "--issue goes with --at POSITION only, so that the report can be made again.")
    }
}
