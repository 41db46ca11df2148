package import Daybook
package import DaybookGeodesy

extension Running {
    /// The reason why a place was rejected.
    package enum RejectReason: UInt8, StoredEnum {
        /// The coordinates are missing or impossible.
        case latLon
        /// The accuracy is worse than the limit.
        case accuracy
        /// The point has no time, or its time is not after that of the previous point.
        case time
        /// The point was reached from the previous point faster than the limit allows.
        case jump
        /// The run was not running at the time of the point.
        case notRunning
        /// The time of the point is over a minute after that of the command that reported it.
        case future

        /// Short explanation of the reason, shown after the name of the case.
        package var sentence: String {
            switch self {
            case .latLon: "impossible coordinates"
            case .accuracy: "less accurate than the limit"
            case .time: "no time later than the point before"
            case .jump: "faster than the limit"
            case .notRunning: "outside the running time"
            case .future: "later than the command that reported it"
            }
        }
    }

    /// A kept point of a run, with the distance from the previous point.
    package struct RunPoint: PlainRecord {
        /// Time of the point; `nil` if the file has no time.
        package var time: Instant?
        /// Degrees north times 10⁹.
        package var latE9: PersonalInteger = 0
        /// Degrees east times 10⁹.
        package var lonE9: PersonalInteger = 0
        package var eleMm: PersonalInteger?
        package var accMm: Int64?
        /// Distance from the previous point; 0 for the first point of a segment.
        package var stepMm: Int64 = 0

        package static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time)
            try field("latE9", &latE9, .values(-90_000_000_000...90_000_000_000))
            try field("lonE9", &lonE9, .values(-180_000_000_000...180_000_000_000))
            try field("eleMm", &eleMm, .values(-1_000_000_000...1_000_000_000))
            try field("accMm", &accMm, .values(recordedAccuraciesMm))
            try field("stepMm", &stepMm, .values(0...longestStepMm))
        }
    }

    /// A reported point that was rejected, and adds nothing to the run.
    package struct RejectedPoint: PlainRecord {
        /// Index among the points of the command, from 0.
        package var index: Int64 = 0
        package var reason = RejectReason.latLon
        /// Time as reported; the following fields also contain reported values.
        package var time: Instant?
        package var latE9: PersonalInteger?
        package var lonE9: PersonalInteger?
        package var accMm: Int64?

        package static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9)

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("index", &index, .count)
            try field("reason", &reason)
            try field("tUs", &time, .any)
            try field("latE9", &latE9, .any)
            try field("lonE9", &lonE9, .any)
            try field("accMm", &accMm, .any)
        }
    }

    /// Corrections that a batch makes to earlier batches: kept places to withdraw, and rejected
    /// places to keep after all (readmit).
    ///
    /// Withdrawn places are the newest kept places before the batch; their figures are subtracted.
    package struct TrackCorrection: PlainRecord {
        /// Number of the newest kept places that are withdrawn.
        var withdrawnCount: Int64 = 0
        /// Total distance that the withdrawn places had added.
        var takenBackMm: Int64 = 0
        /// Total of the straight lines over pauses or breaks before the withdrawn places.
        var takenBackBridgeMm: Int64 = 0
        /// Total time that the withdrawn places had added, from point to point.
        var takenBackForwardUs: Int64 = 0
        /// Part of `takenBackForwardUs` during which the runner was in motion.
        var takenBackMovingUs: Int64 = 0
        /// Number of places at the start of this batch that an earlier batch had rejected.
        var readmittedCount: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("withdrawn", &withdrawnCount, .count)
            try field("takenBackMm", &takenBackMm, .values(distancesMm))
            try field("takenBackBridgeMm", &takenBackBridgeMm, .values(distancesMm))
            try field("takenBackForwardUs", &takenBackForwardUs, .values(trackTimesUs))
            try field("takenBackMovingUs", &takenBackMovingUs, .values(trackTimesUs))
            try field("readmitted", &readmittedCount, .count)
        }
    }

    /// The rejected points of a batch that later points may still show to be correct.
    package struct WaitingPoints: PlainRecord {
        /// Indices among the points of the command, from 0.
        package var indices: [Int64] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("indices", &indices, .count)
        }
    }

    /// Accepted sums of the times between places: up to about 317 years, in microseconds.
    static let trackTimesUs: ClosedRange<Int64> = 0...10_000_000_000_000_000

    /// A batch of points that a phone or a file reported for a run.
    ///
    /// The command measures distances once, so that a replay only adds the recorded distances.
    package struct LocationsRecorded: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.locations-recorded.v1"
        package var runId = ""
        /// Number of the segment, from 0.
        package var segment: Int64 = 0
        /// Number of the batch within the run, from 0.
        package var batch: Int64 = 0
        /// Kept points, in order.
        package var points: [RunPoint] = []
        /// Distance that the kept points add to the run.
        package var addedMm: Int64 = 0
        /// Length of the straight line over the pause or break before the first point. Only under
        /// the rule set `source` does the line count as distance.
        package var bridgeMm: Int64 = 0
        /// Sum of the times from point to point; a time that would be negative counts as 0.
        package var forwardUs: Int64 = 0
        /// Part of `forwardUs` in motion: at least 0.5 m/s, between points at most 30 s apart.
        var movingUs: Int64 = 0
        /// Time since which the runner has stood still; `nil` if the runner moves at the end of the
        /// batch.
        var stoodSince: Instant?
        package var rejected: [RejectedPoint] = []
        /// Rule set under which the points were kept or rejected.
        package var rules = Rules.standard
        /// Corrections of earlier batches; `nil` for none.
        var correction: TrackCorrection?
        /// Rejected points that later points may still show to be correct; `nil` if no point was
        /// rejected by its neighbours, or if an earlier release recorded it.
        var waiting: WaitingPoints?
        package var tags: [Tag] { [tag(runId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("segment", &segment, .count)
            try field("batch", &batch, .count)
            try field("points", &points)
            try field("addedMm", &addedMm, .values(distancesMm))
            try field("bridgeMm", &bridgeMm, .values(distancesMm))
            try field("forwardUs", &forwardUs, .values(trackTimesUs))
            try field("movingUs", &movingUs, .values(trackTimesUs))
            try field("stoodSinceUs", &stoodSince, "rejected", &rejected, "rules", &rules)
            try field.addedField("correction", &correction)
            try field.addedField("waiting", &waiting)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                points.count.counted("place"), FieldUnit.millimetres.text(addedMm),
                rejected.isEmpty ? nil : "\(rejected.count) rejected")
        }
    }
}

extension Running.RunPoint {
    /// Coordinates of the point; `nil` if erased.
    package var place: Coordinate? {
        guard let latitude = latE9.value, let longitude = lonE9.value else { return nil }
        return Coordinate(latE9: latitude, lonE9: longitude)
    }
}
