public import EventSourcing

extension Running {
    /// A point of a file, before it is judged.
    public struct TrackPoint: Record {
        public var tUs: Int64?
        /// `nil` where the file has no number.
        public var latE9: Int64?
        public var lonE9: Int64?
        public var eleMm: Int64?
        public var accMm: Int64?

        public init() {}

        public init(
            tUs: Int64? = nil, latE9: Int64? = nil, lonE9: Int64? = nil, eleMm: Int64? = nil,
            accMm: Int64? = nil
        ) {
            self.tUs = tUs
            self.latE9 = latE9
            self.lonE9 = lonE9
            self.eleMm = eleMm
            self.accMm = accMm
        }

        public static let limits: [String: Limit] = [
            "tUs": .any, "latE9": .any, "lonE9": .any, "eleMm": .any, "accMm": .any,
        ]

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TrackPoint
        ) throws(Visitor.Failure) {
            try visitor.field("tUs", &value.tUs)
            try visitor.field("latE9", &value.latE9)
            try visitor.field("lonE9", &value.lonE9)
            try visitor.field("eleMm", &value.eleMm)
            try visitor.field("accMm", &value.accMm)
        }
    }

    /// A stretch of a file without a pause.
    public struct TrackSegment: Record {
        public var points: [TrackPoint] = []

        public init() {}

        public init(
            points: [TrackPoint] = []
        ) {
            self.points = points
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TrackSegment
        ) throws(Visitor.Failure) {
            try visitor.field("points", &value.points)
        }
    }

    /// Take over a track that was recorded elsewhere, whole.
    ///
    /// Every point that can be a place is kept, in the order of the file; limits are only those
    /// given.
    public struct ImportTrack: Record {
        public var runId = ""
        public var userId = ""
        public var title: PersonalText?
        /// Of a runner who is new.
        public var zone: String?
        public var segments: [TrackSegment] = []
        public var maxSpeedMmPerS: Int64?
        public var maxAccuracyMm: Int64?

        public init() {}

        public init(
            runId: String, userId: String, title: PersonalText? = nil, zone: String? = nil,
            segments: [TrackSegment] = [], maxSpeedMmPerS: Int64? = nil,
            maxAccuracyMm: Int64? = nil
        ) {
            self.runId = runId
            self.userId = userId
            self.title = title
            self.zone = zone
            self.segments = segments
            self.maxSpeedMmPerS = maxSpeedMmPerS
            self.maxAccuracyMm = maxAccuracyMm
        }

        public static let limits: [String: Limit] = [
            "maxSpeedMmPerS": .values(Running.speedsMmPerS),
            "maxAccuracyMm": .values(Running.accuraciesMm),
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ImportTrack
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("title", &value.title)
            try visitor.field("zone", &value.zone)
            try visitor.field("segments", &value.segments)
            try visitor.field("maxSpeedMmPerS", &value.maxSpeedMmPerS)
            try visitor.field("maxAccuracyMm", &value.maxAccuracyMm)
        }
    }
}
