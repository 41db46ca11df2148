import Daybook
import DaybookCryptography
import DaybookGeodesy
import DaybookModel

extension GPXFile {
    /// Creates the track of a run, with the points that an export of the run contains.
    init(_ batches: [Running.LocationsRecorded]) {
        self.init()
        var segment: Int64?
        for batch in batches {
            if batch.segment != segment { segments.append(Running.TrackSegment.blank) }
            segment = batch.segment
            segments[segments.count - 1].points += batch.points.map {
                var point = Running.TrackPoint.blank
                point.time = $0.time
                point.latE9 = $0.latE9.value
                point.lonE9 = $0.lonE9.value
                point.eleMm = $0.eleMm?.value
                return point
            }
        }
    }

    /// The identity of a runner's track, which depends only on the runner and the points.
    ///
    /// A track that is exported and imported again keeps its identity. Points with impossible
    /// coordinates only split segments, and accuracies, names and white space are ignored.
    struct Identity: Equatable, Sendable {
        /// Idempotency key of the import; the log stores only a keyed digest of it.
        var key: String
        /// Id of the run, unless another run has this id. It is derived from the runner and the
        /// times only, because places are personal.
        var runId: String
    }

    func identity(asRunOf userId: String) -> Identity {
        var hash = SHA256()
        var times: [String] = []
        var buffer = BinaryWriter()
        func write(_ value: Int64?) {
            var value = value
            Optional<Int64>.visit(&buffer, &value)
        }
        for segment in segments {
            write(nil)
            var (hasPoints, isBroken) = (false, false)
            for point in segment.points {
                guard let place = point.place, place.isPossible else {
                    isBroken = hasPoints
                    continue
                }
                if isBroken { write(nil) }
                (hasPoints, isBroken) = (true, false)
                times.append(point.time.map { "\($0.microseconds)" } ?? "")
                write(place.latE9)
                write(place.lonE9)
                write(point.time?.microseconds)
                write(point.eleMm)
            }
            hash.update(buffer.bytes)
            buffer = BinaryWriter()
        }
        let track = Hexadecimal.text(hash.finalize())
        let run = CareImportPlan.sha256([userId] + times)
        return Identity(key: "import/gpx/\(userId)/\(track)", runId: "gpx-\(run.prefix(16))")
    }
}
