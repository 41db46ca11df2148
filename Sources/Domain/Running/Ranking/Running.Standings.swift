public import EventSourcing

extension Running {
    /// What a ranking knows of a run.
    public struct ScoredRun: Record {
        public var userId = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var distanceMm: Int64 = 0
        /// Completed, and neither cancelled nor discarded.
        public var counts = false

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ScoredRun
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("counts", &value.counts)
        }
    }

    /// A closing, and where it stands in the log.
    public struct Closing: Record {
        public var position: Int64 = 0
        public var recordedUs: Int64 = 0
        public var closed = RankingWeekClosed()

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Closing
        ) throws(Visitor.Failure) {
            try visitor.field("position", &value.position)
            try visitor.field("recordedUs", &value.recordedUs)
            try visitor.field("closed", &value.closed)
        }
    }

    /// The runs that rankings are made of, and the closings.
    public struct Standings: Record {
        /// By id.
        public var runs: [String: ScoredRun] = [:]
        public var closings: [Closing] = []
        /// The last event that was told.
        public var position: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Standings
        ) throws(Visitor.Failure) {
            try visitor.field("runs", &value.runs)
            try visitor.field("closings", &value.closings)
            try visitor.field("position", &value.position)
        }
    }
}
