import Daybook
import DaybookGeodesy
import DaybookModel

/// Imports a GPX file as one run, or each of its outings as a run.
///
/// Outings are parts of a track that are more than three hours apart.
struct TrackFileImport: PendingImport {
    let file: GPXFile
    /// True to import each outing as a run of its own.
    let isSplit: Bool
    /// True to import also tracks that are copies of runs in the log.
    let keepsCopies: Bool
    /// Imports a single track as a run, for a runner and with limits of speed and accuracy.
    let trackImport: TrackImport

    /// Imports the runs of the file and counts accepted and rejected points. Refuses a file that
    /// was imported before with the other value of `isSplit`, or with another maximum of speed or
    /// accuracy.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
        let outings = file.outings
        if outings.count > 1, let refusal = try refusalOfOtherSplit(outings, log) {
            return .refused(refusal)
        }
        let tracks = isSplit ? outings : [file]
        // Read before any outing is imported, since those of one file are no copies of each other.
        let search = try CopySearch(of: trackImport.userId, file, &log)
        var outcome = ImportOutcome(rows: file.lineNumbers.count, unit: "point", notes: file.notes)
        var rowCount = 0
        for track in tracks {
            switch try trackImport.importTrack(track, to: &log, search, keepsCopies: keepsCopies)
            {
            case .refused(let reason): return .refused(reason)
            case .run(let run): addRun(run, track, after: rowCount, in: &outcome)
            }
            rowCount += track.lineNumbers.count
        }
        return .done(outcome)
    }

    /// Returns the message of a refusal if the track was imported before with the other value of
    /// `isSplit`; `nil` for any other track, and if the earlier run is cancelled or discarded.
    private func refusalOfOtherSplit<Log: ImportLog>(
        _ outings: [GPXFile], _ log: Log
    ) throws(Log.Failure) -> String? {
        guard !isSplit else {
            guard let whole = try trackImport.existingRunId(file, log),
                try trackImport.isCounted(whole, log)
            else { return nil }
            return "the track was imported before as one run, '\(whole)'; "
                + "cancel that run before importing with --split; nothing was imported"
        }
        guard try trackImport.existingRunId(file, log) == nil else { return nil }
        for outing in outings {
            guard let part = try trackImport.existingRunId(outing, log),
                try trackImport.isCounted(part, log)
            else { continue }
            return "an outing of the track was imported before, as run '\(part)'; "
                + "--split adds the other outings; nothing was imported"
        }
        return nil
    }

    /// Adds the run of a track to the outcome of the import, and counts the points of the track.
    ///
    /// - Parameter rowCount: the number of points in the file before those of the track.
    private func addRun(
        _ run: TrackImport.ImportedRun, _ track: GPXFile, after rowCount: Int,
        in outcome: inout ImportOutcome
    ) {
        if isSplit {
            outcome.parts.append(Running.tag(run.runId))
        } else {
            outcome.entity = Running.tag(run.runId)
        }
        var kept = Array(track.lineNumbers.indices)
        for point in run.rejected {
            let index = Int(point.index)
            kept[index] = -1
            outcome.rejected.append(
                ImportOutcome.Row(
                    row: rowCount + index + 1, line: track.lineNumbers[index],
                    code: point.reason.name,
                    message: "\(point.reason.name): \(point.reason.sentence)"))
        }
        kept.removeAll { $0 < 0 }
        if run.isRepeated {
            outcome.duplicates += kept.count
        } else {
            outcome.accepted += kept.count
        }
        let remarks =
            run.remarks
            + (run.isLeftOut ? [] : [run.rideRemark].compactMap(\.self) + doubtRemarks(run.doubts))
        for (place, code, message) in remarks where place < kept.count {
            outcome.notes?.append(
                ImportOutcome.Row(
                    row: rowCount + kept[place] + 1, line: track.lineNumbers[kept[place]],
                    code: code, message: message))
        }
    }

    /// Returns the remarks on doubtful points, which are imported all the same.
    private func doubtRemarks(_ doubts: Running.TrackDoubtFinder) -> [TrackImport.Remark] {
        let limit = doubts.result.limitMmPerS.decimalText(places: 3)
        let fast = doubts.fastPlaces.map { (place) -> TrackImport.Remark in
            (
                place, "fasterThanRunning",
                "reached at more than \(limit) m/s, too fast for a runner; the distance counts, but "
                    + "--max-speed leaves such points out"
            )
        }
        let overlaps = doubts.overlaps.map { (found) -> TrackImport.Remark in
            (
                found.place, "overlappingSegment",
                "the point's segment overlaps another segment in time; the distance of both counts"
            )
        }
        let outings = doubts.outingStarts.map { (place) -> TrackImport.Remark in
            (
                place, "otherOuting",
                "more than 3 hours from the point before; --split makes a run of each outing"
            )
        }
        return fast + overlaps + outings
    }
}
