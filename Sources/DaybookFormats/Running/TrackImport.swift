import Daybook
import DaybookGeodesy
import DaybookModel

/// Imports a GPX track as one run, unless the log already has the track.
struct TrackImport {
    let userId: String
    let zone: String?
    /// Limit of the speed from the point before, in millimetres per second; `nil` for no limit.
    /// Points reached at a greater speed are rejected.
    let maxSpeedMmPerS: Int64?
    /// Limit of the radius within which a point is accurate, in millimetres; `nil` for no limit.
    /// Points with a greater radius are rejected.
    let maxAccuracyMm: Int64?

    /// The result of importing a track: its run, or a message why nothing was imported.
    enum Result {
        /// The log now has the track as this run, or had it before.
        case run(ImportedRun)
        /// Nothing was imported; the text is the message for the user.
        case refused(String)
    }

    /// The run of an imported track, with the points of the file that are rejected or doubtful.
    struct ImportedRun {
        var runId: String
        /// True if the log already had the track.
        var isRepeated: Bool
        /// Points of the file that the limits or impossible coordinates reject. They are listed
        /// even if the log already had the track.
        var rejected: [Running.RejectedPoint] = []
        /// Findings on the other points, such as a speed from one to the next that no runner has.
        var doubts: Running.TrackDoubtFinder
        var distanceMm: Int64 = 0
        /// Sum of the times from point to point, in microseconds.
        var timeUs: Int64 = 0
        /// True if the track was left out, because it is a copy of the run.
        var isLeftOut = false
        /// Remarks on the track as a whole, each about its first point.
        var remarks: [Remark] = []
    }

    /// A remark on an imported point: its index among the imported points, a code and a message.
    typealias Remark = (pointIndex: Int, code: String, message: String)

    /// Imports the track, or finds the run that already has the same track. Refuses a track that
    /// was imported before with another maximum of speed or accuracy. A copy of a run that the log
    /// has from elsewhere is left out, unless copies are kept.
    func importTrack<Log: ImportLog>(
        _ track: GPXFile, to log: inout Log, _ search: CopySearch, keepsCopies: Bool
    ) throws(Log.Failure) -> Result {
        let identity = track.identity(asRunOf: userId)
        let key = CommandKey(
            key: identity.key, asked: BinaryWriter.bytes([maxSpeedMmPerS, maxAccuracyMm]))
        if let runId = try runIdUnderKey(identity, log) {
            guard try log.state(of: key) != .reused else {
                return .refused(
                    "the track was imported before as run '\(runId)' with another --max-speed or "
                        + "--max-accuracy; give the same limits")
            }
            return .run(resultingRun(of: command(runId, track), isRepeated: true))
        }
        if let runId = try runIdWithSameTrack(track, identity, log) {
            let body = Running.ImportTrack {
                $0.runId = runId
                $0.userId = userId
                $0.segments = track.segments
            }
            return .run(resultingRun(of: body, isRepeated: true))
        }
        let found = try search.find(track, log)
        if let original = found.original, !keepsCopies {
            return try leaveOut(track, original, identity, &log)
        }
        let body = command(try unusedRunId(identity.runId, log), track)
        // The commit is dated to the end of the run; without times, to the import.
        let context = CommandContext(
            now: track.possibleTimes.max() ?? log.now, offsetS: Int32(track.offsetS))
        switch try log.decide(body, context, under: key, correlation: body.runId) {
        case .events:
            var run = resultingRun(of: body, isRepeated: false)
            run.remarks = found.remarks
            guard let original = found.original else { return .run(run) }
            let copy = original.command(track, identity.key, copyId: body.runId, log.keyedDigest)
            if case .refused(let refusal) = try log.decide(
                copy, context, under: nil, correlation: body.runId)
            {
                return .refused("\(refusal.message) (\(refusal.code)); nothing was imported")
            }
            return .run(run)
        case .refused(let refusal):
            return .refused(
                "the track was refused: \(refusal.message) (\(refusal.code)); nothing was imported")
        }
    }

