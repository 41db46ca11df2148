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

        public static let limits: [String: Limit] = [
            "tUs": .moment, "latE9": .values(-90_000_000_000...90_000_000_000),
            "lonE9": .values(-180_000_000_000...180_000_000_000),
            "eleMm": .values(-1_000_000_000...1_000_000_000),
            "accMm": .values(-40_000_000_000...40_000_000_000),
            "stepMm": .values(0...Running.longestStepMm),
        ]

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunPoint
        ) throws(Visitor.Failure) {
            try visitor.field("tUs", &value.tUs)
            try visitor.field("latE9", &value.latE9)
            try visitor.field("lonE9", &value.lonE9)
            try visitor.field("eleMm", &value.eleMm)
            try visitor.field("accMm", &value.accMm)
            try visitor.field("stepMm", &value.stepMm)
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

        public static let limits: [String: Limit] = [
            "index": .count, "tUs": .any, "latE9": .any, "lonE9": .any, "accMm": .any,
        ]

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9)

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RejectedPoint
        ) throws(Visitor.Failure) {
            try visitor.field("index", &value.index)
            try visitor.field("reason", &value.reason)
            try visitor.field("tUs", &value.tUs)
            try visitor.field("latE9", &value.latE9)
            try visitor.field("lonE9", &value.lonE9)
            try visitor.field("accMm", &value.accMm)
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
        public var rules = RuleSet.standard

        public init() {}

        public init(
            runId: String, segment: Int64, batch: Int64, points: [RunPoint] = [], addedMm: Int64,
            bridgeMm: Int64, forwardUs: Int64, movingUs: Int64, stoodSinceUs: Int64? = nil,
            rejected: [RejectedPoint] = [], rules: RuleSet = RuleSet.standard
        ) {
            self.runId = runId
            self.segment = segment
            self.batch = batch
            self.points = points
            self.addedMm = addedMm
            self.bridgeMm = bridgeMm
            self.forwardUs = forwardUs
            self.movingUs = movingUs
            self.stoodSinceUs = stoodSinceUs
            self.rejected = rejected
            self.rules = rules
        }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public static let limits: [String: Limit] = [
            "segment": .count, "batch": .count, "addedMm": .values(Running.distancesMm),
            "bridgeMm": .values(Running.distancesMm),
            "forwardUs": .values(0...10_000_000_000_000_000),
            "movingUs": .values(0...10_000_000_000_000_000), "stoodSinceUs": .moment,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LocationsRecorded
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("segment", &value.segment)
            try visitor.field("batch", &value.batch)
            try visitor.field("points", &value.points)
            try visitor.field("addedMm", &value.addedMm)
            try visitor.field("bridgeMm", &value.bridgeMm)
            try visitor.field("forwardUs", &value.forwardUs)
            try visitor.field("movingUs", &value.movingUs)
            try visitor.field("stoodSinceUs", &value.stoodSinceUs)
            try visitor.field("rejected", &value.rejected)
            try visitor.field("rules", &value.rules)
        }
    }
}
