import Daybook
import DaybookGeodesy
import DaybookModel

/// Imports a GPX track as one run, unless the log already has the track.
struct TrackImport {
    /// Id of the runner.
    let userId: String
    /// Time zone of the run; `nil` if not given.
    let zone: String?
    /// Speed above which points are rejected, in millimetres per second; `nil` for no limit.
    let maxSpeedMmPerS: Int64?
    /// Accuracy radius above which points are rejected, in millimetres; `nil` for no limit.
    let maxAccuracyMm: Int64?

    /// The outcome of importing a track: its run, or the reason for a refusal.
    enum Result {
        /// The log has the track as this run.
        case run(Run)
        /// Nothing was imported, for this reason.
        case refused(String)
    }

    /// The run of a track, with the result of validating its points.
    struct Run {
        /// Id of the run.
        var runId: String
        /// True if the log already had the track.
        var isRepeated: Bool
        /// Points that validating this file rejects, even if the log already has the track.
        var rejected: [Running.RejectedPoint] = []
        /// Findings on kept points, such as steps too fast for a runner.
        var doubts: Running.TrackDoubtFinder
    }

    /// Imports the track, or finds the run that already has it.
    ///
    /// Refuses a track that was imported before with other limits.
    func add<Log: ImportLog>(
        _ track: GPXFile, to log: inout Log
    ) throws(Log.Failure) -> Result {
        let identity = track.identity(of: userId)
        let key = CommandKey(
            key: identity.key, asked: BinaryWriter.bytes([maxSpeedMmPerS, maxAccuracyMm]))
        if let runId = try keyedRun(identity, log) {
            guard try log.state(of: key) != .reused else {
                return .refused(
                    "the track was imported before with other limits, as run \(runId)")
            }
            return .run(run(command(runId, track), isRepeated: true))
        }
        if let runId = try sameTrack(track, identity, log) {
            let body = Running.ImportTrack {
                $0.runId = runId
                $0.userId = userId
                $0.segments = track.segments
            }
            return .run(run(body, isRepeated: true))
        }
        let body = command(try freeId(identity.runId, log), track)
        // The commit is dated to the end of the run; without times, to the import.
        let context = CommandContext(
            now: track.possibleTimes.max() ?? log.now, offsetS: Int32(track.offsetS))
        switch try log.decide(body, context, under: key, correlation: body.runId) {
        case .events: return .run(run(body, isRepeated: false))
        case .refused(let refusal):
            return .refused(
                "refused: \(refusal.message) (\(refusal.code)); nothing was imported")
        }
    }

    /// Returns the id of the run that already has the track; `nil` for a new track.
    func existingRun<Log: ImportLog>(_ track: GPXFile, _ log: Log) throws(Log.Failure) -> String? {
        let identity = track.identity(of: userId)
        if let runId = try keyedRun(identity, log) { return runId }
        return try sameTrack(track, identity, log)
    }

    /// True unless the run is cancelled or discarded.
    func isCounted<Log: ImportLog>(_ runId: String, _ log: Log) throws(Log.Failure) -> Bool {
        let query = Query(Query.Item(kinds: Running.runKinds, tags: [Running.tag(runId)]))
        let state = try log.state(of: Running.RunView.self, query).state
        return state != .cancelled && state != .discarded
    }

    /// Returns the id of the run that was imported under the same key; `nil` if there is none.
    ///
    /// The id is read from the events, because earlier versions derived ids from places.
    private func keyedRun<Log: ImportLog>(
        _ identity: GPXFile.Identity, _ log: Log
    ) throws(Log.Failure) -> String? {
        let events = try log.events(under: identity.key)
        return events?.lazy.flatMap(\.tags).first { $0.noun == "run" }.map { String($0.id) }
    }

    /// Returns the command that imports the track under a run id.
    private func command(_ runId: String, _ track: GPXFile) -> Running.ImportTrack {
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

    /// Returns the id if no run has it, else the id with the first free number appended.
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

    /// Returns another run of the runner with the same track; `nil` if there is none.
    ///
    /// Such a run was recorded live, was exported without the points that limits rejected, or was
    /// exported before or after a crop.
    private func sameTrack<Log: ImportLog>(
        _ track: GPXFile, _ identity: GPXFile.Identity, _ log: Log
    ) throws(Log.Failure) -> String? {
        let times = track.possibleTimes
        guard let start = times.min(), let end = times.max() else { return nil }
        let history = Query(
            Query.Item(kinds: Running.historyKinds, tags: [Running.userTag(userId)]))
        let candidates = try log.state(of: Running.RunnerView.self, history).runs.values
            .filter { run in
                guard run.state != .discarded, let started = run.started else { return false }
                // The run may have been cropped after the export, so the times only need to
                // overlap.
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

    /// Returns the run of a command, with rejected and doubtful points from validating it again.
    private func run(_ body: Running.ImportTrack, isRepeated: Bool) -> Run {
        var run = Run(
            runId: body.runId, isRepeated: isRepeated,
            doubts: Running.TrackDoubtFinder(maxSpeedMmPerS: body.maxSpeedMmPerS))
        do throws(Refusal) {
            for case .locationsRecorded(let batch) in try body.decide(.blank, now: .epoch) {
                run.rejected += batch.rejected
                run.doubts.add(batch)
            }
        } catch {
            run.rejected = []
        }
        return run
    }
}

extension GPXFile {
    /// Times of the points whose coordinates are possible.
    fileprivate var possibleTimes: [Instant] {
        points.compactMap { $0.place?.isPossible == true ? $0.time : nil }
    }
}
