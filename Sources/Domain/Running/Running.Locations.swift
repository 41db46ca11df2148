public import EventSourcing

extension Running {
    /// A place the run went through.
    public struct RunPoint: Record {
        /// When; `nil` where a file does not say.
        public var tUs: Int64?
        /// Degrees north times 10⁹.
        public var latE9: PersonalInteger = 0
        /// Degrees east times 10⁹.
        public var lonE9: PersonalInteger = 0
        /// Elevation above sea level.
        public var eleMm: PersonalInteger?
        /// Within how much of the true place.
        public var accMm: Int64?
        /// The way from the point before; 0 for the first of a segment.
        public var stepMm: Int64 = 0

        public static var blank: Self { Self() }

        public init() {}

        public init(
            tUs: Int64? = nil, latE9: Int64, lonE9: Int64, eleMm: Int64? = nil,
            accMm: Int64? = nil, stepMm: Int64
        ) {
            self.tUs = tUs
            self.latE9 = PersonalInteger(latE9)
            self.lonE9 = PersonalInteger(lonE9)
            self.eleMm = eleMm.map { PersonalInteger($0) }
            self.accMm = accMm
            self.stepMm = stepMm
        }

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &tUs, .moment)
            try field("latE9", &latE9, .values(-90_000_000_000...90_000_000_000))
            try field("lonE9", &lonE9, .values(-180_000_000_000...180_000_000_000))
            try field("eleMm", &eleMm, .values(-1_000_000_000...1_000_000_000))
            try field("accMm", &accMm, .values(-40_000_000_000...40_000_000_000))
            try field("stepMm", &stepMm, .values(0...Running.longestStepMm))
        }
    }

    /// A place that was left out.
    public struct RejectedPoint: Record {
        /// Among the points of the command, from 0.
        public var index: Int64 = 0
        public var reason = RejectReason.latLon
        /// As it was given, like the rest.
        public var tUs: Int64?
        public var latE9: PersonalInteger?
        public var lonE9: PersonalInteger?
        public var accMm: Int64?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            index: Int64, reason: RejectReason, tUs: Int64? = nil, latE9: Int64? = nil,
            lonE9: Int64? = nil, accMm: Int64? = nil
        ) {
            self.index = index
            self.reason = reason
            self.tUs = tUs
            self.latE9 = latE9.map { PersonalInteger($0) }
            self.lonE9 = lonE9.map { PersonalInteger($0) }
            self.accMm = accMm
        }

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9)

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("index", &index, .count)
            try field("reason", &reason)
            try field("tUs", &tUs, .any)
            try field("latE9", &latE9, .any)
            try field("lonE9", &lonE9, .any)
            try field("accMm", &accMm, .any)
        }
    }

    /// The phone, or a file, told where the run went.
    ///
    /// Distances were measured once, when this was decided, so that replaying it only adds.
    public struct LocationsRecorded: EventPayload {
        public static let kind: EventKind = "running.locations-recorded.v1"

        public var runId = ""
        /// Which stretch without a pause, from 0.
        public var segment: Int64 = 0
        /// Which of the run's batches, from 0.
        public var batch: Int64 = 0
        public var points: [RunPoint] = []
        /// The sum of the steps.
        public var addedMm: Int64 = 0
        /// The straight line over the pause in front of the first point, which only the source's
        /// rules count.
        public var bridgeMm: Int64 = 0
        /// The time that went forward from point to point.
        public var forwardUs: Int64 = 0
        /// Of that, the steps of at most 30 s and at least 0.5 m/s.
        public var movingUs: Int64 = 0
        /// Since when the runner stands still at the end of the batch.
        public var stoodSinceUs: Int64?
        public var rejected: [RejectedPoint] = []
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("segment", &segment, .count)
            try field("batch", &batch, .count)
            try field("points", &points)
            try field("addedMm", &addedMm, .values(Running.distancesMm))
            try field("bridgeMm", &bridgeMm, .values(Running.distancesMm))
            try field("forwardUs", &forwardUs, .values(0...10_000_000_000_000_000))
            try field("movingUs", &movingUs, .values(0...10_000_000_000_000_000))
            try field("stoodSinceUs", &stoodSinceUs, .moment)
            try field("rejected", &rejected)
            try field("rules", &rules)
        }
    }
}
