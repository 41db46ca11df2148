import Daybook
import DaybookGeodesy
import DaybookModel

/// A search for runs of a runner that a file has again, with another clock or from another device.
struct CopySearch {
    /// The runner's runs of that time that count, by start.
    private let runs: [Running.ScoredRun]

    /// A run that a track is a copy of.
    struct Original {
        var run: Running.ScoredRun
        /// Time from the run to the track by their clocks, in microseconds.
        var shiftUs: Int64

        /// The finding as a clause: `the track is a copy of run 'a', completed at position 3`.
        var text: String {
            let size = Int64(clamping: (shiftUs.magnitude + 500_000) / 1_000_000)
            let shift =
                size == 0
                ? ""
                : ", by a clock \(HomeText.duration(size * 1_000)) "
                    + (shiftUs > 0 ? "later" : "earlier")
            return "the track is a copy of run '\(run.runId)', completed at position "
                + "\(run.position)\(shift)"
        }

        /// Returns the command that records what becomes of the copy.
        ///
        /// - Parameter copyId: the id of the copy as a run; `nil` if it is left out.
        func command(
            _ track: GPXFile, _ key: String, copyId: String?, _ digest: KeyedDigest
        ) -> Running.RecordCopy {
            Running.RecordCopy {
                $0.runId = run.runId
                $0.copyId = copyId
                $0.firstPosition = run.position
                $0.shiftMs = shiftUs / 1_000
                $0.pointCount = Int64(track.lineNumbers.count)
                $0.track = Digest(first: digest("import.track", Array(key.utf8)))
            }
        }
    }

    /// Reads the runs of a runner that tracks of a file may be copies of. Requires that no other
    /// writer adds or changes such a run during the import.
    init<Log: ImportLog>(of userId: String, _ file: GPXFile, _ log: inout Log) throws(Log.Failure) {
        guard let span = Self.times(of: file) else {
            runs = []
            return
        }
        let query = Running.possibleCopies(
            of: userId, from: Instant(microseconds: span.start),
            to: Instant(microseconds: span.end))
        // Required before reading, so that concurrent appends are detected.
        try log.require(noneSince: query)
        runs = try log.state(of: Running.Ranking.self, query).countedRuns
    }

    /// Returns the first run that a track is a copy of, and remarks on runs that it is no copy of,
    /// but overlaps.
    func find<Log: ImportLog>(
        _ track: GPXFile, _ log: Log
    ) throws(Log.Failure) -> (original: Original?, remarks: [TrackImport.Remark]) {
        guard let span = Self.times(of: track) else { return (nil, []) }
        var path: TimedPath?
        var remarks: [TrackImport.Remark] = []
        for run in runs {
            guard let started = run.started, let ended = run.ended,
                Self.fits(span, started, ended, TrackCopy.mostShiftUs)
            else { continue }
            let recorded = try log.state(of: NamedTrack.self, NamedTrack.query(run.runId))
            var known = TimedPath(limit: Self.mostPlaces)
            for point in recorded.batches.lazy.flatMap(\.points) {
                guard let time = point.time, let place = point.place else { continue }
                known.add(time.microseconds, place)
            }
            known.finish()
            let copy = path ?? Self.path(of: track)
            path = copy
            if let shiftUs = TrackCopy.shiftUs(from: known, to: copy) {
                let original = Original(run: run, shiftUs: shiftUs)
                return (original, [(0, "copyOfRun", original.text + "; both count")])
            }
            guard Self.fits(span, started, ended, -1) else { continue }
            remarks.append(
                (
                    0, "overlappingRun",
                    "the track overlaps run '\(run.runId)' in time, completed at position "
                        + "\(run.position), but is no copy of it; both count"
                ))
        }
        return (nil, remarks)
    }

    /// Returns the times of the first and the last place of a track; `nil` without a time.
    private static func times(of track: GPXFile) -> (start: Int64, end: Int64)? {
        var bounds: (start: Int64, end: Int64)?
        for point in track.points {
            guard let time = point.time, time.isPossible, point.place?.isPossible == true else {
                continue
            }
            let us = time.microseconds
            bounds = bounds.map { (min($0.start, us), max($0.end, us)) } ?? (us, us)
        }
        return bounds
    }

    /// Returns the places of a track in the order of their times.
    private static func path(of track: GPXFile) -> TimedPath {
        var path = TimedPath(limit: mostPlaces)
        for point in track.points {
            guard let time = point.time, time.isPossible, let place = point.place else { continue }
            path.add(time.microseconds, place)
        }
        path.finish()
        return path
    }

    /// True if a run and a track overlap in time, or are at most `marginUs` apart.
    private static func fits(
        _ span: (start: Int64, end: Int64), _ started: Instant, _ ended: Instant, _ marginUs: Int64
    ) -> Bool {
        span.start - marginUs <= ended.microseconds && started.microseconds - marginUs <= span.end
    }

    /// Greatest number of places that are compared of each track.
    private static let mostPlaces = 4_096
}
