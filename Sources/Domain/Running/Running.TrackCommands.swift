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

        public static var blank: Self { Self() }

        public static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &tUs, .any)
            try field("latE9", &latE9, .any)
            try field("lonE9", &lonE9, .any)
            try field("eleMm", &eleMm, .any)
            try field("accMm", &accMm, .any)
        }
    }

    /// A stretch of a file without a pause.
    public struct TrackSegment: Record {
        public var points: [TrackPoint] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("points", &points)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("title", &title)
            try field("zone", &zone)
            try field("segments", &segments)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(Running.speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(Running.accuraciesMm))
        }
    }
}
