import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import Geodesy
import Playback
import ReplayCommands

extension Import {
    /// Takes over a GPX file as a run.
    func importTrack(of userId: String) throws {
        let speed = try limit(maxSpeed, "--max-speed", "12.5")
        let accuracy = try limit(maxAccuracy, "--max-accuracy", "50")
        if let zone = zones.zone { _ = try ZoneOptions.zone(zone, try zones.source()) }
        let track: GPXFile
        do {
            let reader = GPXReader(rules: .standard)
            try InputFile.forEachChunk(of: file) { try reader.feed($0) }
            track = try reader.finish()
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(file)); nothing was imported")
        }
        let job = TrackImport(
            file: file, track: track, userId: userId, zone: zones.zone, maxSpeedMmPerS: speed,
            maxAccuracyMm: accuracy, by: by)
        show(try job.run(try log.open(.create), try catalogue()))
    }

    private func limit(_ text: String?, _ option: String, _ example: String) throws -> Int64? {
        guard let text else { return nil }
        guard let value = Scalar(text).scaled(toPowerOfTen: 3), value > 0 else {
            throw ValidationError("\(option): expected a number like \(example), found '\(text)'.")
        }
        return value
    }

    private func show(_ outcome: TrackImport.Outcome) {
        Output.note(outcome: "the import is done")
        if output.json {
            Output.json(outcome.json)
        } else {
            Output.line(
                "run \(outcome.run): \(outcome.rows) points: \(outcome.accepted) accepted, "
                    + "\(outcome.duplicates) known already, \(outcome.rejected.count) rejected")
        }
        for note in outcome.notes {
            StandardError.message(
                "\(file):\(note.line): point \(note.row): \(note.message)")
        }
        for rejected in outcome.rejected {
            StandardError.message(
                "\(file):\(rejected.line): point \(rejected.row): "
                    + rejected.reason.message)
        }
        if !outcome.rejected.isEmpty { Failure(.finding).end() }
    }
}

/// Appends the track of a file.
struct TrackImport {
    let file: String
    let track: GPXFile
    let userId: String
    let zone: String?
    let maxSpeedMmPerS: Int64?
    let maxAccuracyMm: Int64?
    let by: String?

    struct Rejected {
        var row: Int
        var line: Int
        var reason: Running.RejectReason
    }

    struct Outcome {
        var run = ""
        var rows = 0
        var accepted = 0
        var duplicates = 0
        var rejected: [Rejected] = []
        var notes: [GPXFile.Note] = []
    }

    func run(_ log: EventLog, _ catalogue: Catalogue) throws -> Outcome {
        let identity = track.identity(of: userId)
        let imported = try mappingLogErrors { try importedRun(identity, log) }
        if imported == nil, let known = try knownRun(identity, log) {
            var outcome = try outcome(
                Running.ImportTrack {
                    $0.runId = known
                    $0.userId = userId
                    $0.segments = track.segments
                },
                .nothing)
            outcome.run = known
            return outcome
        }
        let runId = try imported ?? mappingLogErrors { try freeId(identity.runId, log) }
        let body = Running.ImportTrack {
            $0.runId = runId
            $0.userId = userId
            $0.title = track.title
            $0.zone = zone
            $0.segments = track.segments
            $0.maxSpeedMmPerS = maxSpeedMmPerS
            $0.maxAccuracyMm = maxAccuracyMm
        }
        let now = EventLog.systemTime()
        // A run became known when it was over; one without times, when it is imported.
        let ended = track.points.compactMap { $0.place?.isPossible == true ? $0.time : nil }.max()
        let context = CommandContext(
            now: ended ?? now, offsetS: Int32(track.offsetS))
        let decided: Decided
        do throws(AppendError) {
            decided = try log.decide(
                PendingCommand(body, context: context),
                metadata: CommitMetadata(actor: by ?? "", correlation: runId),
                idempotency: AppendRequest.Idempotency(
                    key: identity.key, asked: BinaryWriter.bytes([maxSpeedMmPerS, maxAccuracyMm])),
                catalogue: catalogue)
        } catch .keyReused {
            throw Failure(
                .finding,
                "\(file): the track was imported before with other limits, as run \(runId)"
            )
        } catch {
            throw error.failure("nothing was imported")
        }
        return try outcome(body, decided)
    }

