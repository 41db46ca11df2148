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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment)
            try field("startedUs", &startedUs)
            try field("endedUs", &endedUs)
            try field("points", &points)
            try field("distanceMm", &distanceMm)
            try field("forwardUs", &forwardUs)
            try field("bridgeMm", &bridgeMm)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("index", &index)
            try field("reason", &reason)
            try field("tUs", &tUs)
            try field("latE9", &latE9)
            try field("lonE9", &lonE9)
            try field("accMm", &accMm)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("position", &position)
            try field("knownUs", &knownUs)
            try field("state", &state)
            try field("distanceMm", &distanceMm)
            try field("sourceMm", &sourceMm)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS)
            try field("maxAccuracyMm", &maxAccuracyMm)
            try field("segments", &segments)
            try field("leftOut", &leftOut)
        }
    }
}
