import ArgumentParser
import Daybook
import DaybookInput
import DaybookLMDB
import DaybookLog

/// The command `salvage`, which copies the intact commits of a damaged log to a new log.
struct SalvageCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Rescue the readable, proven commits of a damaged log into a new one.",
        discussion: """
            Reads every page of the damaged file and never writes to it. Events up to the first \
            gap keep their positions and chain values, and the new log keeps the id of the damaged \
            one. Everything that is missing is listed with the reason.

            Exits with 0 if nothing is missing, with 1 if something is or may be missing, and with \
            3 if no commit can be proven. Stop programs that write to the file first.

              \(Program.name) salvage broken.daybook --output rescued.daybook
            """)

    @Argument(help: .text("Damaged log to read.", "file"), completion: .file())
    var file: String

    @Option(help: .text("New log to create; the file must not exist.", "file"), completion: .file())
    var output: String

    @Flag(
        help: """
            Also rescue whole commits after a gap, at new positions in a log with a new id.
            """)
    var beyondGaps = false

    @Flag(help: "Print JSON: one object.")
    var json = false

    func validate() throws { StoreAddress.prepare(file) }

    func run() throws {
        var options = SalvageOptions()
        options.includesCommitsAfterGaps = beyondGaps
        options.zones = ZoneNames.all()
        let catalogue = catalogue()
        let report: SalvageReport
        do {
            report = try Salvage.run(
                file, to: output, options, against: catalogue, progress: showProgress)
        } catch let error as SalvageError {
            throw failure(error)
        } catch let error as LogError {
            throw Failure(error.code, error, "nothing was written")
        }
        json ? Output.answer(SalvageAnswer(report)) : show(report)
        if !report.isComplete { throw Failure(.finding) }
    }

    /// Returns the failure that ends the command: code 2 if a file cannot be read or written, code
    /// 3 if the log cannot be salvaged.
    private func failure(_ error: SalvageError) -> Failure {
        switch error {
        case .unreadable, .replica: Failure(.usage, "\(error); nothing was written")
        case .nothing, .unsound: Failure(.log, error, "nothing was written")
        }
    }

    private func showProgress(_ progress: SalvageProgress) {
        switch progress {
        case .sweeping(let page, let count):
            Progress.setCount(Int(page), of: Int(count), "pages read")
        case .proving(let position): Progress.setCount(Int(position.rawValue), "events proven")
        case .writing(let position): Progress.setCount(Int(position.rawValue), "events written")
        case .verifying(let position): Progress.setCount(Int(position.rawValue), "events verified")
        }
    }

    static var examples: [String] { ["salvage damaged.daybook --output saved.daybook"] }

    static var answers: [any Answer.Type] { [SalvageAnswer.self] }

    static var storeUse: StoreUse {
        .refused(
            "delete a damaged replica in the cache folder, and it is made again; restore a damaged "
                + "database from its backup")
    }
}

extension SalvageCommand {
    private func show(_ report: SalvageReport) {
        for gap in report.gaps {
            Output.line("missing  \(Self.rangeText(gap.first, gap.last)): \(gap.reason)")
        }
        for move in report.moves {
            Output.line(
                "moved    \(Self.rangeText(move.first, move.last)): now starting at "
                    + "\(move.movedTo)")
        }
        for position in report.withoutText {
            Output.line("no text  \(position): a personal text was erased or is lost")
        }
        if report.lostPeople > 0 {
            Output.line("\(report.lostPeople) people are lost, with their names and texts")
        }
        if report.unreadablePages > 0 {
            Output.line("\(report.unreadablePages) pages could not be read from the disk")
        }
        if report.lastPosition == nil {
            Output.line("the file does not show where the log ended; later commits may be missing")
        }
        if !report.hasSameID { Output.line("the new log has a new id, \(report.id)") }
        if !report.hasSameSecret {
            Output.line(
                "the log's secret is lost: idempotency keys of earlier requests are not recognised")
        }
        Output.line(
            "\(output): \(report.eventCount.counted("event")) in "
                + "\(report.commitCount.counted("commit")), unchanged up to "
                + "\(report.unchangedThrough)")
        Output.line("head \(report.head)")
    }