    /// The run that the same track became, by whatever version of this program: earlier ones made
    /// its id of its places.
    private func importedRun(_ identity: GPXFile.Identity, _ log: EventLog) throws -> String? {
        guard let commit = try log.commit(ofKey: identity.key) else { return nil }
        let events = try log.events(
            after: Position(commit.first.rawValue - 1), through: commit.last)
        return events.lazy.flatMap(\.tags).first { $0.noun == "run" }.map { String($0.id) }
    }

    /// The id itself, or with the first number behind it that makes it one of no run.
    private func freeId(_ id: String, _ log: EventLog) throws -> String {
        var number = 1
        while true {
            let candidate = number == 1 ? id : "\(id)-\(number)"
            let query = Query(Query.Item(tags: [Running.tag(candidate)]))
            if try log.events(query, limit: 1).isEmpty { return candidate }
            number += 1
        }
    }

    /// A run of the runner with the same track that came another way: recorded live, or imported
    /// with limits and exported without what they left out.
    private func knownRun(_ identity: GPXFile.Identity, _ log: EventLog) throws -> String? {
        try mappingLogErrors {
            let reading = try RunReading(log, MomentOptions.parse([]))
            let starts = track.points.compactMap { $0.place?.isPossible == true ? $0.time : nil }
            guard let start = starts.min(), let end = starts.max() else { return nil }
            let runs = try reading.runners([userId])[userId]?.runs ?? [:]
            let candidates = runs.values.filter { run in
                guard run.state != .discarded,
                    let started = run.started
                else { return false }
                return started <= start && end <= run.ended ?? end
            }
            for run in candidates.sorted(by: { $0.runId < $1.runId }) {
                let recorded = GPXFile(try reading.track(run.runId).batches)
                if recorded.identity(of: userId).key == identity.key { return run.runId }
            }
            return nil
        }
    }

    private func outcome(_ body: Running.ImportTrack, _ decided: Decided) throws -> Outcome {
        var outcome = Outcome(run: body.runId, rows: track.lines.count, notes: track.notes)
        let isRepeated: Bool
        switch decided {
        case .refused(let refused):
            throw Failure(
                .finding,
                "\(file): refused: \(refused.message) (\(refused.code)); nothing was imported")
        case .appended(let receipt): isRepeated = receipt.isRepeated
        case .nothing: isRepeated = true
        }
        for point in judged(body) {
            let index = Int(point.index)
            outcome.rejected.append(
                Rejected(row: index + 1, line: track.lines[index], reason: point.reason))
        }
        let kept = outcome.rows - outcome.rejected.count
        if isRepeated { outcome.duplicates = kept } else { outcome.accepted = kept }
        return outcome
    }

    /// The points that this file's track leaves out, whatever the log knows.
    private func judged(_ body: Running.ImportTrack) -> [Running.RejectedPoint] {
        do throws(Refusal) {
            let events = try body.decide(Running.State.blank, now: EventLog.systemTime())
            var rejected: [Running.RejectedPoint] = []
            for case .locationsRecorded(let batch) in events { rejected += batch.rejected }
            return rejected
        } catch {
            return []
        }
    }
}

extension TrackImport.Outcome {
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("run", run)
            writer.member("rows", Int64(rows))
            writer.member("accepted", Int64(accepted))
            writer.member("changed", Int64(0))
            writer.member("duplicates", Int64(duplicates))
            writer.name("rejected")
            writer.array { writer in
                for rejected in rejected {
                    writer.object { writer in
                        writer.member("row", Int64(rejected.row))
                        writer.member("line", Int64(rejected.line))
                        writer.member("code", rejected.reason)
                        writer.member("reason", rejected.reason.message)
                    }
                }
            }
            writer.name("notes")
            writer.array { writer in
                for note in notes {
                    writer.object { writer in
                        writer.member("row", Int64(note.row))
                        writer.member("line", Int64(note.line))
                        writer.member("note", note.message)
                    }
                }
            }
        }
        return writer.text
    }
}

extension Running.RejectReason {
    /// For people, behind the number of a point.
    fileprivate var message: String {
        switch self {
        case .latLon: "has no coordinates that can be"
        case .accuracy: "is not known well enough"
        case .time: "has no time behind the one before"
        case .jump: "is reached faster than the limit"
        case .notRunning: "lies outside the run"
        }
    }
}
