import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import ReplayCommands

/// The moment a quick answer is about.
struct NowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The moment (RFC 3339); now by default.", valueName: "time"))
    var now: String?

    func instant() throws -> Instant {
        try now.map { try MomentOptions.time($0, "--now") } ?? EventLog.systemTime()
    }
}

struct NextFeedingReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next-feeding", abstract: "Tell when the next feed is to be expected.")

    @OptionGroup var baby: BabyOptions
    @OptionGroup var now: NowOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let now = try now.instant()
        let baby = try baby.open()
        let asked = BabyCare.NextFeedingReport {
            $0.baby = baby.asked
            $0.zone = baby.zone.name
            $0.now = now
        }
        let answer = try baby.reporter(of: [asked]).nextFeeding(at: now)
        guard !output.json else { return Output.json(JSONWriter.text(answer)) }
        guard let eta = answer.etaMin, let average = answer.averageMin else {
            return Output.line(
                "unstable: it takes two feeds at different times, there are \(answer.n)")
        }
        Output.line(
            "in \(eta) min; every \(average) min on average over the last \(answer.n) feeds")
    }
}

struct LastReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "last",
        abstract: "Tell when the last poo, feed, sleep, diaper and medication was.")

    @Argument(help: "One of poo, feeding, sleep, diaper, medication; all without it.")
    var what: String?

    @OptionGroup var baby: BabyOptions
    @OptionGroup var now: NowOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let known = ["poo", "feeding", "sleep", "diaper", "medication"]
        if let what, !known.contains(what) {
            throw ValidationError("Expected one of \(known.joined(separator: ", ")).")
        }
    }

    func run() throws {
        let baby = try baby.open()
        let answer = try baby.reporterOfAll().latest(at: try now.instant())
        guard !output.json else { return Output.json(JSONWriter.text(answer)) }
        let all: [(String, BabyCare.Latest?)] = [
            ("poo", answer.poo), ("feeding", answer.feeding), ("sleep", answer.sleep),
            ("diaper", answer.diaper), ("medication", answer.medication),
        ]
        for (name, latest) in all where what == nil || what == name {
            let padding = String(repeating: " ", count: 12 - name.count)
            guard let latest else {
                Output.line("\(name)\(padding)not recorded")
                continue
            }
            let at = latest.ended ?? latest.started
            let (hours, minutes) = latest.agoMin.quotientAndRemainder(dividingBy: 60)
            Output.line(
                "\(name)\(padding)\(baby.zone.local(at: at).text), \(hours) h \(minutes) min ago "
                    + "(\(latest.kind.name))")
        }
    }
}

struct TodayReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Sum the day up so far.")

    @OptionGroup var baby: BabyOptions
    @OptionGroup var now: NowOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let now = try now.instant()
        let baby = try baby.open()
        let asked = BabyCare.TodayReport {
            $0.baby = baby.asked
            $0.zone = baby.zone.name
            $0.now = now
        }
        let today = try baby.reporter(of: [asked]).today(at: now)
        guard !output.json else { return Output.json(JSONWriter.text(today)) }
        Output.line("\(today.date), \(baby.zone.name)")
        for line in today.lines { Output.line(line) }
    }
}

struct LandingReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landing", abstract: "Give the numbers of the app's landing page.")

    @OptionGroup var baby: BabyOptions

    @Option(help: ArgumentHelp("day, week or month.", valueName: "range"))
    var range = "day"

    @Option(help: ArgumentHelp("A day of the range; today by default.", valueName: "date"))
    var date: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let range = BabyCare.Reporter.LandingRange(name: range) else {
            throw ValidationError("range must be one of: day, week, month")
        }
        let asked = try date.map { try civilDate($0, "--date") }
        let baby = try baby.open()
        let anchor =
            asked
            ?? baby.zone.day(
                at: EventLog.systemTime(), startMin: Int(baby.profile.dayStartMin))
        let landing = try baby.reporterOfAll().landing(range, around: anchor)
        guard !output.json else { return Output.json(JSONWriter.text(landing)) }
        Output.line("\(landing.range) \(landing.from) to \(landing.to), \(baby.zone.name)")
        showLeaves(of: landing, but: ["range", "from", "to", "zone"])
    }
}

struct RecommendationReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recommendation",
        abstract: "Give what the source app would recommend to feed. No medical advice.")

    @OptionGroup var baby: BabyOptions

    @Option(help: ArgumentHelp("The day; today by default.", valueName: "date"))
    var date: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let asked = try date.map { try civilDate($0, "--date") }
        let baby = try baby.open()
        let day = asked ?? baby.zone.day(at: EventLog.systemTime())
        guard let answer = try baby.reporterOfAll().recommendation(on: day) else {
            throw Failure(
                .finding, "the birth date of '\(baby.profile.babyId)' is not recorded")
        }
        guard !output.json else { return Output.json(JSONWriter.text(answer)) }
        showLeaves(of: answer, but: [])
    }
}

/// One line a field that says something.
private func showLeaves(of record: some Record, but skipped: Set<String>) {
    let leaves = FlatFields.of(record).filter {
        !["null", "[]", "{}"].contains($0.value) && !skipped.contains($0.path)
    }
    var table = Table(.leading, .leading)
    for leaf in leaves { table.add(leaf.path, readable(leaf.value, leaf.path)) }
    Output.lines(table.lines)
}