    /// Records that a track is left out, and returns the run that it is a copy of. A later import
    /// that keeps copies can still add the track.
    private func leaveOut<Log: ImportLog>(
        _ track: GPXFile, _ original: CopySearch.Original, _ identity: GPXFile.Identity,
        _ log: inout Log
    ) throws(Log.Failure) -> Result {
        let body = original.command(track, identity.key, copyId: nil, log.keyedDigest)
        let key = CommandKey(key: "\(identity.key)/copy", asked: [])
        if try log.state(of: key) == .new {
            let context = CommandContext(now: log.now, offsetS: Int32(track.offsetS))
            if case .refused(let refusal) = try log.decide(
                body, context, under: key, correlation: original.run.runId)
            {
                return .refused("\(refusal.message) (\(refusal.code)); nothing was imported")
            }
        }
        var run = resultingRun(of: command(original.run.runId, track), isRepeated: true)
        run.isLeftOut = true
        run.remarks = [
            (
                0, "copyOfRun",
                original.text + "; it is left out, and --keep-both imports it as a second run"
            )
        ]
        return .run(run)
    }

    /// Returns the id of the run that already has the track; `nil` for a new track.
    func existingRunId<Log: ImportLog>(_ track: GPXFile, _ log: Log) throws(Log.Failure) -> String?
    {
        let identity = track.identity(asRunOf: userId)
        if let runId = try runIdUnderKey(identity, log) { return runId }
        return try runIdWithSameTrack(track, identity, log)
    }

    /// True if the run is neither cancelled nor discarded.
    func isCounted<Log: ImportLog>(_ runId: String, _ log: Log) throws(Log.Failure) -> Bool {
        let query = Query(Query.Item(kinds: Running.runKinds, tags: [Running.tag(runId)]))
        let state = try log.state(of: Running.RunView.self, query).state
        return state != .cancelled && state != .discarded
    }

    /// Returns the id of the run that was imported under the idempotency key of a track.
    ///
    /// Returns `nil` if no run was imported under the key.
    ///
    /// The id is read from the run's events and not computed from the track, because earlier
    /// versions computed it from the points.
    private func runIdUnderKey<Log: ImportLog>(
        _ identity: GPXFile.Identity, _ log: Log
    ) throws(Log.Failure) -> String? {
        let events = try log.events(under: identity.key)
        return events?.lazy.flatMap(\.tags).first { $0.noun == "run" }.map { String($0.id) }
    }

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

    /// Returns an id that no run has: `id` or, if a run has it, `id` with a number appended.
    private func unusedRunId<Log: ImportLog>(
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

    /// Returns the id of another run of the runner with the same track; `nil` if there is none. The
    /// file may be an export of such a run: of a run that was recorded live, without the points
    /// that were rejected for exceeding a limit, or from before or after a crop.
    private func runIdWithSameTrack<Log: ImportLog>(
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
            let recorded = try log.state(of: NamedTrack.self, NamedTrack.query(run.runId))
            let tracks = [recorded.batches, recorded.keptBatches].map { GPXFile($0) }
            if tracks.contains(where: { $0.identity(asRunOf: userId).key == identity.key }) {
                return run.runId
            }
        }
        return nil
    }

    /// Returns the run that a command creates, with the rejected and doubtful points of its track.
    ///
    /// - Parameter isRepeated: true if the log already had the track.
    private func resultingRun(of body: Running.ImportTrack, isRepeated: Bool) -> ImportedRun {
        var run = ImportedRun(
            runId: body.runId, isRepeated: isRepeated,
            doubts: Running.TrackDoubtFinder(maxSpeedMmPerS: body.maxSpeedMmPerS))
        do throws(Refusal) {
            for case .locationsRecorded(let batch) in try body.decide(.blank, now: .epoch) {
                run.rejected += batch.rejected
                run.doubts.add(batch)
                run.distanceMm &+= batch.addedMm
                run.timeUs &+= batch.forwardUs
            }
        } catch {
            run.rejected = []
        }
        return run
    }
}

extension GPXFile {
    /// Times of the points that have a time and possible coordinates.
    fileprivate var possibleTimes: [Instant] {
        points.compactMap { $0.place?.isPossible == true ? $0.time : nil }
    }
}

extension TrackImport.ImportedRun {
    /// The remark on a track that hardly any runner has run so fast; `nil` for other tracks. At 6.5
    /// m/s, 2:34 a kilometre, the fastest people on foot run for a few kilometres.
    var rideRemark: TrackImport.Remark? {
        guard distanceMm >= 1_000_000, timeUs > 0 else { return nil }
        let mmPerS = Int128(distanceMm) * 1_000_000 / Int128(timeUs)
        guard mmPerS >= 6_500 else { return nil }
        let paceMs = Int64(clamping: Int128(timeUs) * 1_000 / Int128(distanceMm))
        return (
            0, "fasterThanRunners",
            "the track has \(HomeText.duration(paceMs)) a kilometre on average, which hardly any "
                + "runner reaches; it may be a ride"
        )
    }
}
