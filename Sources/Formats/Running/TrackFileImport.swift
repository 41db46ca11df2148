import CivilTime
import Domain
import EventSourcing
import Geodesy

/// Imports the track of a file as one run, once, whatever the file around it.
struct TrackFileImport: PendingImport {
    let track: GPXFile
    let userId: String
    let zone: String?
    let maxSpeedMmPerS: Int64?
    let maxAccuracyMm: Int64?

    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
        let identity = track.identity(of: userId)
        let key = CommandKey(
            key: identity.key, asked: BinaryWriter.bytes([maxSpeedMmPerS, maxAccuracyMm]))
        // Earlier versions made a run's id of its places.
        if let events = try log.events(under: key.key),
            let tag = events.lazy.flatMap(\.tags).first(where: { $0.noun == "run" })
        {
            let body = command(String(tag.id))
            guard try log.state(of: key) != .reused else {
                return .refused(
                    "the track was imported before with other limits, as run \(body.runId)")
            }
            return .done(outcome(body, isRepeated: true))
        }
        if let known = try knownRun(identity, log) {
            let body = Running.ImportTrack {
                $0.runId = known
                $0.userId = userId
                $0.segments = track.segments
            }
            return .done(outcome(body, isRepeated: true))
        }
        let body = command(try freeId(identity.runId, log))
        // A run became known when it was over; one without times, when it is imported.
        let context = CommandContext(
            now: possibleTimes.max() ?? log.now, offsetS: Int32(track.offsetS))
        switch try log.decide(body, context, under: key, correlation: body.runId) {
        case .events: return .done(outcome(body, isRepeated: false))
        case .refused(let refusal):
            return .refused(
                "refused: \(refusal.message) (\(refusal.code)); nothing was imported")
        }
    }

    private func command(_ runId: String) -> Running.ImportTrack {
        Running.ImportTrack {
            $0.runId = runId
            $0.userId = userId
            $0.title = track.title
            $0.zone = zone
            $0.segments = track.segments
            $0.maxSpeedMmPerS = maxSpeedMmPerS
            $0.maxAccuracyMm = maxAccuracyMm
        }
    }

    /// The times of the points whose coordinates are possible.
    private var possibleTimes: [Instant] {
        track.points.compactMap { $0.place?.isPossible == true ? $0.time : nil }
    }

    /// The id itself, or with the first number after it that makes it one of no run.
    private func freeId<Log: ImportLog>(
        _ id: String, _ log: Log
    ) throws(Log.Failure) -> String {
        var number = 1
        while true {
            let candidate = number == 1 ? id : "\(id)-\(number)"
            var isTaken = false
            try log.read(Query(Query.Item(tags: [Running.tag(candidate)]))) { (_) in
                isTaken = true
                return false
            }
            guard isTaken else { return candidate }
            number += 1
        }
    }

    /// A run of the runner with the same track that came another way: recorded live, imported with
    /// limits and exported without the points that they left out, or exported before or after a crop.
    private func knownRun<Log: ImportLog>(
        _ identity: GPXFile.Identity, _ log: Log
    ) throws(Log.Failure) -> String? {
        let times = possibleTimes
        guard let start = times.min(), let end = times.max() else { return nil }
        let history = Query(
            Query.Item(kinds: Running.historyKinds, tags: [Running.userTag(userId)]))
        let candidates = try log.state(of: Running.RunnerView.self, history).runs.values
            .filter { run in
                guard run.state != .discarded, let started = run.started else { return false }
                // A crop may have cut the run since.
                return started <= end && start <= run.ended ?? start
            }
        for run in candidates.sorted(by: { $0.runId < $1.runId }) {
            let recorded = try log.state(of: RunTrackFile.self, RunTrackFile.query(run.runId))
            let tracks = [recorded.batches, recorded.kept].map { GPXFile($0) }
            if tracks.contains(where: { $0.identity(of: userId).key == identity.key }) {
                return run.runId
            }
        }
        return nil
    }

    private func outcome(_ body: Running.ImportTrack, isRepeated: Bool) -> ImportOutcome {
        var outcome = ImportOutcome(
            rows: track.lines.count, unit: "point", entity: Running.tag(body.runId),
            notes: track.notes)
        for point in judged(body) {
            let index = Int(point.index)
            outcome.rejected.append(
                ImportOutcome.Rejected(
                    row: index + 1, line: track.lines[index], code: point.reason.name,
                    message: "\(point.reason.name): \(point.reason.sentence)"))
        }
        let kept = outcome.rows - outcome.rejected.count
        if isRepeated { outcome.duplicates = kept } else { outcome.accepted = kept }
        return outcome
    }

    /// The points that this file's track leaves out, whatever the log knows.
    private func judged(_ body: Running.ImportTrack) -> [Running.RejectedPoint] {
        do throws(Refusal) {
            let now = Instant(microseconds: 0)
            var rejected: [Running.RejectedPoint] = []
            for case .locationsRecorded(let batch) in try body.decide(.blank, now: now) {
                rejected += batch.rejected
            }
            return rejected
        } catch {
            return []
        }
    }
}