    /// Returns the text of a range of positions: `3`, or `3 to 5`.
    private static func rangeText(_ first: Position, _ last: Position) -> String {
        first == last ? "\(first)" : "\(first) to \(last)"
    }
}

/// Names of the time zones that events may have, to try in place of lost zone names.
private enum ZoneNames {
    /// Returns fixed offsets and the names of the machine's tz database, if it has one.
    static func all() -> [String] {
        var names = ["UTC", "Z"]
        for quarters in -56...56 {
            let (hours, minutes) = (abs(quarters) / 4, abs(quarters) % 4 * 15)
            names.append(
                (quarters < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):"
                    + (minutes < 10 ? "0" : "") + "\(minutes)")
        }
        do {
            let list = try InputFile.bytes(of: "\(ZoneFiles.standardFolder)/tzdata.zi")
            for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count > 1, words[0] == "Z" { names.append(String(words[1])) }
                if words.count > 2, words[0] == "L" { names.append(String(words[2])) }
            }
        } catch {
            StandardError.message("\(ZoneFiles.standardFolder): cannot read the names of zones")
        }
        return names
    }
}

struct SalvageAnswer: Answer {
    static let name = "salvage"
    static let summary = "What was saved."

    /// True if nothing of the damaged log was lost, moved or changed.
    var isComplete = false
    var eventCount: Int64 = 0
    var commitCount: Int64 = 0
    /// Last position up to which positions and chain values are those of the damaged log.
    var unchangedThrough = Position.origin
    /// Last position that the damaged log had; `nil` if the file does not show it.
    var lastPosition: Position?
    var head = HeadPart()
    var id = ""
    var hasSameID = false
    /// True if the log's secret survived, without which earlier idempotency keys are unknown.
    var hasSameSecret = false
    /// Number of personal texts that were rescued.
    var textCount: Int64 = 0
    /// Number of people whose names and texts are lost.
    var lostPersonCount: Int64 = 0
    /// Number of pages that could not be read from the disk.
    var unreadablePageCount: Int64 = 0
    /// Ranges of positions that are missing, each with the reason.
    var gaps: [SalvageGap] = []
    /// Ranges of events after a gap that have new positions.
    var moves: [SalvageMove] = []
    var eventsWithoutText: [EventWithoutText] = []

    /// An event with a personal text that was erased or is lost.
    struct EventWithoutText: AnswerPart {
        var position = Position.origin

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("complete", &isComplete, "events", &eventCount, "commits", &commitCount)
        try field("unchangedThrough", &unchangedThrough, "lastPosition", &lastPosition)
        try head.fields(&field)
        try field("id", &id, "sameId", &hasSameID, "sameSecret", &hasSameSecret)
        try field("texts", &textCount, "lostPeople", &lostPersonCount)
        try field("unreadablePages", &unreadablePageCount)
        try field("missing", &gaps, "moved", &moves, "withoutText", &eventsWithoutText)
    }
}

extension SalvageAnswer {
    init(_ report: SalvageReport) {
        self.init(
            isComplete: report.isComplete, eventCount: Int64(report.eventCount),
            commitCount: Int64(report.commitCount), unchangedThrough: report.unchangedThrough,
            lastPosition: report.lastPosition, head: HeadPart(report.head), id: report.id,
            hasSameID: report.hasSameID, hasSameSecret: report.hasSameSecret,
            textCount: Int64(report.textCount), lostPersonCount: Int64(report.lostPeople),
            unreadablePageCount: Int64(report.unreadablePages),
            gaps: report.gaps, moves: report.moves,
            eventsWithoutText: report.withoutText.map { EventWithoutText(position: $0) })
    }
}
