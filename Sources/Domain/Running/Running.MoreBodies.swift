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

    /// Change what is known of a runner; the first change makes the runner known.
    public struct ChangeProfile: Record {
        public var userId = ""
        public var name: PersonalText?
        public var imageUrl: PersonalText?
        public var weightG: Int64?
        public var zone: String?

        public init() {}

        public init(
            userId: String, name: PersonalText? = nil, imageUrl: PersonalText? = nil,
            weightG: Int64? = nil, zone: String? = nil
        ) {
            self.userId = userId
            self.name = name
            self.imageUrl = imageUrl
            self.weightG = weightG
            self.zone = zone
        }

        public static let limits: [String: Limit] = ["weightG": .values(Running.weightsG)]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ChangeProfile
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("name", &value.name)
            try visitor.field("imageUrl", &value.imageUrl)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("zone", &value.zone)
        }
    }

    /// Make the ranking of a week final.
    public struct CloseWeek: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        /// IANA name of the zone whose Monday begins it.
        public var zone = ""
        public var tzdata = ""
        /// Monday 00:00 there.
        public var startUs: Int64 = 0
        /// The Monday after.
        public var endUs: Int64 = 0
        /// Close it once more, over what came late.
        public var again: Bool?

        public init() {}

        public init(
            week: String, zone: String, tzdata: String, startUs: Int64, endUs: Int64,
            again: Bool? = nil
        ) {
            self.week = week
            self.zone = zone
            self.tzdata = tzdata
            self.startUs = startUs
            self.endUs = endUs
            self.again = again
        }

        public static let limits: [String: Limit] = ["startUs": .moment, "endUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout CloseWeek
        ) throws(Visitor.Failure) {
            try visitor.field("week", &value.week)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("again", &value.again)
        }
    }
}
