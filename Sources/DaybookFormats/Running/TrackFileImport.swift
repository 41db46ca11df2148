import Daybook
import DaybookGeodesy
import DaybookModel

/// Imports a GPX file as one run, or each of its outings as a run.
///
/// Outings are parts of a track that are more than three hours apart.
struct TrackFileImport: PendingImport {
    /// The track as read from the file.
    let file: GPXFile
    /// True to import each outing as a run of its own.
    let isSplit: Bool
    /// Imports each of the tracks as a run.
    let runs: TrackImport

    /// Imports the runs of the file and counts accepted and rejected points.
    ///
    /// Refuses a track that was imported before with the opposite of `isSplit`, or with other
    /// limits.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
        let outings = file.outings
        if outings.count > 1, let refusal = try refusalOfOtherSplit(outings, log) {
            return .refused(refusal)
        }
        let tracks = isSplit ? outings : [file]
        var outcome = ImportOutcome(rows: file.lines.count, unit: "point", notes: file.notes)
        var row = 0
        for track in tracks {
            switch try runs.add(track, to: &log) {
            case .refused(let reason): return .refused(reason)
            case .run(let run): report(run, track, after: row, in: &outcome)
            }
            row += track.lines.count
        }
        return .done(outcome)
    }

    /// Returns a refusal if the track was imported before with the opposite of `isSplit`.
    ///
    /// Returns `nil` if it was not, or if that run is cancelled.
    private func refusalOfOtherSplit<Log: ImportLog>(
        _ outings: [GPXFile], _ log: Log
    ) throws(Log.Failure) -> String? {
        guard !isSplit else {
            guard let whole = try runs.existingRun(file, log), try runs.isCounted(whole, log) else {
                return nil
            }
            return "the track was imported before as one run, '\(whole)'; "
                + "cancel that run first to import it with --split; nothing was imported"
        }
        guard try runs.existingRun(file, log) == nil else { return nil }
        for outing in outings {
            guard let part = try runs.existingRun(outing, log), try runs.isCounted(part, log) else {
                continue
            }
            return "an outing of the track was imported before, as run '\(part)'; "
                + "--split adds the others; nothing was imported"
        }
        return nil
    }

    /// Adds the run of a track to the outcome.
    ///
    /// - Parameter row: the number of points in the preceding tracks of the file.
    private func report(
        _ run: TrackImport.Run, _ track: GPXFile, after row: Int, in outcome: inout ImportOutcome
    ) {
        if isSplit {
            outcome.parts.append(Running.tag(run.runId))
        } else {
            outcome.entity = Running.tag(run.runId)
        }
        var kept = Array(track.lines.indices)
        for point in run.rejected {
            let index = Int(point.index)
            kept[index] = -1
            outcome.rejected.append(
                ImportOutcome.Rejected(
                    row: row + index + 1, line: track.lines[index], code: point.reason.name,
                    message: "\(point.reason.name): \(point.reason.sentence)"))
        }
        kept.removeAll { $0 < 0 }
        if run.isRepeated {
            outcome.duplicates += kept.count
        } else {
            outcome.accepted += kept.count
        }
        for (place, code, message) in remarks(run.doubts) where place < kept.count {
            outcome.notes?.append(
                ImportOutcome.Note(
                    row: row + kept[place] + 1, line: track.lines[kept[place]], code: code,
                    message: message))
        }
    }

    /// A remark on a kept point: its index among the kept points, a code and a message.
    private typealias Remark = (place: Int, code: String, message: String)

    /// Returns remarks on doubtful points, which are kept all the same.
    private func remarks(_ doubts: Running.TrackDoubtFinder) -> [Remark] {
        let limit = doubts.result.limitMmPerS.decimalText(places: 3)
        let fast = doubts.fastPlaces.map { (place) -> Remark in
            (
                place, "fasterThanRunning",
                "faster than \(limit) m/s from the point before, too fast for a runner; the "
                    + "distance counts, and --max-speed leaves wrong points out"
            )
        }
        let overlaps = doubts.overlaps.map { (found) -> Remark in
            (
                found.place, "overlappingSegment",
                "its segment overlaps in time with another; the distance of both counts"
            )
        }
        let outings = doubts.outingStarts.map { (place) -> Remark in
            (
                place, "otherOuting",
                "more than 3 hours from the point before; --split makes a run of each outing"
            )
        }
        return fast + overlaps + outings
    }
}
