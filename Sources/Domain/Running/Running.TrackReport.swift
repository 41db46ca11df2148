public import EventSourcing

extension Running {
    /// A stretch of a run without a pause.
    public struct SegmentReport: Record {
        /// From 0.
        public var segment: Int64 = 0
        /// Of the first point that has a time.
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var points: Int64 = 0
        public var distanceMm: Int64 = 0
        /// Time from point to point.
        public var forwardUs: Int64 = 0
        /// The straight line over the pause in front of it, which is not counted.
        public var bridgeMm: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SegmentReport
        ) throws(Visitor.Failure) {
            try visitor.field("segment", &value.segment)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("points", &value.points)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("forwardUs", &value.forwardUs)
            try visitor.field("bridgeMm", &value.bridgeMm)
        }
    }

    /// A place that was left out.
    public struct LeftOut: Record {
        /// Of the event that says so.
        public var position: Int64 = 0
        /// Among the points of the command or file, from 0.
        public var index: Int64 = 0
        public var reason = RejectReason.latLon
        public var tUs: Int64?
        public var latE9: Int64?
        public var lonE9: Int64?
        public var accMm: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LeftOut
        ) throws(Visitor.Failure) {
            try visitor.field("position", &value.position)
            try visitor.field("index", &value.index)
            try visitor.field("reason", &value.reason)
            try visitor.field("tUs", &value.tUs)
            try visitor.field("latE9", &value.latE9)
            try visitor.field("lonE9", &value.lonE9)
            try visitor.field("accMm", &value.accMm)
        }
    }

    /// Why a run has the length it has: its segments, its pauses, and what was left out.
    public struct TrackReport: Record {
        public var runId = ""
        public var position: Int64 = 0
        public var knownUs: Int64 = 0
        public var state = RunState.idle
        /// By the standard rules.
        public var distanceMm: Int64 = 0
        /// With the straight lines over the pauses.
        public var sourceMm: Int64 = 0
        /// The limits of the run.
        public var maxSpeedMmPerS: Int64?
        public var maxAccuracyMm: Int64?
        public var segments: [SegmentReport] = []
        public var leftOut: [LeftOut] = []

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TrackReport
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("position", &value.position)
            try visitor.field("knownUs", &value.knownUs)
            try visitor.field("state", &value.state)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("sourceMm", &value.sourceMm)
            try visitor.field("maxSpeedMmPerS", &value.maxSpeedMmPerS)
            try visitor.field("maxAccuracyMm", &value.maxAccuracyMm)
            try visitor.field("segments", &value.segments)
            try visitor.field("leftOut", &value.leftOut)
        }
    }
}
