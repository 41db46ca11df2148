public import Daybook
public import DaybookGeodesy

extension Running {
    /// The reason why a place was left out.
    public enum RejectReason: UInt8, StoredEnum {
        /// There is no such place, or no number was given.
        case latLon
        /// It is not known well enough.
        case accuracy
        /// It has no time, or none after the point before.
        case time
        /// The step is faster than the limit.
        case jump
        /// The run was inactive.
        case notRunning
        /// It is later than the command that brought it.
        case future

        /// The reason for people, behind its name.
        public var sentence: String {
            switch self {
            case .latLon: "no such place"
            case .accuracy: "not known well enough"
            case .time: "no later than the one before"
            case .jump: "faster than the limit"
            case .notRunning: "outside the running time"
            case .future: "later than what brought it"
            }
        }
    }

    /// A place of the run.
    public struct RunPoint: Record {
        /// `nil` where a file has no time.
        public var time: Instant?
        /// Degrees north times 10⁹.
        public var latE9: PersonalInteger = 0
        /// Degrees east times 10⁹.
        public var lonE9: PersonalInteger = 0
        /// Elevation above sea level.
        public var eleMm: PersonalInteger?
        /// Distance from the true place, at most.
        public var accMm: Int64?
        /// Distance from the point before; 0 for the first of a segment.
        public var stepMm: Int64 = 0

        public static var blank: Self { Self() }
        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time)
            try field("latE9", &latE9, .values(-90_000_000_000...90_000_000_000))
            try field("lonE9", &lonE9, .values(-180_000_000_000...180_000_000_000))
            try field("eleMm", &eleMm, .values(-1_000_000_000...1_000_000_000))
            try field("accMm", &accMm, .values(recordedAccuraciesMm))
            try field("stepMm", &stepMm, .values(0...longestStepMm))
        }
    }

    /// A place that was left out.
    public struct RejectedPoint: Record {
        /// Index among the points of the command, from 0.
        public var index: Int64 = 0
        public var reason = RejectReason.latLon
        /// The time as it came in, like the values below.
        public var time: Instant?
        public var latE9: PersonalInteger?
        public var lonE9: PersonalInteger?
        public var accMm: Int64?

        public static var blank: Self { Self() }
        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9)

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("index", &index, .count)
            try field("reason", &reason)
            try field("tUs", &time, .any)
            try field("latE9", &latE9, .any)
            try field("lonE9", &lonE9, .any)
            try field("accMm", &accMm, .any)
        }
    }

    /// Places of earlier batches that a batch found to be wrong, or right after all.
    ///
    /// The places found wrong are the newest ones kept until then. What was added for them is taken back.
    public struct TrackCorrection: Record {
        /// Number of the newest kept places that are withdrawn.
        public var withdrawn: Int64 = 0
        /// The steps to them.
        public var takenBackMm: Int64 = 0
        /// The straight lines over breaks before them.
        public var takenBackBridgeMm: Int64 = 0
        public var takenBackForwardUs: Int64 = 0
        public var takenBackMovingUs: Int64 = 0
        /// Number of the batch's first places that an earlier batch had left out.
        public var readmitted: Int64 = 0

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("withdrawn", &withdrawn, .count)
            try field("takenBackMm", &takenBackMm, .values(distancesMm))
            try field("takenBackBridgeMm", &takenBackBridgeMm, .values(distancesMm))
            try field("takenBackForwardUs", &takenBackForwardUs, .values(trackTimesUs))
            try field("takenBackMovingUs", &takenBackMovingUs, .values(trackTimesUs))
            try field("readmitted", &readmitted, .count)
        }
    }

    /// Sums of times between places, up to 300 years.
    static let trackTimesUs: ClosedRange<Int64> = 0...10_000_000_000_000_000

    /// A phone or a file reported places of the run.
    ///
    /// Distances are measured once, when this is decided, so that replaying it only adds.
    public struct LocationsRecorded: EventPayload {
        public static let kind: EventKind = "running.locations-recorded.v1"
        public var runId = ""
        /// Number of the stretch without a pause, from 0.
        public var segment: Int64 = 0
        /// Number of the batch in the run, from 0.
        public var batch: Int64 = 0
        public var points: [RunPoint] = []
        /// The sum of the steps.
        public var addedMm: Int64 = 0
        /// The straight line over the pause before the first point, which only the source's
        /// rules count.
        public var bridgeMm: Int64 = 0
        /// The time that went forward from point to point.
        public var forwardUs: Int64 = 0
        /// The part of `forwardUs` in steps of at most 30 s and at least 0.5 m/s.
        public var movingUs: Int64 = 0
        /// Begin of the standing still that lasts at the end of the batch.
        public var stoodSince: Instant?
        public var rejected: [RejectedPoint] = []
        public var rules = Rules.standard
        /// Changes of what earlier batches recorded; `nil` for none.
        public var correction: TrackCorrection?

        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("segment", &segment, .count)
            try field("batch", &batch, .count)
            try field("points", &points)
            try field("addedMm", &addedMm, .values(distancesMm))
            try field("bridgeMm", &bridgeMm, .values(distancesMm))
            try field("forwardUs", &forwardUs, .values(trackTimesUs))
            try field("movingUs", &movingUs, .values(trackTimesUs))
            try field("stoodSinceUs", &stoodSince)
            try field("rejected", &rejected, "rules", &rules)
            try field.addedField("correction", &correction)
        }
    }
}

extension Running.RunPoint {
    /// Its coordinates; `nil` where they are erased.
    public var place: Coordinate? {
        guard let latitude = latE9.value, let longitude = lonE9.value else { return nil }
        return Coordinate(latE9: latitude, lonE9: longitude)
    }
}
