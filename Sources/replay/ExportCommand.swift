import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import LMDB
import Playback

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
        let text = try answering {
            let reading = try RunReading(log, moment)
            let (title, batches) = try reading.track(runId)
            guard !batches.isEmpty else {
                throw Failure(
                    .finding, "no locations of a run '\(runId)' up to position \(reading.through)")
            }
            return GPXFile.text(title, batches)
        }
        if let output {
            let path = try OutputFile.write(text, to: output, "\(runId).gpx")
            StandardError.write("replay: written to \(path)")
        } else {
            Output.text(text)
        }
    }

    private func exportEntries(of baby: String) throws {
        let log = try log.open(record ? .write : .read)
        let (text, rows, catalogue, profile) = try answering {
            let reading = try CareReading(log, moment)
            let profile = try reading.profile(baby)
            let state = try reading.state(profile)
            let notes = try reading.notes(profile, state)
            let entries = state.entries.values.filter { $0.state != .none }
            let text = CareFile.babyAI(entries, babyId: profile.babyId) { notes[$0.entryId] }
            return (text, entries.count, reading.catalogue, profile)
        }
        let now = EventLog.systemTime()
        if let output {
            let name = CareFile.babyAIFileName(profile.babyId, at: now)
            let path = try OutputFile.write(text, to: output, name)
            StandardError.write("replay: written to \(path)")
        } else {
            Output.text(text)
        }
        guard record else { return }
        Output.makeDurable()
        let body = BabyCare.RecordExport(
            babyId: profile.babyId, format: .babyAI, rows: Int64(rows),
            sha256: CareImport.digest(ofFile: Array(text.utf8)), by: by)
        try decideOrFail(
            Decision<BabyCare>(.recordExport(body), context: CommandContext(now: now)),
            on: log, by: by, catalogue)
    }
}

extension CareReading {
    /// The last note of each entry that has one and was not erased, by its newest id.
    func notes(
        _ profile: Household.Profile, _ state: BabyCare.State
    ) throws -> [String: String] {
        var notes: [String: String] = [:]
        for event in try log.events(BabyCare.query(profile), through: through) {
            guard let id = event.tags.first(where: { $0.noun == "entry" })?.id,
                let field = try BabyCare.noteField(of: event, catalogue),
                let text = try log.personalText(at: event.position, field: field)
            else { continue }
            notes[state.newest(String(id))] = text
        }
        return notes
    }
}

extension BabyCare {
    /// Which of an event's personal texts is the entry's note; `nil` where it has none.
    fileprivate static func noteField(
        of event: RecordedEvent, _ catalogue: Catalogue
    ) throws(FoldError) -> UInt32? {
        let newest = try catalogue.upcast(event)
        let known = try KindReader<Event>().read(newest)
        let hasNote =
            switch known {
            case .entryOpened(let payload): payload.text != nil
            case .entryClosed(let payload): payload.text != nil
            case .entryRecorded(let payload): payload.text != nil
            case .entryEdited(let payload): payload.text != nil
            default: false
            }
        // The note is the first personal text of each of these.
        return hasNote ? 0 : nil
    }
}
