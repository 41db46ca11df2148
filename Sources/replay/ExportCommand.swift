import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import LMDB
import Playback
import ReplayCommands

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a baby's entries as BabyAI exports them, or a run as GPX.",
        discussion: """
            Cancelled entries are included, as there. A run is written with the places that were \
            kept, segment by segment; imported again for the same runner it is known. The file goes to standard \
            output, or to --output, which is replaced only once it is written whole.
            """)

    @Option(help: "The form of the file: babyai-csv or gpx.")
    var format: Format

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case babyAI = "babyai-csv"
        case gpx
    }

    @Option(help: ArgumentHelp("The baby, for babyai-csv.", valueName: "id"), transform: identifier)
    var baby: String?

    @Option(
        name: .customLong("run"), help: ArgumentHelp("The run, for gpx.", valueName: "id"),
        transform: identifier)
    var runId: String?

    @Option(
        help: ArgumentHelp(
            "The file; a folder gets the name that the app gives. Standard output by default.",
            valueName: "path"))
    var output: String?

    @Flag(help: "Note in the log that the data was exported.")
    var record = false

    @Option(
        help: ArgumentHelp("The user who exports, for --record.", valueName: "user"),
        transform: identifier)
    var by: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions

    func validate() throws {
        let (name, id, other) =
            format == .gpx ? ("--run", runId, baby) : ("--baby", baby, runId)
        guard id != nil, other == nil else {
            throw ValidationError("\(format.rawValue) takes \(name), and no other.")
        }
        guard !record || format == .babyAI else {
            throw ValidationError("--record goes with babyai-csv.")
        }
    }

    func run() throws {
        if let runId { try exportRun(runId) }
        if let baby { try exportEntries(of: baby) }
    }

    private func exportRun(_ runId: String) throws {
        let log = try log.open(.read)
        let text = try mappingLogErrors {
            let reading = try RunReading(log, moment)
            let (title, batches) = try reading.track(runId)
            guard !batches.isEmpty else {
                throw Failure(
                    .finding, "no locations of a run '\(runId)' up to position \(reading.through)")
            }
            let points = batches.flatMap(\.points)
            let erased = points.count { $0.place == nil }
            if erased > 0 {
                guard erased < points.count else {
                    throw Failure(.finding, "the places of run '\(runId)' are erased")
                }
                StandardError.message(
                    "\(erased) of \(points.count) places are erased, and left out")
            }
            return GPXFile.text(title, batches)
        }
        if let output {
            let path = try OutputFile.write(text, to: output, "\(runId).gpx")
            StandardError.message("written to \(path)")
        } else {
            Output.text(text)
        }
    }

    private func exportEntries(of baby: String) throws {
        let log = try log.open(record ? .write : .read)
        let (text, rows, catalogue, profile) = try mappingLogErrors {
            let reading = try CareReading(log, moment)
            let profile = try reading.profile(baby)
            let state = try reading.state(profile)
            let texts = try reading.texts(profile, state)
            let entries = state.entries.values.filter { $0.state != .none }
            let text = CareFile.babyAI(entries, babyId: profile.babyId) { texts[$0.entryId] }
            return (text, entries.count, reading.catalogue, profile)
        }
        let now = EventLog.systemTime()
        if let output {
            let name = CareFile.babyAIFileName(profile.babyId, at: now)
            let path = try OutputFile.write(text, to: output, name)
            StandardError.message("written to \(path)")
        } else {
            Output.text(text)
        }
        guard record else { return }
        Output.makeDurable()
        let body = BabyCare.DataExported {
            $0.babyId = profile.babyId
            $0.format = .babyAI
            $0.rows = Int64(rows)
            $0.sha256 = log.digest(ofFile: Array(text.utf8))
            $0.by = by.map { Author($0) }
        }
        try decideOrFail(
            PendingCommand(body, context: CommandContext(now: now)),
            on: log, by: by, catalogue)
    }
}
